package calendar

import (
	"context"
	"errors"
	"time"

	"kota/bundles/internal/recur"
	"kota/bundles/internal/zoned"
)

// updateWhole changes a series.
func (a *agenda) updateWhole(ctx context.Context, in updateEventIn, ed *edit, t *target) (changeOut, error) {
	if err := a.named(ctx, in, ed, t); err != nil {
		return changeOut{}, err
	}
	var others []*event
	if ed.moves() || ed.rule != nil {
		var err error
		if others, err = a.exceptions(ctx, t); err != nil {
			return changeOut{}, err
		}
	}
	p, err := t.propose(ctx, in, ed, t.series, func(e *event) error { return ed.whole(e, t, others) })
	if err != nil {
		return changeOut{}, err
	}
	shifted := ed.rule == nil && p.shifts()
	p.sort(others, func(one *event) bool { return !shifted && hasInstance(p.wanted, one, t.zone) })
	if note := p.dates(ed, others, a.Now()); note != "" {
		ed.note(note)
	}
	if p.reached, err = a.reachedBy(ctx, p.patch, t, p.gone); err != nil {
		return changeOut{}, err
	}
	out, err := a.update(ctx, in, ed, p)
	if shifted && err == nil && out.Undo != "" {
		out.note(a.freeShifted(ctx, p)...)
	}
	return out, err
}

// whole makes of a series what it is to be. Its instances move by as much, on
// the clock, as the one that the call names.
func (ed *edit) whole(series *event, t *target, others []*event) error {
	p := problems{}
	s, ok := spanOf(series, t.zone)
	if ok && ed.moves() {
		to := ed.shift(&p, s, t)
		if err := p.Err(); err != nil {
			return err
		}
		if ed.rule == nil && !sameStart(s, to) {
			lines, err := movedRule(series, s, to, others, t.zone)
			if wrong := (*recur.RuleError)(nil); errors.As(err, &wrong) {
				p.explain("recurrence", "given with start", "", err)
				return p.Err()
			}
			if err != nil {
				return err
			}
			series.Recurrence = lines
		}
		to.place(series)
		s = to
	}
	if ok {
		ed.repeat(&p, series, s)
	}
	ed.fill(&p, series)
	return p.Err()
}

// shift returns when the first of a series is to be, from when the one is to be
// that the call names: that is read where it stands by the rule, and as long as
// all others. Where a problem is noted the span means nothing.
func (ed *edit) shift(p *problems, series span, t *target) span {
	base := series
	if t.one != nil {
		base = series.starting(origin(t.one, t.zone))
	}
	to := ed.place(p, base)
	if p.Err() != nil {
		return to
	}
	first := wallOf(series).Add(wallOf(to).Sub(wallOf(base)))
	if to.allDay {
		return to.starting(zoned.DayStart(zoned.WallOf(first), to.zone))
	}
	return to.starting(zoned.Place(first, to.zone).Time)
}

// sameStart reports whether a series that starts there has its instances where
// it had them.
func sameStart(a, b span) bool {
	return a.allDay == b.allDay && wallOf(a).Equal(wallOf(b)) && (a.allDay || a.zone.String() == b.zone.String())
}

// movedRule returns the lines of a series that is moved. What was cancelled in
// it stays away.
func movedRule(series *event, from, to span, others []*event, zone *time.Location) ([]string, error) {
	bare := *series
	var err error
	if bare.Recurrence, err = without(series.Recurrence, from, others, zone); err != nil {
		return nil, err
	}
	set, err := ruleOf(&bare, zone)
	if err != nil {
		return nil, err
	}
	moved, err := set.Move(startOf(to))
	if err != nil {
		return nil, err
	}
	return moved.Lines(), nil
}
