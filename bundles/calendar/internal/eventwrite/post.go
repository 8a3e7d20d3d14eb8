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

// A Mailing is the summary that the outbox keeps of a request that reaches people. It helps
// the user to recognise the request.
type Mailing struct {
	Key    string   `json:"key,omitempty"` // the caller's idempotency key, or ""
	Kind   string   `json:"-"`             // invite, update, cancel, reply, move
	Event  string   `json:"event"`         // its id; Post sets it
	Title  string   `json:"title"`
	When   string   `json:"when"`
	People []string `json:"people"` // the people that it reaches
}

// Time limits of the outbox.
const (
	HeldFor    = 75 * time.Second       // lease of an outbox item: time for a request and for finding out its outcome
	patience   = 30 * time.Second       // how long a call waits for another call that posts the same
	Polling    = 100 * time.Millisecond // how often it checks that call
	SettleTime = 3 * time.Second        // Google has carried out the last request of an ended process after this time
	sameFor    = 10 * time.Minute       // within this time the same content is a repeat, even without a key
)

// Post carries out a request that reaches people, at most once. The outbox records the
// request before it is sent, and its outcome afterwards. A call is a repeat if it has the
// same key, or without a key the same request within ten minutes. A repeat only finishes
// what is left. Cancelling ctx does not stop a request that has begun.
//
// Post returns the errors of carry. After OUTCOME_UNKNOWN, the item stays for
// `kota outbox`, and a repeat looks at the event first. CONFLICT also means that the key
// belongs to another request.
func (w *Writer) Post(ctx context.Context, r Request, m Mailing) (Outcome, error) {
	return w.postWhere(ctx, r, m, nil)
}

// postWhere is Post with a policy check. KOTA calls may once it knows what an earlier call
// has done of the request. A nil may means that the request is already allowed.
func (w *Writer) postWhere(ctx context.Context, r Request, m Mailing, may func(context.Context, store.OutboxItem) error) (Outcome, error) {
	box, err := w.needs.Outbox(ctx)
	if err != nil {
		return Outcome{}, err
	}
	r = r.writtenIn(ctx)
	want, err := w.letter(r, m)
	if err != nil {
		return Outcome{}, err
	}
	letter, held, err := w.letters(box).Take(ctx, &want, may)
	switch {
	case err != nil:
		return Outcome{}, err
	case !letter.Matches(want):
		return Outcome{}, keyTaken(ctx, letter)
	}
	if !held {
		r.Event = MailingOf(letter).Event
		return w.postedBefore(ctx, r)
	}
	if fresh := r.Again != nil && letter.Status == store.OutboxFailed; !letter.New && !fresh { // a failed try left another etag
		if r, err = RequestOf(ctx, box, letter); err != nil {
			return Outcome{}, err
		}
	}
	return w.Deliver(ctx, box, letter, r)
}

// RequestOf returns the request of an unfinished outbox item.
func RequestOf(ctx context.Context, box persist.OutboxStore, letter store.OutboxItem) (Request, error) {
	raw, err := box.Raw(ctx, letter.ID)
	if err != nil {
		return Request{}, persist.Explain(err)
	}
	r := Request{}
	if err := json.Unmarshal(raw, &r); err != nil {
		return Request{}, fmt.Errorf("read letter: %w", err)
	}
	return r, nil
}

// letter returns the outbox item of a request.
func (w *Writer) letter(r Request, m Mailing) (store.OutboxItem, error) {
	m.Event = r.Event
	summary, err := json.Marshal(m)
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("write letter: %w", err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("write letter: %w", err)
	}
	r.Mixed, r.Agreed, r.Partly = false, false, false // a repeat of the call may set these differently
	if r.Again != nil {
		r.Etag = "" // mailing the guests changes it
	}
	asked, err := json.Marshal(r)
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("write letter: %w", err)
	}
	if r.inserts() { // the id differs each time; the digest identifies the content
		made := calendarapi.Event{}
		if err := json.Unmarshal(r.Body, &made); err != nil {
			return store.OutboxItem{}, fmt.Errorf("write letter: %w", err)
		}
		asked = []byte(event.DigestIn(&made))
	}
	sum := sha256.Sum256(asked)
	return store.OutboxItem{
		Account: w.needs.Account, Key: keyIn(r.Calendar, m.Key), Kind: m.Kind, Digest: hex.EncodeToString(sum[:]), Summary: summary, Raw: raw,
	}, nil
}

