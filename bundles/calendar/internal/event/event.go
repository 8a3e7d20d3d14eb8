// Package event is what an event of Google Calendar is: its details as arguments
// give them, its guests, whom a change of it reaches, and its fields as JSON, which
// changes compare, send and undo. Everything is a pure function of events. Start
// with [Details] and [Fields].
package event

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
)

// Copy returns an event that can be inserted with all that the other has, but
// for what belongs to that one alone.
func Copy(e *calendarapi.Event, id string) *calendarapi.Event {
	copied := *e
	copied.Id, copied.ICalUID, copied.Etag, copied.Kind, copied.HtmlLink, copied.Created, copied.Updated = id, "", "", "", "", "", ""
	copied.Creator, copied.Organizer, copied.Sequence, copied.Locked, copied.PrivateCopy = nil, nil, 0, false, false
	copied.RecurringEventId, copied.OriginalStartTime = "", nil
	copied.ConferenceData, copied.HangoutLink = nil, ""
	copied.Attendees = nil
	for _, one := range e.Attendees {
		guest := *one
		copied.Attendees = append(copied.Attendees, &guest)
	}
	return &copied
}

// When says when an event is.
func When(e *calendarapi.Event, zone *time.Location) string {
	s, ok := eventtime.Of(e, zone)
	if !ok {
		return "a time that Google does not tell"
	}
	return s.Words(zone)
}

// Cancelled is the status of an event that was deleted.
const Cancelled = "cancelled"

// LeavesFree reports whether an event leaves its time free: it is shown as free,
// or whose calendar it is in has declined it.
func LeavesFree(e *calendarapi.Event) bool {
	return e.Transparency == "transparent" ||
		slices.ContainsFunc(e.Attendees, func(a *calendarapi.EventAttendee) bool { return a.Self && a.ResponseStatus == "declined" })
}

// IsPrivate reports whether only its guests see more of the event than its time.
func IsPrivate(e *calendarapi.Event) bool {
	return e.Visibility == "private" || e.Visibility == "confidential"
}

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

// Stamp puts the digest into the event.
func Stamp(e *calendarapi.Event, digest string) {
	properties := calendarapi.EventExtendedProperties{}
	if e.ExtendedProperties != nil {
		properties = *e.ExtendedProperties
	}
	private := map[string]string{DigestKey: digest}
	for name, value := range properties.Private {
		if name != DigestKey {
			private[name] = value
		}
	}
	properties.Private = private
	e.ExtendedProperties = &properties
}

// DigestIn returns the digest that an event carries, "" when it has none.
func DigestIn(e *calendarapi.Event) string {
	if e.ExtendedProperties == nil {
		return ""
	}
	return e.ExtendedProperties.Private[DigestKey]
}

// DigestKey is the private extended property in which an event that KOTA made
// carries the digest of what was asked for.
const DigestKey = "kota"

// IsMixed reports whether KOTA wrote the event after strangers were read.
func IsMixed(e *calendarapi.Event) bool {
	return e.ExtendedProperties != nil && e.ExtendedProperties.Private[MixedKey] != ""
}

// IsUnapproved reports whether the user has not agreed yet to send the words of an
// event that is mixed.
func IsUnapproved(e *calendarapi.Event) bool {
	return IsMixed(e) && e.ExtendedProperties.Private[MixedKey] != Agreed
}

// MixedKey is the private extended property, which guests do not see, of an event
// that KOTA wrote after strangers were read. It stays when the event is changed,
// moved, copied or brought back, in every session.
const (
	MixedKey = "kotaWords"
	Mixed    = "mixed"
	Agreed   = "agreed" // the same, and the user has agreed to send its words since
)
