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

// FindInstance returns the instance of the series that starts at the time or on the day in
// text, in the zone t.Zone. It finds a moved instance by its present and by its original
// start, and a cancelled one by its original start. FindInstance also accepts the id of an
// instance. If no instance starts then, the error is a *MissingInstanceError. If several
// do, or if text is neither a time nor an instance's id, the error is VALIDATION_ERROR.
func FindInstance(ctx context.Context, a *agenda.Agenda, t *Target, text string) (*calendarapi.Event, error) {
	m, err := timeparse.Parse(text, timeparse.Context{Now: a.Now(), Zone: t.Zone})
	if err != nil {
		return instanceByID(ctx, a, t, text, err)
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
	found, err := InstancesStartingIn(ctx, a, t, m.Time, m.End)
	if err == nil && len(found) == 0 {
		found, err = originallyIn(ctx, a, t, m.Time, m.End)
	}
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, newMissingInstance(ctx, a, t, m)
	case len(found) > 1:
		return nil, arguments.Invalid("instance", "the time of one instance, because there are several on that day", strconv.Quote(text))
	}
	return found[0], nil
}

// instanceByID returns the instance whose id is text. timeErr is the reason why text is not
// a time. For an unknown id, the error contains timeErr.
func instanceByID(ctx context.Context, a *agenda.Agenda, t *Target, text string, timeErr error) (*calendarapi.Event, error) {
	if strings.Contains(text, "_") && event.IsID(text) {
		if e, err := a.Get(ctx, t.Calendar.Id, text); err == nil && e.RecurringEventId == t.Series.Id {
			return e, nil
		}
	}
	p := eventtime.Problems{}
	p.AddTime("instance", text, timeErr)
	return nil, p.Err()
}

// matchesInstance reports whether a text names the instance e: by its id, or by the time
// or day of its present or original start.
func matchesInstance(a *agenda.Agenda, t *Target, e *calendarapi.Event, text string) bool {
	m, err := timeparse.Parse(text, timeparse.Context{Now: a.Now(), Zone: t.Zone})
	if err != nil {
		return text == e.Id
	}
	if !m.Date {
		m.End = m.Time.Add(time.Second)
	}
	s, ok := eventtime.Of(e, t.Zone)
	original, known := eventtime.OriginalStart(e, t.Zone)
	return ok && !s.Start.Before(m.Time) && s.Start.Before(m.End) || known && !original.Start.Before(m.Time) && original.Start.Before(m.End)
}

// InstancesStartingIn returns the instances of a series that start in [from, to). It reads
// at most 50 instances.
func InstancesStartingIn(ctx context.Context, a *agenda.Agenda, t *Target, from, to time.Time) ([]*calendarapi.Event, error) {
	near, err := a.API.Events.Instances(t.Calendar.Id, t.Series.Id).Context(ctx).MaxResults(50).TimeMin(timeparse.RFC3339(from)).TimeMax(timeparse.RFC3339(to)).Do()
	if err != nil {
		return nil, fmt.Errorf("find the instance: %w", err)
	}
	return slices.DeleteFunc(near.Items, func(e *calendarapi.Event) bool {
		s, ok := eventtime.Of(e, t.Zone)
		return !ok || s.Start.Before(from) || !s.Start.Before(to)
	}), nil
}

// originallyIn returns the moved or cancelled instances of a series whose original start
// is in [from, to).
func originallyIn(ctx context.Context, a *agenda.Agenda, t *Target, from, to time.Time) ([]*calendarapi.Event, error) {
	others, err := Exceptions(ctx, a, t)
	return slices.DeleteFunc(others, func(e *calendarapi.Event) bool {
		return OriginalStart(e, t.Zone).Before(from) || !OriginalStart(e, t.Zone).Before(to)
	}), err
}

// A MissingInstanceError is the NOT_FOUND error for a time at which a series has no
// instance.
type MissingInstanceError struct {
	err   *metadata.Error
	Ended bool   // the rule gives no instance within the ten years from that time on
	Split *Split // the change that moved this and later instances out of the series; nil if unknown
}

func (e *MissingInstanceError) Error() string { return e.err.Error() }

// Unwrap returns the error that the caller sees.
func (e *MissingInstanceError) Unwrap() error { return e.err }

// newMissingInstance returns the error for a time without an instance. The error names the
// nearest instances. Its hint names the new series if a change split off this instance.
func newMissingInstance(ctx context.Context, a *agenda.Agenda, t *Target, m timeparse.Moment) error {
	split, err := splitBefore(ctx, a, t, m.Time)
	if err != nil {
		return err
	}
	e := &MissingInstanceError{Split: split, err: errNoInstance(ctx, a, t, m)}
	if set, err := RecurrenceOf(t.Series, t.Zone); err == nil {
		later, _ := set.Between(m.Time, m.Time.AddDate(10, 0, 0), 1)
		e.Ended = len(later) == 0
	}
	if split != nil {
		e.err = e.err.WithHint("An earlier change split off the events from %s on: use event_id %q.", timeparse.Stamp(split.From.In(t.Zone)), split.NewSeries)
	}
	return e
}

// errNoInstance returns NOT_FOUND for a time without an instance. It names the nearest
// instances within a year.
func errNoInstance(ctx context.Context, a *agenda.Agenda, t *Target, m timeparse.Moment) *metadata.Error {
	then := "at " + timeparse.Stamp(m.Time.In(t.Zone))
	if m.Date {
		then = "on " + timeparse.Date(m.Time.In(t.Zone))
	}
	e := metadata.Errorf(metadata.NotFound, "the series has no instance %s", then).
		WithHint("Name one of its instances; calendar_list_events shows them all, with their event_ids.")
	if near := nearestInstances(ctx, a, t, m); len(near) > 0 {
		e.Message += ": the nearest is " + strings.Join(near, ", then ")
	}
	return e
}

// nearestInstances returns the starts of the last instance before a moment and of the
// first instance at or after it, within a year. It returns nil if Google fails.
func nearestInstances(ctx context.Context, a *agenda.Agenda, t *Target, m timeparse.Moment) []string {
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
			near = append(near, s.StartWords())
		}
	}
	return near
}
