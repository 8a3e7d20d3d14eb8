package untrusted

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"kota/bundles"
)

// afterReading is the suffix that the source of something gets if it was
// written in a tainted session.
const afterReading = "after reading what strangers wrote"

// SourceToStore returns the source to store for something that the call in ctx
// writes: source, with a note if the session is tainted and source is not
// untrusted already.
func SourceToStore(ctx context.Context, source string) string {
	switch {
	case !bundles.HasUntrusted(ctx) || IsUntrusted(source):
		return source
	case source == "":
		return afterReading
	}
	return source + ", " + afterReading
}

// maxJoined is the maximum total size, in bytes, of two sources that are
// joined.
const maxJoined = 400

// JoinSources returns the source of something that is stored again or extended.
// old is its source before, and added is the source of the new text. An
// untrusted old source is always kept.
func JoinSources(old, added string) string {
	switch {
	case !IsUntrusted(old) && old != "" && added == afterReading:
		return old + ", " + afterReading
	case !IsUntrusted(old) || strings.Contains(added, old):
		return added
	case added == "" || strings.Contains(old, added) || len(added)+len(old) > maxJoined:
		return old
	}
	return strings.TrimSuffix(added, ", "+afterReading) + ", " + old
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

// MarkMemory returns the provenance of a memory with that source, or nil if the
// source is not untrusted.
func MarkMemory(ctx context.Context, source string) *Provenance {
	return markSource(ctx, Memory, source)
}

// MarkDiary returns the provenance of a diary entry with that source, or nil if
// the source is not untrusted.
func MarkDiary(ctx context.Context, source string) *Provenance { return markSource(ctx, Log, source) }

func markSource(ctx context.Context, kind, source string) *Provenance {
	if !IsUntrusted(source) {
		return nil
	}
	p := Mark(ctx, kind, strings.TrimSuffix(strings.TrimSuffix(source, afterReading), ", "))
	if strings.HasSuffix(source, afterReading) {
		p.Trust = "mixed"
	}
	return p
}
