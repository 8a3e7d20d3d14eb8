package entrypoint

import (
	"context"
	"fmt"
	"sync"

	"kota/metadata"
)

// atOnce is how many calls run at the same time of those that work on an account
// elsewhere, and of the others: a Google that does not answer holds up nobody
// who does not ask it.
const atOnce = 24

// places are what calls need to run, one each.
type places struct{ away, here chan struct{} }

func newPlaces() places { return places{make(chan struct{}, atOnce), make(chan struct{}, atOnce)} }

// A place is held by the call in whose context it is.
type place struct {
	among  chan struct{}
	giveUp sync.Once
}

type placeKey struct{}

// leave gives the place back, once.
func (p *place) leave() { p.giveUp.Do(func() { <-p.among }) }

// leavePlace gives back the place that the call in ctx holds, if it does: what
// it still does waits for somebody else.
func leavePlace(ctx context.Context) {
	if p, ok := ctx.Value(placeKey{}).(*place); ok {
		p.leave()
	}
}

// in does something in a place of its kind, and waits for one. What runs on
// behalf of a call has that one's, unless it goes away and the call was here:
// then the call's is given back for good, so that nobody waits holding one.
func (all places) in(ctx context.Context, away bool, do func(context.Context) (any, error)) (any, error) {
	among := all.here
	if away {
		among = all.away
	}
	held, ok := ctx.Value(placeKey{}).(*place)
	if ok && (held.among == all.away || !away) {
		return do(ctx)
	}
	if ok {
		held.leave()
	}
	select {
	case among <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for other calls: %w", ctx.Err())
	}
	p := &place{among: among}
	defer p.leave()
	return do(context.WithValue(ctx, placeKey{}, p))
}

// isAway reports whether the action works on an account elsewhere.
func isAway(a metadata.Action) bool { return len(a.Scopes) > 0 }

// inPlace carries out a call of the action in a place.
func (r *Router) inPlace(ctx context.Context, a metadata.Action, do func(context.Context) (any, error)) (any, error) {
	return r.places.in(ctx, isAway(a), do)
}
