// Package eventtext describes events in words: the rows of lists, the rule of a series
// and the effect of a change. It also describes, for an approval, all text that an action
// sends to other people. It cleans untrusted content and adds its provenance. Start with
// [RowOf] and [Outgoing].
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

// A Row shows an event in a list, with enough details to choose it.
type Row struct {
	ID        string   `json:"event_id,omitempty"` // absent in some dry runs
	Account   string   `json:"account,omitempty"`  // set only if the call asked for all accounts
	Calendar  string   `json:"calendar,omitempty"` // name of its calendar, if the list reads several
	AlsoOn    []string `json:"also_on,omitempty"`  // other calendars that have the same event
	Title     string   `json:"title"`
	When      string   `json:"when"` // in the zone of the answer
	Length    string   `json:"duration"`
	Zone      string   `json:"zone,omitempty"` // the event's own zone, if its clocks show another time
	Location  string   `json:"location,omitempty"`
	Guests    string   `json:"guests,omitempty"`    // "Bob yes, Carol waiting", or the number of each answer
	MyAnswer  string   `json:"my_answer,omitempty"` // yes, no, maybe, not yet
	Organizer string   `json:"organizer,omitempty"` // "" if unknown, or if the organizer is the user or the calendar
	Recurring bool     `json:"recurring,omitempty"`
	Status    string   `json:"status,omitempty"`  // tentative or cancelled; "" if confirmed
	Type      string   `json:"type,omitempty"`    // focus, ooo, working_location, birthday, from_gmail; "" for an ordinary event
	ShowAs    string   `json:"show_as,omitempty"` // "free" if the event does not block the time; otherwise, and for a working location, ""
	Meet      string   `json:"meet,omitempty"`    // the link of its video call

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // says that others may have written some of the text; nil if the user wrote it all
}

// Limits of untrusted content in a row, in tokens as budget.Tokens estimates them.
const (
	MaxTitle    = 20
	maxLocation = 14
	MaxPerson   = 8
	MaxName     = 6
	maxAddress  = 12 // about 25 characters: enough to distinguish people
)

// RowOf returns the row of an event. calendarZone is the zone of its calendar, displayZone
// the zone of the answer. An event without a readable time, such as a deleted one, gets no
// When.
func RowOf(ctx context.Context, e *calendarapi.Event, calendar *calendarapi.CalendarListEntry, calendarZone, displayZone *time.Location) Row {
	row := RowWithoutProvenance(e, calendar, calendarZone, displayZone)
	row.Provenance = Provenance(ctx, e, calendar, "")
	return row
}

// RowWithoutProvenance is RowOf without the provenance.
func RowWithoutProvenance(e *calendarapi.Event, calendar *calendarapi.CalendarListEntry, calendarZone, displayZone *time.Location) Row {
	row := Row{
		ID: e.Id, Title: Title(e, calendar), Location: budget.Brief(htmltext.Line(e.Location), maxLocation),
		Guests: GuestsOf(e, calendar).words(), MyAnswer: MyAnswer(e, calendar), Organizer: organizerName(e),
		Recurring: e.RecurringEventId != "" || len(e.Recurrence) > 0,
		Type:      Type(e), Meet: meetLink(e),
	}
	if event.IsFree(e) && e.EventType != "workingLocation" {
		row.ShowAs = "free"
	}
	if e.Status == "tentative" || e.Status == "cancelled" {
		row.Status = e.Status
	}
	if s, ok := eventtime.Of(e, calendarZone); ok {
		row.When, row.Length, row.Zone = s.Words(displayZone), s.Length(), s.OwnZone(displayZone)
	}
	return row
}

// Title returns the title of the event. If the user may not see the title, Title returns
// "(busy)".
func Title(e *calendarapi.Event, calendar *calendarapi.CalendarListEntry) string {
	title := budget.Brief(htmltext.Line(e.Summary), MaxTitle)
	switch {
	case title != "":
		return title
	case calendar.AccessRole == "freeBusyReader", event.IsPrivate(e) && e.Organizer == nil:
		return "(busy)"
	}
	return "(no title)"
}

// Types pairs the words of arguments and answers with Google's event types.
var Types = [][2]string{
	{"default", "default"}, {"focus", "focusTime"}, {"ooo", "outOfOffice"}, {"working_location", "workingLocation"},
	{"birthday", "birthday"}, {"from_gmail", "fromGmail"},
}

// Type returns KOTA's word for the type of an event, or "" for an ordinary event.
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

// meetLink returns the link of the event's video call, or "".
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
		return "" // get_event returns every link
	}
	return link
}

// organizerName names the organizer if it is neither the user nor the calendar. Otherwise
// it returns "".
func organizerName(e *calendarapi.Event) string {
	if e.Organizer == nil || e.Organizer.Self {
		return ""
	}
	return personName(e.Organizer.DisplayName, e.Organizer.Email, MaxPerson)
}

// OrganizerPhrase is organizerName for use in a sentence: it returns a phrase instead of
// "".
func OrganizerPhrase(e *calendarapi.Event) string {
	return cmp.Or(organizerName(e), "somebody whose name Google does not show")
}

// personName returns a short name of a person: the display name, or else the address.
func personName(name, address string, max int) string {
	if name = htmltext.Line(name); name == "" {
		return budget.Brief(htmltext.Line(address), maxAddress)
	}
	return budget.Brief(name, max)
}

// ProvenanceFields are the API fields that determine the provenance of an event, besides
// its organizer, type and guests.
const ProvenanceFields = "creator(displayName,email,self),guestsCanModify,extendedProperties/private"

// Provenance returns the provenance of an event in a calendar. It returns nil if, according
// to Google, the user wrote all of its text. sender is named in the provenance if the event
// is untrusted.
//
// An event is untrusted if somebody else organizes or created it, if Gmail took it from a
// mail, or if guests may change it. The user's own event is partly untrusted if a guest has
// a name or a comment in it, or if KOTA wrote it in a tainted session. Every event outside the primary calendar is at least partly untrusted, because an event does
// not show who shares its calendar.
func Provenance(ctx context.Context, e *calendarapi.Event, calendar *calendarapi.CalendarListEntry, sender string) *untrusted.Provenance {
	byUser := (e.Organizer == nil || e.Organizer.Self) && (e.Creator == nil || e.Creator.Self)
	switch {
	case !byUser || e.EventType == "fromGmail" || e.GuestsCanModify && len(e.Attendees) > 0:
		return untrusted.Mark(ctx, untrusted.Event, sender)
	case !calendar.Primary || event.IsTainted(e):
		return untrusted.MarkPartly(ctx, untrusted.Event)
	}
	return GuestProvenance(ctx, e, calendar)
}

// GuestProvenance returns the provenance of an event whose text is the user's own except
// for its guests' names and comments.
func GuestProvenance(ctx context.Context, e *calendarapi.Event, calendar *calendarapi.CalendarListEntry) *untrusted.Provenance {
	hasOwnText := func(a *calendarapi.EventAttendee) bool {
		return !event.IsUser(a, calendar) && !a.Resource && (a.DisplayName != "" || a.Comment != "")
	}
	if !slices.ContainsFunc(e.Attendees, hasOwnText) {
		return nil
	}
	return untrusted.MarkPartly(ctx, untrusted.Event)
}
