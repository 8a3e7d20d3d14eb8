package signin

import (
	"slices"
	"strings"

	"kota/auth"
)

// scopeRights describes in words for users what each OAuth scope permits, the
// widest first for each service.
var scopeRights = []struct{ scope, right string }{
	{"https://mail.google.com/", "everything in mail"},
	{"https://www.googleapis.com/auth/gmail.modify", "read, organise, write and send mail"},
	{"https://www.googleapis.com/auth/gmail.readonly", "read mail"},
	{"https://www.googleapis.com/auth/gmail.compose", "write and send mail"},
	{"https://www.googleapis.com/auth/gmail.send", "send mail"},
	{"https://www.googleapis.com/auth/gmail.labels", "manage labels"},
	{"https://www.googleapis.com/auth/gmail.settings.basic", "change filters and the vacation reply"},
	{"https://www.googleapis.com/auth/gmail.metadata", "see who wrote to whom"},
	{"https://www.googleapis.com/auth/calendar", "everything in calendars"},
	{"https://www.googleapis.com/auth/calendar.readonly", "read calendars"},
	{"https://www.googleapis.com/auth/calendar.events", "read and change events"},
	{"https://www.googleapis.com/auth/calendar.events.readonly", "read events"},
	{"https://www.googleapis.com/auth/calendar.calendars", "make, change and delete calendars"},
	{"https://www.googleapis.com/auth/calendar.calendarlist", "choose which calendars are shown"},
	{"https://www.googleapis.com/auth/calendar.acls.readonly", "see whom calendars are shared with"},
	{"https://www.googleapis.com/auth/contacts", "read and change contacts"},
	{"https://www.googleapis.com/auth/contacts.readonly", "read contacts"},
	{"https://www.googleapis.com/auth/contacts.other.readonly", "see people known from mail"},
	{"https://www.googleapis.com/auth/directory.readonly", "see the directory of your organisation"},
}

// DescribeScopes describes the scopes in words for users, in the order of
// scopeRights. Scopes without a description follow, without the prefix of
// Google.
func DescribeScopes(scopes []string) []string {
	words := []string{}
	for _, known := range scopeRights {
		if slices.Contains(scopes, known.scope) {
			words = append(words, known.right)
		}
	}
	for _, scope := range scopes {
		known := slices.ContainsFunc(scopeRights, func(k struct{ scope, right string }) bool { return k.scope == scope })
		if !known {
			words = append(words, strings.TrimPrefix(scope, "https://www.googleapis.com/auth/"))
		}
	}
	return words
}

// MissingScopes returns the needed scopes that the granted scopes do not cover.
func MissingScopes(granted, needed []string) []string {
	return slices.DeleteFunc(slices.Clone(needed), func(scope string) bool { return auth.Covers(granted, scope) })
}
