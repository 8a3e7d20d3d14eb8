package app

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// The program waits for what is being sent, but only as long as the system
// waits for the program: Docker kills after ten seconds.
func TestWaitIsBoundedFromSignal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ serving, want time.Duration }{
		"of a command":                      {0, 4900 * time.Millisecond},
		"of serving stdio":                  {2 * time.Second, 4900 * time.Millisecond},
		"of serving HTTP":                   {4500 * time.Millisecond, 4900 * time.Millisecond},
		"of serving HTTP to who hangs on":   {7500 * time.Millisecond, 7500 * time.Millisecond},
		"of serving stdio, without signals": {-4500 * time.Millisecond, 4900 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, signal := context.WithCancel(t.Context())
				defer signal()
				var first, second Inflight // of two tenants, which close one after the other
				start := time.Now()
				for _, u := range []*Inflight{&first, &second} {
					defer u.begin()()
					defer u.NoteSignal(ctx)()
				}
				if c.serving >= 0 {
					signal()
				}
				synctest.Wait()
				time.Sleep(c.serving.Abs())
				first.wait(ctx)
				if c.serving >= 0 {
					second.wait(ctx)
				}
				if took := time.Since(start); took != c.want {
					t.Errorf("it is over after %v, want %v", took, c.want)
				}
			})
		})
	}
}
