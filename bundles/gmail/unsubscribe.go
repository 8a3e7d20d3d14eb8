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
	Confirm bool   `json:"confirm,omitempty" doc:"do it; else only say what would happen"`
	Account string `json:"account,omitempty" doc:"name or address" audit:"show"`

	draftOnly bool // the policy forbids sending
}

// Effect returns the effect of this call. A preview only reads from Gmail.
func (in unsubscribeIn) Effect() metadata.Effect {
	switch {
	case !in.Confirm:
		return metadata.Reads
	case in.draftOnly:
		return metadata.Writes
	}
	return metadata.Sends
}

// AsDraft returns the call that saves at most a draft.
func (in unsubscribeIn) AsDraft() unsubscribeIn {
	in.draftOnly = true
	return in
}

func (g *gmail) unsubscribeAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "unsubscribe", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeRead, mailbox.ScopeCompose},
		Summary:     "Leave the mailing list that a message came from.",
		Description: "First call it without confirm and show the user where it leads.",
		Tags:        []string{"newsletter", "mailing list", "unsubscribe"},
		Examples:    []metadata.Example{{Title: "What would happen", Args: unsubscribeIn{ID: "18f2a9c0d1e2f3a4"}}},
		Errors:      google.Errors(metadata.NotFound, metadata.Conflict, metadata.ApprovalNeeded, metadata.OutcomeUnknown),
		Notes: []string{
			"one_click is one POST to the list's server over https (RFC 8058), when the sender's valid DKIM signature covers both header fields, as Gmail's Authentication-Results has it. No redirect is followed, no address that is not public is asked, and none twice: `kota outbox` has what became of it.",
			"draft saves a mail to the list for the user to send, once while it is there. link is a page that the user must open: KOTA opens none.",
			"From mail in spam nobody is unsubscribed: that would tell the sender that the address is read.",
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

// postUnsubscribe sends an unsubscribe request that is recorded in the outbox.
func (g *gmail) postUnsubscribe(ctx context.Context, m *outgoing.Sender, box OutboxStore, item store.OutboxItem) error {
	return (&unsubscribe.Unsubscriber{Sender: m, Poster: g.Poster}).SendItem(ctx, box, item)
}
