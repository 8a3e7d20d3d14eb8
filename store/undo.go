package store

import (
	"encoding/json"
	"errors"
	"time"
)

// UndoTTL is how long a change outside of KOTA can be undone, and how long other changes are
// listed as undoable. Older undo records of a bundle are erased when that bundle stores the next
// one. Notes and hints of the undo actions say "30 days" in words.
const UndoTTL = 30 * 24 * time.Hour

// An UndoRecord is a change outside of KOTA, with the state before that change.
type UndoRecord struct {
	ID      string // "u_" and 26 letters and digits
	Account string
	Kind    string          // kind of change; determines the format of Before
	Title   string          // shown to the user: "archive 12 messages"
	Before  json.RawMessage // JSON that only the bundle reads
	Created time.Time       // in UTC, to the millisecond
	Undone  time.Time       // zero: not undone
}

// ErrClaimed says that another call is undoing the same change.
var ErrClaimed = errors.New("it is being undone right now")

// An UndoneError says that a change was already undone.
type UndoneError struct{ At time.Time }

// Error names the time.
func (e *UndoneError) Error() string { return "it was undone at " + e.At.Format(time.RFC3339) }

// An UndoableChange is a change of memories or of the diary that can be undone, described for the
// user.
type UndoableChange struct {
	Undo      string // for Restore
	Operation string // create, set, update, rename, delete, restore; edit, done, drop, ...
	Kind      string // kind of the first changed row: memories, entries, tasks or documents
	Subject   string // key, text or title of the first changed row
	Rows      int    // number of changed rows
	At        time.Time
}

// An UndoPreview is what an undo would do to one thing: as it is now, and as it would be. Nil says that
// it does not exist or is deleted.
type UndoPreview[T any] struct{ Now, Then *T }