// keyIn returns the key of an outbox item. It includes the calendar: the same key may name
// another event in another calendar, also without guests.
func keyIn(calendar, key string) string {
	if key == "" {
		return ""
	}
	return calendar + "\n" + key
}

// MailingOf returns the summary in an outbox item.
func MailingOf(l store.OutboxItem) Mailing {
	var m Mailing
	_ = json.Unmarshal(l.Summary, &m) // letter wrote it; a broken one shows as empty
	m.Kind = l.Kind
	return m
}

// letters returns the sender of outbox items with this bundle's settings.
func (w *Writer) letters(box persist.OutboxStore) persist.Post {
	return persist.Post{Box: box, Since: w.needs.Now().Add(-sameFor), Held: HeldFor, Patience: patience, Poll: Polling, Settle: SettleTime, Busy: stillPosting, Reason: persist.Reason}
}

// postedBefore answers a request that an earlier call carried out.
func (w *Writer) postedBefore(ctx context.Context, r Request) (Outcome, error) {
	if r.inserts() {
		return w.existing(ctx, r)
	}
	now, err := w.Get(ctx, r.place(), r.Event)
	if r.deletes() && (IsGone(err) || err == nil) {
		return Outcome{Repeated: true}, nil
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("read the event of an earlier call: %w", err)
	}
	return Outcome{Event: now, Repeated: true}, nil
}

// Deliver does what is left of an outbox item whose lease this process holds, and records
// the outcome.
func (w *Writer) Deliver(ctx context.Context, box persist.OutboxStore, letter store.OutboxItem, r Request) (Outcome, error) {
	if w.needs.Hold != nil {
		defer w.needs.Hold()()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), HeldFor)
	defer cancel()
	carry := w.carry
	if !letter.New { // an earlier attempt may have been carried out
		carry = func(ctx context.Context, r Request) (Outcome, error) { return w.settle(ctx, r, nil) }
	}
	var done Outcome
	err := w.letters(box).Carry(ctx, &letter, func(ctx context.Context) (err error) {
		if done, err = carry(ctx, r); err == nil {
			letter.Message = MailingOf(letter).Event
		}
		return err
	})
	return done, err
}

// keyTaken returns the error for a key that belongs to another request. It marks the
// session, because the title of that request may be untrusted content.
func keyTaken(ctx context.Context, l store.OutboxItem) error {
	untrusted.PartlyUntrusted(ctx, untrusted.Event)
	m := MailingOf(l)
	return metadata.Errorf(metadata.Conflict, "the idempotency key %q stands for another call: %s of %q to %s", arguments.Brief(m.Key), l.Kind, htmltext.Line(m.Title), metadata.Counted(len(m.People), "guest")).
		WithHint("Use a new idempotency_key for this call. Nothing was done now.")
}

// stillPosting returns the error of a repeated call that gave up waiting for the first one.
func stillPosting(l store.OutboxItem) error {
	return metadata.Errorf(metadata.OutcomeUnknown, "another call is doing the same at this moment (outbox %s)", l.ID).
		WithHint("Repeat the same call in a minute: it does nothing twice.")
}

// Reach carries out a request. It uses the outbox if the request reaches people, and
// otherwise sends no mail.
func (w *Writer) Reach(ctx context.Context, r Request, m Mailing) (Outcome, error) {
	if len(m.People) == 0 {
		r.Notify = event.NotifyNone
		return w.carry(ctx, r)
	}
	return w.Post(ctx, r, m)
}

// Invite posts a request that invites guests, after the policy allows it. If an earlier
// call has begun it, the policy knows from out.Begun.
func (w *Writer) Invite(ctx context.Context, r Request, m Mailing, out bundles.Outgoing) (Outcome, error) {
	return w.postWhere(ctx, r, m, func(ctx context.Context, earlier store.OutboxItem) error {
		out.Begun = earlier.ID != "" && earlier.Status != store.OutboxFailed
		return bundles.ConfirmSend(ctx, out)
	})
}
