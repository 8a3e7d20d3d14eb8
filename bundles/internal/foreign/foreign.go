// Package foreign marks what other people wrote wherever it is shown: by a
// provenance beside each item, by fences around what is long, and in the session
// that has seen it.
package foreign

import (
	"context"

	"kota/bundles"
)

// A Provenance says whose words an item has that are not the user's own. What
// the user wrote has none.
type Provenance struct {
	Source string `json:"source" enum:"mail,event,memory"`
	Trust  string `json:"trust" enum:"stranger,mixed"` // mixed: of the user, or of what was read before
	Sender string `json:"sender,omitempty"`            // an address, or what was noted of the source; absent where the item names it
}

// The sources of text.
const (
	Mail   = "mail"
	Event  = "event"
	Memory = "memory"
)

// By returns the provenance of an item with text of strangers, which the answer
// of the call in ctx is about to show. The session knows from then on. There is
// no other way to make one.
func By(ctx context.Context, source, sender string) *Provenance {
	bundles.Foreign(ctx)
	return &Provenance{Source: source, Trust: "stranger", Sender: sender}
}
