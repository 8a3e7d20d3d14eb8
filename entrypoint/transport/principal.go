package transport

import (
	"context"
	"time"
)

// A Principal is a person or program whose request it is.
type Principal struct {
	Name     string      // tells them from others
	Until    time.Time   // until when they are let in, while their token is good; zero: no end
	Still    func() bool // reports whether they are still let in; nil: they are
	Identity any         // what let them in knows of them; transport leaves it alone
}

// principalKey is the context's key of the Principal. The package has no other.
type principalKey struct{}

// In returns ctx for a request of theirs.
func (p Principal) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalOf returns whose request ctx is of, the zero Principal where nobody has
// said it.
func PrincipalOf(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}

// whileLetIn returns ctx for a stream that goes on until somebody ends it, or whoever
// asked for it is let in no more: at Until, or at most 20 seconds after Still says so.
func whileLetIn(ctx context.Context) (context.Context, context.CancelFunc) {
	p := PrincipalOf(ctx)
	if !p.Until.IsZero() {
		return context.WithDeadline(ctx, p.Until)
	}
	within, end := context.WithCancel(ctx)
	if p.Still != nil {
		go endUnless(within, end, p.Still)
	}
	return within, end
}

// endUnless ends ctx when still says no, which is asked at every heartbeat.
func endUnless(ctx context.Context, end func(), still func() bool) {
	defer end()
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for still() {
		select {
		case <-alive.C:
		case <-ctx.Done():
			return
		}
	}
}
