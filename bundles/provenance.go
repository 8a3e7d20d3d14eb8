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

// leavingKey is the context's key of what ForeignLeaves tells.
type leavingKey struct{}

// WithForeignLeaving returns ctx for a call: tell is called when what it is about
// to send has text from strangers.
func WithForeignLeaving(ctx context.Context, tell func()) context.Context {
	return context.WithValue(ctx, leavingKey{}, tell)
}

// ForeignLeaves is Foreign for text that the call in ctx is about to send, of
// which its answer shows no more than its user sees who is asked about it.
func ForeignLeaves(ctx context.Context) {
	if tell, ok := ctx.Value(leavingKey{}).(func()); ok {
		tell()
		return
	}
	Foreign(ctx)
}

// Listening returns ctx for a part of a call, and a function that reports whether
// Foreign was called in that part. To ForeignCame it has come from then on.
func Listening(ctx context.Context) (_ context.Context, heard func() bool) {
	session, _ := ctx.Value(foreignKey{}).(strangers)
	here := &atomic.Bool{}
	tell := func() {
		here.Store(true)
		if session.tell != nil {
			session.tell()
		}
	}
	came := func() bool { return here.Load() || session.came != nil && session.came() }
	return WithForeign(ctx, tell, came), here.Load
}
