package calendar

import (
	"context"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/timeparse"
)

// A newEvent is the planned event of a call.
type newEvent struct {
	calendar   *calendarapi.CalendarListEntry
	zone       *time.Location // the user's zone
	event      *calendarapi.Event
	span       eventtime.Span   // time of the event, or of its first instance
	spans      []eventtime.Span // times of the instances that are checked for conflicts
	people     []string         // the people that the call invites
	sharers    []string         // the people that a change in the calendar reaches: see Agenda.SharersOf
	notInvited []string         // guests who are not invited because sending is not allowed
	notes      []string
}

func (n *newEvent) note(text string) { n.notes = append(n.notes, text) }

// planEvent reads the arguments of a call and returns the event to make.
func planEvent(ctx context.Context, a *agenda.Agenda, in createEventIn) (*newEvent, error) {
	calendar, err := a.FindWritable(ctx, in.Calendar)
	if err != nil {
		return nil, err
	}
	sharers, err := a.SharersOf(ctx, calendar)
	if err != nil {
		return nil, err
	}
	var p eventtime.Problems
	p.Line("idempotency_key", in.Key, maxKey)
	n := &newEvent{calendar: calendar, zone: a.Zone(), sharers: sharers, event: &calendarapi.Event{Id: eventwrite.NewID(a.Account.Key(), calendar.Id, in.Key), Summary: event.ReadTitle(&p, in.Title)}}
	if strings.TrimSpace(in.Title) == "" && (in.Type == "" || in.Type == event.TypeDefault) {
		p.Add("title", "what the event is called", in.Title)
	}
	at := timeparse.Context{Now: a.Now(), Zone: p.Zone("timezone", in.Timezone, n.zone)}
	timing := eventtime.Problems{} // kept apart: the recurrence is read only if the time is valid
	n.span, n.notes = timing.Span(eventtime.Args{Start: in.Start, End: in.End, Duration: in.Duration}, eventtime.Defaults{Context: at, Length: event.DefaultLength})
	p.Join(timing)
	if len(timing.Problems) == 0 {
		n.span.ApplyTo(n.event)
		n.applyRule(&p, in.Recurrence)
		n.addPastNote(a.Now())
	}
	in.Apply(&p, n.event, n.event.Id)
	n.addGuests(&p, in, a.Account.Address, calendar.Id)
	event.SetType(&p, n.event, in.Type, n.declineMode(in), calendar)
	return n, p.Err()
}

// addPastNote adds a note if the event, or the first event of a series, is already over.
func (n *newEvent) addPastNote(now time.Time) {
	switch {
	case n.span.End.After(now):
	case len(n.event.Recurrence) > 0:
		n.note("the first event of the series is in the past")
	default:
		n.note("the event is in the past")
	}
}

// addGuests adds the guests to the event. A draft lists them as not invited instead.
func (n *newEvent) addGuests(p *eventtime.Problems, in createEventIn, ownAddresses ...string) {
	guests := event.ReadGuests(p, in.Attendees, in.Optional, ownAddresses...)
	if len(guests) < len(in.Attendees)+len(in.Optional) && len(p.Problems) == 0 {
		n.note("a guest who is named twice is invited once, and the user is not invited as a guest")
	}
	if !in.draft {
		n.event.Attendees = guests
		n.people = event.Addresses(n.event)
		return
	}
	for _, a := range guests {
		n.notInvited = append(n.notInvited, a.Email)
	}
	if len(guests) > 0 {
		n.note(event.NoteUninvited)
	}
}

// declineMode returns which invitations the event declines: none for a draft, otherwise the
// value in the call.
func (n *newEvent) declineMode(in createEventIn) string {
	if !in.draft || !in.declinesInvitations() {
		return in.Decline
	}
	n.note("the event declines no invitations: their organizers would be informed, and bundles.yaml allows only the user to send")
	return event.DeclineNone
}

// applyRule makes the event a series if lines has rules such as "FREQ=WEEKLY;BYDAY=TU".
func (n *newEvent) applyRule(p *eventtime.Problems, lines []string) {
	n.spans = []eventtime.Span{n.span}
	if len(lines) == 0 {
		return
	}
	set := series.ReadRule(p, lines, n.span)
	if set == nil {
		return
	}
	n.event.Recurrence = set.Lines()
	n.notes = append(n.notes, series.RuleNotes(set, n.span)...)
	instances, _ := set.Between(n.span.Start, n.span.Start.AddDate(series.CheckedYears, 0, 0), series.MaxChecked)
	n.spans = n.span.RepeatedAt(instances)
}
