package store

import (
	"encoding/json"
	"errors"
	"time"
)

// UndoKept is how long a change can be undone. What is older is erased when
// the next change is kept.
const UndoKept = 30 * 24 * time.Hour

// An Undo is a change outside of KOTA, with what was there before it.
type Undo struct {
	ID      string // "u_" and 26 letters and digits
	Account string
	Kind    string          // of change; says how Before is read
	Title   string          // for people: "archive 12 messages"
	Before  json.RawMessage // for the bundle alone
	Created time.Time       // in UTC, to the millisecond
	Undone  time.Time       // zero: it was not
}

// ErrClaimed: another call is undoing the same change at this moment.
var ErrClaimed = errors.New("it is being undone right now")

// An UndoneError says that a change was undone before.
type UndoneError struct{ At time.Time }

// Error says when.
func (e *UndoneError) Error() string { return "it was undone at " + e.At.Format(time.RFC3339) }

// An Undoable is a change of memories or of the diary that can be undone, as its
// user would speak of it.
type Undoable struct {
	Undo      string // for Restore
	Operation string // create, set, update, rename, delete, restore; edit, done, drop, ...
	Kind      string // of the first row it changed: memories, entries, tasks or documents
	What      string // the key of that memory, else its text or title
	Rows      int
	At        time.Time
}
