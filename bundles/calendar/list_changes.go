package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/listing"
	"kota/metadata"
)

type listChangesIn struct {
	Cursor    string   `json:"cursor,omitempty" doc:"of the answer before; without: begin now"`
	Calendars []string `json:"calendars,omitempty" alias:"calendar" max:"50" doc:"names or ids, or [\"all\"]; default primary"`
	Timezone  string   `json:"timezone,omitempty" doc:"IANA; default yours"`
	Limit     int      `json:"limit,omitempty" alias:"max_results,count" default:"25" min:"1" max:"50"`
	Account   string   `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

func (c *calendar) listChangesAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "list_changes", Effect: metadata.Reads, Scopes: []string{scopeRead},
		Summary:     "List what was added, changed or deleted since a cursor.",
		Description: "The first call gives the cursor.",
		Tags:        []string{"new", "sync", "watch", "deleted"},
		Aliases: metadata.Aliases(
			"get: changes",
			"sync: - events",
		),
		Examples: []metadata.Example{
			{Title: "Begin", Args: listChangesIn{}},
			{Title: "Begin in every calendar that is shown", Args: listChangesIn{Calendars: []string{"all"}}},
		},
		Errors: readErrors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"A cursor is of the account and the calendars with which it began: they are left out with it. more says that there is more: call again with the new cursor.",
			"A series is one row, with its first event and how it repeats; an instance that differs from its series is a row of its own.",
			"Google remembers some weeks. An older cursor is answered with reset, a note and a fresh cursor.",
		},
	}, c.listChanges)
}

func (c *calendar) listChanges(ctx context.Context, in listChangesIn) (listing.Changed, error) {
	return listing.Changes(ctx, c.Agendas, listing.ChangesArgs(in))
}
