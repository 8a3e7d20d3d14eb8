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

// An attempt is the work of one process on an outbox item that it has leased.
type attempt struct {
	*Sender
	timeouts *timeouts
	box      persist.OutboxStore
	item     store.OutboxItem

	createdDraft  bool // this attempt made the draft, so nobody else can have sent it
	maybeOrphaned bool // a draft of the item may exist that this attempt did not find
	draftMissing  bool // this is the first attempt, and the user's draft does not exist
}

// deliverItem completes the work on an outbox item that this process has leased, and
// records the outcome. It does not stop when the caller's context ends.
func (s *Sender) deliverItem(ctx context.Context, box persist.OutboxStore, item store.OutboxItem) (Delivery, error) {
	if s.Hold != nil {
		defer s.Hold()()
	}
	a := &attempt{Sender: s, timeouts: s.effectiveTimeouts(), box: box, item: item}
	ctx = context.WithoutCancel(ctx)
	stopRenewal := a.keepLease(ctx)
	defer stopRenewal() // also after a panic below
	ready, err := a.beforeSend(ctx)
	if ready {
		err = a.sendDraft(ctx)
	}
	stopRenewal()
	if err := a.recordOutcome(ctx, err); err != nil {
		return Delivery{}, err
	}
	return deliveryOf(a.item, !ready && a.item.Status == store.OutboxSent), nil
}

// beforeSend does everything before the send, and reports whether the item still has to be
// sent. An earlier attempt may have sent it.
func (a *attempt) beforeSend(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, a.timeouts.prepare)
	defer cancel()
	if !a.item.New {
		if err := a.resolveOutcome(ctx); err != nil || a.item.Done() {
			return false, err
		}
	}
	a.item.Status, a.item.Error = store.OutboxPending, ""
	err := a.prepare(ctx)
	switch {
	case metadata.CodeOf(err) == metadata.NotFound && a.item.Draft != "" && !a.draftMissing:
		return false, a.setUnknownForGood() // the draft disappeared between two requests
	case err != nil:
		return false, a.setFailed(err)
	}
	if a.item.SaveOnly {
		a.item.Status = store.OutboxSaved
	}
	return !a.item.SaveOnly, nil
}

// keepLease renews the lease until stop is called. stop may be called more than once.
func (a *attempt) keepLease(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	group := panicsafe.New(1)
	leased := a.item
	group.Go(func() error {
		for panicsafe.Pause(ctx, a.timeouts.renew) == nil {
			_ = a.box.ExtendLease(ctx, leased, a.timeouts.lease) // if the lease expires, another process may take the item
		}
		return nil
	})
	return sync.OnceFunc(func() { cancel(); _ = group.Wait() })
}

// recordOutcome saves the outcome of the item and releases the lease. If the outcome is
// unknown, it keeps the lease for resolveAfter. If the user's draft never existed, it
// deletes the item. It returns sendErr, or otherwise the error of saving. If another
// process has the lease now, it returns OUTCOME_UNKNOWN.
//
// If the mail was sent but the outcome cannot be saved, it returns nil. The item then
// keeps the status sending, and the next caller searches Sent.
func (a *attempt) recordOutcome(ctx context.Context, sendErr error) error {
	const saveTimeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, saveTimeout)
	defer cancel()
	lease := time.Duration(0)
	if a.item.Status == store.OutboxUnknown {
		lease = a.timeouts.resolveAfter
	}
	if a.draftMissing {
		return errors.Join(sendErr, a.box.Forget(ctx, a.item))
	}
	saveErr := a.box.Save(ctx, &a.item, lease)
	switch {
	case a.item.Status == store.OutboxSent:
		return nil
	case errors.Is(saveErr, store.ErrNotHeld): // the process that has it now may be sending it
		return stillSendingError(a.item)
	case sendErr != nil:
		return sendErr
	}
	return persist.Explain(saveErr)
}

