package calendar

import (
	"context"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/htmltext"
)

// endSeries deletes one of a series and all after it: the series ends before.
func endSeries(ctx context.Context, a *agenda.Agenda, in deleteEventIn, t *target) (changeOut, error) {
	others, err := readExceptions(ctx, a, t)
	if err != nil {
		return changeOut{}, err
	}
	cut, err := t.halves(others)
	if err != nil {
		return changeOut{}, err
	}
	if cut.First {
		t.scope = whole
		out, err := deleteTarget(ctx, a, in, t)
		out.note("that is the first one: the whole series is deleted")
		return out, err
	}
	p, err := proposeChange(ctx, t, updateEventIn{Notify: in.Notify, Etag: in.Etag}, &edit{}, t.series, func(e *calendarapi.Event) error {
		e.Recurrence = cut.Before
		return nil
	})
	if err != nil {
		return changeOut{}, err
	}
	at := origin(t.one, t.zone)
	p.sort(others, func(one *calendarapi.Event) bool { return origin(one, t.zone).Before(at) })
	p.reached, p.ends = p.gone, t.one
	p.title = "end the series " + strconv.Quote(htmltext.Line(t.series.Summary)) + " before " + event.When(t.one, t.zone)
	out, err := updateTarget(ctx, a, updateEventIn{Notify: in.Notify, DryRun: in.DryRun, OnConflict: "ignore"}, &edit{}, p)
	if out.Status == "updated" {
		out.Status = "ended"
	}
	return out, err
}
