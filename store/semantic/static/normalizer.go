package static

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// parseNormalizers returns the steps that unify the spelling of a text.
func parseNormalizers(p part) ([]func(string) string, error) {
	parts, err := p.flatten("normalizers", 0)
	if err != nil {
		return nil, invalid("normalizer", err)
	}
	var steps []func(string) string
	for _, p := range parts {
		more, err := parseNormalizer(p)
		if err != nil {
			return nil, err
		}
		steps = append(steps, more...)
	}
	return steps, nil
}

// parseNormalizer returns the steps of one normalizer.
func parseNormalizer(p part) ([]func(string) string, error) {
	switch p.kind {
	case "BertNormalizer":
		return parseBert(p.raw)
	case "Replace":
		return parseReplace(p.raw)
	case "Strip":
		return parseStrip(p.raw)
	case "Prepend":
		var prepend struct {
			Text string `json:"prepend"`
		}
		if err := json.Unmarshal(p.raw, &prepend); err != nil {
			return nil, invalid("normalizer", err)
		}
		prefix := cutBytes(prepend.Text, maxReplacement)
		return []func(string) string{func(text string) string {
			if text == "" {
				return ""
			}
			return prefix + text
		}}, nil
	}
	if step := simpleNormalizers[p.kind]; step != nil {
		return []func(string) string{step}, nil
	}
	return nil, problem(chooseOther, "tokenizer.json normalizes texts with %q, which KOTA does not support", shorten(p.kind))
}

// simpleNormalizers are the normalizers without settings.
var simpleNormalizers = map[string]func(string) string{
	"Lowercase":    strings.ToLower,
	"NFC":          norm.NFC.String,
	"NFD":          norm.NFD.String,
	"NFKC":         norm.NFKC.String,
	"NFKD":         norm.NFKD.String,
	"StripAccents": func(text string) string { return without(text, unicode.M) },
	"Nmt":          unifySpaces,
	// The file has a compiled table of SentencePiece. It is usually the table of
	// nmt_nfkc, which does these two steps.
	"Precompiled": func(text string) string { return norm.NFKC.String(unifySpaces(text)) },
}

// without removes the characters of a category.
func without(text string, category *unicode.RangeTable) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(category, r) {
			return -1
		}
		return r
	}, text)
}

// unifySpaces replaces white space, zero-width characters and U+FFFD with spaces, and
// removes control characters (SentencePiece, doc/normalization.md: nmt).
func unifySpaces(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) && r != '\v' && r != '\u0085', r >= '\u200b' && r <= '\u200f', r == '\ufeff', r == '\ufffd':
			return ' '
		case unicode.Is(unicode.Cc, r):
			return -1
		}
		return r
	}, text)
}

// maxReplacement limits in bytes what a normalizer may insert at one place.
const maxReplacement = 64

// parseReplace reads a normalizer that replaces a text, or all matches of an expression.
func parseReplace(raw json.RawMessage) ([]func(string) string, error) {
	var replace struct {
		Pattern struct {
			String *string
			Regex  *string
		} `json:"pattern"`
		Content string `json:"content"`
	}
	if err := json.Unmarshal(raw, &replace); err != nil {
		return nil, invalid("normalizer", err)
	}
	if len(replace.Content) > maxReplacement {
		return nil, problem(chooseOther, "tokenizer.json inserts %d bytes at one place; KOTA supports %d", len(replace.Content), maxReplacement)
	}
	content := strings.ToValidUTF8(replace.Content, "\uFFFD")
	if text := replace.Pattern.String; text != nil && *text != "" {
		return []func(string) string{strings.NewReplacer(*text, content).Replace}, nil
	}
	if replace.Pattern.Regex == nil {
		return nil, problem(copyAgain, "tokenizer.json has a normalizer that replaces nothing")
	}
	pattern := *replace.Pattern.Regex
	if !strings.Contains(pattern, "[") { // the library's \s is all white space, and Go's only that of ASCII
		pattern = strings.ReplaceAll(pattern, `\s`, `[\s\p{Z}]`)
	}
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return nil, problem(chooseOther, "tokenizer.json has the expression %q, which KOTA does not support", shorten(*replace.Pattern.Regex))
	}
	return []func(string) string{func(text string) string { return expression.ReplaceAllLiteralString(text, content) }}, nil
}

func parseStrip(raw json.RawMessage) ([]func(string) string, error) {
	var strip struct {
		Left  bool `json:"strip_left"`
		Right bool `json:"strip_right"`
	}
	if err := json.Unmarshal(raw, &strip); err != nil {
		return nil, invalid("normalizer", err)
	}
	return []func(string) string{func(text string) string {
		if strip.Left {
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
		}
		if strip.Right {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		return text
	}}, nil
}
