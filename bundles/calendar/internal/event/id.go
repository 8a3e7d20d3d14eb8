package event

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// IDFromLink returns the id of the event that a link to Google Calendar shows,
// whose eid is "id calendar" in base64. Any other text it returns as it is.
func IDFromLink(text string) string {
	link, err := url.Parse(strings.TrimSpace(text))
	if err != nil || link.Scheme != "https" {
		return text
	}
	eid := link.Query().Get("eid")
	if eid == "" {
		_, eid, _ = strings.Cut(link.Path, "/eventedit/")
	}
	eid = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(eid, "="))
	raw, err := base64.RawURLEncoding.DecodeString(eid)
	id, _, ok := strings.Cut(string(raw), " ")
	if err != nil || !ok || !IsID(id) {
		return text
	}
	return id
}

// IsID reports whether the text has the form of Google's ids of events, so
// that it stays one element of a path.
func IsID(text string) bool {
	return text != "" && len(text) <= 1024 && !strings.ContainsFunc(text, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}
