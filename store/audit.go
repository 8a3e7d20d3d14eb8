package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"
)

// An AuditEntry is a call that may change something, as the audit log records it.
type AuditEntry struct {
	Owner   string
	Tool    string
	Effect  string          // writes, destroys or sends
	Channel string          // how the call arrived; values as in UsageCount.Channel
	Args    json.RawMessage // the arguments, with their content removed
}

// A Phase says what a row of the audit log records about a call.
type Phase string

const (
	PhaseIntent  Phase = "intent"  // the call is about to make its first change
	PhaseOutcome Phase = "outcome" // the call has ended
	PhaseRefused Phase = "refused" // the call was not allowed, and changed nothing
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
	Channel  string    `json:"door"`
	Args     string    `json:"args"`
	Approval string    `json:"approval"`
	Code     string    `json:"code"`
	Prev     AuditHash `json:"prev"`
	Hash     AuditHash `json:"hash"`
}

// An AuditHash is the SHA-256 of the fields of a row and of the hash of the row before it.
type AuditHash [sha256.Size]byte

// String returns the hash in hexadecimal.
func (h AuditHash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText returns the hash in hexadecimal, for JSON.
func (h AuditHash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText parses 64 hexadecimal digits. It returns an error for any other text.
func (h *AuditHash) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(h) {
		return ErrInvalid
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// Sum computes the hash that the row must have, as schema/012_audit.sql defines it.
func (r *AuditRow) Sum() AuditHash {
	text := make([]byte, 0, 512)
	text = append(text, r.Prev[:]...)
	for _, field := range [...]string{r.Owner, strconv.FormatInt(r.At.UnixMilli(), 10), r.Call, string(r.Phase), r.Tool,
		r.Effect, r.Channel, r.Args, r.Approval, r.Code} {
		text = strconv.AppendInt(text, int64(len(field)), 10)
		text = append(append(text, ':'), field...)
	}
	return sha256.Sum256(text)
}

// An AuditFilter selects rows of the audit log. A zero field does not filter.
type AuditFilter struct {
	Owner string
	Tool  string
	Call  string
	Row   int64     // the number of a row: selects all rows of its call
	Since time.Time // inclusive
	Last  int       // only the last matching rows, at most this many
}

// An AuditCheckpoint names a row of the audit log. The hash of that row covers all earlier rows:
// nobody can change or remove them without changing the hash.
type AuditCheckpoint struct {
	Seq  int64     `json:"seq"` // 0 if there is no checkpoint
	Hash AuditHash `json:"hash"`
}

// MinNotedDigits is the minimum length of NotedRow.HashPrefix.
const MinNotedDigits = 12

// A NotedRow is a row of the audit log that the user or the checkpoint file has noted. HashPrefix
// is the start of the row's hash in hexadecimal, at least MinNotedDigits digits.
type NotedRow struct {
	Seq        int64
	HashPrefix string
}

// CheckpointTool is the tool of an audit row that records a missing checkpoint file. The Args of
// that row are an AuditCheckpoint: the last row at that time.
const CheckpointTool = "kota audit head"

// PruneTool is the tool of an audit row that records which earlier rows were removed. The Args of
// that row are an AuditCheckpoint: the last removed row.
const PruneTool = "kota audit prune"
