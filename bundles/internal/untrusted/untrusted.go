// Package untrusted marks what other people wrote wherever it is shown: by a
// provenance beside each item, by fences around what is long, and in the session
// that has seen it.
package untrusted

import (
	"context"

	"kota/bundles"
)

// A Provenance is a bundles.Provenance.
type Provenance = bundles.Provenance

// The sources of text.
const (
	Mail   = "mail"
	Event  = "event"
	Memory = "memory"
	Log    = "log" // what was written down of a day
)

// By returns the provenance of an item with text of strangers, which the answer
// of the call in ctx is about to show. The session knows from then on.
func By(ctx context.Context, source, sender string) *Provenance {
	bundles.Foreign(ctx)
	return &Provenance{Source: source, Trust: "stranger", Sender: sender}
}

// Mixed is By for an item that is the user's own, and has or may have the words
// of others in it.
func Mixed(ctx context.Context, source string) *Provenance {
	p := By(ctx, source, "")
	p.Trust = "mixed"
	return p
}
