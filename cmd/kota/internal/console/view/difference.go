package view

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Difference shows what changed from one text to another. It shortens long parts, those that are the
// same most.
func Difference(before, after string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var text strings.Builder
		text.WriteString(`<pre class="text quote small" dir="auto">`)
		for _, part := range difference(visible(before), visible(after)) {
			element := map[byte]string{'-': "del", '+': "ins", ' ': "span"}[part.kind]
			text.WriteString("<" + element + ">" + templ.EscapeString(part.short()) + "</" + element + ">")
		}
		_, err := io.WriteString(w, text.String()+"</pre>")
		return err
	})
}

// A piece is a part of two texts. It is in both, or only in the old or the new one.
type piece struct {
	kind byte // ' ', '-' or '+'
	text string
}

// maxCompared limits the words that difference compares. The time grows with their square.
const maxCompared = 600

// difference returns the pieces of two texts, word by word, in order. It compares texts with too many
// changed words as wholes.
func difference(before, after string) []piece {
	a, b := splitWords(before), splitWords(after)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var pieces []piece
	add := func(kind byte, words ...string) {
		text := strings.Join(words, "")
		if n := len(pieces); n > 0 && pieces[n-1].kind == kind {
			pieces[n-1].text += text
		} else if text != "" {
			pieces = append(pieces, piece{kind, text})
		}
	}
	add(' ', a[:start]...)
	if x, y := a[start:len(a)-end], b[start:len(b)-end]; len(x) > maxCompared || len(y) > maxCompared {
		add('-', x...)
		add('+', y...)
	} else {
		i, j := 0, 0
		for common := commonWords(x, y); i < len(x) || j < len(y); {
			switch {
			case i < len(x) && j < len(y) && x[i] == y[j]:
				add(' ', x[i])
				i, j = i+1, j+1
			case j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1]:
				add('-', x[i])
				i++
			default:
				add('+', y[j])
				j++
			}
		}
	}
	add(' ', a[len(a)-end:]...)
	return pieces
}

// commonWords returns the length of the longest common subsequence of a[i:] and b[j:] for all i and j.
func commonWords(a, b []string) [][]int16 {
	length := make([][]int16, len(a)+1)
	for i := range length {
		length[i] = make([]int16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	return length
}

// splitWords splits a text after each space and each line. Joined, the parts are the text.
func splitWords(text string) (words []string) {
	for line := range strings.Lines(text) {
		words = append(words, strings.SplitAfter(line, " ")...)
	}
	return words
}

// short returns the start and the end of a long text.
func (p piece) short() string {
	most, kept := 2000, 900
	if p.kind == ' ' {
		most, kept = 400, 150
	}
	letters := []rune(p.text)
	if len(letters) <= most {
		return p.text
	}
	return string(letters[:kept]) + "\n…\n" + string(letters[len(letters)-kept:])
}
