package budget

import "strings"

// Brief returns at most limit tokens from the beginning of the text. It ends
// them with an ellipsis if more text follows.
func Brief(text string, limit int) string {
	if Tokens(text) <= limit {
		return text
	}
	var s tokenCounter
	for i, r := range text {
		if s.add(r); s.tokens() > limit-1 {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

// Tokens estimates how many tokens a model uses for the text: somewhat more
// than the real number for prose, and about the real number for other text.
func Tokens(text string) int {
	var s tokenCounter
	for _, r := range text {
		s.add(r)
	}
	return s.tokens()
}

// tokenCounter estimates tokens by runs of characters. A tokenizer makes one
// token of three digits or of a few letters of a word. It begins another token
// when the kind of character changes.
type tokenCounter struct {
	tenths int  // the estimate so far, in tenths of a token
	kind   rune // the kind of the characters in the current run
	run    int  // the length of the run so far
}

func (s *tokenCounter) tokens() int { return (s.tenths + 9) / 10 }

func (s *tokenCounter) add(r rune) {
	kind, length := r, 1
	switch {
	case r >= 'a' && r <= 'z':
		kind, length = 'a', 4
	case r >= 'A' && r <= 'Z':
		kind, length = 'A', 2
	case r >= '0' && r <= '9':
		kind, length = '0', 3
	case r == ' ':
		s.kind, s.run = r, 0
		return
	case r == '"', r == '\\':
		s.tenths += 5 // it will be escaped
	case r == 0x200D, r == 0xFE0F:
		s.tenths += 5
	case r >= 0x10000:
		s.tenths += 12
	case r >= 0x800:
		s.tenths -= 2
	case r >= 0x80:
		s.tenths -= 5
	}
	// A capital begins the word that continues in small letters.
	if kind == 'a' && s.kind == 'A' && s.run == 1 {
		s.kind = 'a'
	}
	if kind != s.kind || s.run >= length {
		s.kind, s.run = kind, 0
	}
	if s.run == 0 {
		s.tenths += 10
	}
	s.run++
}
