package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/listing"
	"kota/metadata"
)

type listEventsIn struct {
	From      string   `json:"from,omitempty" alias:"start,time_min" doc:"2026-11-24, tomorrow, next week; default now"`
	To        string   `json:"to,omitempty" alias:"end,time_max" doc:"a day counts whole; default a week on or a year with query"`
	Query     string   `json:"query,omitempty" alias:"q" max:"500" doc:"words in title, text, place or guests"`
	Direction string   `json:"direction,omitempty" enum:"ahead,past" default:"ahead" doc:"past: until now, the latest first"`
	Calendars []string `json:"calendars,omitempty" alias:"calendar,calendar_ids" max:"50" doc:"names or ids, or [\"all\"]; default primary"`
	Types     []string `json:"event_types,omitempty" enum:"default,focus,ooo,working_location,birthday,from_gmail"`
	Timezone  string   `json:"timezone,omitempty" doc:"IANA; default yours"`
	Limit     int      `json:"limit,omitempty" alias:"max_results,count" default:"25" min:"1" max:"100"`
	Cursor    string   `json:"cursor,omitempty" doc:"next_cursor of the answer before"`
	Account   string   `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

func (c *calendar) listEventsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_events", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary:     "List or search events, instances of series each by itself.",
		Description: "calendar_get_event shows more of one.",
		Tags:        []string{"agenda", "search", "events", "meetings", "birthday", "appointments"},
		Aliases: metadata.Aliases(
			"search get find query read fetch show view: events meetings appointments agenda",
			"list search find: - calendar_events",
			"list: meetings appointments agenda",
			"agenda upcoming_events: -",
		),
		Examples: []metadata.Example{
			{Title: "Today", Args: listEventsIn{From: "today", To: "today"}},
			{Title: "A week of every calendar", Args: listEventsIn{From: "2026-11-23", To: "2026-11-29", Calendars: []string{"all"}}},
			{Title: "When Bob was last met", Args: listEventsIn{Query: "Bob", Direction: listing.Past}},
		},
		Errors: readErrors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"from and to are dates, times or words (tomorrow 9am, friday, next month); without an offset they are of timezone, else of your zone. At most five years.",
			"What runs at from is listed too. Of a row, my_answer is yes, no, maybe or not yet; organizer is there when it is somebody else. What a row has no room for, calendar_get_event shows.",
			`"all" are the calendars that are ticked in Google Calendar; a note names the others. An event that several have is listed once, with also_on.`,
			"(busy) is an event of which the account may see the time alone. A calendar that cannot be read is in calendar_errors and does not spoil the others.",
			"A cursor keeps the search, its calendars and its account: the other arguments are left out with it.",
		},
	}, c.listEvents)
}

func (c *calendar) listEvents(ctx context.Context, in listEventsIn) (listing.Listed, error) {
	return listing.List(ctx, c.Agendas, listing.Args(in))
}
