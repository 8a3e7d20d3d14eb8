package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/availability"
	"kota/metadata"
)

func (c *calendar) checkAvailabilityAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "check_availability", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary: "Say who is free at a given time, and when all are next.",
		Tags:    []string{"free", "busy", "availability"},
		Aliases: metadata.Aliases(
			"check get query list: freebusy free_busy",
			"freebusy free_busy: -",
			"get: availability",
		),
		Examples: []metadata.Example{
			{Title: "You and a colleague for half an hour", Args: availability.CheckArgs{Start: "2026-11-24 15:00", Duration: "30m", Attendees: []string{"bob@example.org"}}},
			{Title: "A whole day", Args: availability.CheckArgs{Start: "2026-12-24"}},
		},
		Errors: readErrors(metadata.NotFound),
		Notes: []string{
			"Whose calendar cannot be read is unknown, never free.",
			"Working hours play no part, but next_free keeps to 09:00-17:00 on weekdays in each one's zone when the time asked for does, else to about the same time of any day. It is looked for over two weeks.",
			"Google counts invitations without an answer as busy, and declined ones as free. Of others it shows times and no titles.",
		},
	}, c.checkAvailability)
}

func (c *calendar) checkAvailability(ctx context.Context, in availability.CheckArgs) (availability.Checked, error) {
	return inOne(ctx, c, in.Account, in, availability.Check)
}
