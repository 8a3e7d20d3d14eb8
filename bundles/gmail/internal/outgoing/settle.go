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

// settle finds out what became of an earlier try of the letter, now that it
// must be over: the lease of who made it has run out. It returns nil when the
// letter was sent, which its status says, or certainly was not: its draft is
// still there then, or there never was one. A draft that is gone may have been
// sent by hand, and its header lost on the way, so that no other is ever made
// for the letter. The error is OUTCOME_UNKNOWN.
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

// settleOrphan settles a letter of which no draft is known. Nobody can have sent
// it when the last try is known to have left none.
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

// findSent finds a letter in Sent whose draft is gone. Gmail may list it late.
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

// unknown looks for the mail after an unclear answer to sending: most often it was sent. A
// draft that is still there proves nothing yet.
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
// nothing was sent, but the letter keeps its draft in case it turns up.
func (s *sending) gone(ctx context.Context, cause error) error {
	message, err := s.lookInSent(ctx)
	switch {
	case err == nil && message != nil: // by an earlier request, or by hand
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

// leaveGone leaves a letter unknown for good: no look at Gmail can tell more.
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

// lookInSent returns the message in Sent that carries the letter's header, or nil if
// none of the newest does. Those of the draft's thread come first.
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
			continue // it went meanwhile
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

// isElsewhere is 0 for a message in the thread where the letter's draft was.
func (s *sending) isElsewhere(m *gmailapi.Message) int {
	if m.ThreadId == s.letter.Placed {
		return 0
	}
	return 1
}
