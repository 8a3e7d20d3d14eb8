package days

import (
	"crypto/sha256"
	"encoding/hex"

	"kota/bundles/internal/arguments"
	"kota/metadata"
)

// Cursor reads the cursor of an answer to what was asked for.
func (p *Problems) Cursor(given string, asked any, into *string) {
	if given == "" {
		return
	}
	var of [2]string
	switch {
	case !arguments.DecodeCursor(given, &of):
		p.Add("cursor", "the next_cursor of an answer, as it was", given)
	case of[0] != digestOf(asked):
		p.Add("cursor", "the next_cursor of an answer to the same question; without it the answer begins anew", given)
	default:
		*into = of[1]
	}
}

// EncodeCursor is the form in which a cursor is handed out for what was asked, ""
// for none.
func EncodeCursor(next string, asked any) string {
	if next == "" {
		return ""
	}
	return arguments.EncodeCursor([2]string{digestOf(asked), next})
}

// digestOf tells one question from another.
func digestOf(asked any) string {
	raw, _ := metadata.Plain(asked) // of strings and numbers
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:4])
}
