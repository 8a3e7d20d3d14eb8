package days

import (
	"crypto/sha256"
	"encoding/hex"

	"kota/bundles/internal/arguments"
	"kota/metadata"
)

// Cursor decodes the cursor given and stores the result in *into. It adds a problem
// if the cursor is invalid, or if it comes from a call with other arguments than
// asked.
func (p *Problems) Cursor(given string, asked any, into *string) {
	if given == "" {
		return
	}
	var of [2]string
	switch {
	case !arguments.DecodeCursor(given, &of):
		p.Add("cursor", "the next_cursor of an answer, unchanged", given)
	case of[0] != digest(asked):
		p.Add("cursor", "the next_cursor of an answer to the same query; omit it to start again", given)
	default:
		*into = of[1]
	}
}

// EncodeCursor returns the cursor for an answer to asked, or "" if next is empty.
func EncodeCursor(next string, asked any) string {
	if next == "" {
		return ""
	}
	return arguments.EncodeCursor([2]string{digest(asked), next})
}

// digest returns a short hash that tells different arguments apart.
func digest(asked any) string {
	raw, _ := metadata.Plain(asked) // only strings and numbers
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:4])
}
