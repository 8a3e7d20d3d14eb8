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
	calendar *calendarapi.CalendarListEntry
	zone     *time.Location // the user's
	event    *calendarapi.Event
	span     eventtime.Span   // time of the event, or of its first instance
	spans    []eventtime.Span // times of the instances that are checked for conflicts
	people   []string         // the people that the call invites
	theirs   []string         // the other people who see the calendar
	missing  []string         // guests who are not invited because nobody may be reached
	notes    []string
}

func (n *newEvent) note(text string) { n.notes = append(n.notes, text) }

// planEvent reads the arguments of a call into the event to make.
func planEvent(ctx context.Context, a *agenda.Agenda, in createEventIn) (*newEvent, error) {
	calendar, err := a.Writable(ctx, in.Calendar)
	if err != nil {
		return nil, err
	}
	theirs, err := a.SharersOf(ctx, calendar)
	if err != nil {
		return nil, err
	}
	var p eventtime.Problems
	p.Line("idempotency_key", in.Key, mostKey)
	n := &newEvent{calendar: calendar, zone: a.Zone(), theirs: theirs, event: &calendarapi.Event{Id: eventwrite.NewID(a.Account.Key(), calendar.Id, in.Key), Summary: event.ReadTitle(&p, in.Title)}}
	if strings.TrimSpace(in.Title) == "" && (in.Type == "" || in.Type == event.TypeDefault) {
		p.Add("title", "what the event is called", in.Title)
	}
	at := timeparse.Context{Now: a.Now(), Zone: p.Zone("timezone", in.Timezone, n.zone)}
	timing := eventtime.Problems{} // without a time, its further problems make no sense
	n.span, n.notes = timing.Span(eventtime.Args{Start: in.Start, End: in.End, Duration: in.Duration}, eventtime.Defaults{At: at, Usual: event.UsualLength})
	p.Join(timing)
	if len(timing.Problems) == 0 {
		n.span.Place(n.event)
		n.repeat(&p, in.Recurrence)
		n.sayPast(a.Now())
	}
	in.Apply(&p, n.event, n.event.Id)
	n.invite(&p, in, a.Account.Address, calendar.Id)
	event.SetType(&p, n.event, in.Type, n.declines(in), calendar)
	return n, p.Err()
}

// sayPast adds a note if the event, or the first of a series, is already over.
func (n *newEvent) sayPast(now time.Time) {
	switch {
	case n.span.End.After(now):
	case len(n.event.Recurrence) > 0:
		n.note("the first of the series lies in the past")
	default:
		n.note("it lies in the past")
	}
}

// invite adds the guests to the event, unless nobody may be reached.
func (n *newEvent) invite(p *eventtime.Problems, in createEventIn, own ...string) {
	guests := event.ReadGuests(p, in.Attendees, in.Optional, own...)
	if len(guests) < len(in.Attendees)+len(in.Optional) && len(p.Problems) == 0 {
		n.note("who was named twice is invited once, and the user is no guest")
	}
	if !in.held {
		n.event.Attendees = guests
		n.people = event.Addresses(n.event)
		return
	}
	for _, a := range guests {
		n.missing = append(n.missing, a.Email)
	}
	if len(guests) > 0 {
		n.note(event.NoteUninvited)
	}
}

// declines returns which invitations the event declines.
func (n *newEvent) declines(in createEventIn) string {
	if !in.held || !in.declines() {
		return in.Decline
	}
	n.note("it declines no invitations: that reaches their organizers, and bundles.yaml lets nothing be sent without the user")
	return event.DeclineNone
}

// repeat makes the event a series with lines such as "FREQ=WEEKLY;BYDAY=TU".
func (n *newEvent) repeat(p *eventtime.Problems, lines []string) {
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
	n.spans = n.span.Repeated(instances)
}
