package metadata

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WithoutSentences returns the text without the sentences for which drop returns true. It also
// omits lines that become empty. If drop returns false for the whole text, the text stays
// unchanged. A sentence ends with a full stop before a space, or with its line.
func WithoutSentences(text string, drop func(sentence string) bool) string {
	if !drop(text) {
		return text
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		var kept strings.Builder
		for sentence := range strings.SplitAfterSeq(line, ". ") {
			if !drop(sentence) {
				kept.WriteString(sentence)
			}
		}
		if kept.Len() > 0 || line == "" {
			lines = append(lines, strings.TrimRight(kept.String(), " "))
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// CountOf returns a count with an English word in the right form: "1 action", "9 actions",
// "2 searches", "3 memories".
func CountOf(n int, word string) string {
	if n != 1 {
		word = plural(word)
	}
	return fmt.Sprintf("%d %s", n, word)
}

// MiB returns a number of bytes in MiB, rounded up to a tenth: "4.1". So a size over a limit does
// not read like the limit.
func MiB(bytes int64) string {
	return strconv.FormatFloat(math.Ceil(float64(bytes)*10/(1<<20))/10, 'f', 1, 64)
}

// FirstFew returns the first five names and the number of the others: "a, b, c, d, e and 3
// others".
func FirstFew(names []string) string {
	const limit = 5
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %s", strings.Join(names[:limit], ", "), CountOf(len(names)-limit, "other"))
}

// plural returns the regular plural of a word.
func plural(word string) string {
	before, ends := strings.CutSuffix(word, "y")
	switch {
	case ends && before != "" && !strings.ContainsAny(before[len(before)-1:], "aeiou"):
		return before + "ies"
	case strings.HasSuffix(word, "s"), strings.HasSuffix(word, "x"), strings.HasSuffix(word, "ch"), strings.HasSuffix(word, "sh"):
		return word + "es"
	}
	return word + "s"
}

// Reworded returns the schema with every description changed by reword. It supports only
// schemas from Infer and schemas derived from them: it loses all keywords that they cannot have.
func (s *Schema) Reworded(reword func(string) string) *Schema {
	if s == nil {
		return nil
	}
	return LazySchema(func() *Schema {
		worded := s.content().shape.reworded(reword)
		return newSchema(appendSchema(nil, worded), worded)
	})
}

func (s *shape) reworded(reword func(string) string) *shape {
	if s == nil {
		return nil
	}
	worded := *s
	worded.description = reword(s.description)
	worded.items, worded.otherProps = s.items.reworded(reword), s.otherProps.reworded(reword)
	if s.props != nil {
		worded.props = make([]property, len(s.props))
	}
	for i, p := range s.props {
		p.shape = p.shape.reworded(reword)
		worded.props[i] = p
	}
	return &worded
}

// SplitSentence splits text after its first sentence or line. A full stop before a lower-case
// word does not end a sentence, because it belongs to an abbreviation.
func SplitSentence(text string) (first, rest string) {
	text = strings.TrimSpace(text)
	for i, r := range text {
		if r != '.' && r != '\n' && r != '。' {
			continue
		}
		end := i + utf8.RuneLen(r)
		rest := strings.TrimLeftFunc(text[end:], unicode.IsSpace)
		next, _ := utf8.DecodeRuneInString(rest)
		if r == '.' && (len(rest) == len(text[end:]) || unicode.IsLower(next)) {
			continue
		}
		return strings.TrimSpace(text[:end]), rest
	}
	return text, ""
}
