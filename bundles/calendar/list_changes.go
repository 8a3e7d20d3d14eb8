package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/listing"
	"kota/metadata"
)

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
			{Title: "Begin", Args: listing.ChangesArgs{}},
			{Title: "Begin in every calendar that is shown", Args: listing.ChangesArgs{Calendars: []string{"all"}}},
		},
		Errors: readErrors(metadata.NotFound, metadata.TooLarge),
		Notes: []string{
			"A cursor is of the account and the calendars with which it began: they are left out with it. more says that there is more: call again with the new cursor.",
			"A series is one row, with its first event and how it repeats; an instance that differs from its series is a row of its own.",
			"Google remembers some weeks. An older cursor is answered with reset, a note and a fresh cursor.",
		},
	}, func(ctx context.Context, in listing.ChangesArgs) (listing.Changed, error) {
		return listing.Changes(ctx, c.Agendas, in)
	})
}
