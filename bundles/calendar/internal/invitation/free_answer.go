package invitation

import (
	"cmp"
	"context"
	"errors"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/series"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// hiddenOrganizer is the text for an organizer whose address Google does not show.
const hiddenOrganizer = "the organizer, whom Google does not show"

// AnswerReaches returns the people that a change of the user's answer reaches. It returns
// nil for a change that does not count as sending: the organizer receives only the answer,
// nobody else sees it, and the session is not tainted. sendsMore means that the organizer
// receives more than the answer.
func AnswerReaches(ctx context.Context, t *series.Target, e *calendarapi.Event, sendsMore bool) []string {
	if !sendsMore && len(t.Sharers) == 0 && !bundles.HasUntrusted(ctx) {
		return nil
	}
	return event.Union([]string{organizerAddress(e)}, t.Sharers)
}

// organizerAddress returns the address of the organizer, or hiddenOrganizer.
func organizerAddress(e *calendarapi.Event) string {
	if e.Organizer == nil || e.Organizer.Email == "" {
		return hiddenOrganizer
	}
	return e.Organizer.Email
}

// ConsumeFreeAnswer is AnswerReaches for an answer that is about to be given. One answer
// per event and hour is free: for that answer, ConsumeFreeAnswer returns nil and counts it.
// For any further answer it returns the organizer, because a sequence of answers could
// encode any text. All dates of a series count as one event.
func ConsumeFreeAnswer(ctx context.Context, a *agenda.Agenda, t *series.Target, e *calendarapi.Event, sendsMore bool) ([]string, error) {
	if people := AnswerReaches(ctx, t, e, sendsMore); len(people) > 0 {
		return people, nil
	}
	limits, err := a.Stores.Limits(ctx)
	if err != nil {
		return nil, persist.Explain(err)
	}
	// The dates of a series have one UID, and an event that is not in the calendar yet
	// has no id.
	kind := store.KindAnswer + " " + a.Account.Key() + " " + cmp.Or(e.ICalUID, e.RecurringEventId, e.Id)
	err = limits.Allow(ctx, kind, 1, []store.Limit{{Max: 1, Window: time.Hour}})
	if full := (*store.LimitError)(nil); errors.As(err, &full) {
		return []string{organizerAddress(e)}, nil
	}
	if err != nil {
		return nil, persist.Explain(err)
	}
	t.FreeAnswerKey = kind
	return nil, nil
}

// If err means that the answer reached nobody, RefundFreeAnswer makes the free answer of
// the call available again. It returns err.
func RefundFreeAnswer(ctx context.Context, a *agenda.Agenda, t *series.Target, err error) error {
	if code := metadata.CodeOf(err); err == nil || t.FreeAnswerKey == "" || code == metadata.OutcomeUnknown || code == metadata.Internal {
		return err
	}
	if limits, failed := a.Stores.Limits(ctx); failed == nil {
		_ = limits.Refund(ctx, t.FreeAnswerKey) // if this fails, KOTA asks the user once more than needed
	}
	t.FreeAnswerKey = ""
	return err
}

// DeletionDeclines reports whether deleting the event declines it: the event is an
// invitation that the user has not declined yet.
func DeletionDeclines(t *series.Target, e *calendarapi.Event) bool {
	entry, err := OwnEntry(e, t.OwnAddresses)
	return err == nil && entry.ResponseStatus != "declined"
}
