package outgoing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

// saveDraft saves a mail as a draft without an outbox item.
func (s *Sender) saveDraft(ctx context.Context, out Mail) (Delivery, error) {
	if err := bundles.ConfirmChange(ctx, 1); err != nil {
		return Delivery{}, err
	}
	draft, err := CreateDraft(ctx, s.Mailbox, out.Raw, out.ThreadID)
	if err != nil {
		return Delivery{}, fmt.Errorf("save draft: %w", err)
	}
	return Delivery{DraftID: draft.Id, ThreadID: draft.Message.ThreadId, Envelope: out.Envelope}, nil
}

// prepare creates the draft to be sent, or checks and marks an existing draft. It sends
// nothing, so it may be repeated.
func (a *attempt) prepare(ctx context.Context) error {
	if !a.item.OwnsDraft {
		return a.markDraft(ctx)
	}
	if a.item.Draft != "" && a.item.SaveOnly {
		return nil
	}
	if a.item.Draft != "" {
		return a.checkDraft(ctx)
	}
	raw, err := a.box.Raw(ctx, a.item.ID)
	if err != nil {
		return err
	}
	ctx, cancel := a.transferContext(ctx, len(raw))
	defer cancel()
	if err := a.box.Save(ctx, &a.item, a.timeouts.lease); err != nil { // from here on a draft may exist
		return err
	}
	draft, err := CreateDraft(ctx, a.Sender.Mailbox, addOutboxHeader(raw, a.item.ID), a.item.TargetThread)
	switch code := metadata.CodeOf(err); {
	case err == nil:
		a.item.Draft, a.item.ThreadID = draft.Id, draft.Message.ThreadId
	case code == metadata.OutcomeUnknown || code == metadata.Internal:
		if err := a.reconcileDraft(ctx, err); err != nil {
			return err
		}
	default:
		return err
	}
	a.createdDraft = true
	return a.box.Save(ctx, &a.item, a.timeouts.lease)
}

// transferContext returns a context with a new time limit: the limit of prepare, plus the
// time to transfer size bytes at 32 KiB per second. The transport allows at most five
// minutes for the transfer.
func (a *attempt) transferContext(ctx context.Context, size int) (context.Context, context.CancelFunc) {
	transfer := min(5*time.Minute, time.Duration(size)*time.Second/(32<<10))
	return context.WithTimeout(context.WithoutCancel(ctx), a.timeouts.prepare+transfer)
}

// reconcileDraft looks for the draft after an unclear answer to its creation. It returns
// nil if the draft exists, and otherwise cause. It sets maybeOrphaned if the draft may
// exist but was not found.
func (a *attempt) reconcileDraft(ctx context.Context, cause error) error {
	a.maybeOrphaned = true
	for _, wait := range a.timeouts.lookPauses {
		if panicsafe.Pause(ctx, wait) != nil {
			return cause
		}
		complete, err := a.findDraft(ctx)
		if err != nil {
			a.maybeOrphaned = true
			return cause
		}
		a.maybeOrphaned = !complete
		if a.item.Draft != "" {
			a.maybeOrphaned = false
			return nil
		}
	}
	return cause
}

// markDraft adds the outbox header to a draft of the user, and removes the taint header. It
// changes nothing else.
func (a *attempt) markDraft(ctx context.Context) error {
	reading, cancel := a.transferContext(ctx, mailbox.MaxRaw)
	defer cancel()
	before, err := FetchDraft(reading, a.Sender.Mailbox, a.item.Draft)
	if err != nil {
		a.draftMissing = a.item.New && metadata.CodeOf(err) == metadata.NotFound
		return err
	}
	if err := a.checkApproved(before.Raw); err != nil {
		return err
	}
	header := headerOf(before.Raw)
	a.item.ThreadID = before.Thread
	about := envelopeIn(header)
	about.Content = envelopeOf(a.item).Content
	if a.item.Summary, err = json.Marshal(about); err != nil {
		return err
	}
	if slices.Contains(header[outboxHeader], a.item.ID) { // an earlier attempt added it
		return a.box.Save(ctx, &a.item, a.timeouts.lease)
	}
	ctx, cancel = a.transferContext(ctx, len(before.Raw))
	defer cancel()
	marked, err := ReplaceDraft(ctx, a.Sender.Mailbox, a.item.Draft, before.Thread, addOutboxHeader(removeTaint(before.Raw), a.item.ID))
	if err != nil {
		return err
	}
	if marked.Message != nil {
		a.item.ThreadID = marked.Message.ThreadId
	}
	return a.box.Save(ctx, &a.item, a.timeouts.lease)
}

// findDraft looks among the newest drafts for the draft of the item, and saves its id in the
// item. complete is false if the draft was not found and a listed draft could not be read.
func (a *attempt) findDraft(ctx context.Context) (complete bool, err error) {
	const newest = 10 // enough, because the draft is new
	list, err := a.API.Users.Drafts.List(mailbox.Me).MaxResults(newest).Fields("drafts/id").Context(ctx).Do()
	if err != nil {
		return false, err
	}
	complete = true
	for _, d := range list.Drafts {
		draft, err := a.API.Users.Drafts.Get(mailbox.Me, d.Id).Format("metadata").
			Fields("id", "message(threadId,payload/headers)").Context(ctx).Do()
		if metadata.CodeOf(err) == metadata.NotFound {
			complete = false // it was deleted meanwhile
			continue
		}
		if err != nil {
			return false, err
		}
		if a.hasItemID(draft.Message) {
			a.item.Draft, a.item.ThreadID = draft.Id, draft.Message.ThreadId
			return true, a.box.Save(ctx, &a.item, a.timeouts.lease)
		}
	}
	return complete, nil
}

// hasItemID reports whether a message has the item's outbox header.
func (a *attempt) hasItemID(message *gmailapi.Message) bool {
	return message != nil && message.Payload != nil && slices.ContainsFunc(message.Payload.Headers, func(h *gmailapi.MessagePartHeader) bool {
		return strings.EqualFold(h.Name, outboxHeader) && strings.TrimSpace(h.Value) == a.item.ID
	})
}

// addOutboxHeader adds the outbox header before the other headers of a mail.
func addOutboxHeader(raw []byte, id string) []byte {
	return slices.Concat([]byte(outboxHeader+": "+id+"\r\n"), raw)
}
