package outgoing

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
)

// outboxHeader carries the outbox item's id in each mail. KOTA searches drafts and Sent
// for it, because Gmail replaces the Message-ID.
const outboxHeader = "X-Kota-Outbox"

// A sending is the work of one process on an outbox item that it has leased.
type attempt struct {
	*Sender
	timeouts *timeouts
	box      persist.OutboxStore
	item     store.OutboxItem

	createdDraft  bool // this process just made the draft: nobody else can have sent it
	maybeOrphaned bool // a draft may exist that was not found
	draftMissing  bool // the user's draft does not exist, and did not exist before
}

// deliverItem completes the work on an outbox item that this process has leased, and records
// the outcome. It does not stop when the caller's context ends.
func (m *Sender) deliverItem(ctx context.Context, box persist.OutboxStore, item store.OutboxItem) (Delivery, error) {
	if m.Hold != nil {
		defer m.Hold()()
	}
	s := &attempt{Sender: m, timeouts: m.effectiveTimeouts(), box: box, item: item}
	ctx = context.WithoutCancel(ctx)
	stopRenewal := s.keepLease(ctx)
	defer stopRenewal() // also after a panic below
	ready, err := s.beforeSend(ctx)
	if ready {
		err = s.sendDraft(ctx)
	}
	stopRenewal()
	if err := s.recordOutcome(ctx, err); err != nil {
		return Delivery{}, err
	}
	return deliveryOf(s.item, !ready && s.item.Status == store.OutboxSent), nil
}

// beforeSend does everything before the send, and reports whether the item still has to be
// sent. An earlier attempt may have sent it.
func (s *attempt) beforeSend(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeouts.prepare)
	defer cancel()
	if !s.item.New {
		if err := s.resolveOutcome(ctx); err != nil || s.item.Done() {
			return false, err
		}
	}
	s.item.Status, s.item.Error = store.OutboxPending, ""
	err := s.prepare(ctx)
	switch {
	case metadata.CodeOf(err) == metadata.NotFound && s.item.Draft != "" && !s.draftMissing:
		return false, s.setUnknownForGood() // the draft disappeared between two requests
	case err != nil:
		return false, s.setFailed(err)
	}
	if s.item.SaveOnly {
		s.item.Status = store.OutboxSaved
	}
	return !s.item.SaveOnly, nil
}

// keepLease renews the lease until done is called. done may be called more than once.
func (s *attempt) keepLease(ctx context.Context) (done func()) {
	ctx, cancel := context.WithCancel(ctx)
	group := panicsafe.New(1)
	leased := s.item
	group.Go(func() error {
		for panicsafe.Pause(ctx, s.timeouts.renew) == nil {
			_ = s.box.ExtendLease(ctx, leased, s.timeouts.lease)
		}
		return nil
	})
	return sync.OnceFunc(func() { cancel(); _ = group.Wait() }) // if the lease expires, another process may take it
}

// recordOutcome saves the outcome of the item, releases the lease, and returns the error of the
// send. If the mail was sent but the outcome cannot be saved, it returns nil. The item
// then keeps the status sending, and the next caller looks into Sent.
func (s *attempt) recordOutcome(ctx context.Context, err error) error {
	const saveTimeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, saveTimeout)
	defer cancel()
	lease := time.Duration(0)
	if s.item.Status == store.OutboxUnknown {
		lease = s.timeouts.resolveAfter
	}
	if s.draftMissing {
		return errors.Join(err, s.box.Forget(ctx, s.item))
	}
	saved := s.box.Save(ctx, &s.item, lease)
	switch {
	case s.item.Status == store.OutboxSent:
		return nil
	case errors.Is(saved, store.ErrNotHeld): // the process that has it now may be sending it
		return stillSendingError(s.item)
	case err != nil:
		return err
	}
	return persist.Explain(saved)
}

// sendDraft makes the request that sends the mail. A change here changes how often a mail can
// leave.
func (s *attempt) sendDraft(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeouts.send)
	defer cancel()
	s.item.Status, s.item.Error = store.OutboxSending, ""
	s.item.Tries++
	if err := s.box.Save(ctx, &s.item, s.timeouts.lease); err != nil {
		s.item.Tries-- // no request was made
		return s.setFailed(err)
	}
	sent, err := s.API.Users.Drafts.Send(mailbox.Me, &gmailapi.Draft{Id: s.item.Draft}).
		Fields("id", "threadId").Context(ctx).Do()
	code := metadata.CodeOf(err)
	switch {
	case err == nil && sent.Id != "":
		s.setSent(sent)
		return nil
	case err == nil:
		return s.resolveUnclearAnswer(ctx, "Gmail's answer has no message")
	case code == metadata.NotFound:
		return s.resolveMissingDraft(ctx, err)
	case code == metadata.OutcomeUnknown || code == metadata.Internal:
		return s.resolveUnclearAnswer(ctx, reasonOf(err))
	}
	if isFinal(code) && !s.isOnlySender() {
		if err := s.resolveOutcome(ctx); err != nil || s.item.Done() {
			return err
		}
	}
	s.item.Tries-- // Gmail refused this request
	if isFinal(code) {
		_ = s.removeDraft(ctx) // a draft that stays is sent by a retry or deleted by a drop
	}
	return s.setFailed(err)
}

// isOnlySender reports whether only this request can have sent the mail: no earlier request,
// and no person who saw its draft.
func (s *attempt) isOnlySender() bool { return s.createdDraft && s.item.Tries == 1 }

// setSent records that the mail was sent as that message.
func (s *attempt) setSent(message *gmailapi.Message) {
	s.item.Status, s.item.Message, s.item.Error = store.OutboxSent, message.Id, ""
	if message.ThreadId != "" {
		s.item.ThreadID = message.ThreadId
	}
}

// setFailed records that the mail was certainly not sent, unless another process took over
// the item. An item whose draft was not found stays pending.
func (s *attempt) setFailed(cause error) error {
	if errors.Is(cause, store.ErrNotHeld) {
		return stillSendingError(s.item)
	}
	cause = persist.Explain(cause)
	s.item.Status, s.item.Error = store.OutboxFailed, reasonOf(cause)
	if s.maybeOrphaned {
		s.item.Status = store.OutboxPending
	}
	return notSentError(s.item, cause)
}

// isFinal reports whether Gmail will refuse the same mail again, so that its draft is
// useless.
func isFinal(code metadata.Code) bool {
	return code == metadata.ValidationError || code == metadata.TooLarge || code == metadata.Refused
}

// removeDraft deletes a draft that KOTA made. If somebody else removed the draft, the
// item keeps its id, because the draft may have been sent.
func (s *attempt) removeDraft(ctx context.Context) error {
	if !s.item.OwnsDraft || s.item.Draft == "" {
		return nil
	}
	err := s.API.Users.Drafts.Delete(mailbox.Me, s.item.Draft).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove draft: %w", err)
	}
	s.item.Draft, s.item.ThreadID = "", ""
	return nil
}

// uploadOptions uploads a mail unchanged, in one request.
var uploadOptions = []googleapi.MediaOption{googleapi.ContentType("message/rfc822"), googleapi.ChunkSize(0)}
