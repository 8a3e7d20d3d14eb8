package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/listing"
	"kota/bundles/internal/google"
	"kota/metadata"
)

func (c *calendar) listEventsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_events", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary:     "List or search events; of series, each instance.",
		Description: "calendar_get_event shows more of one.",
		Tags:        []string{"agenda", "search", "events", "meetings", "birthday", "appointments"},
		Aliases: metadata.Aliases{
			"search get find query read fetch show view: events meetings appointments agenda",
			"list search find: - calendar_events",
			"list: meetings appointments agenda",
			"agenda upcoming_events: -",
		},
		Examples: []metadata.Example{
			{Title: "Today", Args: listing.Args{From: "today", To: "today"}},
			{Title: "A week of every calendar", Args: listing.Args{From: "2026-11-23", To: "2026-11-29", Calendars: []string{"all"}}},
			{Title: "The last meetings with Bob", Args: listing.Args{Query: "Bob", Direction: listing.Past}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"from and to are dates, times or words (tomorrow 9am, friday, next month); without an offset they are in timezone, if given, else in your zone. At most five years.",
			"Events that are running at from are listed too. my_answer is yes, no, maybe or not yet; organizer is set if it is somebody else. calendar_get_event shows the rest.",
			`"all" means the calendars that are ticked in Google Calendar; a note names the others. An event in several calendars is listed once, with also_on.`,
			"(busy) is an event whose time is all the account may see. A calendar that cannot be read is listed in calendar_errors; the others are still returned.",
			"With a cursor, omit the other arguments: it keeps the search, its calendars and its account.",
		},
	}, func(ctx context.Context, in listing.Args) (listing.Page, error) {
		return listing.List(ctx, c.Agendas, in)
	})
}

func (c *calendar) listChangesAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_changes", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary:     "List what was added, changed or deleted since a cursor.",
		Description: "The first call gives the cursor.",
		Tags:        []string{"new", "sync", "watch", "deleted"},
		Aliases: metadata.Aliases{
			"get: changes",
			"sync: - events",
		},
		Examples: []metadata.Example{
			{Title: "Begin", Args: listing.ChangesArgs{}},
			{Title: "Start in every calendar that is shown", Args: listing.ChangesArgs{Calendars: []string{"all"}}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"With a cursor, omit account and calendars: it keeps them. If more is true, call again with the new cursor.",
			"A series is one row, with its first event and how it repeats; an instance that differs from its series has its own row.",
			"Google keeps changes for some weeks. An older cursor returns reset, a note and a new cursor.",
		},
	}, func(ctx context.Context, in listing.ChangesArgs) (listing.ChangesPage, error) {
		return listing.Changes(ctx, c.Agendas, in)
	})
}
