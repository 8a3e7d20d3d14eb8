package series

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// Instance returns the instance of the series that starts at the time, or on the
// day, that a text says, by the clocks of the calendar. One that was moved is
// found by where it is and by where it was, and one that was cancelled by where
// it was. Where there is none the error is a *MissingInstance.
func Instance(ctx context.Context, a *agenda.Agenda, t *Target, text string) (*calendarapi.Event, error) {
	m, err := timeparse.Parse(text, timeparse.Context{Now: a.Now(), Zone: t.Zone})
	if err != nil {
		return instanceOfID(ctx, a, t, text, err)
	}
	if !m.Date {
		found, err := a.API.Events.Instances(t.Calendar.Id, t.Series.Id).Context(ctx).MaxResults(50).OriginalStart(timeparse.RFC3339(m.Time)).Do()
		if err != nil {
			return nil, fmt.Errorf("find the instance: %w", err)
		}
		if len(found.Items) == 1 {
			return found.Items[0], nil
		}
		m.End = m.Time.Add(time.Second)
	}
	found, err := StartingIn(ctx, a, t, m.Time, m.End)
	if err == nil && len(found) == 0 {
		found, err = stoodIn(ctx, a, t, m.Time, m.End)
	}
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, missingAt(ctx, a, t, m)
	case len(found) > 1:
		return nil, arguments.Invalid("instance", "the time of one instance: there are several on that day", strconv.Quote(text))
	}
	return found[0], nil
}

// instanceOfID takes an instance that is named by its id instead of a time.
func instanceOfID(ctx context.Context, a *agenda.Agenda, t *Target, text string, why error) (*calendarapi.Event, error) {
	if strings.Contains(text, "_") && event.IsID(text) {
		if e, err := a.Get(ctx, t.Calendar.Id, text); err == nil && e.RecurringEventId == t.Series.Id {
			return e, nil
		}
	}
	p := eventtime.Problems{}
	p.Time("instance", text, why)
	return nil, p.Err()
}

// isAt reports whether an instance is the one that a text says: its id, or a
// time or day at which it is, or was before it was moved.
func isAt(a *agenda.Agenda, t *Target, e *calendarapi.Event, text string) bool {
	m, err := timeparse.Parse(text, timeparse.Context{Now: a.Now(), Zone: t.Zone})
	if err != nil {
		return text == e.Id
	}
	if !m.Date {
		m.End = m.Time.Add(time.Second)
	}
	s, ok := eventtime.Of(e, t.Zone)
	stood, known := eventtime.OriginalStart(e, t.Zone)
	return ok && !s.Start.Before(m.Time) && s.Start.Before(m.End) || known && !stood.Start.Before(m.Time) && stood.Start.Before(m.End)
}

// StartingIn returns those of a series that start in the time.
func StartingIn(ctx context.Context, a *agenda.Agenda, t *Target, from, to time.Time) ([]*calendarapi.Event, error) {
	near, err := a.API.Events.Instances(t.Calendar.Id, t.Series.Id).Context(ctx).MaxResults(50).TimeMin(timeparse.RFC3339(from)).TimeMax(timeparse.RFC3339(to)).Do()
	if err != nil {
		return nil, fmt.Errorf("find the instance: %w", err)
	}
	return slices.DeleteFunc(near.Items, func(e *calendarapi.Event) bool {
		s, ok := eventtime.Of(e, t.Zone)
		return !ok || s.Start.Before(from) || !s.Start.Before(to)
	}), nil
}

// stoodIn returns those of a series that would start in the time by its rule, and
// were moved or cancelled.
func stoodIn(ctx context.Context, a *agenda.Agenda, t *Target, from, to time.Time) ([]*calendarapi.Event, error) {
	others, err := Exceptions(ctx, a, t)
	return slices.DeleteFunc(others, func(e *calendarapi.Event) bool {
		return OriginalStart(e, t.Zone).Before(from) || !OriginalStart(e, t.Zone).Before(to)
	}), err
}

// A MissingInstance is the NOT_FOUND of a series that has none then.
type MissingInstance struct {
	told  *metadata.Error
	Over  bool   // the series has none later either
	Split *Split // what took it and those after it out of the series; nil when nothing is known of that
}

func (e *MissingInstance) Error() string { return e.told.Error() }

// Unwrap returns what the caller is told.
func (e *MissingInstance) Unwrap() error { return e.told }

// missingAt words that the series has no instance then, with where it is instead:
// in the series that a change made of it, or the nearest.
func missingAt(ctx context.Context, a *agenda.Agenda, t *Target, m timeparse.Moment) error {
	split, err := dividedBefore(ctx, a, t, m.Time)
	if err != nil {
		return err
	}
	e := &MissingInstance{Split: split, told: noInstance(ctx, a, t, m)}
	if set, err := Rule(t.Series, t.Zone); err == nil {
		later, _ := set.Between(m.Time, m.Time.AddDate(10, 0, 0), 1)
		e.Over = len(later) == 0
	}
	if split != nil {
		e.told = e.told.WithHint("A change made the events from %s on a series of their own: take event_id %q.", timeparse.Stamp(split.From.In(t.Zone)), split.Made)
	}
	return e
}

// noInstance is NOT_FOUND for a time without an instance. It names the nearest within a year.
func noInstance(ctx context.Context, a *agenda.Agenda, t *Target, m timeparse.Moment) *metadata.Error {
	then := "at " + timeparse.Stamp(m.Time.In(t.Zone))
	if m.Date {
		then = "on " + timeparse.Date(m.Time.In(t.Zone))
	}
	e := metadata.Errorf(metadata.NotFound, "the series has no instance %s", then).
		WithHint("Name one of its instances; calendar_list_events shows them all, with their event_ids.")
	if near := nearest(ctx, a, t, m); len(near) > 0 {
		e.Message += ": the nearest is " + strings.Join(near, ", then ")
	}
	return e
}

// nearest says when the last instance of a series before a moment begins, and
// the first after it. That Google does not tell is no error.
func nearest(ctx context.Context, a *agenda.Agenda, t *Target, m timeparse.Moment) []string {
	around, err := a.API.Events.Instances(t.Calendar.Id, t.Series.Id).
		TimeMin(timeparse.RFC3339(m.Time.AddDate(-1, 0, 0))).TimeMax(timeparse.RFC3339(m.Time.AddDate(1, 0, 0))).
		MaxResults(agenda.PageSize).Fields("items(start,end)").Context(ctx).Do()
	if err != nil {
		return nil
	}
	var before, after *eventtime.Span
	for _, one := range around.Items {
		s, ok := eventtime.Of(one, t.Zone)
		switch {
		case !ok:
		case s.Start.Before(m.Time) && (before == nil || s.Start.After(before.Start)):
			before = &s
		case !s.Start.Before(m.Time) && (after == nil || s.Start.Before(after.Start)):
			after = &s
		}
	}
	near := []string{}
	for _, s := range []*eventtime.Span{before, after} {
		if s != nil {
			near = append(near, s.Begins())
		}
	}
	return near
}
