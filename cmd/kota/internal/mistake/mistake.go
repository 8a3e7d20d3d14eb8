// Package mistake holds the error for wrong input of the user: an argument, an
// environment variable, or a line of bundles.yaml. The program prints it
// unchanged and ends with exit status 2.
package mistake

import (
	"fmt"
	"strings"

	"kota/metadata"
)

// Error is a mistake in the user's input. It has one line for each problem,
// written for the user to read.
type Error struct{ Lines []string }

func (e *Error) Error() string { return strings.Join(e.Lines, "\n") }

// Errorf returns an Error of one line.
func Errorf(format string, args ...any) error {
	return &Error{Lines: []string{fmt.Sprintf(format, args...)}}
}

// DidYouMean returns the question "did you mean" for the nearest of these
// names, or "" if none is near.
func DidYouMean(name string, among []string) string {
	near := metadata.Nearest(name, among, 1)
	if len(near) == 0 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", near[0])
}

// Shorten returns text cut to fit in a line of the terminal.
func Shorten(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return strings.TrimSpace(text)
}
