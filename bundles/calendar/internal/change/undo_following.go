package change

import (
	"context"
	"fmt"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/calendar/internal/undoevent"
	"kota/bundles/internal/persist"
	"kota/metadata"
)

// UndoFollowing restores the old series, then deletes the new one. In that order no event
// is ever missing.
func UndoFollowing(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, k series.SplitRecord) (undoevent.Result, error) {
	t, err := undoevent.NewTarget(ctx, a, k.Calendar)
	if err != nil {
		return undoevent.Result{}, err
	}
	old, err := a.Get(ctx, k.Calendar, k.Series)
	if err != nil {
		return undoevent.Result{}, series.ErrNoEvent(err, k.Series)
	}
	if old.Status == event.Cancelled {
		return undoevent.Result{}, eventwrite.ErrDeleted(k.Series)
	}
	made, err := a.Get(ctx, k.Calendar, k.NewSeries)
	if eventwrite.IsGone(err) {
		made, err = &calendarapi.Event{Id: k.NewSeries, Status: event.Cancelled}, nil
	}
	if err != nil {
		return undoevent.Result{}, fmt.Errorf("read the new series: %w", err)
	}
	if err := checkSplit(&k, r, old, made); err != nil {
		return undoevent.Result{}, err
	}
	if err := checkExceptions(ctx, a, r, t, made); err != nil {
		return undoevent.Result{}, err
	}
	people := event.Union(event.Audience(event.Fields{"recurrence": nil}, old, made), event.AddressesOfAll(k.RemovedExceptions))
	lines, err := eventtext.InstanceLines(k.RemovedExceptions, t.Zone)
	if err != nil {
		return undoevent.Result{}, err
	}
	continues := bundles.Line{Name: eventtext.SeriesPartLabel, Text: "all later events of a series, which continues as before: " + eventtext.DescribeRecurrence(k.Before, old, t.Zone)}
	outgoing, err := eventtext.BindToVersions(eventtext.Outgoing("undo of a change of a series", old, t.Zone, event.Union(people, t.Sharers), k.Notify, append(lines, continues)...), append([]*calendarapi.Event{old, made}, k.RemovedExceptions...)...)
	if err != nil {
		return undoevent.Result{}, err
	}
	if err := eventtext.ConfirmReach(ctx, outgoing, old); err != nil {
		return undoevent.Result{}, err
	}
	t.Series, t.Single = old, old
	s := &split{target: t, oldRecurrence: k.Before, notify: k.Notify}
	if event.SendsMail(k.Notify) {
		s.notified = people
	}
	if !slices.Equal(old.Recurrence, k.Before) {
		if err := endOldSeries(ctx, a, s); err != nil {
			return undoevent.Result{}, err
		}
	}
	if made.Status != event.Cancelled {
		if err := deleteNewSeries(ctx, a, s, made, r.Overwrite); err != nil {
			e := metadata.Errorf(metadata.OutcomeUnknown, "the old series %s continues as before, but the new series %s may still exist: %s", k.Series, k.NewSeries, persist.Reason(err))
			e.Cause = err
			return undoevent.Result{}, e.WithHint("Repeat the call: it then only deletes the new series.")
		}
	}
	now := *old
	now.Recurrence = k.Before
	return undoevent.Result{Event: t.Row(ctx, &now), Note: restoreExceptions(ctx, a, k.Calendar, k.RemovedExceptions)}, nil
}

// checkSplit returns CONFLICT if somebody has changed one of the two series since and the
// undo would overwrite that change. It returns nil if the call allows overwriting.
func checkSplit(k *series.SplitRecord, r persist.UndoAttempt, old, made *calendarapi.Event) error {
	changed := []string{}
	if !slices.Equal(old.Recurrence, k.Before) && !slices.Equal(old.Recurrence, k.After) {
		changed = append(changed, "the recurrence of the old series, "+k.Series)
	}
	if made.Status != event.Cancelled && k.Content != nil {
		then, err := k.Content.Event()
		if err != nil {
			return err
		}
		changedFields, err := event.ChangedFields(then, made)
		if err != nil {
			return err
		}
		for _, field := range changedFields {
			changed = append(changed, field+" of the new series, "+k.NewSeries)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return errSeriesChanged(r, changed)
}

// checkExceptions returns CONFLICT if instances of the new series were changed by hand,
// because the undo would delete them. It returns nil if the call allows overwriting.
func checkExceptions(ctx context.Context, a *agenda.Agenda, r persist.UndoAttempt, t *series.Target, made *calendarapi.Event) error {
	if made.Status == event.Cancelled || len(made.Recurrence) == 0 {
		return nil
	}
	exceptions, err := series.Exceptions(ctx, a, &series.Target{Calendar: t.Calendar, Zone: t.Zone, Series: made})
	if err != nil || len(exceptions) == 0 {
		return err
	}
	return errSeriesChanged(r, []string{eventtext.Counted(len(exceptions), "event", "events") + " of the new series, " + made.Id})
}

func errSeriesChanged(r persist.UndoAttempt, changes []string) error {
	problems := []metadata.Problem{}
	for _, one := range changes {
		problems = append(problems, metadata.Problem{Path: "undo_id", Expected: "both series unchanged since the change", Got: "changed: " + one})
	}
	return r.ConflictUnlessOverwrite("one of the two series was changed since then", problems...)
}
