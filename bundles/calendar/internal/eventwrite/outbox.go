package eventwrite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

// A Summary describes a request that reaches people. The outbox stores it, so that the
// user can recognise the request.
type Summary struct {
	Key    string   `json:"key,omitempty"` // the caller's idempotency key, or ""
	Kind   string   `json:"-"`             // invite, update, cancel, reply, move
	Event  string   `json:"event"`         // id of the event; SendViaOutbox sets it
	Title  string   `json:"title"`
	When   string   `json:"when"`
	People []string `json:"people"` // the people that the request reaches
}

// Time limits of the outbox.
const (
	Lease        = 75 * time.Second       // lease of an outbox item: the time in which a process makes the request and finds out its outcome
	waitForOther = 30 * time.Second       // how long a call waits for another call that sends the same request
	PollInterval = 100 * time.Millisecond // how often the waiting call checks whether the other has ended
	SettleTime   = 3 * time.Second        // after this time, Google has carried out or lost the last request of a process that ended
	repeatWindow = 10 * time.Minute       // within this time the same content is a repeat, even without a key
)

// SendViaOutbox carries out a request that reaches people, at most once. The outbox records
// the request before it is sent, and its outcome afterwards. A call is a repeat if an
// earlier call had the same key. A call without a key is a repeat if the same request was
// made within the last ten minutes, or is not done yet. A repeat does only the part that
// is not done yet. Cancelling ctx does not stop a request that has begun.
//
// SendViaOutbox returns the errors of execute. After OUTCOME_UNKNOWN, the item stays in the
// outbox for `kota outbox`, and a repeat checks the event first. SendViaOutbox also returns
// CONFLICT if the key belongs to another request.
func (w *Writer) SendViaOutbox(ctx context.Context, r Request, m Summary) (Outcome, error) {
	return w.sendIfAllowed(ctx, r, m, nil)
}

// sendIfAllowed is SendViaOutbox with a policy check. It calls confirm with the outbox item
// of an earlier call for the same request, or with the zero item. If confirm is nil, the
// policy has already allowed the request.
func (w *Writer) sendIfAllowed(ctx context.Context, r Request, m Summary, confirm func(context.Context, store.OutboxItem) error) (Outcome, error) {
	box, err := w.deps.Outbox(ctx)
	if err != nil {
		return Outcome{}, err
	}
	r = r.withTaint(ctx)
	want, err := w.outboxItem(r, m)
	if err != nil {
		return Outcome{}, err
	}
	item, leased, err := w.sender(box).Claim(ctx, &want, confirm)
	switch {
	case err != nil:
		return Outcome{}, err
	case !item.Matches(want):
		return Outcome{}, errKeyUsed(ctx, item)
	}
	if !leased {
		r.Event = SummaryOf(item).Event
		return w.repeatedOutcome(ctx, r)
	}
	if newResend := r.MarkPatch != nil && item.Status == store.OutboxFailed; !item.New && !newResend { // a failed resend has left another etag, so its stored request is outdated
		if r, err = RequestOf(ctx, box, item); err != nil {
			return Outcome{}, err
		}
	}
	return w.Deliver(ctx, box, item, r)
}

// RequestOf returns the request of an unfinished outbox item.
func RequestOf(ctx context.Context, box persist.OutboxStore, item store.OutboxItem) (Request, error) {
	raw, err := box.Raw(ctx, item.ID)
	if err != nil {
		return Request{}, persist.Explain(err)
	}
	r := Request{}
	if err := json.Unmarshal(raw, &r); err != nil {
		return Request{}, fmt.Errorf("read outbox item: %w", err)
	}
	return r, nil
}

// outboxItem returns the outbox item of a request.
func (w *Writer) outboxItem(r Request, m Summary) (store.OutboxItem, error) {
	m.Event = r.Event
	summary, err := json.Marshal(m)
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("write outbox item: %w", err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("write outbox item: %w", err)
	}
	r.Tainted, r.Approved, r.PartlyApproved = false, false, false // a repeat of the call may set these differently
	if r.MarkPatch != nil {
		r.Etag = "" // mailing the guests changes the etag
	}
	identity, err := json.Marshal(r)
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("write outbox item: %w", err)
	}
	if r.isInsert() { // without a key the id is random; the digest identifies the content
		made := calendarapi.Event{}
		if err := json.Unmarshal(r.Body, &made); err != nil {
			return store.OutboxItem{}, fmt.Errorf("write outbox item: %w", err)
		}
		identity = []byte(event.DigestOf(&made))
	}
	sum := sha256.Sum256(identity)
	return store.OutboxItem{
		Account: w.deps.Account, Key: outboxKey(r.Calendar, m.Key), Kind: m.Kind, Digest: hex.EncodeToString(sum[:]), Summary: summary, Raw: raw,
	}, nil
}

