// Package event describes an event of Google Calendar: its details as arguments, its
// guests, the people that a change reaches, and its fields as JSON. Changes compare, send
// and undo these fields. The package makes no requests. Start with [Details] and [Fields].
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

// Copy returns a copy of an event that can be inserted under another id. It leaves out the
// fields that belong only to the original.
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

// When describes when an event takes place, in the clock time of the zone.
func When(e *calendarapi.Event, zone *time.Location) string {
	s, ok := eventtime.Of(e, zone)
	if !ok {
		return "a time that Google does not show"
	}
	return s.Words(zone)
}

// Cancelled is the status of a deleted event.
const Cancelled = "cancelled"

// IsFree reports whether an event does not block its time: it is shown as free, or the
// calendar's owner has declined it.
func IsFree(e *calendarapi.Event) bool {
	return e.Transparency == "transparent" ||
		slices.ContainsFunc(e.Attendees, func(a *calendarapi.EventAttendee) bool { return a.Self && a.ResponseStatus == "declined" })
}

// IsPrivate reports whether people who may only read the calendar see only the time of the
// event, unless they are guests.
func IsPrivate(e *calendarapi.Event) bool {
	return e.Visibility == "private" || e.Visibility == "confidential"
}

// IDFromLink returns the event id in a link to Google Calendar. The link's eid is the event
// id, a space and the calendar id, in base64. IDFromLink returns any other text unchanged.
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

// IsID reports whether the text has the form of Google's event ids. Such a text is safe as
// one element of a path.
func IsID(text string) bool {
	return text != "" && len(text) <= 1024 && !strings.ContainsFunc(text, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

// SetDigest stores the digest of the request in the event.
func SetDigest(e *calendarapi.Event, digest string) {
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

// DigestOf returns the digest that SetDigest stored in the event, or "".
func DigestOf(e *calendarapi.Event) string {
	if e.ExtendedProperties == nil {
		return ""
	}
	return e.ExtendedProperties.Private[DigestKey]
}

// DigestKey is the name of a private extended property. In an event that KOTA made, the
// property holds the digest of the request.
const DigestKey = "kota"

// IsTainted reports whether KOTA wrote the event in a tainted session. A session is tainted
// once it has read untrusted content.
func IsTainted(e *calendarapi.Event) bool {
	return e.ExtendedProperties != nil && e.ExtendedProperties.Private[TaintKey] != ""
}

// IsUnapproved reports whether the event is tainted and the user has not yet approved
// sending its text.
func IsUnapproved(e *calendarapi.Event) bool {
	return IsTainted(e) && e.ExtendedProperties.Private[TaintKey] != TaintApproved
}

// TaintKey is the name of a private extended property, which guests do not see. The
// property marks an event that KOTA wrote in a tainted session. The mark stays when any
// session changes, moves, copies or restores the event.
const (
	TaintKey      = "kotaWords"
	Tainted       = "mixed"
	TaintApproved = "agreed" // tainted, but the user has since approved sending its text
)
