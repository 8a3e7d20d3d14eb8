package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// MaxValue bounds a value: 1 MiB of compact JSON, also after something was
// joined to it. What is larger is a file, not a memory.
const MaxValue = 1 << 20

// Alive reports whether the memory is seen at that time.
func (m *Memory) Alive(now time.Time) bool {
	return m.Deleted.IsZero() && (m.Expires.IsZero() || m.Expires.After(now))
}

// A Memory is one remembered thing in one of its states.
type Memory struct {
	ID         int64 // the same in all its versions, also after a rename
	Key        string
	Value      json.RawMessage // compact, otherwise as given; of a secret "", see Reveal
	Secret     bool            // its value is kept encrypted
	Category   string
	Tags       []string // never nil
	Source     string   // where the value comes from
	Importance int      // 0 to 3
	Pinned     bool
	Created    time.Time // times are in UTC, to the millisecond
	Updated    time.Time
	Expires    time.Time // zero: never
	Deleted    time.Time // zero: it is not
	Version    int64     // from 1
	Uses       int64
	LastUsed   time.Time // zero: never
	Sealed     []byte    // the value of a secret as it lies in the file; nil of what is none
}

// fits returns ErrTooLarge, with the size, for a value that is too large.
func fits(value json.RawMessage) error {
	if len(value) > MaxValue {
		return fmt.Errorf("%w, this one %d", ErrTooLarge, len(value))
	}
	return nil
}

// CompactJSON checks that value is JSON, takes the white space out of it and
// checks its size.
func CompactJSON(value json.RawMessage) (string, error) {
	var b bytes.Buffer
	b.Grow(len(value))
	if err := json.Compact(&b, value); err != nil {
		return "", fmt.Errorf("%w value: %w", ErrInvalid, err)
	}
	return b.String(), fits(b.Bytes())
}