// sendDraft makes the request that sends the mail. A change of this method can change how
// often a mail is sent.
func (a *attempt) sendDraft(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, a.timeouts.send)
	defer cancel()
	a.item.Status, a.item.Error = store.OutboxSending, ""
	a.item.Tries++
	if err := a.saveSending(ctx); err != nil {
		a.item.Tries-- // no request was made
		return a.setFailed(err)
	}
	sent, err := a.API.Users.Drafts.Send(mailbox.Me, &gmailapi.Draft{Id: a.item.Draft}).
		Fields("id", "threadId").Context(ctx).Do()
	code := metadata.CodeOf(err)
	switch {
	case err == nil && sent.Id != "":
		a.setSent(sent)
		return nil
	case err == nil:
		return a.resolveUnclearAnswer(ctx, "Gmail's answer has no message")
	case code == metadata.NotFound:
		return a.resolveMissingDraft(ctx, err)
	case code == metadata.OutcomeUnknown || code == metadata.Internal:
		return a.resolveUnclearAnswer(ctx, reasonOf(err))
	}
	if isFinal(code) && !a.isOnlySender() {
		if err := a.resolveOutcome(ctx); err != nil || a.item.Done() {
			return err
		}
	}
	a.item.Tries-- // Gmail refused this request
	if isFinal(code) {
		_ = a.removeDraft(ctx) // a draft that stays is sent by a retry or deleted by a drop
	}
	return a.setFailed(err)
}

// saveSending saves that the send is requested now. Its answer may arrive when another process has
// already taken the item, for example because the database failed over meanwhile. So saveSending
// renews the lease until one is fresh. It returns store.ErrNotHeld if another process has the item.
func (a *attempt) saveSending(ctx context.Context) error {
	begun := time.Now() // the lease begins later
	err := a.box.Save(ctx, &a.item, a.timeouts.lease)
	for err == nil && time.Since(begun) > a.timeouts.lease/2 {
		begun = time.Now()
		err = a.box.ExtendLease(ctx, a.item, a.timeouts.lease)
	}
	return err
}

// isOnlySender reports whether only this request can have sent the mail. It is false if
// there was an earlier request, or if a person may have seen the draft.
func (a *attempt) isOnlySender() bool { return a.createdDraft && a.item.Tries == 1 }

// setSent records in the item that the mail was sent as that message.
func (a *attempt) setSent(message *gmailapi.Message) {
	a.item.Status, a.item.Message, a.item.Error = store.OutboxSent, message.Id, ""
	if message.ThreadId != "" {
		a.item.ThreadID = message.ThreadId
	}
}

// setFailed records in the item that the mail was certainly not sent, and returns the
// error to report. If a draft may exist that was not found, the item stays pending. If
// another process took over the item, setFailed records nothing.
func (a *attempt) setFailed(cause error) error {
	if errors.Is(cause, store.ErrNotHeld) {
		return stillSendingError(a.item)
	}
	cause = persist.Explain(cause)
	a.item.Status, a.item.Error = store.OutboxFailed, reasonOf(cause)
	if a.maybeOrphaned {
		a.item.Status = store.OutboxPending
	}
	return notSentError(a.item, cause)
}

// isFinal reports whether Gmail will refuse the same mail every time. Its draft is then
// useless.
func isFinal(code metadata.Code) bool {
	return code == metadata.ValidationError || code == metadata.TooLarge || code == metadata.Refused
}

// removeDraft deletes a draft that KOTA made. If the draft no longer exists, the item
// keeps the draft's id, because somebody may have sent the draft.
func (a *attempt) removeDraft(ctx context.Context) error {
	if !a.item.OwnsDraft || a.item.Draft == "" {
		return nil
	}
	err := a.API.Users.Drafts.Delete(mailbox.Me, a.item.Draft).Context(ctx).Do()
	if metadata.CodeOf(err) == metadata.NotFound {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove draft: %w", err)
	}
	a.item.Draft, a.item.ThreadID = "", ""
	return nil
}

// uploadOptions are for uploading a mail unchanged, in one request.
var uploadOptions = []googleapi.MediaOption{googleapi.ContentType("message/rfc822"), googleapi.ChunkSize(0)}
