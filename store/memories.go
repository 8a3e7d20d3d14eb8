package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
)

// MaxValue bounds a value: 1 MiB of compact JSON, also after something was
// joined to it. What is larger is a file, not a memory.
const MaxValue = 1 << 20

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

// Memories are the memories of one owner.
type Memories struct {
	db    *DB
	owner string
}

// Memories returns a handle on the memories of one owner. It costs nothing.
func (db *DB) Memories(owner string) *Memories { return &Memories{db: db, owner: owner} }

// state are the columns that memories and versions share, in the order of
// scanState.
const state = "key, value, category, tags, source, importance, pinned, created, updated, expires, deleted, version, sealed"

// columns are those of a whole Memory, in the order of scanMemory.
const columns = "id, " + state + ", uses, last_used"

func scanMemory(row scanner) (*Memory, error) {
	m := &Memory{}
	var value, tags string
	var created, updated, expires, deleted, used sql.NullInt64
	err := row.Scan(&m.ID, &m.Key, &value, &m.Category, &tags, &m.Source, &m.Importance, &m.Pinned,
		&created, &updated, &expires, &deleted, &m.Version, &m.Sealed, &m.Uses, &used)
	if err != nil {
		return nil, err
	}
	m.Value, m.Secret = json.RawMessage(value), m.Sealed != nil
	m.Created, m.Updated = timeOf(created), timeOf(updated)
	m.Expires, m.Deleted, m.LastUsed = timeOf(expires), timeOf(deleted), timeOf(used)
	m.Tags, err = tagsOf(tags)
	return m, err
}

// alive reports whether the memory is seen at that time.
func (m *Memory) alive(now time.Time) bool {
	return m.Deleted.IsZero() && (m.Expires.IsZero() || m.Expires.After(now))
}

func tagsOf(text string) ([]string, error) {
	tags := []string{}
	if text == "[]" {
		return tags, nil
	}
	if err := json.Unmarshal([]byte(text), &tags); err != nil {
		return nil, fmt.Errorf("%w: tags %q: %w", ErrCorrupt, text, err)
	}
	return tags, nil
}

// tagsText is how tags are stored: without duplicates, in the order given.
func tagsText(tags []string) string {
	if len(tags) == 0 {
		return "[]"
	}
	seen := make(map[string]bool, len(tags))
	unique := make([]string, 0, len(tags))
	for _, tag := range tags {
		if !seen[tag] {
			seen[tag] = true
			unique = append(unique, tag)
		}
	}
	return string(encode(unique))
}

// encode is json.Marshal without the escaping of <, > and &, which would be
// searched and shown. v always has a JSON form.
func encode(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("store: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// compact checks that value is JSON, takes the white space out of it and
// checks its size.
func compact(value json.RawMessage) (string, error) {
	var b bytes.Buffer
	b.Grow(len(value))
	if err := json.Compact(&b, value); err != nil {
		return "", fmt.Errorf("%w value: %w", ErrInvalid, err)
	}
	return b.String(), fits(b.Bytes())
}

// fits returns ErrTooLarge, with the size, for a value that is too large.
func fits(value json.RawMessage) error {
	if len(value) > MaxValue {
		return fmt.Errorf("%w, this one %d", ErrTooLarge, len(value))
	}
	return nil
}
