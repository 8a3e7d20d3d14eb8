// Package eventtext says events in words: the rows of lists, a rule of a series, what
// a change does, and all that leaves when other people are reached, for whoever is
// asked about it. Texts of others are made safe and carry their provenance. Start
// with [RowOf] and [Outgoing].
package eventtext

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
)

// A Row is an event in a list: enough to choose it and to speak of it.
type Row struct {
	ID        string   `json:"event_id,omitempty"` // of a dry run there may be none
	Account   string   `json:"account,omitempty"`  // with account "*"
	Calendar  string   `json:"calendar,omitempty"` // its name, among several
	AlsoOn    []string `json:"also_on,omitempty"`  // other calendars that have the same event
	Title     string   `json:"title"`
	When      string   `json:"when"` // on the clocks of the answer's zone
	Length    string   `json:"duration"`
	Zone      string   `json:"zone,omitempty"` // the event's own, where clocks show another time
	Location  string   `json:"location,omitempty"`
	Guests    string   `json:"guests,omitempty"`    // "Bob yes, Carol waiting", or how many answered what
	MyAnswer  string   `json:"my_answer,omitempty"` // yes, no, maybe, not yet
	Organizer string   `json:"organizer,omitempty"` // when it is somebody else
	Recurring bool     `json:"recurring,omitempty"`
	Status    string   `json:"status,omitempty"`  // tentative or cancelled
	Type      string   `json:"type,omitempty"`    // focus, ooo, working_location, birthday, from_gmail
	ShowAs    string   `json:"show_as,omitempty"` // free, when it does not block the time
	Meet      string   `json:"meet,omitempty"`    // the link of its video call

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of what others wrote
}

// What a row shows at most of foreign text, in tokens as budget.Tokens estimates them.
const (
	MaxTitle    = 20
	maxLocation = 14
	MaxPerson   = 8
	MaxName     = 6
	maxAddress  = 12 // about 25 characters: enough to tell people apart
)

// RowOf is the event as lists show it. own is the zone of its calendar, shown
// that of the answer. An event whose time cannot be read, as of one that is
// deleted, has no when.
func RowOf(ctx context.Context, e *calendarapi.Event, in *calendarapi.CalendarListEntry, own, shown *time.Location) Row {
	row := BareRow(e, in, own, shown)
	row.Provenance = Provenance(ctx, e, in, "")
	return row
}

// BareRow is RowOf without saying whose words they are.
func BareRow(e *calendarapi.Event, in *calendarapi.CalendarListEntry, own, shown *time.Location) Row {
	row := Row{
		ID: e.Id, Title: Title(e, in), Location: budget.Brief(htmltext.Line(e.Location), maxLocation),
		Guests: GuestsOf(e, in).words(), MyAnswer: MyAnswer(e, in), Organizer: organizerOf(e),
		Recurring: e.RecurringEventId != "" || len(e.Recurrence) > 0,
		Type:      Type(e), Meet: meetLink(e),
	}
	if event.LeavesFree(e) && e.EventType != "workingLocation" {
		row.ShowAs = "free"
	}
	if e.Status == "tentative" || e.Status == "cancelled" {
		row.Status = e.Status
	}
	if s, ok := eventtime.Of(e, own); ok {
		row.When, row.Length, row.Zone = s.Words(shown), s.Length(), s.Foreign(shown)
	}
	return row
}

// Title is what the event is called. Somebody who may not see it is told
// only that the time is taken.
func Title(e *calendarapi.Event, in *calendarapi.CalendarListEntry) string {
	title := budget.Brief(htmltext.Line(e.Summary), MaxTitle)
	switch {
	case title != "":
		return title
	case in.AccessRole == "freeBusyReader", event.IsPrivate(e) && e.Organizer == nil:
		return "(busy)"
	}
	return "(no title)"
}

// Types are Google's types of events, by what arguments and answers call
// them.
var Types = [][2]string{
	{"default", "default"}, {"focus", "focusTime"}, {"ooo", "outOfOffice"}, {"working_location", "workingLocation"},
	{"birthday", "birthday"}, {"from_gmail", "fromGmail"},
}

// Type is the type of an event that is not an ordinary one, else "".
func Type(e *calendarapi.Event) string {
	if e.EventType == "" || e.EventType == "default" {
		return ""
	}
	for _, t := range Types {
		if t[1] == e.EventType {
			return t[0]
		}
	}
	return budget.Brief(htmltext.Line(e.EventType), MaxName)
}

// meetLink is the link of the event's video call, "" when it has none.
func meetLink(e *calendarapi.Event) string {
	link := e.HangoutLink
	if e.ConferenceData != nil {
		for _, entry := range e.ConferenceData.EntryPoints {
			if entry.EntryPointType == "video" && link == "" {
				link = entry.Uri
			}
		}
	}
	if link = htmltext.Line(link); len(link) > 200 || !strings.HasPrefix(link, "https://") {
		return "" // get_event has all of it
	}
	return link
}

// organizerOf names the organizer if it is neither the user nor the calendar, else "".
func organizerOf(e *calendarapi.Event) string {
	if e.Organizer == nil || e.Organizer.Self {
		return ""
	}
	return personOf(e.Organizer.DisplayName, e.Organizer.Email, MaxPerson)
}

// Organizer is organizerOf for a sentence, which needs a word where Google
// tells nothing.
func Organizer(e *calendarapi.Event) string {
	return cmp.Or(organizerOf(e), "somebody whom Google does not name")
}

// personOf is how a person is called in a few words: by name, else by address.
func personOf(name, address string, most int) string {
	if name = htmltext.Line(name); name == "" {
		return budget.Brief(htmltext.Line(address), maxAddress)
	}
	return budget.Brief(name, most)
}

// ProvenanceFields are what tells whose words an event has, besides its organizer,
// its type and its guests.
const ProvenanceFields = "creator(displayName,email,self),guestsCanModify,extendedProperties/private"

// Provenance is the provenance of an event of a calendar: nil for the user's
// own words, as far as Google tells. Others wrote what they organize or made, what
// Gmail took out of a mail, and maybe what guests may edit. The user's own has the
// words of others in it where a guest is named or has left a comment, where it
// was written after strangers were read, and maybe where it is not in the main
// calendar: Google does not say here with whom another is shared.
func Provenance(ctx context.Context, e *calendarapi.Event, in *calendarapi.CalendarListEntry, sender string) *untrusted.Provenance {
	byUser := (e.Organizer == nil || e.Organizer.Self) && (e.Creator == nil || e.Creator.Self)
	switch {
	case !byUser || e.EventType == "fromGmail" || e.GuestsCanModify && len(e.Attendees) > 0:
		return untrusted.By(ctx, untrusted.Event, sender)
	case !in.Primary || event.IsMixed(e):
		return untrusted.PartlyUntrusted(ctx, untrusted.Event)
	}
	return GuestProvenance(ctx, e, in)
}

// GuestProvenance is that of an event the rest of which is the user's own.
func GuestProvenance(ctx context.Context, e *calendarapi.Event, in *calendarapi.CalendarListEntry) *untrusted.Provenance {
	said := func(a *calendarapi.EventAttendee) bool {
		return !event.IsUser(a, in) && !a.Resource && (a.DisplayName != "" || a.Comment != "")
	}
	if !slices.ContainsFunc(e.Attendees, said) {
		return nil
	}
	return untrusted.PartlyUntrusted(ctx, untrusted.Event)
}
