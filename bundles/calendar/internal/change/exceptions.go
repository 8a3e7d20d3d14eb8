package change

import (
	"context"
	"sync/atomic"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/panicsafe"
)

// restoreExceptions restores exceptions of a series to the versions in list, within the
// limits maxRestored and restoreTimeout. It returns a note with the number of exceptions
// that it did not restore, or "".
func restoreExceptions(ctx context.Context, a *agenda.Agenda, calendar string, list []*calendarapi.Event) string {
	ctx, cancel := context.WithTimeout(ctx, restoreTimeout)
	defer cancel()
	done := atomic.Int64{}
	restores := panicsafe.New(restoreConcurrency)
	for _, one := range list[:min(len(list), maxRestored)] {
		restores.Go(func() error {
			if ctx.Err() == nil && restoreException(ctx, a, calendar, one) == nil {
				done.Add(1)
			}
			return nil
		})
	}
	_ = restores.Wait() // a panic counts as a failure
	left := len(list) - int(done.Load())
	if left == 0 {
		return ""
	}
	return eventtext.Counted(left, "instance has lost a change that was made by hand", "instances have lost changes that were made by hand")
}

func restoreException(ctx context.Context, a *agenda.Agenda, calendar string, one *calendarapi.Event) error {
	now, err := a.Get(ctx, calendar, one.Id)
	if err != nil {
		return err
	}
	if one.Status == event.Cancelled {
		_, err := a.Remove(ctx, calendar, now.Id, now.Etag, event.NotifyNone)
		return err
	}
	is, err := event.FieldsOf(now)
	if err != nil {
		return err
	}
	was, err := event.FieldsOf(one)
	if err != nil {
		return err
	}
	for _, name := range event.FieldsSetByGoogle {
		delete(was, name)
		delete(is, name)
	}
	patch := is.PatchTo(was)
	if len(patch) == 0 {
		return nil
	}
	_, err = a.Patch(ctx, calendar, now.Id, now.Etag, patch, event.NotifyNone)
	return err
}

// Limits for restoring exceptions in one call. Each exception takes two requests.
const (
	maxRestored        = 50
	restoreConcurrency = 4
	restoreTimeout     = 45 * time.Second
)
