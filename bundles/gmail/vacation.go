package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/vacation"
	"kota/bundles/internal/google"
	"kota/metadata"
)

func (g *gmail) manageVacationAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "manage_vacation", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeSettings},
		Summary:     "Show, set or turn off the automatic reply.",
		Description: "gmail_undo undoes it. set answers other people: it needs the user's approval, as sending does.",
		Tags:        []string{"out of office", "auto-reply", "holiday"},
		Aliases:     metadata.Aliases{"set update enable: vacation auto_reply vacation_responder (operation: set)"},
		Examples: []metadata.Example{
			{Title: "Is it on", Args: vacation.ManageIn{Operation: "get"}},
			{Title: "Away for a week", Args: vacation.ManageIn{Operation: "set", Subject: "Away", Body: "I am back on **4 January**.", Start: "2126-12-24", End: "2127-01-03"}},
			{Title: "Back", Args: vacation.ManageIn{Operation: "off"}},
		},
		Errors: google.Errors(metadata.ApprovalNeeded, metadata.Refused, metadata.OutcomeUnknown),
		Notes: []string{
			"start and end are the first and last day, in the user's zone. Without them the reply stays on until it is turned off.",
			"off keeps the text. gmail_undo restores the text, but never turns the reply on; use set for that.",
			"domain_only is for Google Workspace accounts.",
		},
	}, g.manageVacation)
}

func (g *gmail) manageVacation(ctx context.Context, in vacation.ManageIn) (vacation.ManageOut, error) {
	if err := in.Check(g.Now()); err != nil {
		return vacation.ManageOut{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return vacation.ManageOut{}, err
	}
	return vacation.Manage(ctx, m, in)
}
