package static

import (
	"encoding/json"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// parseBert reads the normalizer of BERT
// (https://github.com/google-research/bert/blob/master/tokenization.py, BasicTokenizer).
func parseBert(raw json.RawMessage) ([]func(string) string, error) {
	b := struct {
		Clean     bool  `json:"clean_text"`
		Chinese   bool  `json:"handle_chinese_chars"`
		Accents   *bool `json:"strip_accents"` // null: the same as lowercase
		Lowercase bool  `json:"lowercase"`
	}{Clean: true, Chinese: true, Lowercase: true}
	if err := json.Unmarshal(raw, &b); err != nil {
		return nil, invalid("normalizer", err)
	}
	var steps []func(string) string
	if b.Clean {
		steps = append(steps, cleanText)
	}
	if b.Chinese {
		steps = append(steps, spaceIdeographs)
	}
	if b.Accents == nil && b.Lowercase || b.Accents != nil && *b.Accents {
		steps = append(steps, func(text string) string { return without(norm.NFD.String(text), unicode.Mn) })
	}
	if b.Lowercase {
		steps = append(steps, strings.ToLower)
	}
	return steps, nil
}

// cleanText removes control and format characters and U+FFFD, and replaces all white
// space with spaces.
func cleanText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r':
			return ' '
		case r == '\ufffd', unicode.Is(unicode.C, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, text)
}

// spaceIdeographs makes each Chinese character a word.
func spaceIdeographs(text string) string {
	if strings.IndexFunc(text, isIdeograph) < 0 {
		return text
	}
	var spaced strings.Builder
	for _, r := range text {
		if isIdeograph(r) {
			spaced.WriteByte(' ')
			spaced.WriteRune(r)
			spaced.WriteByte(' ')
			continue
		}
		spaced.WriteRune(r)
	}
	return spaced.String()
}

// isIdeograph reports whether r is in one of the blocks that BERT takes for Chinese.
func isIdeograph(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF,
		r >= 0x20000 && r <= 0x2A6DF, r >= 0x2A700 && r <= 0x2CEAF, r >= 0x2F800 && r <= 0x2FA1F:
		return true
	}
	return false
}
