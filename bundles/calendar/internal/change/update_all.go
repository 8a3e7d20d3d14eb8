package change

import (
	"context"
	"errors"
	"slices"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/recurrence"
	"kota/bundles/internal/timeparse"
)

// updateSeries changes a series.
func updateSeries(ctx context.Context, a *agenda.Agenda, in UpdateArgs, ed *edit, t *series.Target) (Answer, error) {
	if err := chooseInstance(ctx, a, in, ed, t); err != nil {
		return Answer{}, err
	}
	var exceptions []*calendarapi.Event
	if ed.changesTime() || ed.rule != nil {
		var err error
		if exceptions, err = series.Exceptions(ctx, a, t); err != nil {
			return Answer{}, err
		}
	}
	p, err := proposeChange(ctx, t, in, ed, t.Series, func(e *calendarapi.Event) error { return ed.applyToSeries(e, t, exceptions) })
	if err != nil {
		return Answer{}, err
	}
	shifted := ed.rule == nil && p.movesDates()
	p.sortExceptions(exceptions, func(one *calendarapi.Event) bool { return !shifted && series.HasInstance(p.wanted, one, t.Zone) })
	if note := p.datesNote(ed, exceptions, a.Now()); note != "" {
		ed.note(note)
	}
	if p.reachedExceptions, err = exceptionsReached(ctx, a, p.patch, t, p.resetExceptions); err != nil {
		return Answer{}, err
	}
	out, err := updateTarget(ctx, a, in, ed, p)
	if shifted && err == nil && out.Undo != "" {
		out.addNotes(resetShifted(ctx, a, p)...)
	}
	return out, err
}

// applyToSeries applies the edit to a whole series. All instances move by the same clock
// time as the named instance.
func (ed *edit) applyToSeries(e *calendarapi.Event, t *series.Target, exceptions []*calendarapi.Event) error {
	p := eventtime.Problems{}
	s, ok := eventtime.Of(e, t.Zone)
	if ok && ed.changesTime() {
		to := ed.shiftStart(&p, s, t)
		if err := p.Err(); err != nil {
			return err
		}
		if ed.rule == nil && !eventtime.SameStart(s, to) {
			err := ed.moveRule(e, s, &to, exceptions, t)
			if ruleErr := (*recurrence.RuleError)(nil); errors.As(err, &ruleErr) {
				p.AddWithReason("recurrence", "given with start", "", err)
				return p.Err()
			}
			if err != nil {
				return err
			}
		}
		to.ApplyTo(e)
		s = to
	}
	if ok {
		ed.applyRule(&p, e, s)
	}
	ed.applyDetails(&p, e)
	return p.Err()
}

// shiftStart returns the new time of a series. It shifts the series by as much as the call
// shifts the named instance. It measures the shift from the instance's original start, even
// if the instance was moved by hand. If p has a problem afterwards, do not use the result.
func (ed *edit) shiftStart(p *eventtime.Problems, from eventtime.Span, t *series.Target) eventtime.Span {
	base, wall := from, eventtime.WallClock(from)
	if t.Single != nil {
		base = from.StartingAt(series.OriginalStart(t.Single, t.Zone))
		wall = eventtime.WallClock(base)
		if set, err := series.RecurrenceOf(t.Series, t.Zone); err == nil {
			wall = set.LocalTimeOf(base.Start)
		}
	}
	if ed.startSkipped(base) { // on the next day, the shift is the same as for the other instances
		wall = wall.AddDate(0, 0, 1)
		base = base.StartingAt(timeparse.Resolve(wall, base.Zone).Time)
	}
	to := ed.newTime(p, base)
	if p.Err() != nil || to.Start.Equal(base.Start) && to.AllDay == base.AllDay && to.Zone.String() == base.Zone.String() {
		return to.StartingAt(from.Start)
	}
	first := eventtime.WallClock(from).Add(eventtime.WallClock(to).Sub(wall))
	if to.AllDay {
		return to.StartingAt(timeparse.DayStart(timeparse.LocalTimeOf(first), to.Zone))
	}
	at := timeparse.Resolve(first, to.Zone)
	to = to.StartingAt(at.Time)
	if at.IsSkipped() {
		to.Skipped = first
	}
	return to
}

// startSkipped reports whether the call gives only a time of day that clocks skip on the
// day of s.
func (ed *edit) startSkipped(s eventtime.Span) bool {
	_, err := timeparse.Parse("today "+ed.when.Start, timeparse.Context{Now: s.Start, Zone: ed.timeContext.Zone})
	gap := (*timeparse.GapError)(nil)
	return errors.As(err, &gap)
}

// moveRule sets the recurrence of a series for its new start, and replaces a start that
// Google cannot store. Cancelled instances stay cancelled.
func (ed *edit) moveRule(e *calendarapi.Event, from eventtime.Span, to *eventtime.Span, exceptions []*calendarapi.Event, t *series.Target) error {
	bare := *e
	var err error
	if bare.Recurrence, err = series.ExcludeCancelled(e.Recurrence, from, exceptions, t.Zone); err != nil {
		return err
	}
	set, err := series.RecurrenceOf(&bare, t.Zone)
	if err != nil {
		return err
	}
	moved, err := set.Move(eventtime.RuleStart(*to))
	if err != nil {
		return err
	}
	lines, first, err := series.Storable(*to, moved)
	if err != nil {
		return err
	}
	ed.note(series.SkippedClockNote(moved, *to, slices.MaxFunc([]time.Time{to.Start, ed.timeContext.Now}, time.Time.Compare)))
	ed.note(series.StoredStartNote(*to, first))
	e.Recurrence, *to = lines, first
	return nil
}

// movesDates reports whether the change moves the dates of a series.
func (p *proposal) movesDates() bool {
	was, ok := eventtime.Of(p.was, p.target.Zone)
	is, known := eventtime.Of(p.wanted, p.target.Zone)
	return ok && known && !eventtime.SameStart(was, is)
}

// resetShifted makes exceptions of a shifted series equal to the instances that the rule
// gives at their original starts. Their changes by hand were meant for the old instances.
// resetShifted returns a note if it could not reset all of them.
func resetShifted(ctx context.Context, a *agenda.Agenda, p *proposal) []string {
	start, ok := eventtime.Of(p.wanted, p.target.Zone)
	if !ok {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // the series has moved
	left := 0
	for i, one := range p.resetExceptions {
		if !series.HasInstance(p.wanted, one, p.target.Zone) {
			continue
		}
		plain := *p.wanted
		plain.Id, plain.Status, plain.Recurrence = one.Id, "confirmed", nil
		start.StartingAt(series.OriginalStart(one, p.target.Zone)).ApplyTo(&plain)
		if i >= maxRestored || restoreException(ctx, a, p.target.Calendar.Id, &plain) != nil {
			left++
		}
	}
	if left == 0 {
		return nil
	}
	return []string{eventtext.Counted(left, "instance", "instances") + " may still have an individual change that was meant for another date"}
}
