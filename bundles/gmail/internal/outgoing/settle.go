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

// settle finds out the outcome of an earlier attempt. That attempt must be over, because
// its lease has expired. The error is nil if the item was sent, which its status then
// says. It is also nil if the item certainly was not sent: its draft still exists, or
// never existed.
//
// If the draft is gone, somebody may have sent it by hand, and its header may be lost.
// KOTA then never makes another draft for the item, and settle returns OUTCOME_UNKNOWN.
func (s *sending) settle(ctx context.Context) error {
	if s.letter.Draft == "" {
		return s.settleOrphan(ctx)
	}
	there, err := s.draftIsThere(ctx)
	if err != nil {
		return s.leaveUnknown("Gmail could not be asked: " + reasonOf(err))
	}
	if there {
		return nil
	}
	return s.findSent(ctx)
}

// settleOrphan settles an item without a known draft. If the last attempt certainly left
// no draft, nobody can have sent it.
func (s *sending) settleOrphan(ctx context.Context) error {
	certain := s.letter.SaveOnly || s.letter.Status == store.OutboxFailed
	_, err := s.findOrphan(ctx)
	switch {
	case err != nil && certain:
		return s.failed(err)
	case err != nil:
		return s.leaveUnknown("Gmail could not be asked: " + reasonOf(err))
	case s.letter.Draft != "" || certain:
		return nil
	}
	return s.findSent(ctx)
}

// findSent looks in Sent for an item whose draft is gone. Gmail may list it late.
func (s *sending) findSent(ctx context.Context) error {
	for _, wait := range s.timeouts.looks {
		if err := panicsafe.Pause(ctx, wait); err != nil {
			break
		}
		message, err := s.lookInSent(ctx)
		if err != nil {
			return s.leaveUnknown("its draft is gone, and Sent could not be read: " + reasonOf(err))
		}
		if message != nil {
			s.sentAs(message)
			return nil
		}
	}
	return s.leaveGone()
}

// unknown looks for the mail after an unclear answer to the send request. Most often the
// mail was sent. A draft that still exists proves nothing yet.
func (s *sending) unknown(ctx context.Context, why string) error {
	for _, wait := range s.timeouts.looks {
		if err := panicsafe.Pause(ctx, wait); err != nil {
			break
		}
		there, err := s.draftIsThere(ctx)
		if err != nil {
			break
		}
		if there {
			continue
		}
		if message, err := s.lookInSent(ctx); err == nil && message != nil {
			s.sentAs(message)
			return nil
		}
	}
	return s.leaveUnknown(why)
}

// gone handles the answer that the draft does not exist. If nobody else can have sent it,
// nothing was sent. The item keeps its draft id, in case the draft appears.
func (s *sending) gone(ctx context.Context, cause error) error {
	message, err := s.lookInSent(ctx)
	switch {
	case err == nil && message != nil: // sent by an earlier request or by hand
		s.sentAs(message)
		return nil
	case s.isFirst():
		s.letter.Tries--
		return s.failed(cause)
	case err != nil:
		return s.leaveUnknown("its draft is gone, and Sent could not be read: " + reasonOf(err))
	}
	return s.leaveGone()
}

// leaveGone sets the item to unknown permanently, because Gmail has no further
// information.
func (s *sending) leaveGone() error {
	why := "its draft is gone, and it was not found in Sent: it was sent or deleted by hand"
	if s.letter.Draft == "" {
		why = "a draft may have been made for it, which is not there now: if so, it was sent or deleted by hand"
	}
	s.letter.Status, s.letter.Error = store.OutboxUnknown, why
	return goneByHand(s.letter)
}

func (s *sending) leaveUnknown(why string) error {
	s.letter.Status, s.letter.Error = store.OutboxUnknown, why
	return notKnown(s.letter, why)
}

func (s *sending) draftIsThere(ctx context.Context) (bool, error) {
	_, err := s.API.Users.Drafts.Get(mailbox.Me, s.letter.Draft).Format("minimal").Fields("id").Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return false, nil
	}
	return err == nil, err
}

// lookInSent returns the message in Sent with the item's outbox header, or nil if none of
// the newest has it. It checks messages of the draft's thread first.
func (s *sending) lookInSent(ctx context.Context) (*gmailapi.Message, error) {
	const listed, read = 200, 20
	list, err := s.API.Users.Messages.List(mailbox.Me).LabelIds("SENT").IncludeSpamTrash(true).MaxResults(listed).
		Fields("messages(id,threadId)").Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	likely := slices.Clone(list.Messages)
	slices.SortStableFunc(likely, func(a, b *gmailapi.Message) int { return s.isElsewhere(a) - s.isElsewhere(b) })
	for _, m := range likely[:min(read, len(likely))] {
		message, err := s.API.Users.Messages.Get(mailbox.Me, m.Id).Format("metadata").MetadataHeaders(outboxHeader).
			Fields("id", "threadId", "payload/headers").Context(ctx).Do()
		if metadata.CodeOf(err) == metadata.NotFound {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		if s.isOurs(message) {
			return message, nil
		}
	}
	return nil, nil
}

// isElsewhere returns 0 for a message in the thread of the item's draft, and otherwise 1.
func (s *sending) isElsewhere(m *gmailapi.Message) int {
	if m.ThreadId == s.letter.ThreadID {
		return 0
	}
	return 1
}
