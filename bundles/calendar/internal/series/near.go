package series

import (
	"context"
	"strings"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// noInstance is the NOT_FOUND of a series that has no instance then. It names
// the nearest within a year.
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
