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

// maxTries is how many times the same split may be begun and reverted.
const maxTries = 5

// carrySplit makes the new series, then ends the old one. If that fails it deletes the new
// one. So no event is ever missing, and the error says if some may exist twice.
func carrySplit(ctx context.Context, a *agenda.Agenda, s *split) (made *calendarapi.Event, undo string, err error) {
	kept := series.SplitRecord{Calendar: s.t.Calendar.Id, Series: s.t.Series.Id, Before: s.t.Series.Recurrence, After: s.before, Notify: s.notify, Gone: s.gone, From: series.OriginalStart(s.t.One, s.t.Zone).UTC(), Asked: s.asked}
	for try := range maxTries {
		if err = s.name(a, try); err != nil {
			return nil, "", err
		}
		kept.Made = s.made.Id
		if undo, err = keepSplit(ctx, a, kept, kept.Title(s.t)); err != nil {
			return nil, "", err
		}
		made, err = insertNew(ctx, a, s)
		if metadata.CodeOf(err) != metadata.Conflict {
			break
		}
		err = a.Undos().Drop(ctx, undo, err) // a series with that id was made and deleted before
	}
	if err != nil && metadata.CodeOf(err) == metadata.OutcomeUnknown {
		return nil, "", s.errDuplicated(s.made, undo, err)
	}
	if err != nil {
		return nil, "", a.Undos().Failed(ctx, undo, err)
	}
	if kept.Content, err = event.FieldsOf(made); err != nil {
		return nil, "", err
	}
	ended := endOld(ctx, a, s)
	switch {
	case ended == nil:
		kept.Done = true
		// The change is made. If this fails, the record of the plan is good enough.
		_ = a.Undos().Amend(ctx, undo, kept.Title(s.t), kept)
		return a.AwaitMeet(ctx, s.t.Calendar.Id, made), undo, nil
	case metadata.CodeOf(ended) == metadata.OutcomeUnknown:
		return nil, "", s.errDuplicated(made, undo, ended)
	}
	if err := removeNew(ctx, a, s, made); err != nil {
		return nil, "", s.errDuplicated(made, undo, errors.Join(ended, err))
	}
	return nil, "", a.Undos().Drop(ctx, undo, ended)
}

func insertNew(ctx context.Context, a *agenda.Agenda, s *split) (*calendarapi.Event, error) {
	r, err := eventwrite.NewInsert(s.t.Calendar.Id, s.made, s.notify)
	if err != nil {
		return nil, err
	}
	m := s.mailing("invite", s.made)
	m.Key = s.made.Id // after a revert, making the same series again is no repeat
	done, err := a.Reach(ctx, r, m)
	return done.Event, err
}

// endOld ends the old series. If only guests' answers changed meanwhile, it ends the newer
// version.
func endOld(ctx context.Context, a *agenda.Agenda, s *split) error {
	ctx = context.WithoutCancel(ctx) // half of the split is done
	was := s.t.Series
	for again := false; ; again = true {
		r, err := eventwrite.NewPatch(s.t.Calendar.Id, was.Id, was.Etag, event.Fields{"recurrence": lines(s.before)}, s.notify)
		if err != nil {
			return err
		}
		_, err = a.Reach(ctx, r, s.mailing("update", was))
		changed := (*eventwrite.ChangedError)(nil)
		if again || !errors.As(err, &changed) {
			return err
		}
		others, failed := event.ChangedBetween(was, changed.Now)
		if failed != nil || len(others) > 0 {
			return errors.Join(failed, err)
		}
		was = changed.Now
	}
}

// lines returns a recurrence for JSON: nil becomes an empty list.
func lines(recurrence []string) []string { return append([]string{}, recurrence...) }

// removeNew deletes the new series again, whatever guests have answered meanwhile. It
// notifies the same people as the new series did.
func removeNew(ctx context.Context, a *agenda.Agenda, s *split, made *calendarapi.Event) error {
	ctx = context.WithoutCancel(ctx)
	_, err := a.Reach(ctx, eventwrite.NewDelete(s.t.Calendar.Id, made.Id, made.Etag, s.notify), s.mailing("cancel", made))
	if changed := (*eventwrite.ChangedError)(nil); errors.As(err, &changed) {
		_, err = a.Reach(ctx, eventwrite.NewDelete(s.t.Calendar.Id, made.Id, changed.Now.Etag, s.notify), s.mailing("cancel", made))
	}
	if metadata.CodeOf(err) == metadata.NotFound {
		return nil
	}
	return err
}
