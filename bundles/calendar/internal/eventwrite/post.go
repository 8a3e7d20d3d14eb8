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

// A Mailing is what the outbox keeps of a request that reaches other people, for
// its user to recognise it by.
type Mailing struct {
	Key    string   `json:"key,omitempty"` // the caller's idempotency key, or ""
	Kind   string   `json:"-"`             // invite, update, cancel, reply, move
	Event  string   `json:"event"`         // its id; post sets it
	Title  string   `json:"title"`
	When   string   `json:"when"`
	People []string `json:"people"` // whom it reaches
}

// How patient the outbox is.
const (
	HeldFor    = 75 * time.Second       // for a request, and for looking what came of it: a letter is held so long
	patience   = 30 * time.Second       // for another call that posts the same
	Polling    = 100 * time.Millisecond // how often that is looked at
	SettleTime = 3 * time.Second        // what a process had asked Google for when it ended is carried out by then
	sameFor    = 10 * time.Minute       // the content alone tells a repeat
)

// Post carries out a request that reaches people, at most once. It is written
// down in the outbox before it leaves, with its outcome after it. The same key,
// or without one the same request within ten minutes, is a repeat: nothing is
// done then but what is left of it. Once begun it does not end with ctx.
//
// Errors are those of carry. OUTCOME_UNKNOWN is kept for `kota outbox`, and the
// same call again looks first. CONFLICT also says that the key stands for
// another request.
func (w *Writer) Post(ctx context.Context, r Request, m Mailing) (Outcome, error) {
	return w.postWhere(ctx, r, m, nil)
}

// postWhere is Post for a request about which may decides when it is known what
// an earlier call has done of it; nil where that is decided.
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
	case !letter.Is(want):
		return Outcome{}, keyTaken(ctx, letter)
	}
	if !held {
		r.Event = MailingOf(letter).Event
		return w.postedBefore(ctx, r)
	}
	if fresh := r.Again != nil && letter.Status == store.OutboxFailed; !letter.New && !fresh { // what failed has left another etag
		if r, err = RequestOf(ctx, box, letter); err != nil {
			return Outcome{}, err
		}
	}
	return w.Deliver(ctx, box, letter, r)
}

// RequestOf returns the request of a letter that is not done.
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

// letter is what the outbox keeps of a request.
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
	r.Mixed, r.Agreed, r.Partly = false, false, false // of what was asked for, the same call later may say other
	if r.Again != nil {
		r.Etag = "" // which mailing the guests changes
	}
	asked, err := json.Marshal(r)
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("write letter: %w", err)
	}
	if r.inserts() { // whose id is another each time, and whose content is told by its digest
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

// keyIn is the key of a letter: the same key names another event in another
// calendar, as it does for an event without guests.
func keyIn(calendar, key string) string {
	if key == "" {
		return ""
	}
	return calendar + "\n" + key
}

// MailingOf returns what the outbox keeps of the request in a letter.
func MailingOf(l store.OutboxItem) Mailing {
	var m Mailing
	_ = json.Unmarshal(l.Summary, &m) // written above; a broken one shows as empty
	m.Kind = l.Kind
	return m
}

// letters is how the bundle sends them.
func (w *Writer) letters(box persist.OutboxStore) persist.Post {
	return persist.Post{Box: box, Since: w.needs.Now().Add(-sameFor), Held: HeldFor, Patience: patience, Poll: Polling, Settle: SettleTime, Busy: stillPosting, Reason: persist.Reason}
}

// postedBefore answers a request that an earlier one has done.
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

// Deliver does what is left to do for a letter that this process holds, and
// writes down what became of it.
func (w *Writer) Deliver(ctx context.Context, box persist.OutboxStore, letter store.OutboxItem, r Request) (Outcome, error) {
	if w.needs.Hold != nil {
		defer w.needs.Hold()()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), HeldFor)
	defer cancel()
	carry := w.carry
	if !letter.New { // an earlier try may have been carried out
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

// keyTaken is the error of a key that stands for another request, the title of
// which may be of others.
func keyTaken(ctx context.Context, l store.OutboxItem) error {
	untrusted.PartlyUntrusted(ctx, untrusted.Event)
	m := MailingOf(l)
	return metadata.Errorf(metadata.Conflict, "the idempotency key %q stands for another call: %s of %q to %s", arguments.Brief(m.Key), l.Kind, htmltext.Line(m.Title), metadata.Counted(len(m.People), "guest")).
		WithHint("Use a new idempotency_key for this call. Nothing was done now.")
}

// stillPosting is the error of a repeated call that gave up waiting for the first one.
func stillPosting(l store.OutboxItem) error {
	return metadata.Errorf(metadata.OutcomeUnknown, "another call is doing the same at this moment (outbox %s)", l.ID).
		WithHint("Repeat the same call in a minute: it does nothing twice.")
}

// Reach carries out a request: by way of the outbox when it is for people to
// hear of, and else without any mail.
func (w *Writer) Reach(ctx context.Context, r Request, m Mailing) (Outcome, error) {
	if len(m.People) == 0 {
		r.Notify = event.NotifyNone
		return w.carry(ctx, r)
	}
	return w.Post(ctx, r, m)
}

// Invite posts a request that makes an event with guests, once that may be. What
// an earlier call has done is not asked about again.
func (w *Writer) Invite(ctx context.Context, r Request, m Mailing, out bundles.Outgoing) (Outcome, error) {
	return w.postWhere(ctx, r, m, func(ctx context.Context, earlier store.OutboxItem) error {
		out.Begun = earlier.ID != "" && earlier.Status != store.OutboxFailed
		return bundles.ConfirmSend(ctx, out)
	})
}
