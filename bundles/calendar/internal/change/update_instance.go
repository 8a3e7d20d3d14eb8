package change

import (
	"cmp"
	"context"
	"time"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/timeparse"
)

// chooseInstance finds the instance that gets the new start or end. If the call names no
// instance, it sets t.Single to the instance on the day of the new time. It leaves t.Single
// nil if the new time has no date or belongs to the first instance. In any other case, a
// nil t.Single would apply the new time to the first instance and remove the dates before
// it. The error is VALIDATION_ERROR if that day does not have exactly one instance, or if
// the instance was moved there from another day.
func chooseInstance(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, t *series.Target) error {
	text := cmp.Or(in.Start, in.End)
	first, ok := eventtime.Of(t.Series, t.Zone)
	if t.Single != nil || !ok || text == "" {
		return nil
	}
	m, err := timeparse.Parse(text, ed.timeContext)
	if err != nil {
		return nil // only a time of day, which has no date, or an unreadable text
	}
	zone := m.Zone
	if first.AllDay {
		zone = t.Zone
	}
	day := series.DayOf(timeparse.LocalTimeOf(m.Time.In(m.Zone)).Floating())
	if day.Equal(series.DayOf(timeparse.LocalTimeOf(first.Start.In(zone)).Floating())) || in.Start == "" && endsBeforeNext(t, first, m.Time) {
		return nil
	}
	from, to := timeparse.DayStart(timeparse.LocalTimeOf(day), zone), timeparse.DayStart(timeparse.LocalTimeOf(day.AddDate(0, 0, 1)), zone)
	found, err := series.InstancesStartingIn(ctx, a, t, from, to)
	if err != nil {
		return err
	}
	if len(found) == 1 && !series.OriginalStart(found[0], t.Zone).Before(from) && series.OriginalStart(found[0], t.Zone).Before(to) {
		t.Single = found[0]
		ed.note("the time is used as the new time of " + event.When(t.Single, t.Zone) + ", and all others change in the same way")
		return nil
	}
	return arguments.Invalid("instance", "the start of the instance that gets the new time", "none").
		WithHint("The series starts at %s, and has %s on %s. Pass the instance that gets the new time; all others move by the same difference. The first is instance %q.",
			event.When(t.Series, t.Zone), eventtext.Counted(len(found), "event", "events"), day.Format("Mon 2006-01-02"), timeparse.Date(first.Start))
}

// endsBeforeNext reports whether the second event of a series starts after end, or does not
// exist. It also returns true if end is not after the first start. It returns false if the
// recurrence cannot be read.
func endsBeforeNext(t *series.Target, first eventtime.Span, end time.Time) bool {
	set, err := series.RecurrenceOf(t.Series, t.Zone)
	if err != nil || !end.After(first.Start) {
		return err == nil
	}
	next, _ := set.Between(first.Start.Add(time.Second), end.Add(time.Second), 1)
	return len(next) == 0
}
