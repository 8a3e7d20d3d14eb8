package change

import (
	"context"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
)

// endSeries deletes one of a series and all after it: the series ends before.
func endSeries(ctx context.Context, a *agenda.Agenda, in DeleteArgs, t *series.Target) (Answer, error) {
	others, err := series.Exceptions(ctx, a, t)
	if err != nil {
		return Answer{}, err
	}
	cut, err := t.SplitRule(others)
	if err != nil {
		return Answer{}, err
	}
	if cut.First {
		t.Scope = series.ScopeAll
		out, err := DeleteTarget(ctx, a, in, t)
		out.note("that is the first one: the whole series is deleted")
		return out, err
	}
	p, err := proposeChange(ctx, t, UpdateArgs{Notify: in.Notify, Etag: in.Etag}, &edit{}, t.Series, func(e *calendarapi.Event) error {
		e.Recurrence = cut.Before
		return nil
	})
	if err != nil {
		return Answer{}, err
	}
	at := series.OriginalStart(t.One, t.Zone)
	p.sort(others, func(one *calendarapi.Event) bool { return series.OriginalStart(one, t.Zone).Before(at) })
	p.reached, p.ends = p.gone, t.One
	p.title = "end the series " + strconv.Quote(htmltext.Line(t.Series.Summary)) + " before " + event.When(t.One, t.Zone)
	out, err := updateTarget(ctx, a, UpdateArgs{Notify: in.Notify, DryRun: in.DryRun, OnConflict: "ignore"}, &edit{}, p)
	if out.Status == "updated" {
		out.Status = "ended"
	}
	return out, err
}
