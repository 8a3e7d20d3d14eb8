package store

import (
	"encoding/json"
	"errors"
	"time"
)

// UndoTTL is how long a change can be undone. Older undo records are erased when the next one is
// stored. Notes and hints of the undo actions say "30 days" in words.
const UndoTTL = 30 * 24 * time.Hour

// An UndoRecord is a change outside of KOTA, with the state before it.
type UndoRecord struct {
	ID      string // "u_" and 26 letters and digits
	Account string
	Kind    string          // of change; decides how Before is read
	Title   string          // for people: "archive 12 messages"
	Before  json.RawMessage // private to the bundle
	Created time.Time       // in UTC, to the millisecond
	Undone  time.Time       // zero: not undone
}

// ErrClaimed says that another call is undoing the same change.
var ErrClaimed = errors.New("it is being undone right now")

// An UndoneError says that a change was already undone.
type UndoneError struct{ At time.Time }

// Error names the time.
func (e *UndoneError) Error() string { return "it was undone at " + e.At.Format(time.RFC3339) }

// An UndoableChange is a change of memories or of the diary that can be undone, described for its
// user.
type UndoableChange struct {
	Undo      string // for Restore
	Operation string // create, set, update, rename, delete, restore; edit, done, drop, ...
	Kind      string // of the first row it changed: memories, entries, tasks or documents
	Subject   string // the key of that memory, or else its text or title
	Rows      int
	At        time.Time
}
