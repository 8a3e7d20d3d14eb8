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

// SourceToStore returns the source to store for something that the call in ctx writes:
// the given one, with a note if the session is tainted.
func SourceToStore(ctx context.Context, given string) string {
	switch {
	case !bundles.HasUntrusted(ctx) || IsUntrusted(given):
		return given
	case given == "":
		return afterReading
	}
	return given + ", " + afterReading
}

// maxJoined is the maximum size, in bytes, of a joined source.
const maxJoined = 400

// JoinSources returns the source of something that is stored again or extended, from
// its old source and the given one. It keeps the old source if that is
// untrusted, unless the given one contains it.
func JoinSources(had, given string) string {
	switch {
	case !IsUntrusted(had) && had != "" && given == afterReading:
		return had + ", " + afterReading
	case !IsUntrusted(had) || strings.Contains(given, had):
		return given
	case given == "" || strings.Contains(had, given) || len(given)+len(had) > maxJoined:
		return had
	}
	return strings.TrimSuffix(given, ", "+afterReading) + ", " + had
}

// untrustedWords are the beginnings of words that name sources of untrusted content.
var untrustedWords = []string{"mail", "email", "gmail", "inbox", "message", "newsletter", "attach", "event", "invit", "calendar", "web", "http", "www"}

// IsUntrusted reports whether a source says that something is, or may be, untrusted
// content.
func IsUntrusted(source string) bool {
	words := strings.FieldsFunc(strings.ToLower(source), func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.HasSuffix(source, afterReading) || slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(untrustedWords, func(start string) bool { return strings.HasPrefix(word, start) })
	})
}

// MarkMemory returns the provenance of a memory with that source, or nil for what
// the user said.
func MarkMemory(ctx context.Context, source string) *Provenance {
	return markSource(ctx, Memory, source)
}

// MarkDiary returns the provenance of a diary entry with that source, or nil for
// what the user said.
func MarkDiary(ctx context.Context, source string) *Provenance { return markSource(ctx, Log, source) }

func markSource(ctx context.Context, as, source string) *Provenance {
	if !IsUntrusted(source) {
		return nil
	}
	p := Mark(ctx, as, strings.TrimSuffix(strings.TrimSuffix(source, afterReading), ", "))
	if strings.HasSuffix(source, afterReading) {
		p.Trust = "mixed"
	}
	return p
}
