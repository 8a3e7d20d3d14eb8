package store

import (
	"encoding/json"
	"fmt"
	"time"
)

// A Row holds the fields that each entry, task and document has. The store sets them, and ignores
// what a caller writes there.
type Row struct {
	ID      string    `json:"id"`      // a prefix for the kind and six letters and digits: "e7k2m9x"
	Version int64     `json:"version"` // from 1
	Created time.Time `json:"created"` // times are in UTC, to the millisecond
	Updated time.Time `json:"updated"`
	Deleted time.Time `json:"deleted,omitzero"` // zero unless it is deleted
}

// CheckVersion returns a *ChangedError unless version is the current one. Nil matches any
// version.
func (r *Row) CheckVersion(version *int64) error {
	if version != nil && *version != r.Version {
		return &ChangedError{ID: r.ID, Version: r.Version}
	}
	return nil
}

// A RestoreResult says which rows were restored.
type RestoreResult struct {
	IDs     []string // ids of the restored entries, tasks and documents, each once
	Deleted bool     // the undone call had created these rows, and they are deleted now
	Undo    string   // for Restore: undoes this restore
}

// A Revision is one change of an entry, a task or a document.
type Revision struct {
	ID        string
	Version   int64 // the version that this change created
	Operation string
	At        time.Time
	Undo      string          // for Restore
	Before    json.RawMessage // the previous state, as JSON of a DayEntry, a Task or a Document
}

// A KeyError says that an idempotency key was used for another call. It matches ErrConflict with
// errors.Is.
type KeyError struct {
	Key  string
	Made time.Time // when the earlier call was made
	IDs  []string  // ids of the rows that the call created
}

// Error names the key.
func (e *KeyError) Error() string {
	return fmt.Sprintf("conflict: the key %q was used at %s for something else", e.Key, e.Made.Format(time.RFC3339))
}

// Is reports whether target is ErrConflict.
func (e *KeyError) Is(target error) bool { return target == ErrConflict }

// A DiaryDeleteResult says which rows of a diary were deleted.
type DiaryDeleteResult struct {
	IDs  []string // never nil
	Undo string   // for Restore: restores all of them
}

// An EditResult is the row before and after an edit.
type EditResult[T any] struct {
	After  *T
	Before *T
	Undo   string // for Restore; "" if nothing changed: then there is no new version
}

// StoredTime returns t as the database returns it: in UTC, to the millisecond.
func StoredTime(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
