package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/labels"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/metadata"
)

func (g *gmail) manageLabelAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "manage_label", Effect: metadata.Writes, Scopes: []string{mailbox.ScopeModify},
		Summary:     "Create, rename, delete, show, hide or colour a label.",
		Description: "gmail_undo undoes it.",
		Tags:        []string{"labels", "folders", "organise"},
		Aliases: metadata.Aliases{
			"create add new: label (operation: create)",
			"update rename edit: label (operation: rename)",
			"delete: label (operation: delete)",
		},
		Examples: []metadata.Example{
			{Title: "A nested one", Args: labels.ManageIn{Operation: "create", Name: "Work/Receipts", Color: "green"}},
		},
		Errors: google.Errors(metadata.NotFound, metadata.Conflict, metadata.TooLarge, metadata.OutcomeUnknown),
		Notes: []string{
			"create also creates the parents of a nested label. rename also renames the labels nested in it.",
			"delete removes the label from its messages, which stay; nested labels stay too. gmail_undo creates the label again, with a new id, and adds it to these messages, but does not restore filters that used it.",
			"Gmail's own labels (inbox, promotions, …) cannot be changed.",
		},
	}, g.manageLabel)
}

func (g *gmail) manageLabel(ctx context.Context, in labels.ManageIn) (labels.ManageOut, error) {
	name, err := in.Check()
	if err != nil {
		return labels.ManageOut{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return labels.ManageOut{}, err
	}
	return labels.Manage(ctx, m, name, in)
}
