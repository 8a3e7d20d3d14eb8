package store

import (
	"encoding/json"
	"fmt"
	"time"
)

// A Row is what each entry, task and document has. The store sets it; what a
// caller writes there is not read.
type Row struct {
	ID      string    `json:"id"`      // a letter for its kind and six more letters and digits: "e7k2m9x"
	Version int64     `json:"version"` // from 1
	Created time.Time `json:"created"` // times are in UTC, to the millisecond
	Updated time.Time `json:"updated"`
	Deleted time.Time `json:"deleted,omitzero"` // zero: it is not
}

// CheckVersion returns a *ChangedError unless that is the version that stands. Nil is
// any.
func (r *Row) CheckVersion(version *int64) error {
	if version != nil && *version != r.Version {
		return &ChangedError{ID: r.ID, Version: r.Version}
	}
	return nil
}

// A Restored says what was brought back.
type Restored struct {
	IDs     []string // of entries, tasks and documents, each once
	Deleted bool     // they were made by the act, and are deleted
	Undo    string   // brings back what stood before the restoring
}

// A Revision is one change of an entry, a task or a document.
type Revision struct {
	ID        string
	Version   int64 // that began with it
	Operation string
	At        time.Time
	Undo      string          // for Restore
	Before    json.RawMessage // the state that it superseded, as JSON of a DayEntry, a Task or a Document
}

// A KeyError says that an idempotency key names another call already. It
// answers to errors.Is(err, ErrConflict).
type KeyError struct {
	Key  string
	Made time.Time // when that call was made
	IDs  []string  // of the rows that it made
}

// Error names the key.
func (e *KeyError) Error() string {
	return fmt.Sprintf("conflict: the key %q was used at %s for something else", e.Key, e.Made.Format(time.RFC3339))
}

// Is reports whether target is ErrConflict.
func (e *KeyError) Is(target error) bool { return target == ErrConflict }

// Removed says which rows were deleted.
type Removed struct {
	IDs  []string // never nil
	Undo string   // for Restore: brings all of them back
}

// An Edited says what an edit did.
type Edited[T any] struct {
	Now    *T
	Before *T
	Undo   string // for Restore; "" when everything was so already, and there is no new version
}

// StoredTime is t as it comes back from the database.
func StoredTime(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
