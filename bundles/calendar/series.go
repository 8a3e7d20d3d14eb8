package calendar

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// How much of a series a call is about.
const (
	onlyThis  = "this"      // one instance
	following = "following" // one instance and all after it
	whole     = "all"       // the series
)

// A pick is what a call says of the event that it is about.
type pick struct{ Calendar, Event, Instance, Scope string }

// A target is the event that a call is about.
type target struct {
	calendar *calendarapi.CalendarListEntry
	zone     *time.Location     // of times that name none: the user's
	own      []string           // the user's addresses
	theirs   []string           // who else sees the calendar
	one      *calendarapi.Event // the single event or the instance; nil where the series alone is named
	series   *calendarapi.Event // nil for a single event
	scope    string             // onlyThis for a single event
	pass     string             // kind of the pass that the call has used for a free answer; "" for none
}

// event is the one that Google is asked to change: of one of a series and all
// after it the series.
func (t *target) event() *calendarapi.Event {
	if t.series != nil && t.scope != onlyThis {
		return t.series
	}
	return t.one
}

// is reports whether the target is of the version that a caller read, as a series
// or as one of it; "" is any.
func (t *target) is(etag string) bool {
	return etag == "" || sameEtag(etag, t.event().Etag) || t.one != nil && sameEtag(etag, t.one.Etag)
}

// sameEtag reports whether a caller gave that etag, with the quotes that are part
// of it or without.
func sameEtag(given, etag string) bool { return strings.Trim(given, `"`) == strings.Trim(etag, `"`) }

// findTarget returns what the call is about. A deleted event is returned as it is.
// An event of a series needs a scope, and a series whose instance is meant the
// instance: VALIDATION_ERROR says what each scope would do.
func findTarget(ctx context.Context, a *agenda.Agenda, p pick) (*target, error) {
	p.Event = event.IDFromLink(p.Event)
	if !event.IsID(p.Event) {
		return nil, arguments.Invalid("event_id", "the event_id of an earlier answer", strconv.QuoteToASCII(arguments.Brief(p.Event)))
	}
	calendar, err := a.Find(ctx, p.Calendar)
	if err != nil {
		return nil, err
	}
	t := &target{calendar: calendar, zone: a.Zone(), own: []string{a.Account.Address, calendar.Id}, scope: p.Scope}
	if t.theirs, err = a.SharersOf(ctx, calendar); err != nil {
		return nil, err
	}
	e, err := a.Get(ctx, calendar.Id, p.Event)
	if err != nil {
		return nil, noEvent(err, p.Event)
	}
	eventtext.Provenance(ctx, e, calendar, "") // an error quotes it too
	switch {
	case len(e.Recurrence) > 0:
		return t, targetSeries(ctx, a, t, e, p)
	case e.RecurringEventId != "" && (p.Instance == "" || isAt(a, t, e, p.Instance)):
		return t, targetInstance(ctx, a, t, e)
	case e.RecurringEventId != "":
		return nil, arguments.Invalid("instance", "left out: event_id is one of a series already, that on "+event.When(e, t.zone), strconv.Quote(arguments.Brief(p.Instance)))
	case p.Instance != "":
		return nil, arguments.Invalid("instance", "left out: the event is no series", strconv.Quote(arguments.Brief(p.Instance)))
	}
	t.one, t.scope = e, onlyThis
	return t, nil
}

// targetInstance takes an instance that was named by its own id.
func targetInstance(ctx context.Context, a *agenda.Agenda, t *target, e *calendarapi.Event) error {
	t.one = e
	series, err := a.Get(ctx, t.calendar.Id, e.RecurringEventId)
	switch {
	case eventwrite.IsGone(err) && t.scope != following && t.scope != whole:
		t.scope = onlyThis // somebody else's series, of which the user is invited to this one alone
		return nil
	case err != nil:
		return noEvent(err, e.RecurringEventId)
	}
	t.series = series
	if t.scope == "" {
		return t.needsScope("which become a series of their own")
	}
	return nil
}

// targetSeries takes a series, and the instance of it that is meant.
func targetSeries(ctx context.Context, a *agenda.Agenda, t *target, series *calendarapi.Event, p pick) error {
	t.series = series
	if p.Scope == "" {
		return t.needsScope("which become a series of their own")
	}
	if p.Instance == "" {
		if p.Scope == whole {
			return nil
		}
		return arguments.Invalid("instance", "the start of the instance that is meant, such as \"2026-11-24\"", "none").
			WithHint("event_id is that of a whole series: name the instance, or take its own event_id from calendar_list_events.")
	}
	one, err := findInstance(ctx, a, t, p.Instance)
	if err != nil {
		return err
	}
	t.one = one
	return nil
}

// needsScope says what each scope would do to the event. rest is what becomes of
// the one that is meant and all after it.
func (t *target) needsScope(rest string) error {
	this := "one instance (name it with instance)"
	if t.one != nil {
		this = "the one on " + event.When(t.one, t.zone) + " alone"
	}
	return arguments.Invalid("scope", `"this", "following" or "all"`, "none").
		WithHint("%s is a series since %s. \"this\": %s; \"following\": that one and all after it, %s; \"all\": the whole series, the past included. Nothing was done: ask the user which is meant.",
			strconv.Quote(htmltext.Line(t.series.Summary)), event.When(t.series, t.zone), this, rest)
}

// noEvent words that there is no such event.
func noEvent(err error, id string) error {
	if !eventwrite.IsGone(err) {
		return fmt.Errorf("read event: %w", err)
	}
	e := metadata.Errorf(metadata.NotFound, "the calendar has no event %q", arguments.Brief(id))
	e.Cause = err
	return e.WithHint("Take the event_id from calendar_list_events, and the calendar it was listed with.")
}

// row is the event as answers show it.
func (t *target) row(ctx context.Context, e *calendarapi.Event) *eventtext.Row {
	row := eventtext.RowOf(ctx, e, t.calendar, t.zone, t.zone)
	return &row
}
