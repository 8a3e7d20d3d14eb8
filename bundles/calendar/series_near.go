package calendar

import (
	"context"
	"strings"

	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// noInstance is the NOT_FOUND of a series that has no instance then. It names
// the nearest within a year.
func (a *agenda) noInstance(ctx context.Context, t *target, m timeparse.Moment) *metadata.Error {
	then := "at " + timeparse.Stamp(m.Time.In(t.zone))
	if m.Date {
		then = "on " + timeparse.Date(m.Time.In(t.zone))
	}
	e := metadata.Errorf(metadata.NotFound, "the series has no instance %s", then).
		WithHint("Name one of its instances; calendar_list_events shows them all, with their event_ids.")
	if near := a.nearest(ctx, t, m); len(near) > 0 {
		e.Message += ": the nearest is " + strings.Join(near, ", then ")
	}
	return e
}

// nearest says when the last instance of a series before a moment begins, and
// the first after it. That Google does not tell is no error.
func (a *agenda) nearest(ctx context.Context, t *target, m timeparse.Moment) []string {
	around, err := a.api.Events.Instances(t.calendar.Id, t.series.Id).
		TimeMin(timeparse.RFC3339(m.Time.AddDate(-1, 0, 0))).TimeMax(timeparse.RFC3339(m.Time.AddDate(1, 0, 0))).
		MaxResults(pageSize).Fields("items(start,end)").Context(ctx).Do()
	if err != nil {
		return nil
	}
	var before, after *span
	for _, one := range around.Items {
		s, ok := spanOf(one, t.zone)
		switch {
		case !ok:
		case s.start.Before(m.Time) && (before == nil || s.start.After(before.start)):
			before = &s
		case !s.start.Before(m.Time) && (after == nil || s.start.Before(after.start)):
			after = &s
		}
	}
	near := []string{}
	for _, s := range []*span{before, after} {
		if s != nil {
			near = append(near, s.begins())
		}
	}
	return near
}
