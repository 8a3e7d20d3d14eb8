package change

import (
	"context"
	"errors"
	"strconv"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// DeleteArgs are the arguments of calendar_delete_event.
type DeleteArgs struct {
	Event    string `json:"event_id" audit:"show"`
	Calendar string `json:"calendar,omitempty" doc:"id or name; default primary" audit:"show"`
	Scope    string `json:"scope,omitempty" enum:"this,following,all" doc:"needed for a series"`
	Instance string `json:"instance,omitempty" doc:"with a series' id: start of the instance" audit:"show"`
	Notify   string `json:"notify,omitempty" enum:"none,external,all" default:"none" doc:"guests to mail"`
	Etag     string `json:"etag,omitempty" doc:"delete only this version"`
	DryRun   bool   `json:"dry_run,omitempty"`
	Account  string `json:"account,omitempty" doc:"name or address" audit:"show"`
}

// Effect returns the effect of this call. It is Reads for a dry run, Sends if the call
// mails guests, and Writes otherwise.
func (in DeleteArgs) Effect() metadata.Effect {
	return event.EffectOf(in.DryRun, event.SendsMail(in.Notify))
}

// AsDraft returns the deletion without mail.
func (in DeleteArgs) AsDraft() DeleteArgs { in.Notify = event.NotifyNone; return in }

// Delete deletes the event that the arguments name.
func Delete(ctx context.Context, a *agenda.Agenda, in DeleteArgs) (Answer, error) {
	t, err := series.Find(ctx, a, series.EventRef{Calendar: in.Calendar, Event: in.Event, Instance: in.Instance, Scope: in.Scope})
	if in.Scope == "" && t != nil && t.Series != nil {
		return Answer{}, t.ErrNeedsScope("so the series ends before it")
	}
	if missing := (*series.MissingInstanceError)(nil); errors.As(err, &missing) && isAlreadyEnded(missing, in.Scope) {
		return alreadyDeleted(t), nil
	}
	if err == nil {
		err = agenda.CheckWritable(ctx, t.Calendar)
	}
	if err != nil {
		return Answer{}, err
	}
	if isDeleted(t) {
		return alreadyDeleted(t), nil
	}
	if !t.MatchesEtag(in.Etag) {
		return Answer{}, errOtherVersion(t, t.Event())
	}
	if t.Scope == series.ScopeFollowing {
		return endSeries(ctx, a, in, t)
	}
	return DeleteTarget(ctx, a, in, t)
}

// endSeries deletes an instance and all later ones: it ends the series before that
// instance. If the instance is the first, it deletes the whole series.
func endSeries(ctx context.Context, a *agenda.Agenda, in DeleteArgs, t *series.Target) (Answer, error) {
	exceptions, err := series.Exceptions(ctx, a, t)
	if err != nil {
		return Answer{}, err
	}
	cut, err := t.SplitRule(exceptions)
	if err != nil {
		return Answer{}, err
	}
	if cut.First {
		t.Scope = series.ScopeAll
		out, err := DeleteTarget(ctx, a, in, t)
		out.addNotes("this is the first event, so the whole series is deleted")
		return out, err
	}
	p, err := proposeChange(ctx, t, UpdateArgs{Notify: in.Notify, Etag: in.Etag}, &edit{}, t.Series, func(e *calendarapi.Event) error {
		e.Recurrence = cut.Before
		return nil
	})
	if err != nil {
		return Answer{}, err
	}
	at := series.OriginalStart(t.Single, t.Zone)
	p.sortExceptions(exceptions, func(one *calendarapi.Event) bool { return series.OriginalStart(one, t.Zone).Before(at) })
	p.reachedExceptions, p.firstRemoved = p.resetExceptions, t.Single
	p.title = "end the series " + strconv.Quote(htmltext.Line(t.Series.Summary)) + " before " + event.When(t.Single, t.Zone)
	out, err := updateTarget(ctx, a, UpdateArgs{Notify: in.Notify, DryRun: in.DryRun, OnConflict: "ignore"}, &edit{}, p)
	if out.Status == "updated" {
		out.Status = "ended"
	}
	return out, err
}
