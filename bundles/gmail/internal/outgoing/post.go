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
type sending struct {
	*Sender
	timeouts *timeouts
	box      persist.OutboxStore
	letter   store.OutboxItem

	made          bool // this process just made the draft: nobody else can have sent it
	maybeOrphaned bool // a draft may exist that was not found
	absent        bool // the user's draft does not exist, and did not exist before
}

// carry completes the work on an outbox item that this process has leased, and records
// the outcome. It does not stop when the caller's context ends.
func (m *Sender) carry(ctx context.Context, box persist.OutboxStore, letter store.OutboxItem) (Delivery, error) {
	if m.Hold != nil {
		defer m.Hold()()
	}
	s := &sending{Sender: m, timeouts: m.effectiveTimeouts(), box: box, letter: letter}
	ctx = context.WithoutCancel(ctx)
	done := s.keepLease(ctx)
	defer done() // also after a panic below
	ready, err := s.makeReady(ctx)
	if ready {
		err = s.post(ctx)
	}
	done()
	if err := s.record(ctx, err); err != nil {
		return Delivery{}, err
	}
	return deliveryOf(s.letter, !ready && s.letter.Status == store.OutboxSent), nil
}

// makeReady does everything before the send, and reports whether the item still has to be
// sent. An earlier attempt may have sent it.
func (s *sending) makeReady(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeouts.prepare)
	defer cancel()
	if !s.letter.New {
		if err := s.settle(ctx); err != nil || s.letter.Done() {
			return false, err
		}
	}
	s.letter.Status, s.letter.Error = store.OutboxPending, ""
	err := s.prepare(ctx)
	switch {
	case metadata.CodeOf(err) == metadata.NotFound && s.letter.Draft != "" && !s.absent:
		return false, s.leaveGone() // the draft disappeared between two requests
	case err != nil:
		return false, s.failed(err)
	}
	if s.letter.SaveOnly {
		s.letter.Status = store.OutboxSaved
	}
	return !s.letter.SaveOnly, nil
}

// keepLease renews the lease until done is called. done may be called more than once.
func (s *sending) keepLease(ctx context.Context) (done func()) {
	ctx, cancel := context.WithCancel(ctx)
	holding := panicsafe.New(1)
	taken := s.letter
	holding.Go(func() error {
		for panicsafe.Pause(ctx, s.timeouts.renew) == nil {
			_ = s.box.ExtendLease(ctx, taken, s.timeouts.hold)
		}
		return nil
	})
	return sync.OnceFunc(func() { cancel(); _ = holding.Wait() }) // if the lease expires, another process may take it
}

// record saves the outcome of the item, releases the lease, and returns the error of the
// send. If the mail was sent but the outcome cannot be saved, it returns nil. The item
// then keeps the status sending, and the next caller looks into Sent.
func (s *sending) record(ctx context.Context, err error) error {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	hold := time.Duration(0)
	if s.letter.Status == store.OutboxUnknown {
		hold = s.timeouts.settle
	}
	if s.absent {
		return errors.Join(err, s.box.Forget(ctx, s.letter))
	}
	saved := s.box.Save(ctx, &s.letter, hold)
	switch {
	case s.letter.Status == store.OutboxSent:
		return nil
	case errors.Is(saved, store.ErrNotHeld): // the process that has it now may be sending it
		return stillSending(s.letter)
	case err != nil:
		return err
	}
	return persist.Explain(saved)
}

// post makes the request that sends the mail. A change here changes how often a mail can
// leave.
func (s *sending) post(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeouts.send)
	defer cancel()
	s.letter.Status, s.letter.Error = store.OutboxSending, ""
	s.letter.Tries++
	if err := s.box.Save(ctx, &s.letter, s.timeouts.hold); err != nil {
		s.letter.Tries-- // no request was made
		return s.failed(err)
	}
	sent, err := s.API.Users.Drafts.Send(mailbox.Me, &gmailapi.Draft{Id: s.letter.Draft}).
		Fields("id", "threadId").Context(ctx).Do()
	code := metadata.CodeOf(err)
	switch {
	case err == nil && sent.Id != "":
		s.sentAs(sent)
		return nil
	case err == nil:
		return s.unknown(ctx, "Gmail's answer has no message")
	case code == metadata.NotFound:
		return s.gone(ctx, err)
	case code == metadata.OutcomeUnknown || code == metadata.Internal:
		return s.unknown(ctx, reasonOf(err))
	}
	if isFinal(code) && !s.isFirst() {
		if err := s.settle(ctx); err != nil || s.letter.Done() {
			return err
		}
	}
	s.letter.Tries-- // Gmail refused this request
	if isFinal(code) {
		_ = s.removeDraft(ctx) // a draft that stays is sent by a retry or deleted by a drop
	}
	return s.failed(err)
}

// isFirst reports whether only this request can have sent the mail: no earlier request,
// and no person who saw its draft.
func (s *sending) isFirst() bool { return s.made && s.letter.Tries == 1 }

// sentAs records that the mail was sent as that message.
func (s *sending) sentAs(message *gmailapi.Message) {
	s.letter.Status, s.letter.Message, s.letter.Error = store.OutboxSent, message.Id, ""
	if message.ThreadId != "" {
		s.letter.ThreadID = message.ThreadId
	}
}

// failed records that the mail was certainly not sent, unless another process took over
// the item. An item whose draft was not found stays pending.
func (s *sending) failed(cause error) error {
	if errors.Is(cause, store.ErrNotHeld) {
		return stillSending(s.letter)
	}
	cause = persist.Explain(cause)
	s.letter.Status, s.letter.Error = store.OutboxFailed, reasonOf(cause)
	if s.maybeOrphaned {
		s.letter.Status = store.OutboxPending
	}
	return notSent(s.letter, cause)
}

// isFinal reports whether Gmail will refuse the same mail again, so that its draft is
// useless.
func isFinal(code metadata.Code) bool {
	return code == metadata.ValidationError || code == metadata.TooLarge || code == metadata.Refused
}

// removeDraft deletes a draft that KOTA made. If somebody else removed the draft, the
// item keeps its id, because the draft may have been sent.
func (s *sending) removeDraft(ctx context.Context) error {
	if !s.letter.OwnsDraft || s.letter.Draft == "" {
		return nil
	}
	err := s.API.Users.Drafts.Delete(mailbox.Me, s.letter.Draft).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove draft: %w", err)
	}
	s.letter.Draft, s.letter.ThreadID = "", ""
	return nil
}

// media uploads a mail unchanged, in one request.
var media = []googleapi.MediaOption{googleapi.ContentType("message/rfc822"), googleapi.ChunkSize(0)}
