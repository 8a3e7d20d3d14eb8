package calendar

import (
	"context"
	"errors"
	"slices"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// reach carries out a request: by way of the outbox when it is for people to
// hear of, and else without any mail.
func (a *agenda) reach(ctx context.Context, r request, m mailing) (outcome, error) {
	if len(m.People) == 0 {
		r.Notify = event.NotifyNone
		return a.carry(ctx, r)
	}
	return a.post(ctx, r, m)
}

// reachedBy returns the instances with changes of their own in which a change of
// their series shows: of its time or its rule those that go, of anything else
// all.
func (a *agenda) reachedBy(ctx context.Context, patch event.Fields, t *target, gone []*calendarapi.Event) ([]*calendarapi.Event, error) {
	if !slices.ContainsFunc(patch.Names(), func(name string) bool { return !slices.Contains(timing, name) }) || patch.IsPersonal() {
		return gone, nil
	}
	return a.exceptions(ctx, t)
}

// mayReach asks whether something may be done to an event that people see.
func mayReach(ctx context.Context, out bundles.Outgoing, e *calendarapi.Event) error {
	return withLink(bundles.MaySend(ctx, out), e)
}

// foretold says in a dry run what would come of the call itself, where the
// policy does not let it reach these people; nothing where it does.
func foretold(ctx context.Context, people []string) []string {
	err := bundles.WouldSend(ctx, bundles.Outgoing{People: people})
	if err == nil {
		return nil
	}
	return []string{"the call itself would answer " + string(metadata.CodeOf(err)) + ": bundles.yaml does not let it reach these people"}
}

// withLink adds to what the policy answers where the user can make the change.
func withLink(err error, e *calendarapi.Event) error {
	told := (*metadata.Error)(nil)
	link := htmltext.Line(e.HtmlLink)
	if link == "" || !errors.As(err, &told) {
		return err
	}
	with := *told
	return with.WithHint("%s The event is at %s", told.Hint, link)
}
