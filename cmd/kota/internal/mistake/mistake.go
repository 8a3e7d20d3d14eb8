// Package mistake holds the error for wrong input of the user: an argument, an
// environment variable, or a line of bundles.yaml. The program prints its text
// without a prefix and ends with exit status 2.
package mistake

import (
	"fmt"
	"strings"

	"kota/metadata"
)

// Error is a mistake in the user's input. Lines has one text for each problem,
// written for the user to read.
type Error struct{ Lines []string }

func (e *Error) Error() string { return strings.Join(e.Lines, "\n") }

// Errorf returns an Error with one problem.
func Errorf(format string, args ...any) error {
	return &Error{Lines: []string{fmt.Sprintf(format, args...)}}
}

// DidYouMean returns " (did you mean X?)" for the known name X that is nearest,
// or "" if none is near.
func DidYouMean(name string, known []string) string {
	near := metadata.Nearest(name, known, 1)
	if len(near) == 0 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", near[0])
}

// Shorten returns the first 40 characters of text and "…" if it is longer.
// Otherwise it returns text without surrounding white space.
func Shorten(text string) string {
	const maxRunes = 40
	text = withoutPassword(text)
	if r := []rune(text); len(r) > maxRunes {
		return string(r[:maxRunes]) + "…"
	}
	return strings.TrimSpace(text)
}

// withoutPassword removes the user and the password from a URL: somebody may have written the URL
// of the database in the wrong place.
func withoutPassword(text string) string {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return text
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = "…" + rest[at:]
	}
	if before, query, found := strings.Cut(rest, "?"); found && strings.Contains(query, "password") {
		rest = before + "?…"
	}
	return scheme + "://" + rest
}
