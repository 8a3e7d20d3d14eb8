package gmail

import (
	"context"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/gmail/internal/unsubscribe"
	"kota/bundles/internal/google"
	"kota/metadata"
	"kota/store"
)

type unsubscribeIn struct {
	ID      string `json:"message_id" audit:"show"`
	Confirm bool   `json:"confirm,omitempty" doc:"do it; otherwise only say what would happen"`
	Account string `json:"account,omitempty" doc:"name or address" audit:"show"`

	draftOnly bool // the policy permits only a draft
}

// Effect returns Reads for a call without confirm, Writes if the policy allows only a
// draft, and otherwise Sends.
func (in unsubscribeIn) Effect() metadata.Effect {
	switch {
	case !in.Confirm:
		return metadata.Reads
	case in.draftOnly:
		return metadata.Writes
	}
	return metadata.Sends
}

// AsDraft returns the same input with draftOnly set: the call may save a draft,
// but sends nothing.
func (in unsubscribeIn) AsDraft() unsubscribeIn {
	in.draftOnly = true
	return in
}

func (g *gmail) unsubscribeAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "unsubscribe", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeRead, mailbox.ScopeCompose},
		Summary:     "Leave the mailing list that a message came from.",
		Description: "First call it without confirm and show the user the result.",
		Tags:        []string{"newsletter", "mailing list", "unsubscribe"},
		Examples:    []metadata.Example{{Title: "What would happen", Args: unsubscribeIn{ID: "18f2a9c0d1e2f3a4"}}},
		Errors:      google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
		Notes: []string{
			"one_click is one POST to the list's server over https (RFC 8058), if the sender's DKIM signature covers both header fields and is valid according to Gmail's Authentication-Results. KOTA follows no redirect, connects only to public addresses and sends each request once; `kota outbox` has the outcome.",
			"draft saves a mail to the list for the user to send; while it exists, no second one is saved. link is a page that the user must open; KOTA does not open it.",
			"KOTA does not unsubscribe from mail in spam, because that would show the sender that the address is read.",
		},
	}, g.unsubscribe)
}

func (g *gmail) unsubscribe(ctx context.Context, in unsubscribeIn) (unsubscribe.Answer, error) {
	if err := mailbox.CheckID("message_id", in.ID); err != nil {
		return unsubscribe.Answer{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return unsubscribe.Answer{}, err
	}
	unsubscriber := &unsubscribe.Unsubscriber{Sender: g.sender(m), Poster: g.Poster}
	return unsubscriber.Unsubscribe(ctx, in.ID, in.Confirm, in.draftOnly)
}

// postUnsubscribe sends the unsubscribe request of an outbox item.
func (g *gmail) postUnsubscribe(ctx context.Context, m *outgoing.Sender, box OutboxStore, item store.OutboxItem) error {
	return (&unsubscribe.Unsubscriber{Sender: m, Poster: g.Poster}).SendItem(ctx, box, item)
}
