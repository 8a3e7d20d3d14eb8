package bundles

import "time"

// An Undoable is a change that can be put back, for its user's own hands.
type Undoable struct {
	ID      string    `json:"undo_id"` // tells by itself which bundle undoes it
	Bundle  string    `json:"bundle"`
	Title   string    `json:"title"`             // "archive 12 messages"
	Account string    `json:"account,omitempty"` // in which it was made; "" for what is kept here
	At      time.Time `json:"at"`
}
