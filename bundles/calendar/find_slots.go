package calendar

import (
	"context"
	"strconv"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/availability"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/google"
	"kota/metadata"
)

func (c *calendar) findSlotsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "find_slots", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary: "Find times when you and others can meet.",
		Tags:    []string{"meeting", "free", "schedule", "availability"},
		Aliases: metadata.Aliases{
			"find get search suggest list: slots free_slots free_time available_slots meeting_times time",
			"find: availability",
		},
		Examples: []metadata.Example{
			{Title: "Half an hour with two others next week", Args: availability.SlotsArgs{Duration: "30m", Attendees: []string{"bob@example.org", "cleo@example.com America/New_York"}, From: "next week"}},
			{Title: "Two quiet hours of your own, mornings", Args: availability.SlotsArgs{Duration: "2h", Hours: "08:00-12:00", Calendars: []string{"all"}}},
		},
		Errors: google.Errors(metadata.NotFound),
		Notes: []string{
			"A row is a free period: the meeting may start every 15 minutes from start to latest_start.",
			"Working hours and days are in each person's zone: the given one, otherwise that of their calendar if it is on your list, otherwise yours (assumed_zone). \"22:00-06:00\" ends the next day.",
			"A person whose calendar cannot be read is unknown, never free: such slots are unconfirmed and listed last. Slots without an optional attendee come after slots with everybody.",
			"Google counts invitations without an answer as busy, and declined ones as free. calendars [\"all\"] means those you own.",
			"At most 50 people and calendars, 92 days ahead.",
		},
	}, c.findSlots)
}

func (c *calendar) findSlots(ctx context.Context, in availability.SlotsArgs) (availability.Slots, error) {
	return readInAccount(ctx, c, in.Account, in, availability.FindSlots)
}

// readInAccount runs do in one account, within the time limit of reads. It refuses "*".
func readInAccount[In, Out any](ctx context.Context, c *calendar, account string, in In, do func(context.Context, *agenda.Agenda, In) (Out, error)) (Out, error) {
	if account == google.AllAccounts {
		var none Out
		return none, arguments.Invalid("account", "one account", strconv.Quote(account)).
			WithHint("This action works with one account: name it, or omit account for the default one.")
	}
	return google.InAnyAccount(ctx, c.Accounts, account, c.Open, func(ctx context.Context, a *agenda.Agenda) (Out, error) {
		return do(ctx, a, in)
	})
}

func (c *calendar) checkAvailabilityAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "check_availability", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary: "Say who is free at a given time, and when all are free next.",
		Tags:    []string{"free", "busy", "availability"},
		Aliases: metadata.Aliases{
			"check get query list: freebusy free_busy",
			"freebusy free_busy: -",
			"get: availability",
		},
		Examples: []metadata.Example{
			{Title: "You and a colleague for half an hour", Args: availability.CheckArgs{Start: "2026-11-24 15:00", Duration: "30m", Attendees: []string{"bob@example.org"}}},
			{Title: "A whole day", Args: availability.CheckArgs{Start: "2026-12-24"}},
		},
		Errors: google.Errors(metadata.NotFound),
		Notes: []string{
			"A person whose calendar cannot be read is unknown, never free.",
			"Working hours do not matter for the given time. next_free is searched for two weeks: at 09:00-17:00 on weekdays in each person's zone if the given time is, otherwise at about the same time of any day.",
			"Google counts invitations without an answer as busy, and declined ones as free. Of other people it shows only times, not titles.",
		},
	}, c.checkAvailability)
}

func (c *calendar) checkAvailability(ctx context.Context, in availability.CheckArgs) (availability.CheckResult, error) {
	return readInAccount(ctx, c, in.Account, in, availability.Check)
}