// outboxKey returns the key of an outbox item. It includes the calendar, because the same
// key may name another event in another calendar.
func outboxKey(calendar, key string) string {
	if key == "" {
		return ""
	}
	return calendar + "\n" + key
}

// SummaryOf returns the summary in an outbox item.
func SummaryOf(item store.OutboxItem) Summary {
	var m Summary
	_ = json.Unmarshal(item.Summary, &m) // outboxItem wrote it; an invalid summary is shown as empty
	m.Kind = item.Kind
	return m
}

// sender returns the sender of outbox items, with the settings of this bundle.
func (w *Writer) sender(box persist.OutboxStore) persist.Sender {
	return persist.Sender{Box: box, Since: w.deps.Now().Add(-repeatWindow), Lease: Lease, WaitForOther: waitForOther, Poll: PollInterval, MaxRequestTime: SettleTime, Busy: errStillSending, Reason: persist.Reason}
}

// repeatedOutcome returns the outcome of a request that an earlier call carried out.
func (w *Writer) repeatedOutcome(ctx context.Context, r Request) (Outcome, error) {
	if r.isInsert() {
		return w.existingEvent(ctx, r)
	}
	now, err := w.Get(ctx, r.finalCalendar(), r.Event)
	if r.isDelete() && (IsGone(err) || err == nil) {
		return Outcome{Repeated: true}, nil
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("read the event of an earlier call: %w", err)
	}
	return Outcome{Event: now, Repeated: true}, nil
}

// Deliver carries out the unfinished request of an outbox item and records the outcome.
// This process must have the lease of the item.
func (w *Writer) Deliver(ctx context.Context, box persist.OutboxStore, item store.OutboxItem, r Request) (Outcome, error) {
	if w.deps.Hold != nil {
		defer w.deps.Hold()()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Lease)
	defer cancel()
	execute := w.execute
	if !item.New { // an earlier attempt may have been carried out
		execute = func(ctx context.Context, r Request) (Outcome, error) { return w.resolveOutcome(ctx, r, nil) }
	}
	var done Outcome
	err := w.sender(box).Deliver(ctx, &item, func(ctx context.Context) (err error) {
		if done, err = execute(ctx, r); err == nil {
			item.Message = SummaryOf(item).Event
		}
		return err
	})
	return done, err
}

// errKeyUsed returns the error for a key that belongs to another request. It taints the
// session, because the title of that request may be untrusted content.
func errKeyUsed(ctx context.Context, item store.OutboxItem) error {
	untrusted.MarkPartly(ctx, untrusted.Event)
	m := SummaryOf(item)
	return metadata.Errorf(metadata.Conflict, "the idempotency_key %q was already used for another call (%s, %q, %s)", arguments.Brief(m.Key), item.Kind, htmltext.Line(m.Title), metadata.CountOf(len(m.People), "guest")).
		WithHint("Use a new idempotency_key for this call. Nothing was done now.")
}

// errStillSending returns the error of a repeated call that waited too long for the first
// one.
func errStillSending(item store.OutboxItem) error {
	return metadata.Errorf(metadata.OutcomeUnknown, "another call is still making the same change (outbox item %s)", item.ID).
		WithHint("Repeat the same call in a minute; nothing is done twice.")
}

// Send carries out a request. If m.People is not empty, Send uses the outbox. Otherwise
// Google sends no mail, whatever r.Notify says.
func (w *Writer) Send(ctx context.Context, r Request, m Summary) (Outcome, error) {
	if len(m.People) == 0 {
		r.Notify = event.NotifyNone
		return w.execute(ctx, r)
	}
	return w.SendViaOutbox(ctx, r, m)
}

// Invite asks the policy about out, and then sends a request that invites guests. It sets
// out.AllowedBefore if an earlier call for the same request was allowed and has not failed.
func (w *Writer) Invite(ctx context.Context, r Request, m Summary, out bundles.Outgoing) (Outcome, error) {
	return w.sendIfAllowed(ctx, r, m, func(ctx context.Context, earlier store.OutboxItem) error {
		out.AllowedBefore = earlier.ID != "" && earlier.Status != store.OutboxFailed
		return bundles.ConfirmSend(ctx, out)
	})
}
