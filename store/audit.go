package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// An Act is a call that may change something, as the audit log tells of it.
type Act struct {
	Owner  string
	Tool   string
	Effect string          // writes, destroys or sends
	Door   string          // by which it was called
	Args   json.RawMessage // with all content taken out of it
}

// A Phase says what a row of the audit log tells of a call.
type Phase string

const (
	Intent  Phase = "intent"  // it is about to make its first change
	Outcome Phase = "outcome" // it has ended
	Refused Phase = "refused" // it was not let through, and changed nothing
)

// OK is the code of an outcome without error.
const OK = "OK"

// An AuditRow is a row of the audit log.
type AuditRow struct {
	Seq      int64     `json:"seq"`
	Owner    string    `json:"owner"`
	At       time.Time `json:"at"` // to the millisecond
	Call     string    `json:"call"`
	Phase    Phase     `json:"phase"`
	Tool     string    `json:"tool"`
	Effect   string    `json:"effect"`
	Door     string    `json:"door"`
	Args     string    `json:"args"`
	Approval string    `json:"approval"`
	Code     string    `json:"code"`
	Prev     AuditHash `json:"prev"`
	Hash     AuditHash `json:"hash"`
}

// An AuditHash is the SHA-256 of a row and of the hash before it.
type AuditHash [sha256.Size]byte

// String is the hash in hexadecimal.
func (h AuditHash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText makes a hash a text in JSON: its String.
func (h AuditHash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what MarshalText has written.
func (h *AuditHash) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(h) {
		return ErrInvalid
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// sum is the hash that the row must have: see schema/012_audit.sql.
func (r *AuditRow) sum() AuditHash {
	text := make([]byte, 0, 512)
	text = append(text, r.Prev[:]...)
	for _, field := range [...]string{r.Owner, strconv.FormatInt(r.At.UnixMilli(), 10), r.Call, string(r.Phase), r.Tool,
		r.Effect, r.Door, r.Args, r.Approval, r.Code} {
		text = strconv.AppendInt(text, int64(len(field)), 10)
		text = append(append(text, ':'), field...)
	}
	return sha256.Sum256(text)
}

// A Trail follows one act through the writes that are made in its context. It
// may be used from any goroutine.
type Trail struct {
	call     string
	act      atomic.Pointer[Act]
	approval atomic.Pointer[string]
	log      atomic.Pointer[auditor] // that has the intent on disk; nil before
	taken    bool                    // into the transaction that is being made; the writer's alone
}

type trailKey struct{}

// Follow returns ctx for what an act does. The first transaction that changes
// something in that context holds the intent too: there is no change without it,
// and one that is refused leaves nothing.
func Follow(ctx context.Context, act Act) (context.Context, *Trail) {
	t := &Trail{call: strings.ToLower(rand.Text()[:16])}
	t.act.Store(&act)
	return context.WithValue(ctx, trailKey{}, t), t
}

// aside returns ctx for writes that are no change by the act in it: of what is
// known of a mailbox, of counts, of consent.
func aside(ctx context.Context) context.Context {
	if trailOf(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, trailKey{}, (*Trail)(nil))
}

func trailOf(ctx context.Context) *Trail {
	t, _ := ctx.Value(trailKey{}).(*Trail)
	return t
}

// Begun reports whether the intent is on disk.
func (t *Trail) Begun() bool { return t.log.Load() != nil }

// Became says that another act is done in the place of this one, which has not
// begun.
func (t *Trail) Became(act Act) { t.act.Store(&act) }

// Approve notes how the user agreed to the act: "terminal", "client", "approve
// a_k3v9q2m7xw".
func (t *Trail) Approve(how string) { t.approval.Store(&how) }

// End notes how the act ended, when it had begun: with the next transaction, or
// within a tenth of a second, or when the database is closed. code is OK or
// that of an error. Only the first End counts.
func (t *Trail) End(code string) {
	if log := t.log.Load(); log != nil {
		log.note(t.row(Outcome, code, log.now()))
	}
}

// row is what the log gets to know of the act.
func (t *Trail) row(phase Phase, code string, at time.Time) AuditRow {
	act := t.act.Load()
	row := AuditRow{
		Owner: act.Owner, At: storedTime(at), Call: t.call, Phase: phase, Tool: act.Tool, Effect: act.Effect, Door: act.Door, Code: code,
	}
	if phase != Outcome {
		row.Args = string(act.Args)
	}
	if how := t.approval.Load(); how != nil {
		row.Approval = *how
	}
	return row
}

// Intend writes the intent of the act in ctx, unless it is written: before
// something is changed that no transaction holds. Without an act it does
// nothing.
func (db *DB) Intend(ctx context.Context) error {
	t := trailOf(ctx)
	if t == nil || t.Begun() {
		return nil
	}
	return db.write(ctx, func(t *tx) error {
		t.wrote = true
		return nil
	})
}

// Refuse notes that an act was not let through, as End does. One that has begun
// has an outcome instead. Of more than 100 in an hour, across restarts, the others
// are counted.
func (db *DB) Refuse(t *Trail, code string) {
	if t.Begun() {
		t.End(code)
		return
	}
	db.audit.refuse(t.row(Refused, code, db.now()))
}
