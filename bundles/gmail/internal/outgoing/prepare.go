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
func (m *Sender) saveDraft(ctx context.Context, out Mail) (Delivery, error) {
	if err := bundles.ConfirmChange(ctx, 1); err != nil {
		return Delivery{}, err
	}
	draft, err := CreateDraft(ctx, m.Mailbox, out.Raw, out.ThreadID)
	if err != nil {
		return Delivery{}, fmt.Errorf("save draft: %w", err)
	}
	return Delivery{DraftID: draft.Id, ThreadID: draft.Message.ThreadId, Envelope: out.Envelope}, nil
}

// prepare makes the draft to be sent. It reaches nobody, so it may be repeated.
func (s *attempt) prepare(ctx context.Context) error {
	if !s.item.OwnsDraft {
		return s.markDraft(ctx)
	}
	if s.item.Draft != "" && s.item.SaveOnly {
		return nil
	}
	if s.item.Draft != "" {
		return s.checkDraft(ctx)
	}
	raw, err := s.box.Raw(ctx, s.item.ID)
	if err != nil {
		return err
	}
	ctx, cancel := s.transferContext(ctx, len(raw))
	defer cancel()
	if err := s.box.Save(ctx, &s.item, s.timeouts.lease); err != nil { // from here on a draft may exist
		return err
	}
	draft, err := CreateDraft(ctx, s.Sender.Mailbox, addOutboxHeader(raw, s.item.ID), s.item.TargetThread)
	switch code := metadata.CodeOf(err); {
	case err == nil:
		s.item.Draft, s.item.ThreadID = draft.Id, draft.Message.ThreadId
	case code == metadata.OutcomeUnknown || code == metadata.Internal:
		if err := s.reconcileDraft(ctx, err); err != nil {
			return err
		}
	default:
		return err
	}
	s.createdDraft = true
	return s.box.Save(ctx, &s.item, s.timeouts.lease)
}

// transferContext returns a context with a new time limit: the limit of prepare, and the time to
// transfer the bytes at 32 KiB per second. The transport allows five minutes.
func (s *attempt) transferContext(ctx context.Context, bytes int) (context.Context, context.CancelFunc) {
	transfer := min(5*time.Minute, time.Duration(bytes)*time.Second/(32<<10))
	return context.WithTimeout(context.WithoutCancel(ctx), s.timeouts.prepare+transfer)
}

// reconcileDraft looks for the draft after an unclear answer. It returns nil if the draft
// exists, and otherwise cause. It also records whether the draft may still appear.
func (s *attempt) reconcileDraft(ctx context.Context, cause error) error {
	s.maybeOrphaned = true
	for _, wait := range s.timeouts.lookPauses {
		if panicsafe.Pause(ctx, wait) != nil {
			return cause
		}
		complete, err := s.findDraft(ctx)
		if err != nil {
			s.maybeOrphaned = true
			return cause
		}
		s.maybeOrphaned = !complete
		if s.item.Draft != "" {
			s.maybeOrphaned = false
			return nil
		}
	}
	return cause
}

// markDraft adds the outbox's header to a draft of the user. It removes the mark of untrusted
// words, and changes nothing else.
func (s *attempt) markDraft(ctx context.Context) error {
	reading, cancel := s.transferContext(ctx, mailbox.MaxRaw)
	defer cancel()
	before, err := FetchDraft(reading, s.Sender.Mailbox, s.item.Draft)
	if err != nil {
		s.draftMissing = s.item.New && metadata.CodeOf(err) == metadata.NotFound
		return err
	}
	if err := s.checkApproved(before.Raw); err != nil {
		return err
	}
	header := headerOf(before.Raw)
	s.item.ThreadID = before.Thread
	about := envelopeIn(header)
	about.Content = envelopeOf(s.item).Content
	if s.item.Summary, err = json.Marshal(about); err != nil {
		return err
	}
	if slices.Contains(header[outboxHeader], s.item.ID) { // an earlier attempt added it
		return s.box.Save(ctx, &s.item, s.timeouts.lease)
	}
	ctx, cancel = s.transferContext(ctx, len(before.Raw))
	defer cancel()
	marked, err := ReplaceDraft(ctx, s.Sender.Mailbox, s.item.Draft, before.Thread, addOutboxHeader(removeTaint(before.Raw), s.item.ID))
	if err != nil {
		return err
	}
	if marked.Message != nil {
		s.item.ThreadID = marked.Message.ThreadId
	}
	return s.box.Save(ctx, &s.item, s.timeouts.lease)
}

// findDraft finds the draft of an attempt whose answer was lost. whole reports whether
// it could read every listed draft.
func (s *attempt) findDraft(ctx context.Context) (complete bool, err error) {
	const newest = 10 // enough, because the draft is new
	list, err := s.API.Users.Drafts.List(mailbox.Me).MaxResults(newest).Fields("drafts/id").Context(ctx).Do()
	if err != nil {
		return false, err
	}
	complete = true
	for _, d := range list.Drafts {
		draft, err := s.API.Users.Drafts.Get(mailbox.Me, d.Id).Format("metadata").
			Fields("id", "message(threadId,payload/headers)").Context(ctx).Do()
		if metadata.CodeOf(err) == metadata.NotFound {
			complete = false // it was deleted meanwhile
			continue
		}
		if err != nil {
			return false, err
		}
		if s.hasItemID(draft.Message) {
			s.item.Draft, s.item.ThreadID = draft.Id, draft.Message.ThreadId
			return true, s.box.Save(ctx, &s.item, s.timeouts.lease)
		}
	}
	return complete, nil
}

// hasItemID reports whether a message has the item's outbox header.
func (s *attempt) hasItemID(message *gmailapi.Message) bool {
	return message != nil && message.Payload != nil && slices.ContainsFunc(message.Payload.Headers, func(h *gmailapi.MessagePartHeader) bool {
		return strings.EqualFold(h.Name, outboxHeader) && strings.TrimSpace(h.Value) == s.item.ID
	})
}

// addOutboxHeader adds the outbox's header before the headers of a mail.
func addOutboxHeader(raw []byte, id string) []byte {
	return slices.Concat([]byte(outboxHeader+": "+id+"\r\n"), raw)
}
