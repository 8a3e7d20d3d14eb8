package eventtext

import (
	"context"
	"errors"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// MayReach asks whether something may be done to an event that people see.
func MayReach(ctx context.Context, out bundles.Outgoing, e *calendarapi.Event) error {
	return WithLink(bundles.MaySend(ctx, out), e)
}

// WithLink adds to what the policy answers where the user can make the change.
func WithLink(err error, e *calendarapi.Event) error {
	told := (*metadata.Error)(nil)
	link := htmltext.Line(e.HtmlLink)
	if link == "" || !errors.As(err, &told) {
		return err
	}
	with := *told
	return with.WithHint("%s The event is at %s", told.Hint, link)
}

// Foretold says in a dry run what would come of the call itself, where the
// policy does not let it reach these people; nothing where it does.
func Foretold(ctx context.Context, people []string) []string {
	err := bundles.WouldSend(ctx, bundles.Outgoing{People: people})
	if err == nil {
		return nil
	}
	return []string{"the call itself would answer " + string(metadata.CodeOf(err)) + ": bundles.yaml does not let it reach these people"}
}
