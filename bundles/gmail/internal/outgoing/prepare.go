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
	return Delivery{DraftID: draft.Id, ThreadID: draft.Message.ThreadId, About: out.About}, nil
}

// prepare makes the draft to be sent. It reaches nobody, so it may be repeated.
func (s *sending) prepare(ctx context.Context) error {
	if !s.letter.OwnsDraft {
		return s.mark(ctx)
	}
	if s.letter.Draft != "" && s.letter.SaveOnly {
		return nil
	}
	if s.letter.Draft != "" {
		return s.checkDraft(ctx)
	}
	raw, err := s.box.Raw(ctx, s.letter.ID)
	if err != nil {
		return err
	}
	ctx, cancel := s.extended(ctx, len(raw))
	defer cancel()
	if err := s.box.Save(ctx, &s.letter, s.timeouts.hold); err != nil { // from here on a draft may exist
		return err
	}
	draft, err := CreateDraft(ctx, s.Sender.Mailbox, withHeader(raw, s.letter.ID), s.letter.TargetThread)
	switch code := metadata.CodeOf(err); {
	case err == nil:
		s.letter.Draft, s.letter.ThreadID = draft.Id, draft.Message.ThreadId
	case code == metadata.OutcomeUnknown || code == metadata.Internal:
		if err := s.reconcileDraft(ctx, err); err != nil {
			return err
		}
	default:
		return err
	}
	s.made = true
	return s.box.Save(ctx, &s.letter, s.timeouts.hold)
}

// extended returns a context with a new time limit: the limit of prepare, and the time to
// transfer the bytes at 32 KiB per second. The transport allows five minutes.
func (s *sending) extended(ctx context.Context, bytes int) (context.Context, context.CancelFunc) {
	carrying := min(5*time.Minute, time.Duration(bytes)*time.Second/(32<<10))
	return context.WithTimeout(context.WithoutCancel(ctx), s.timeouts.prepare+carrying)
}

// reconcileDraft looks for the draft after an unclear answer. It returns nil if the draft
// exists, and otherwise cause. It also records whether the draft may still appear.
func (s *sending) reconcileDraft(ctx context.Context, cause error) error {
	s.maybeOrphaned = true
	for _, wait := range s.timeouts.looks {
		if panicsafe.Pause(ctx, wait) != nil {
			return cause
		}
		whole, err := s.findOrphan(ctx)
		if err != nil {
			s.maybeOrphaned = true
			return cause
		}
		s.maybeOrphaned = !whole
		if s.letter.Draft != "" {
			s.maybeOrphaned = false
			return nil
		}
	}
	return cause
}

// mark adds the outbox's header to a draft of the user. It removes the mark of untrusted
// words, and changes nothing else.
func (s *sending) mark(ctx context.Context) error {
	reading, cancel := s.extended(ctx, mailbox.MaxRaw)
	defer cancel()
	before, err := FetchDraft(reading, s.Sender.Mailbox, s.letter.Draft)
	if err != nil {
		s.absent = s.letter.New && metadata.CodeOf(err) == metadata.NotFound
		return err
	}
	if err := s.checkAgreed(before.Raw); err != nil {
		return err
	}
	header := headerOf(before.Raw)
	s.letter.ThreadID = before.Thread
	about := envelopeIn(header)
	about.Content = envelopeOf(s.letter).Content
	if s.letter.Summary, err = json.Marshal(about); err != nil {
		return err
	}
	if slices.Contains(header[outboxHeader], s.letter.ID) { // an earlier attempt added it
		return s.box.Save(ctx, &s.letter, s.timeouts.hold)
	}
	ctx, cancel = s.extended(ctx, len(before.Raw))
	defer cancel()
	marked, err := ReplaceDraft(ctx, s.Sender.Mailbox, s.letter.Draft, before.Thread, withHeader(unmark(before.Raw), s.letter.ID))
	if err != nil {
		return err
	}
	if marked.Message != nil {
		s.letter.ThreadID = marked.Message.ThreadId
	}
	return s.box.Save(ctx, &s.letter, s.timeouts.hold)
}

// findOrphan finds the draft of an attempt whose answer was lost. whole reports whether
// it could read every listed draft.
func (s *sending) findOrphan(ctx context.Context) (whole bool, err error) {
	const newest = 10 // enough, because the draft is new
	list, err := s.API.Users.Drafts.List(mailbox.Me).MaxResults(newest).Fields("drafts/id").Context(ctx).Do()
	if err != nil {
		return false, err
	}
	whole = true
	for _, d := range list.Drafts {
		draft, err := s.API.Users.Drafts.Get(mailbox.Me, d.Id).Format("metadata").
			Fields("id", "message(threadId,payload/headers)").Context(ctx).Do()
		if metadata.CodeOf(err) == metadata.NotFound {
			whole = false // it was deleted meanwhile
			continue
		}
		if err != nil {
			return false, err
		}
		if s.isOurs(draft.Message) {
			s.letter.Draft, s.letter.ThreadID = draft.Id, draft.Message.ThreadId
			return true, s.box.Save(ctx, &s.letter, s.timeouts.hold)
		}
	}
	return whole, nil
}

// isOurs reports whether a message has the item's outbox header.
func (s *sending) isOurs(message *gmailapi.Message) bool {
	return message != nil && message.Payload != nil && slices.ContainsFunc(message.Payload.Headers, func(h *gmailapi.MessagePartHeader) bool {
		return strings.EqualFold(h.Name, outboxHeader) && strings.TrimSpace(h.Value) == s.letter.ID
	})
}

// withHeader adds the outbox's header before the headers of a mail.
func withHeader(raw []byte, id string) []byte {
	return slices.Concat([]byte(outboxHeader+": "+id+"\r\n"), raw)
}
