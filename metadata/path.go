package metadata

import (
	"strconv"
	"strings"
)

// A path leads from the arguments to a value inside them.
type path []step

type step struct {
	name  string // the name of a member; "" for an item
	index int    // the index of an item
	item  bool   // the step leads to an item of an array
}

// String returns the path as a person writes it: "filter.tags[2]". It quotes a name that is
// not a plain word: `value["a b"]`.
func (p path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.item:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case !isPlainWord(s.name):
			b.WriteString("[" + strconv.Quote(shorten(s.name)) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

func isPlainWord(name string) bool {
	if name == "" || len(name) > maxShort {
		return false
	}
	for _, r := range name {
		if r != '_' && r != '-' && (r < '0' || '9' < r) && (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) {
			return false
		}
	}
	return true
}

// maxShort is the maximum number of characters that an error quotes from a caller's text.
const maxShort = 60

// shorten returns text on one line, cut to maxShort characters.
func shorten(text string) string {
	const enough = 8 * maxShort // bytes that may contain maxShort characters and white space
	cut := len(text) > enough
	if cut {
		text = strings.ToValidUTF8(text[:enough], "")
	}
	text = strings.Join(strings.Fields(text), " ")
	characters := 0
	for i := range text {
		if characters == maxShort {
			return text[:i] + "…"
		}
		characters++
	}
	if cut {
		return text + "…"
	}
	return text
}
