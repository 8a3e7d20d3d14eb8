package entrypoint

import (
	"context"

	"kota/bundles"
)

const (
	mostRemoved = 10   // mails that a session removes without a question, once it is tainted
	mostShown   = 5000 // items that are remembered; the user is asked about one that was forgotten
)

// markShown notes that an answer of the session has an item.
func (s *Session) markShown(item string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == nil || len(s.shown) >= mostShown {
		s.shown = map[string]bool{}
	}
	s.shown[item] = true
}

// mayRemoveUnasked counts a removal and reports whether it needs no question: the
// session in ctx has shown all of it, and has removed little since it last asked.
func mayRemoveUnasked(ctx context.Context, removal bundles.Removal) bool {
	s := sessionIn(ctx)
	if s == nil || len(removal.Items) == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range removal.Items {
		if !s.shown[item] {
			return false
		}
	}
	if s.removed+removal.Count > mostRemoved {
		return false
	}
	s.removed += removal.Count
	return true
}

// forgetRemoved notes that the user has agreed to a removal of the session in ctx.
func forgetRemoved(ctx context.Context) {
	if s := sessionIn(ctx); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.removed = 0
	}
}
