package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/availability"
	"kota/metadata"
)

type checkAvailabilityIn struct {
	Start     string   `json:"start" doc:"\"2026-11-24 15:00\"; a date is the whole day"`
	End       string   `json:"end,omitempty" doc:"of days the last"`
	Duration  string   `json:"duration,omitempty" doc:"instead of end; default 1h"`
	Attendees []string `json:"attendees,omitempty" alias:"people,guests,with" doc:"besides you, as in calendar_find_slots"`
	Calendars []string `json:"calendars,omitempty" doc:"of yours that count besides the main one, or [\"all\"]"`
	Zone      string   `json:"timezone,omitempty"`
	Account   string   `json:"account,omitempty"`
}

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
			{Title: "You and a colleague for half an hour", Args: checkAvailabilityIn{Start: "2026-11-24 15:00", Duration: "30m", Attendees: []string{"bob@example.org"}}},
			{Title: "A whole day", Args: checkAvailabilityIn{Start: "2026-12-24"}},
		},
		Errors: readErrors(metadata.NotFound),
		Notes: []string{
			"Whose calendar cannot be read is unknown, never free.",
			"Working hours play no part, but next_free keeps to 09:00-17:00 on weekdays in each one's zone when the time asked for does, else to about the same time of any day. It is looked for over two weeks.",
			"Google counts invitations without an answer as busy, and declined ones as free. Of others it shows times and no titles.",
		},
	}, c.checkAvailability)
}

func (c *calendar) checkAvailability(ctx context.Context, in checkAvailabilityIn) (availability.Checked, error) {
	return inOne(ctx, c, in.Account, func(ctx context.Context, a *agenda.Agenda) (availability.Checked, error) {
		return availability.Check(ctx, a, availability.CheckArgs(in))
	})
}
