package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// MaxValue limits a value: 1 MiB of compact JSON. It also limits the result of Append and Merge.
const MaxValue = 1 << 20

// Alive reports whether the memory is neither deleted nor expired at that time.
func (m *Memory) Alive(now time.Time) bool {
	return m.Deleted.IsZero() && (m.Expires.IsZero() || m.Expires.After(now))
}

// A Memory is one version of a remembered value.
type Memory struct {
	ID         int64 // the same in all versions, even after a rename
	Key        string
	Value      json.RawMessage // compact JSON; an empty JSON string for a secret, see Reveal of the memory store
	Secret     bool            // the value is stored encrypted
	Category   string
	Tags       []string // never nil
	Source     string   // where the value comes from
	Importance int      // 0 to 3
	Pinned     bool
	Created    time.Time // times are in UTC, to the millisecond
	Updated    time.Time
	Expires    time.Time // zero: never
	Deleted    time.Time // zero: not deleted
	Version    int64     // from 1
	Uses       int64
	LastUsed   time.Time // zero: never
	Sealed     []byte    // the encrypted value of a secret, as stored; nil otherwise
}

// checkValueSize returns ErrTooLarge, with the size, for a value over MaxValue.
func checkValueSize(value json.RawMessage) error {
	if len(value) > MaxValue {
		return fmt.Errorf("%w; this one has %d", ErrTooLarge, len(value))
	}
	return nil
}

// CompactJSON returns value without insignificant white space. It returns ErrInvalid if value is
// not JSON in UTF-8, and ErrTooLarge if it is over MaxValue.
func CompactJSON(value json.RawMessage) (string, error) {
	if !utf8.Valid(value) { // json.Compact accepts it, but databases with a type for JSON do not
		return "", fmt.Errorf("%w value: it is not UTF-8", ErrInvalid)
	}
	var b bytes.Buffer
	b.Grow(len(value))
	if err := json.Compact(&b, value); err != nil {
		return "", fmt.Errorf("%w value: %w", ErrInvalid, err)
	}
	return b.String(), checkValueSize(b.Bytes())
}
