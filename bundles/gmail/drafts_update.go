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
	"kota/bundles/internal/mailmsg"
	"kota/bundles/internal/recipients"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

func (g *gmail) updateDraftAction() bundles.Action {
	text := "Does noon suit you?"
	return bundles.Bind(metadata.Action{
		Name: "update_draft", Effect: metadata.Writes, Scopes: []string{mailbox.ScopeCompose, mailbox.ScopeRead},
		Summary:     "Change a draft; what you omit stays as it is.",
		Description: "Lists replace the old ones.",
		Tags:        []string{"draft", "edit"},
		Aliases:     metadata.Aliases{"edit modify change: draft"},
		Examples:    []metadata.Example{{Title: "Another text", Args: compose.DraftArgs{DraftID: "r-18f2a9c0d1e2f3a4", Body: &text}}},
		Errors:      compose.Errors(),
		Notes: []string{
			"to, cc and bcc replace the whole list. body replaces only your text; html replaces everything below the headers.",
			"A new subject removes the draft from its thread.",
			"If the draft was changed in Gmail at the same moment, the last change wins. gmail_undo restores the earlier text.",
		},
	}, g.updateDraft)
}

func (g *gmail) updateDraft(ctx context.Context, in compose.DraftArgs) (compose.SendResult, error) {
	if err := recipients.Resolve(ctx, recipients.Field{Path: "to", List: &in.To}, recipients.Field{Path: "cc", List: &in.Cc}, recipients.Field{Path: "bcc", List: &in.Bcc}); err != nil {
		return compose.SendResult{}, err
	}
	change, err := compose.NewDraftChange(g.Files(), in)
	if err != nil {
		return compose.SendResult{}, err
	}
	m, err := g.Open(ctx, in.Account)
	if err != nil {
		return compose.SendResult{}, err
	}
	before, message, unparsed, err := drafts.Read(ctx, m, in.DraftID)
	if err != nil {
		return compose.SendResult{}, err
	}
	thread := before.Thread
	if in.Subject != nil && !mailmsg.SameTopic(*in.Subject, message.Subject) {
		thread = "" // Gmail allows only one subject in a thread
	}
	if err := compose.Apply(ctx, m, change, message); err != nil {
		return compose.SendResult{}, err
	}
	raw, err := compose.Encode(message)
	if err != nil {
		return compose.SendResult{}, err
	}
	if raw = outgoing.MarkIfTainted(ctx, raw); outgoing.IsTainted(before.Raw) {
		raw = outgoing.MarkTainted(raw)
	}
	before.After = outgoing.HexDigest(raw)
	undo, err := g.Undos().Save(ctx, m.Account.Key(), "change the draft "+arguments.Brief(message.Subject), drafts.KindChange, before)
	if err != nil {
		return compose.SendResult{}, err
	}
	draft, err := outgoing.ReplaceDraft(ctx, m, in.DraftID, thread, raw)
	if err != nil {
		return compose.SendResult{}, g.Undos().Failed(ctx, undo, fmt.Errorf("change the draft: %w", err))
	}
	out := compose.DescribeDraft(message, untrusted.MarkPartly(ctx, untrusted.Mail))
	out.Status, out.Note, out.DraftID, out.UndoID = "draft", compose.NoteDraft, draft.Id, undo
	if draft.Message != nil {
		out.MessageID, out.ThreadID = draft.Message.Id, draft.Message.ThreadId
	}
	for _, piece := range unparsed {
		out.Warnings = append(out.Warnings, "omitted, because it is not an address: "+piece)
	}
	return out, nil
}
