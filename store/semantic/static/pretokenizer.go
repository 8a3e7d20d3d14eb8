package static

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A splitter divides each word further.
type splitter func(words []string) []string

// parsePreTokenizers returns the steps that divide a text into words.
func parsePreTokenizers(p part) ([]splitter, error) {
	parts, err := p.flatten("pretokenizers", 0)
	if err != nil {
		return nil, invalid("pre_tokenizer", err)
	}
	var steps []splitter
	for _, p := range parts {
		step, err := parsePreTokenizer(p)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

func parsePreTokenizer(p part) (splitter, error) {
	switch p.kind {
	case "BertPreTokenizer":
		return each(splitBert), nil
	case "Whitespace":
		return each(splitClasses), nil
	case "WhitespaceSplit":
		return each(strings.Fields), nil
	case "Punctuation":
		return each(isolatePunctuation), nil
	case "Metaspace":
		return parseMetaspace(p.raw)
	}
	return nil, problem(chooseOther, "tokenizer.json divides texts with %q, which KOTA does not support", shorten(p.kind))
}

func invalid(key string, err error) *Error {
	return problem(copyAgain, "tokenizer.json has no valid %s: %s", key, shorten(err.Error()))
}

// each makes a splitter from a function that divides one word.
func each(split func(string) []string) splitter {
	return func(words []string) []string {
		var all []string
		for _, word := range words {
			all = append(all, split(word)...)
		}
		return all
	}
}

// splitBert divides at white space, and makes each punctuation mark a word.
func splitBert(text string) []string {
	var words []string
	for _, field := range strings.Fields(text) {
		words = append(words, isolatePunctuation(field)...)
	}
	return words
}

func isolatePunctuation(text string) []string {
	var words []string
	start := 0
	for i, r := range text {
		if !isPunctuation(r) {
			continue
		}
		if start < i {
			words = append(words, text[start:i])
		}
		start = i + utf8.RuneLen(r)
		words = append(words, text[i:start])
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}

// isPunctuation reports whether r is punctuation. All ASCII symbols count, as in BERT.
func isPunctuation(r rune) bool {
	return r > ' ' && r < unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.IsPunct(r)
}

// splitClasses divides a text into runs of word characters and runs of other characters,
// without white space: the expression \w+|[^\w\s]+.
func splitClasses(text string) []string {
	var words []string
	start, class := 0, ' '
	for i, r := range text + " " {
		now := '.'
		switch {
		case unicode.IsSpace(r):
			now = ' '
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc):
			now = 'w'
		}
		if now == class {
			continue
		}
		if class != ' ' {
			words = append(words, text[start:i])
		}
		start, class = i, now
	}
	return words
}

// parseMetaspace reads the pre-tokenizer that marks spaces with a visible character.
func parseMetaspace(raw json.RawMessage) (splitter, error) {
	m := struct {
		Mark   string `json:"replacement"`
		Scheme string `json:"prepend_scheme"`
		Prefix *bool  `json:"add_prefix_space"` // in files that were written before prepend_scheme
		Split  *bool  `json:"split"`
	}{Mark: "▁"}
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, invalid("pre_tokenizer", err)
	}
	if utf8.RuneCountInString(m.Mark) != 1 {
		return nil, problem(copyAgain, "tokenizer.json marks spaces with %q instead of one character", shorten(m.Mark))
	}
	if m.Scheme == "" {
		m.Scheme = "always"
		if m.Prefix != nil && !*m.Prefix {
			m.Scheme = "never"
		}
	}
	return func(words []string) []string {
		var all []string
		for i, word := range words {
			word = strings.ReplaceAll(word, " ", m.Mark)
			if (m.Scheme == "always" || m.Scheme == "first" && i == 0) && !strings.HasPrefix(word, m.Mark) {
				word = m.Mark + word
			}
			if m.Split != nil && !*m.Split {
				all = append(all, word)
				continue
			}
			all = append(all, splitBefore(word, m.Mark)...)
		}
		return all
	}, nil
}

// splitBefore divides a text so that each mark begins a word.
func splitBefore(text, mark string) []string {
	var words []string
	for text != "" {
		_, width := utf8.DecodeRuneInString(text)
		end := strings.Index(text[width:], mark)
		if end < 0 {
			return append(words, text)
		}
		words, text = append(words, text[:width+end]), text[width+end:]
	}
	return words
}
