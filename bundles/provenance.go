package bundles

import (
	"context"
	"sync/atomic"
)

// A Provenance says who wrote an item that is not entirely the user's own work. Text that
// only the user wrote has no Provenance.
type Provenance struct {
	Source string `json:"source" enum:"mail,event,memory,log,contact"`
	Trust  string `json:"trust" enum:"stranger,mixed"` // mixed: written by the user and others, or after untrusted content was read
	Sender string `json:"sender,omitempty"`            // an address or the recorded source; absent if the item names it
}

// TrackUntrusted returns a context for a part of a call, and a function that reports
// whether MarkUntrusted was called in that part. In that part, MarkUntrusted also marks
// the session and makes HasUntrusted true.
func TrackUntrusted(ctx context.Context) (_ context.Context, wasMarked func() bool) {
	session := EnvOf(ctx)
	marked := &atomic.Bool{}
	mark := func() {
		marked.Store(true)
		if session.OnUntrusted != nil {
			session.OnUntrusted()
		}
	}
	isTainted := func() bool { return marked.Load() || session.IsTainted != nil && session.IsTainted() }
	return with(ctx, func(e *Env) { e.OnUntrusted, e.IsTainted = mark, isTainted }), marked.Load
}
