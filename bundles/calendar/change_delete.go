package calendar

import (
	"context"
	"errors"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/series"
)

// deleteArgs are the arguments of a deletion, as calendar_delete_event takes them.
type deleteArgs struct {
	Event    string
	Calendar string
	Scope    string
	Instance string
	Notify   string
	Etag     string
	DryRun   bool
	Account  string
}

// deleteEvent deletes the event that the arguments name.
func deleteEvent(ctx context.Context, a *agenda.Agenda, in deleteArgs) (changeOut, error) {
	t, err := series.Find(ctx, a, series.EventRef{Calendar: in.Calendar, Event: in.Event, Instance: in.Instance, Scope: in.Scope})
	if in.Scope == "" && t != nil && t.Series != nil {
		return changeOut{}, t.NeedsScope("so that the series ends before it")
	}
	if missing := (*series.MissingInstance)(nil); errors.As(err, &missing) && endedAlready(missing, in.Scope) {
		return alreadyDeleted(t), nil
	}
	if err == nil {
		err = agenda.MayWrite(ctx, t.Calendar)
	}
	if err != nil {
		return changeOut{}, err
	}
	if isDeleted(t) {
		return alreadyDeleted(t), nil
	}
	if !t.IsVersion(in.Etag) {
		return changeOut{}, notThatVersion(t, t.Event())
	}
	if t.Scope == series.ScopeFollowing {
		return endSeries(ctx, a, in, t)
	}
	return deleteTarget(ctx, a, in, t)
}
