package change

import (
	"context"
	"errors"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventwrite"
	"kota/bundles/calendar/internal/series"
	"kota/metadata"
)

// maxTries is the maximum number of ids that are tried for the new series. An id is in
// use if the same split was made and reverted before.
const maxTries = 5

// executeSplit makes the new series, then ends the old one. If the old one cannot be ended,
// it deletes the new one. So no event is ever missing. If some events may exist twice, the
// error says so.
func executeSplit(ctx context.Context, a *agenda.Agenda, s *split) (made *calendarapi.Event, undo string, err error) {
	record := series.SplitRecord{Calendar: s.target.Calendar.Id, Series: s.target.Series.Id, Before: s.target.Series.Recurrence, After: s.oldRecurrence, Notify: s.notify, RemovedExceptions: s.removedExceptions, From: series.OriginalStart(s.target.Single, s.target.Zone).UTC(), CallDigest: s.callDigest}
	for try := range maxTries {
		if err = s.setID(a, try); err != nil {
			return nil, "", err
		}
		record.NewSeries = s.newSeries.Id
		if undo, err = saveSplit(ctx, a, record, record.Title(s.target)); err != nil {
			return nil, "", err
		}
		made, err = insertNewSeries(ctx, a, s)
		if metadata.CodeOf(err) != metadata.Conflict {
			break
		}
		err = a.Undos().Drop(ctx, undo, err) // a series with that id was made and deleted before
	}
	if err != nil && metadata.CodeOf(err) == metadata.OutcomeUnknown {
		return nil, "", s.errUnfinished(s.newSeries, undo, err)
	}
	if err != nil {
		return nil, "", a.Undos().Failed(ctx, undo, err)
	}
	if record.Content, err = event.FieldsOf(made); err != nil {
		return nil, "", err
	}
	endErr := endOldSeries(ctx, a, s)
	switch {
	case endErr == nil:
		record.Done = true
		// The change is made. If Amend fails, the record of the plan is good enough.
		_ = a.Undos().Amend(ctx, undo, record.Title(s.target), record)
		return a.AwaitMeet(ctx, s.target.Calendar.Id, made), undo, nil
	case metadata.CodeOf(endErr) == metadata.OutcomeUnknown:
		return nil, "", s.errEndUnknown(made, undo, endErr)
	}
	if err := deleteNewSeries(ctx, a, s, made, false); err != nil {
		return nil, "", s.errUnfinished(made, undo, errors.Join(endErr, err))
	}
	return nil, "", a.Undos().Drop(ctx, undo, endErr)
}

func insertNewSeries(ctx context.Context, a *agenda.Agenda, s *split) (*calendarapi.Event, error) {
	r, err := eventwrite.NewInsert(s.target.Calendar.Id, s.newSeries, s.notify)
	if err != nil {
		return nil, err
	}
	m := s.summary("invite", s.newSeries)
	m.Key = s.newSeries.Id // after a revert the series gets another id, so making it again is not a repeat
	done, err := a.Send(ctx, r, m)
	return done.Event, err
}

// endOldSeries sets the recurrence of the old series to s.oldRecurrence. That ends the
// series, or continues it in an undo. If only guests' answers changed meanwhile,
// endOldSeries changes the newer version.
func endOldSeries(ctx context.Context, a *agenda.Agenda, s *split) error {
	ctx = context.WithoutCancel(ctx) // half of the split is done
	was := s.target.Series
	for again := false; ; again = true {
		r, err := eventwrite.NewPatch(s.target.Calendar.Id, was.Id, was.Etag, event.Fields{"recurrence": nonNilLines(s.oldRecurrence)}, s.notify)
		if err != nil {
			return err
		}
		_, err = a.Send(ctx, r, s.summary("update", was))
		changed := (*eventwrite.ChangedError)(nil)
		if again || !errors.As(err, &changed) {
			return err
		}
		changedFields, failed := event.ChangedFields(was, changed.Now)
		if failed != nil || len(changedFields) > 0 {
			return errors.Join(failed, err)
		}
		was = changed.Now
	}
}

// nonNilLines returns the recurrence as a list that is not nil, so that JSON has an empty
// list and not null.
func nonNilLines(recurrence []string) []string { return append([]string{}, recurrence...) }

// deleteNewSeries deletes the new series. If somebody changed it since it was read, and not
// only guests answered, deleteNewSeries returns CONFLICT unless overwrite is true. It mails
// s.notified as s.notify says. A series that is already gone is not an error.
func deleteNewSeries(ctx context.Context, a *agenda.Agenda, s *split, made *calendarapi.Event, overwrite bool) error {
	ctx = context.WithoutCancel(ctx)
	_, err := a.Send(ctx, eventwrite.NewDelete(s.target.Calendar.Id, made.Id, made.Etag, s.notify), s.summary("cancel", made))
	if changed := (*eventwrite.ChangedError)(nil); errors.As(err, &changed) {
		changedFields, failed := event.ChangedFields(made, changed.Now)
		if !overwrite && (failed != nil || len(changedFields) > 0) {
			return errors.Join(failed, err)
		}
		_, err = a.Send(ctx, eventwrite.NewDelete(s.target.Calendar.Id, made.Id, changed.Now.Etag, s.notify), s.summary("cancel", made))
	}
	if metadata.CodeOf(err) == metadata.NotFound {
		return nil
	}
	return err
}
