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

type findSlotsIn struct {
	Duration  string   `json:"duration,omitempty" default:"1h"`
	Attendees []string `json:"attendees,omitempty" alias:"people,guests,with" doc:"besides you: \"ann@x.com\", or with zone and hours \"ann@x.com America/New_York 10:00-18:00\""`
	Optional  []string `json:"optional_attendees,omitempty"`
	Calendars []string `json:"calendars,omitempty" doc:"of yours that count besides the main one, or [\"all\"]"`
	From      string   `json:"from,omitempty" doc:"\"tomorrow\", \"2026-11-24\"; default now"`
	To        string   `json:"to,omitempty" doc:"included; default 2 weeks on"`
	Hours     string   `json:"working_hours,omitempty" default:"09:00-17:00" doc:"in each one's zone: \"09:00-12:00,13:00-17:00\""`
	Days      []string `json:"days,omitempty" doc:"default mon to fri"`
	Buffer    string   `json:"buffer,omitempty" doc:"free before and after: \"15m\""`
	Notice    string   `json:"min_notice,omitempty" doc:"\"4h\""`
	Zone      string   `json:"timezone,omitempty" doc:"yours"`
	Limit     int      `json:"limit,omitempty" alias:"max_results,count" default:"10" min:"1" max:"50"`
	Account   string   `json:"account,omitempty"`
}

func (c *calendar) findSlotsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "find_slots", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary: "Find times when you and others can meet.",
		Tags:    []string{"meeting", "free", "schedule", "availability"},
		Aliases: metadata.Aliases(
			"find get search suggest list: slots free_slots free_time available_slots meeting_times time",
			"find: availability",
		),
		Examples: []metadata.Example{
			{Title: "Half an hour with two others next week", Args: findSlotsIn{Duration: "30m", Attendees: []string{"bob@example.org", "cleo@example.com America/New_York"}, From: "next week"}},
			{Title: "Two quiet hours of your own, mornings", Args: findSlotsIn{Duration: "2h", Hours: "08:00-12:00", Calendars: []string{"all"}}},
		},
		Errors: readErrors(metadata.NotFound),
		Notes: []string{
			"A row is a gap: the meeting may start every 15 minutes from start to latest_start.",
			"Working hours and days hold for each person in the person's own zone: the one given, else that of the calendar when it is on your list, else yours (assumed_zone). \"22:00-06:00\" ends the next day.",
			"Somebody whose calendar cannot be read is unknown, never free: such slots are unconfirmed and come last. Slots without an optional attendee come after those with all.",
			"Google counts invitations without an answer as busy, and declined ones as free. calendars [\"all\"] are those you own.",
			"At most 50 people and calendars, 92 days ahead.",
		},
	}, c.findSlots)
}

func (c *calendar) findSlots(ctx context.Context, in findSlotsIn) (availability.Slots, error) {
	return inOne(ctx, c, in.Account, func(ctx context.Context, a *agenda.Agenda) (availability.Slots, error) {
		return availability.FindSlots(ctx, a, availability.SlotsArgs(in))
	})
}

// inOne reads in one account, within the time that a read has.
func inOne[T any](ctx context.Context, c *calendar, account string, do func(context.Context, *agenda.Agenda) (T, error)) (T, error) {
	if account == google.EveryAccount {
		var none T
		return none, arguments.Invalid("account", "one account", strconv.Quote(account)).
			WithHint("Free time is looked for in one account: name it, or leave account out for the default one.")
	}
	return google.InWhichever(ctx, c.Accounts, account, c.Open, do)
}
