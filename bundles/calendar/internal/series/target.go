// Package series finds the event that a call is about, and knows recurring events: the
// rule of a series, its instances, its exceptions (instances that were changed by hand)
// and its dates before and after a change. It only reads: what changes events is in
// other packages. A series is never touched without a scope. Start with [Find] and
// [Target].
package series

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
	ScopeThis      = "this"      // one instance
	ScopeFollowing = "following" // one instance and all after it
	ScopeAll       = "all"       // the series
)

// A EventRef is what a call says of the event that it is about.
type EventRef struct{ Calendar, Event, Instance, Scope string }

// A Target is the event that a call is about.
type Target struct {
	Calendar *calendarapi.CalendarListEntry
	Zone     *time.Location     // of times that name none: the user's
	Own      []string           // the user's addresses
	Sharers  []string           // who else sees the calendar
	One      *calendarapi.Event // the single event or the instance; nil where the series alone is named
	Series   *calendarapi.Event // nil for a single event
	Scope    string             // onlyThis for a single event
	Pass     string             // kind of the pass that the call has used for a free answer; "" for none
}

// Event is the one that Google is asked to change: of one of a series and all
// after it the series.
func (t *Target) Event() *calendarapi.Event {
	if t.Series != nil && t.Scope != ScopeThis {
		return t.Series
	}
	return t.One
}

// IsVersion reports whether the target is of the version that a caller read, as a series
// or as one of it; "" is any.
func (t *Target) IsVersion(etag string) bool {
	return etag == "" || SameEtag(etag, t.Event().Etag) || t.One != nil && SameEtag(etag, t.One.Etag)
}

// SameEtag reports whether a caller gave that etag, with the quotes that are part
// of it or without.
func SameEtag(given, etag string) bool { return strings.Trim(given, `"`) == strings.Trim(etag, `"`) }

// Find returns what the call is about. A deleted event is returned as it is.
// An event of a series needs a scope, and a series whose instance is meant the
// instance: VALIDATION_ERROR says what each scope would do.
func Find(ctx context.Context, a *agenda.Agenda, p EventRef) (*Target, error) {
	p.Event = event.IDFromLink(p.Event)
	if !event.IsID(p.Event) {
		return nil, arguments.Invalid("event_id", "the event_id of an earlier answer", strconv.QuoteToASCII(arguments.Brief(p.Event)))
	}
	calendar, err := a.Find(ctx, p.Calendar)
	if err != nil {
		return nil, err
	}
	t := &Target{Calendar: calendar, Zone: a.Zone(), Own: []string{a.Account.Address, calendar.Id}, Scope: p.Scope}
	if t.Sharers, err = a.SharersOf(ctx, calendar); err != nil {
		return nil, err
	}
	e, err := a.Get(ctx, calendar.Id, p.Event)
	if err != nil {
		return nil, NoEvent(err, p.Event)
	}
	eventtext.Provenance(ctx, e, calendar, "") // an error quotes it too
	switch {
	case len(e.Recurrence) > 0:
		return t, targetSeries(ctx, a, t, e, p)
	case e.RecurringEventId != "" && (p.Instance == "" || isAt(a, t, e, p.Instance)):
		return t, targetInstance(ctx, a, t, e)
	case e.RecurringEventId != "":
		return nil, arguments.Invalid("instance", "left out: event_id is one of a series already, that on "+event.When(e, t.Zone), strconv.Quote(arguments.Brief(p.Instance)))
	case p.Instance != "":
		return nil, arguments.Invalid("instance", "left out: the event is no series", strconv.Quote(arguments.Brief(p.Instance)))
	}
	t.One, t.Scope = e, ScopeThis
	return t, nil
}

// targetInstance takes an instance that was named by its own id.
func targetInstance(ctx context.Context, a *agenda.Agenda, t *Target, e *calendarapi.Event) error {
	t.One = e
	series, err := a.Get(ctx, t.Calendar.Id, e.RecurringEventId)
	switch {
	case eventwrite.IsGone(err) && t.Scope != ScopeFollowing && t.Scope != ScopeAll:
		t.Scope = ScopeThis // somebody else's series, of which the user is invited to this one alone
		return nil
	case err != nil:
		return NoEvent(err, e.RecurringEventId)
	}
	t.Series = series
	if t.Scope == "" {
		return t.NeedsScope("which become a series of their own")
	}
	return nil
}

// targetSeries takes a series, and the instance of it that is meant.
func targetSeries(ctx context.Context, a *agenda.Agenda, t *Target, series *calendarapi.Event, p EventRef) error {
	t.Series = series
	if p.Scope == "" {
		return t.NeedsScope("which become a series of their own")
	}
	if p.Instance == "" {
		if p.Scope == ScopeAll {
			return nil
		}
		return arguments.Invalid("instance", "the start of the instance that is meant, such as \"2026-11-24\"", "none").
			WithHint("event_id is that of a whole series: name the instance, or take its own event_id from calendar_list_events.")
	}
	one, err := Instance(ctx, a, t, p.Instance)
	if err != nil {
		return err
	}
	t.One = one
	return nil
}

// NeedsScope says what each scope would do to the event. rest is what becomes of
// the one that is meant and all after it.
func (t *Target) NeedsScope(rest string) error {
	this := "one instance (name it with instance)"
	if t.One != nil {
		this = "the one on " + event.When(t.One, t.Zone) + " alone"
	}
	return arguments.Invalid("scope", `"this", "following" or "all"`, "none").
		WithHint("%s is a series since %s. \"this\": %s; \"following\": that one and all after it, %s; \"all\": the whole series, the past included. Nothing was done: ask the user which is meant.",
			strconv.Quote(htmltext.Line(t.Series.Summary)), event.When(t.Series, t.Zone), this, rest)
}

// NoEvent words that there is no such event.
func NoEvent(err error, id string) error {
	if !eventwrite.IsGone(err) {
		return fmt.Errorf("read event: %w", err)
	}
	e := metadata.Errorf(metadata.NotFound, "the calendar has no event %q", arguments.Brief(id))
	e.Cause = err
	return e.WithHint("Take the event_id from calendar_list_events, and the calendar it was listed with.")
}

// Row is the event as answers show it.
func (t *Target) Row(ctx context.Context, e *calendarapi.Event) *eventtext.Row {
	row := eventtext.RowOf(ctx, e, t.Calendar, t.Zone, t.Zone)
	return &row
}
