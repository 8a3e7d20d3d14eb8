package change

import (
	"context"
	"errors"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/series"
)

// DeleteArgs are the arguments of a deletion, as calendar_delete_event takes them.
type DeleteArgs struct {
	Event    string
	Calendar string
	Scope    string
	Instance string
	Notify   string
	Etag     string
	DryRun   bool
	Account  string
}

// Delete deletes the event that the arguments name.
func Delete(ctx context.Context, a *agenda.Agenda, in DeleteArgs) (Answer, error) {
	t, err := series.Find(ctx, a, series.EventRef{Calendar: in.Calendar, Event: in.Event, Instance: in.Instance, Scope: in.Scope})
	if in.Scope == "" && t != nil && t.Series != nil {
		return Answer{}, t.NeedsScope("so that the series ends before it")
	}
	if missing := (*series.MissingInstance)(nil); errors.As(err, &missing) && endedAlready(missing, in.Scope) {
		return alreadyDeleted(t), nil
	}
	if err == nil {
		err = agenda.MayWrite(ctx, t.Calendar)
	}
	if err != nil {
		return Answer{}, err
	}
	if isDeleted(t) {
		return alreadyDeleted(t), nil
	}
	if !t.IsVersion(in.Etag) {
		return Answer{}, notThatVersion(t, t.Event())
	}
	if t.Scope == series.ScopeFollowing {
		return endSeries(ctx, a, in, t)
	}
	return DeleteTarget(ctx, a, in, t)
}
