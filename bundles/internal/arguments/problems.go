// Package arguments checks what a schema cannot say of an action's arguments,
// and words what is wrong with them. Nothing is cleaned: what cannot be meant
// as it is given is refused.
package arguments

import (
	"strconv"
	"strings"

	"kota/metadata"
)

// Problems gathers everything wrong with the arguments of a call, so that its
// caller hears of it at once. The zero value has none.
type Problems []metadata.Problem

// Add notes that the argument at path must be what is expected, and what was
// given, as it is: it is shortened and quoted here.
func (p *Problems) Add(path, expected, got string) {
	*p = append(*p, metadata.Problem{Path: path, Expected: expected, Got: strconv.QuoteToASCII(Brief(got))})
}

// Err returns nil, or a VALIDATION_ERROR that lists the problems. Its hint says
// that nothing was done: it is asked for before anything is.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p.invalid()
}

func (p Problems) invalid() *metadata.Error {
	return metadata.Invalid(p).WithHint("Nothing was done. Mend what is named and repeat the call.")
}

// Invalid is a VALIDATION_ERROR about one argument. Unlike Add it shows what it
// got as it is worded: "both", or a caller's words already quoted.
func Invalid(path, expected, got string) *metadata.Error {
	return Problems{{Path: path, Expected: expected, Got: got}}.invalid()
}

// Brief bounds what an error quotes of its caller's words: 80 characters and an
// ellipsis, in valid UTF-8.
func Brief(text string) string {
	const most = 80
	runes := []rune(strings.ToValidUTF8(text, "\uFFFD"))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}
