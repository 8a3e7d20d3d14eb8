package transport

import (
	"context"
	"time"
)

// A Principal is the person or program that sent a request.
type Principal struct {
	Name     string      // unique
	Expires  time.Time   // when the admission ends; zero if it never does
	Valid    func() bool // reports whether the principal is still admitted; nil: always
	Identity any         // set by the authenticator; transport ignores it
}

// principalKey is the context key of the Principal, the only key of this package.
type principalKey struct{}

// NewContext returns ctx for a request of this principal.
func (p Principal) NewContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalOf returns the principal of the request in ctx, or the zero Principal if none is
// set.
func PrincipalOf(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}

// whileAdmitted returns a context for a stream. It ends when the principal in ctx is no longer
// admitted: at Expires, or at most 20 seconds after Valid becomes false. If Expires is set,
// whileAdmitted ignores Valid.
func whileAdmitted(ctx context.Context) (context.Context, context.CancelFunc) {
	p := PrincipalOf(ctx)
	if !p.Expires.IsZero() {
		return context.WithDeadline(ctx, p.Expires)
	}
	ctx, end := context.WithCancel(ctx)
	if p.Valid != nil {
		go endWhenInvalid(ctx, end, p.Valid)
	}
	return ctx, end
}

// endWhenInvalid ends ctx when valid reports false. It checks at every heartbeat.
func endWhenInvalid(ctx context.Context, end func(), valid func() bool) {
	defer end()
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for valid() {
		select {
		case <-alive.C:
		case <-ctx.Done():
			return
		}
	}
}
