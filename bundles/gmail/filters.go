package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/filters"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/metadata"
)

func (g *gmail) manageFilterAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "manage_filter", Effect: metadata.Writes, Scopes: []string{mailbox.ScopeSettings, mailbox.ScopeRead},
		Summary:     "List, create or delete filters for incoming mail.",
		Description: "gmail_undo undoes it. KOTA never creates one that forwards mail.",
		Tags:        []string{"rules", "organise", "automatic"},
		Aliases: metadata.Aliases{
			"create add: filter (operation: create)",
			"list get: filters (operation: list)",
			"delete remove: filter (operation: delete)",
		},
		Examples: []metadata.Example{
			{Title: "All filters", Args: filters.ManageIn{Operation: "list"}},
			{Title: "What a filter would match", Args: filters.ManageIn{Operation: "create", From: "news@example.com", Archive: true, DryRun: true}},
			{Title: "File newsletters", Args: filters.ManageIn{Operation: "create", Query: "unsubscribe", Labels: []string{"promotions"}, Archive: true}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.Refused, metadata.OutcomeUnknown),
		Notes: []string{
			"A filter applies to future mail. gmail_modify_messages with the same query changes existing mail.",
			"All conditions must match. The label must exist; a filter adds at most one of the user's labels, besides Gmail's categories.",
			"A filter that would move nearly all mail to the trash is refused.",
			"A filter that forwards mail must be created by the user in Gmail.",
		},
	}, g.manageFilter)
}

func (g *gmail) manageFilter(ctx context.Context, in filters.ManageIn) (filters.ManageOut, error) {
	if err := in.Check(); err != nil {
		return filters.ManageOut{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return filters.ManageOut{}, err
	}
	return filters.Manage(ctx, m, in)
}
