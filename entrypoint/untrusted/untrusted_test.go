package untrusted_test

import (
	"context"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/untrusted"
)

func TestSessionIsTaintedAfterCall(t *testing.T) {
	for _, show := range []bool{true, false} {
		c := &entrypoint.Call{Session: entrypoint.NewSession()}
		read := untrusted.Track(show)(func(_ context.Context, c *entrypoint.Call) (any, error) {
			bundles.MarkUntrusted(c.Env.NewContext(t.Context()))
			if c.Session.IsTainted() {
				t.Error("the session is tainted before anybody has seen the answer")
			}
			return nil, nil
		})
		for range 2 { // the second call must not be affected by the first
			if _, err := read(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if !c.Session.IsTainted() {
				t.Error("the session is not tainted")
			}
			if got := bundles.HasUntrusted(c.Env.NewContext(t.Context())); got != show {
				t.Errorf("handlers learn of it: %t, want %t", got, show)
			}
			read = untrusted.Track(show)(func(context.Context, *entrypoint.Call) (any, error) { return nil, nil })
		}
	}
}
