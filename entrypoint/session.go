package entrypoint

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"
)

// A Session is the state of one conversation: a connection of a client, or one run
// of the program. Several conversations use a shared session if KOTA cannot
// distinguish them.
type Session struct {
	Name string // unique; "" for the session of the router

	shared  bool        // several conversations of one person may share it
	tainted atomic.Bool // untrusted text reached it

	readByProgram atomic.Bool // the caller asked for an output schema, so a program reads the answers

	mu       sync.Mutex
	began    time.Time       // the time of its first call
	trusted  map[string]bool // recipients that the user trusts for the whole session
	refusals []Refusal
	open     map[*openQuestion]bool
	shown    map[string]bool // items that answers showed, by the names that bundles.MarkShown got
	removed  int             // mails removed since the user was last asked about removals; unused with replicas

	replicas Replicas // nil without other replicas
}

// NewSession returns a session that no untrusted text has reached.
func NewSession() *Session { return &Session{Name: rand.Text()} }

// NewSharedSession returns a session for calls whose conversations KOTA cannot
// distinguish. No untrusted text has reached it.
func NewSharedSession() *Session { return &Session{Name: rand.Text(), shared: true} }

// NewContext returns ctx for the calls of the session. Calls whose context has no session
// share the session of the router.
func (s *Session) NewContext(ctx context.Context) context.Context {
	return (&Call{Session: s}).newContext(ctx)
}

// WithNewSession returns ctx for the calls of a new session.
func WithNewSession(ctx context.Context) context.Context { return NewSession().NewContext(ctx) }

// Began returns the time of the session's first call.
func (s *Session) Began() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.began
}

// begin records the time of the session's first call.
func (s *Session) begin(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() {
		s.began = now
	}
}

// IsSingle reports whether the session is exactly one conversation.
func (s *Session) IsSingle() bool { return !s.shared && s.Name != "" }

// Trust records that the user trusts these addresses for the rest of the session.
func (s *Session) Trust(addresses []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trusted == nil {
		s.trusted = map[string]bool{}
	}
	for _, address := range addresses {
		s.trusted[address] = true
	}
}

// Trusts reports whether the user trusts the address for the rest of the session.
func (s *Session) Trusts(address string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trusted[address]
}

// MarkReadByProgram records that a program reads the answers of the session in ctx. It
// does nothing if the session is shared.
func MarkReadByProgram(ctx context.Context) {
	if c := callFromContext(ctx); c != nil && !c.Session.shared {
		c.Session.readByProgram.Store(true)
	}
}

// IsReadByProgram reports whether a program reads the answers of the session.
func (s *Session) IsReadByProgram() bool { return s.readByProgram.Load() }

// Taint records that untrusted text reached the session. An approval does not remove
// the taint, because the text may ask for more.
func (s *Session) Taint() { s.tainted.Store(true) }

// IsTainted reports whether untrusted text reached the session. RefreshSession has asked the other
// replicas.
func (s *Session) IsTainted() bool { return s.tainted.Load() }

// KnownTaint reports whether untrusted text is known to have reached the session. If so, it also
// returns the time when the conversation began. A person counts as known only if
// the user wrote to them before that time.
func (s *Session) KnownTaint() (began time.Time, tainted bool) {
	if !s.tainted.Load() {
		return time.Time{}, false
	}
	return s.Began(), true
}

// InheritTaint makes the session continue a tainted conversation that began at the given
// time.
func (s *Session) InheritTaint(began time.Time) {
	s.Taint()
	s.SetLatestBegin(began)
}

// SetLatestBegin records that the conversation began at the given time or earlier.
func (s *Session) SetLatestBegin(began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() || began.Before(s.began) {
		s.began = began
	}
}

// maxShown is the maximum number of shown items that a session remembers. A session with so
// many items forgets them all before it remembers another. A forgotten item counts as not shown.
const maxShown = 5000

// MarkShown records that an answer of the session showed the item.
func (s *Session) MarkShown(item string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == nil || len(s.shown) >= maxShown {
		s.shown = map[string]bool{}
	}
	s.shown[item] = true
}

// CountRemoved counts n removed items and reports true. It counts nothing and reports false if
// this replica has not shown each of the items in the session. It does the same if the count of all
// replicas since the last ForgetRemoved would exceed the limit. It returns an error if the count of
// all replicas is unknown.
func (s *Session) CountRemoved(ctx context.Context, items []string, n, limit int) (bool, error) {
	if !s.hasShown(items) {
		return false, nil
	}
	if s.replicas != nil {
		return s.replicas.CountRemoved(ctx, n, limit)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed+n > limit {
		return false, nil
	}
	s.removed += n
	return true, nil
}

// hasShown reports whether answers of the session showed all these items.
func (s *Session) hasShown(items []string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range items {
		if !s.shown[item] {
			return false
		}
	}
	return true
}

// ForgetRemoved resets the count of removals to zero.
func (s *Session) ForgetRemoved(ctx context.Context) {
	if s.replicas != nil {
		_ = s.replicas.ForgetRemoved(ctx) // a count that stays too high only asks more
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = 0
}
