package bundles

import (
	"context"
	"sync/atomic"
)

// A Provenance says whose words an item has that are not the user's own. What
// the user wrote has none.
type Provenance struct {
	Source string `json:"source" enum:"mail,event,memory,log"`
	Trust  string `json:"trust" enum:"stranger,mixed"` // mixed: of the user, and of others or after they were read
	Sender string `json:"sender,omitempty"`            // an address, or what was noted of the source; absent where the item names it
}

// TrackUntrusted returns ctx for a part of a call, and a function that reports whether
// MarkUntrusted was called in that part. To HasUntrusted it has come from then on.
func TrackUntrusted(ctx context.Context) (_ context.Context, heard func() bool) {
	session := EnvOf(ctx)
	here := &atomic.Bool{}
	tell := func() {
		here.Store(true)
		if session.Untrusted != nil {
			session.Untrusted()
		}
	}
	came := func() bool { return here.Load() || session.IsTainted != nil && session.IsTainted() }
	return with(ctx, func(e *Env) { e.Untrusted, e.IsTainted = tell, came }), here.Load
}
