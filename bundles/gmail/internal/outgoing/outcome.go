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

// resolveOutcome finds out the outcome of an earlier attempt. That attempt is over, because
// its lease has ended. The error is nil if the item was sent; its status is then
// OutboxSent. The error is also nil if the item certainly was not sent, because its draft
// still exists or never existed.
//
// If the draft is missing, somebody may have sent it by hand, and the sent mail may lack
// the outbox header. Unless the mail is found in Sent, resolveOutcome then returns
// OUTCOME_UNKNOWN, and KOTA never makes another draft for the item.
func (a *attempt) resolveOutcome(ctx context.Context) error {
	if a.item.Draft == "" {
		return a.resolveWithoutDraft(ctx)
	}
	exists, err := a.draftExists(ctx)
	if err != nil {
		return a.setUnknown("Gmail could not be checked: " + reasonOf(err))
	}
	if exists {
		return nil
	}
	return a.resolveFromSent(ctx)
}

// resolveWithoutDraft is resolveOutcome for an item without a known draft. If the last
// attempt certainly left no draft, nobody can have sent the item.
func (a *attempt) resolveWithoutDraft(ctx context.Context) error {
	hasNoDraft := a.item.SaveOnly || a.item.Status == store.OutboxFailed
	_, err := a.findDraft(ctx)
	switch {
	case err != nil && hasNoDraft:
		return a.setFailed(err)
	case err != nil:
		return a.setUnknown("Gmail could not be checked: " + reasonOf(err))
	case a.item.Draft != "" || hasNoDraft:
		return nil
	}
	return a.resolveFromSent(ctx)
}

// resolveFromSent searches Sent for an item whose draft is missing. It searches several
// times, because Gmail may list the mail late.
func (a *attempt) resolveFromSent(ctx context.Context) error {
	for _, wait := range a.timeouts.lookPauses {
		if err := panicsafe.Pause(ctx, wait); err != nil {
			break
		}
		message, err := a.findInSent(ctx)
		if err != nil {
			return a.setUnknown("its draft no longer exists, and Sent could not be read: " + reasonOf(err))
		}
		if message != nil {
			a.setSent(message)
			return nil
		}
	}
	return a.setUnknownForGood()
}

// resolveUnclearAnswer looks for the mail after an unclear answer to the send request.
// Most often the mail was sent. A draft that still exists does not yet prove the opposite.
func (a *attempt) resolveUnclearAnswer(ctx context.Context, reason string) error {
	for _, wait := range a.timeouts.lookPauses {
		if err := panicsafe.Pause(ctx, wait); err != nil {
			break
		}
		exists, err := a.draftExists(ctx)
		if err != nil {
			break
		}
		if exists {
			continue
		}
		if message, err := a.findInSent(ctx); err == nil && message != nil {
			a.setSent(message)
			return nil
		}
	}
	return a.setUnknown(reason)
}

// resolveMissingDraft finds out the outcome if Gmail answers the send request with: there is
// no such draft. If only that request can have sent the draft, nothing was sent. The item
// keeps its draft id, in case the draft appears.
func (a *attempt) resolveMissingDraft(ctx context.Context, cause error) error {
	message, err := a.findInSent(ctx)
	switch {
	case err == nil && message != nil: // sent by an earlier request or by hand
		a.setSent(message)
		return nil
	case a.isOnlySender():
		a.item.Tries--
		return a.setFailed(cause)
	case err != nil:
		return a.setUnknown("its draft no longer exists, and Sent could not be read: " + reasonOf(err))
	}
	return a.setUnknownForGood()
}

// setUnknownForGood sets the item to unknown, because Gmail has no further information. It
// returns an error whose hint is to ask the user.
func (a *attempt) setUnknownForGood() error {
	reason := "its draft no longer exists, and the mail was not found in Sent: somebody may have sent or deleted it in Gmail"
	if a.item.Draft == "" {
		reason = "a draft may have been saved for it, and it no longer exists: somebody may have sent or deleted it in Gmail"
	}
	a.item.Status, a.item.Error = store.OutboxUnknown, reason
	return unknownForGoodError(a.item)
}

func (a *attempt) setUnknown(reason string) error {
	a.item.Status, a.item.Error = store.OutboxUnknown, reason
	return outcomeUnknownError(a.item, reason)
}

func (a *attempt) draftExists(ctx context.Context) (bool, error) {
	_, err := a.API.Users.Drafts.Get(mailbox.Me, a.item.Draft).Format("minimal").Fields("id").Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return false, nil
	}
	return err == nil, err
}

// findInSent returns the message in Sent with the item's outbox header. It lists the newest
// messages, and reads some of them, those of the draft's thread first. It returns nil if
// none has the header.
func (a *attempt) findInSent(ctx context.Context) (*gmailapi.Message, error) {
	const listed, read = 200, 20
	list, err := a.API.Users.Messages.List(mailbox.Me).LabelIds("SENT").IncludeSpamTrash(true).MaxResults(listed).
		Fields("messages(id,threadId)").Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	likely := slices.Clone(list.Messages)
	slices.SortStableFunc(likely, func(x, y *gmailapi.Message) int { return a.threadRank(x) - a.threadRank(y) })
	for _, m := range likely[:min(read, len(likely))] {
		message, err := a.API.Users.Messages.Get(mailbox.Me, m.Id).Format("metadata").MetadataHeaders(outboxHeader).
			Fields("id", "threadId", "payload/headers").Context(ctx).Do()
		if metadata.CodeOf(err) == metadata.NotFound {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		if a.hasItemID(message) {
			return message, nil
		}
	}
	return nil, nil
}

// threadRank returns 0 for a message in the thread of the item's draft, and otherwise 1.
func (a *attempt) threadRank(m *gmailapi.Message) int {
	if m.ThreadId == a.item.ThreadID {
		return 0
	}
	return 1
}
