package gmail

import (
	"context"
	"fmt"

	"kota/bundles"
	"kota/bundles/gmail/internal/compose"
	"kota/bundles/gmail/internal/drafts"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

type sendDraftIn struct {
	DraftID string `json:"draft_id" audit:"show"`
	Key     string `json:"idempotency_key,omitempty" doc:"repeating it sends nothing"`
	Account string `json:"account,omitempty" doc:"name or address" audit:"show"`
}

func (g *gmail) sendDraftAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "send_draft", Effect: metadata.Sends, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:  "Send a draft.",
		Tags:     []string{"draft", "send"},
		Examples: []metadata.Example{{Title: "Send a draft", Args: sendDraftIn{DraftID: "r-18f2a9c0d1e2f3a4"}}},
		Errors:   compose.Errors(metadata.ApprovalNeeded),
		Notes:    []string{"If bundles.yaml says `send: draft`, only the user can send it, in Gmail."},
	}, g.sendDraft)
}

func (g *gmail) sendDraft(ctx context.Context, in sendDraftIn) (compose.SendResult, error) {
	var p mailbox.Problems
	p.ID("draft_id", in.DraftID)
	p.Line("idempotency_key", in.Key, compose.MaxKey)
	if err := p.Err(); err != nil {
		return compose.SendResult{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return compose.SendResult{}, err
	}
	message, err := drafts.ReadHeaders(ctx, m, in.DraftID)
	if err != nil && metadata.CodeOf(err) != metadata.NotFound {
		return compose.SendResult{}, err // but go on after NOT_FOUND: an earlier identical call may have sent the draft
	}
	if message != nil {
		if err := compose.CheckRecipients(message, false); err != nil {
			return compose.SendResult{}, err
		}
	}
	provenance := untrusted.MarkPartly(ctx, untrusted.Mail)
	done, err := g.sender(m).Deliver(ctx, outgoing.Mail{Key: in.Key, Kind: "draft", DraftID: in.DraftID})
	if err != nil {
		return compose.SendResult{}, err
	}
	if message == nil { // an earlier call sent it
		return compose.Describe(done.Envelope, provenance).WithDelivery(done, compose.Args{}), nil
	}
	return compose.DescribeDraft(message, provenance).WithDelivery(done, compose.Args{}), nil
}

type deleteDraftIn struct {
	DraftID string `json:"draft_id" audit:"show"`
	Account string `json:"account,omitempty" doc:"name or address" audit:"show"`
}

type deleteDraftOut struct {
	Deleted string `json:"deleted"` // the draft's subject
	UndoID  string `json:"undo_id"`

	Provenance *untrusted.Provenance `json:"provenance"` // a draft may contain text by others
}

func (g *gmail) deleteDraftAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "delete_draft", Effect: metadata.Writes, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:     "Delete a draft.",
		Description: "gmail_undo restores it.",
		Tags:        []string{"draft", "discard"},
		Aliases:     metadata.Aliases{"discard remove trash: draft"},
		Examples:    []metadata.Example{{Title: "Discard a draft", Args: deleteDraftIn{DraftID: "r-18f2a9c0d1e2f3a4"}}},
		Errors:      compose.Errors(),
		Notes:       []string{"A restored draft has a new draft_id."},
	}, g.deleteDraft)
}

func (g *gmail) deleteDraft(ctx context.Context, in deleteDraftIn) (deleteDraftOut, error) {
	var p mailbox.Problems
	p.ID("draft_id", in.DraftID)
	if err := p.Err(); err != nil {
		return deleteDraftOut{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return deleteDraftOut{}, err
	}
	before, message, _, err := drafts.Read(ctx, m, in.DraftID)
	if before == nil {
		return deleteDraftOut{}, err // but ignore err otherwise: a draft that cannot be parsed can still be saved for undo
	}
	subject := "a draft"
	if message != nil && message.Subject != "" {
		subject = message.Subject
	}
	undo, err := g.Undos().Save(ctx, m.Account.Key(), "delete the draft "+arguments.Brief(subject), drafts.KindChange, before)
	if err != nil {
		return deleteDraftOut{}, err
	}
	if err := m.API.Users.Drafts.Delete(mailbox.Me, in.DraftID).Context(ctx).Do(); err != nil {
		return deleteDraftOut{}, g.Undos().Failed(ctx, undo, fmt.Errorf("delete the draft: %w", err))
	}
	return deleteDraftOut{Deleted: subject, UndoID: undo, Provenance: untrusted.MarkPartly(ctx, untrusted.Mail)}, nil
}
