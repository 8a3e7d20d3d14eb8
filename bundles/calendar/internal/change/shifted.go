package change

import (
	"context"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/calendar/internal/series"
)

// shifts reports whether the change puts the dates of a series elsewhere.
func (p *proposal) shifts() bool {
	was, ok := eventtime.Of(p.was, p.of.Zone)
	is, known := eventtime.Of(p.wanted, p.of.Zone)
	return ok && known && !eventtime.SameStart(was, is)
}

// resetShifted makes instances of a series that was shifted what the series makes
// them, where it has one on the date of an instance that had been changed by
// hand: what was meant for the old one would hold for another now.
func resetShifted(ctx context.Context, a *agenda.Agenda, p *proposal) []string {
	start, ok := eventtime.Of(p.wanted, p.of.Zone)
	if !ok {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // the series has moved
	left := 0
	for i, one := range p.gone {
		if !series.HasInstance(p.wanted, one, p.of.Zone) {
			continue
		}
		plain := *p.wanted
		plain.Id, plain.Status, plain.Recurrence = one.Id, "confirmed", nil
		start.Starting(series.OriginalStart(one, p.of.Zone)).Place(&plain)
		if i >= maxPutBack || putBackException(ctx, a, p.of.Calendar.Id, &plain) != nil {
			left++
		}
	}
	if left == 0 {
		return nil
	}
	return []string{eventtext.Counted(left, "instance", "instances") + " may still be as changed by hand before, which was meant for another date"}
}
