package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
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

// Sum is the hash that the row must have: see schema/012_audit.sql.
func (r *AuditRow) Sum() AuditHash {
	text := make([]byte, 0, 512)
	text = append(text, r.Prev[:]...)
	for _, field := range [...]string{r.Owner, strconv.FormatInt(r.At.UnixMilli(), 10), r.Call, string(r.Phase), r.Tool,
		r.Effect, r.Door, r.Args, r.Approval, r.Code} {
		text = strconv.AppendInt(text, int64(len(field)), 10)
		text = append(append(text, ':'), field...)
	}
	return sha256.Sum256(text)
}

// An AuditFilter narrows what is read of the audit log. What is zero does not.
type AuditFilter struct {
	Owner string
	Tool  string
	Call  string
	Row   int64     // all rows of the call that this one is of
	Since time.Time // inclusive
	Last  int       // only so many of the last rows that the rest admits
}

// An AuditHead names a row of the audit log, by which all rows up to it are
// settled: none of them can be changed or removed without another hash there.
type AuditHead struct {
	Seq  int64     `json:"seq"` // 0 when no row is noted
	Hash AuditHash `json:"hash"`
}

// HeadTool is what a row of the audit log is of that says that the note of its end
// was gone. Its Args are an AuditHead: the last row there was.
const HeadTool = "kota audit head"

// PruneTool is what a row of the audit log is of that says which rows were taken
// out before it. Its Args are an AuditHead: the last of them.
const PruneTool = "kota audit prune"
