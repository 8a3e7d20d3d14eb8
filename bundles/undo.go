package bundles

import "time"

// An Undoable is a change that can be undone, in the form that the user's own commands
// show.
type Undoable struct {
	ID      string    `json:"undo_id"` // its form also identifies the bundle that undoes it
	Bundle  string    `json:"bundle"`
	Title   string    `json:"title"`             // "archive 12 messages"
	Account string    `json:"account,omitempty"` // the account of the change; "" for local data
	At      time.Time `json:"at"`
}
