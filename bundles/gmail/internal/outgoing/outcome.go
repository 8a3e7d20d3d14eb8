package outgoing

import (
	"context"
	"slices"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
	"kota/store"
)

// resolveOutcome finds out the outcome of an earlier attempt. That attempt must be over, because
// its lease has expired. The error is nil if the item was sent, which its status then
// says. It is also nil if the item certainly was not sent: its draft still exists, or
// never existed.
//
// If the draft is gone, somebody may have sent it by hand, and its header may be lost.
// KOTA then never makes another draft for the item, and settle returns OUTCOME_UNKNOWN.
func (s *attempt) resolveOutcome(ctx context.Context) error {
	if s.item.Draft == "" {
		return s.resolveWithoutDraft(ctx)
	}
	exists, err := s.draftExists(ctx)
	if err != nil {
		return s.setUnknown("Gmail could not be asked: " + reasonOf(err))
	}
	if exists {
		return nil
	}
	return s.resolveFromSent(ctx)
}

// resolveWithoutDraft settles an item without a known draft. If the last attempt certainly left
// no draft, nobody can have sent it.
func (s *attempt) resolveWithoutDraft(ctx context.Context) error {
	certain := s.item.SaveOnly || s.item.Status == store.OutboxFailed
	_, err := s.findDraft(ctx)
	switch {
	case err != nil && certain:
		return s.setFailed(err)
	case err != nil:
		return s.setUnknown("Gmail could not be asked: " + reasonOf(err))
	case s.item.Draft != "" || certain:
		return nil
	}
	return s.resolveFromSent(ctx)
}

// resolveFromSent looks in Sent for an item whose draft is gone. Gmail may list it late.
func (s *attempt) resolveFromSent(ctx context.Context) error {
	for _, wait := range s.timeouts.lookPauses {
		if err := panicsafe.Pause(ctx, wait); err != nil {
			break
		}
		message, err := s.findInSent(ctx)
		if err != nil {
			return s.setUnknown("its draft is gone, and Sent could not be read: " + reasonOf(err))
		}
		if message != nil {
			s.setSent(message)
			return nil
		}
	}
	return s.setUnknownForGood()
}

// resolveUnclearAnswer looks for the mail after an unclear answer to the send request. Most often the
// mail was sent. A draft that still exists proves nothing yet.
func (s *attempt) resolveUnclearAnswer(ctx context.Context, why string) error {
	for _, wait := range s.timeouts.lookPauses {
		if err := panicsafe.Pause(ctx, wait); err != nil {
			break
		}
		exists, err := s.draftExists(ctx)
		if err != nil {
			break
		}
		if exists {
			continue
		}
		if message, err := s.findInSent(ctx); err == nil && message != nil {
			s.setSent(message)
			return nil
		}
	}
	return s.setUnknown(why)
}

// resolveMissingDraft handles the answer that the draft does not exist. If nobody else can have sent it,
// nothing was sent. The item keeps its draft id, in case the draft appears.
func (s *attempt) resolveMissingDraft(ctx context.Context, cause error) error {
	message, err := s.findInSent(ctx)
	switch {
	case err == nil && message != nil: // sent by an earlier request or by hand
		s.setSent(message)
		return nil
	case s.isOnlySender():
		s.item.Tries--
		return s.setFailed(cause)
	case err != nil:
		return s.setUnknown("its draft is gone, and Sent could not be read: " + reasonOf(err))
	}
	return s.setUnknownForGood()
}

// setUnknownForGood sets the item to unknown permanently, because Gmail has no further
// information.
func (s *attempt) setUnknownForGood() error {
	why := "its draft is gone, and it was not found in Sent: it was sent or deleted by hand"
	if s.item.Draft == "" {
		why = "a draft may have been made for it, which is not there now: if so, it was sent or deleted by hand"
	}
	s.item.Status, s.item.Error = store.OutboxUnknown, why
	return unknownForGoodError(s.item)
}

func (s *attempt) setUnknown(why string) error {
	s.item.Status, s.item.Error = store.OutboxUnknown, why
	return outcomeUnknownError(s.item, why)
}

func (s *attempt) draftExists(ctx context.Context) (bool, error) {
	_, err := s.API.Users.Drafts.Get(mailbox.Me, s.item.Draft).Format("minimal").Fields("id").Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return false, nil
	}
	return err == nil, err
}

// findInSent returns the message in Sent with the item's outbox header, or nil if none of
// the newest has it. It checks messages of the draft's thread first.
func (s *attempt) findInSent(ctx context.Context) (*gmailapi.Message, error) {
	const listed, read = 200, 20
	list, err := s.API.Users.Messages.List(mailbox.Me).LabelIds("SENT").IncludeSpamTrash(true).MaxResults(listed).
		Fields("messages(id,threadId)").Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	likely := slices.Clone(list.Messages)
	slices.SortStableFunc(likely, func(a, b *gmailapi.Message) int { return s.threadRank(a) - s.threadRank(b) })
	for _, m := range likely[:min(read, len(likely))] {
		message, err := s.API.Users.Messages.Get(mailbox.Me, m.Id).Format("metadata").MetadataHeaders(outboxHeader).
			Fields("id", "threadId", "payload/headers").Context(ctx).Do()
		if metadata.CodeOf(err) == metadata.NotFound {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		if s.hasItemID(message) {
			return message, nil
		}
	}
	return nil, nil
}

// threadRank returns 0 for a message in the thread of the item's draft, and otherwise 1.
func (s *attempt) threadRank(m *gmailapi.Message) int {
	if m.ThreadId == s.item.ThreadID {
		return 0
	}
	return 1
}
