package untrusted

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"kota/bundles"
)

// afterReading ends the source of what was written in a tainted session.
const afterReading = "after reading what strangers wrote"

// Source is the source to keep of something that the call in ctx writes down:
// what was given, and with it whether strangers had their say in the session.
func Source(ctx context.Context, given string) string {
	switch {
	case !bundles.HasUntrusted(ctx) || Noted(given):
		return given
	case given == "":
		return afterReading
	}
	return given + ", " + afterReading
}

// mostJoined bounds a source that is joined of others, in bytes.
const mostJoined = 400

// Joined is the source of something that is kept or added to. It had a source,
// and another is given: whose words it had it keeps, until others take their
// place.
func Joined(had, given string) string {
	switch {
	case !Noted(had) && had != "" && given == afterReading:
		return had + ", " + afterReading
	case !Noted(had) || strings.Contains(given, had):
		return given
	case given == "" || strings.Contains(had, given) || len(given)+len(had) > mostJoined:
		return had
	}
	return strings.TrimSuffix(given, ", "+afterReading) + ", " + had
}

// outside are what words begin with that name where text of others comes from.
var outside = []string{"mail", "email", "gmail", "inbox", "message", "newsletter", "attach", "event", "invit", "calendar", "web", "http", "www"}

// Noted reports whether a source says that something is, or may be, the words of
// others.
func Noted(source string) bool {
	words := strings.FieldsFunc(strings.ToLower(source), func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.HasSuffix(source, afterReading) || slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(outside, func(start string) bool { return strings.HasPrefix(word, start) })
	})
}

// Recalled is the provenance of a memory with that source, nil for what the user
// said.
func Recalled(ctx context.Context, source string) *Provenance { return kept(ctx, Memory, source) }

// Logged is the provenance of something written down of a day with that source,
// nil for what the user said.
func Logged(ctx context.Context, source string) *Provenance { return kept(ctx, Log, source) }

func kept(ctx context.Context, as, source string) *Provenance {
	if !Noted(source) {
		return nil
	}
	p := By(ctx, as, strings.TrimSuffix(strings.TrimSuffix(source, afterReading), ", "))
	if strings.HasSuffix(source, afterReading) {
		p.Trust = "mixed"
	}
	return p
}
