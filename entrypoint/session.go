package entrypoint

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"
)

// A Session is the state of one conversation: a connection of a client, or one run
// of the program.
type Session struct {
	Name string // unique; "" for the router's own

	shared  bool        // several conversations of one person may share it
	tainted atomic.Bool // untrusted text reached it

	readByProgram atomic.Bool // an output schema was asked for: a program reads the answers

	mu       sync.Mutex
	began    time.Time       // the time of its first call
	trusted  map[string]bool // recipients that the user trusts for the whole session
	refusals []Refusal
	open     map[*openQuestion]bool
	shown    map[string]bool // the user's mail that answers showed, as named by bundles.MarkShown
	removed  int             // mails removed since the user was last asked about removals
}

// NewSession returns a session that no untrusted text has reached.
func NewSession() *Session { return &Session{Name: rand.Text()} }

// NewSharedSession returns a session for calls whose conversations KOTA cannot
// distinguish. No untrusted text has reached it.
func NewSharedSession() *Session { return &Session{Name: rand.Text(), shared: true} }

// NewContext returns ctx for the calls of the session. Calls whose context has no session
// share the router's own.
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

// IsTainted reports whether untrusted text reached the session.
func (s *Session) IsTainted() bool { return s.tainted.Load() }

// TaintedSince reports whether untrusted text reached the session, and when the
// conversation began. People it first wrote to after that time do not count as known.
func (s *Session) TaintedSince() (began time.Time, tainted bool) {
	if !s.IsTainted() {
		return time.Time{}, false
	}
	return s.Began(), true
}

// InheritTaint makes the session continue a tainted conversation that began then.
func (s *Session) InheritTaint(began time.Time) {
	s.Taint()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() || began.Before(s.began) {
		s.began = began
	}
}

// maxShown is how many items a session remembers. The user is asked about an item that
// was forgotten.
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

// CountRemoved counts n removed items. It reports whether the total since the last
// ForgetRemoved is at most the limit. If the session has not shown each of the items,
// it counts nothing and reports false.
func (s *Session) CountRemoved(items []string, n, limit int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range items {
		if !s.shown[item] {
			return false
		}
	}
	if s.removed+n > limit {
		return false
	}
	s.removed += n
	return true
}

// ForgetRemoved resets the count of removals to zero.
func (s *Session) ForgetRemoved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = 0
}
