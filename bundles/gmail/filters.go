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
		Description: "gmail_undo undoes it. KOTA never makes one that forwards mail.",
		Tags:        []string{"rules", "organise", "automatic"},
		Aliases: metadata.Aliases{
			"create add: filter (operation: create)",
			"list get: filters (operation: list)",
			"delete remove: filter (operation: delete)",
		},
		Examples: []metadata.Example{
			{Title: "Which there are", Args: filters.ManageIn{Operation: "list"}},
			{Title: "What one would fit", Args: filters.ManageIn{Operation: "create", From: "news@example.com", Archive: true, DryRun: true}},
			{Title: "File newsletters", Args: filters.ManageIn{Operation: "create", Query: "unsubscribe", Labels: []string{"promotions"}, Archive: true}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.Refused, metadata.OutcomeUnknown),
		Notes: []string{
			"A filter is for mail to come. gmail_modify_messages with the same query does it to mail that is there.",
			"All conditions must fit. The label must exist; Gmail gives one label of the user's by filter, besides its categories.",
			"One that would put nearly all mail into the trash is refused.",
			"There is no forwarding here: a rule that sends mail away unseen is for the user to make in Gmail.",
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
