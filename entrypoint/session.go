package entrypoint

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"
)

// A Session is what is remembered of one conversation: a connection of a client
// or a run of the program.
type Session struct {
	Name string // tells it from others; "" for the router's own

	shared  bool        // several conversations of one person may be in it
	tainted atomic.Bool // untrusted text came in

	wantsOutput atomic.Bool // a schema of answers was asked for: a program reads them

	mu       sync.Mutex
	began    time.Time       // when its first call came
	trusted  map[string]bool // recipients that the user agreed to for all of it
	refusals []Refusal
	open     map[*openQuestion]bool
	shown    map[string]bool // the user's mail that answers had, as bundles.MarkShown names it
	removed  int             // how many mails were removed since the user was last asked about that
}

// NewSession returns a session into which no untrusted text has come yet.
func NewSession() *Session { return &Session{Name: rand.Text()} }

// NewSharedSession is NewSession for calls whose conversations nobody can tell
// apart.
func NewSharedSession() *Session { return &Session{Name: rand.Text(), shared: true} }

// In returns ctx for the calls of the session. The calls of a context without
// one share a session of their router's.
func (s *Session) In(ctx context.Context) context.Context {
	return (&Call{Session: s}).in(ctx)
}

// WithSession returns ctx for the calls of a new session.
func WithSession(ctx context.Context) context.Context { return NewSession().In(ctx) }

// Began returns when the first call of the session came.
func (s *Session) Began() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.began
}

// begin notes when the first call of a session came.
func (s *Session) begin(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() {
		s.began = now
	}
}

// IsSingle reports whether the session is one conversation and no more.
func (s *Session) IsSingle() bool { return !s.shared && s.Name != "" }

// Trust notes that the user agreed to these addresses for the rest of the session.
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

// Trusts reports whether the user agreed to the address for the rest of the session.
func (s *Session) Trusts(address string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trusted[address]
}

// NoteOutputWanted notes that a program reads the answers of the session in ctx, if
// it is a single conversation.
func NoteOutputWanted(ctx context.Context) {
	if c := callOf(ctx); c != nil && !c.Session.shared {
		c.Session.wantsOutput.Store(true)
	}
}

// WantsOutput reports whether a program reads the answers of the session.
func (s *Session) WantsOutput() bool { return s.wantsOutput.Load() }

// Taint notes that untrusted text came into the session. An approval does not end
// that: the text may ask for more.
func (s *Session) Taint() { s.tainted.Store(true) }

// IsTainted reports whether untrusted text came into the session.
func (s *Session) IsTainted() bool { return s.tainted.Load() }

// Tainted reports whether untrusted text came into the session, and when the
// conversation began: people it reached are not known by that.
func (s *Session) Tainted() (began time.Time, tainted bool) {
	if !s.IsTainted() {
		return time.Time{}, false
	}
	return s.Began(), true
}

// InheritTaint has the session continue a tainted conversation that began then.
func (s *Session) InheritTaint(began time.Time) {
	s.Taint()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() || began.Before(s.began) {
		s.began = began
	}
}

// maxShown is how many items are remembered: the user is asked about one that was
// forgotten.
const maxShown = 5000

// MarkShown notes that an answer of the session has an item.
func (s *Session) MarkShown(item string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == nil || len(s.shown) >= maxShown {
		s.shown = map[string]bool{}
	}
	s.shown[item] = true
}

// CountRemoved counts n removed items, and reports whether that is at most max in
// all since the last ForgetRemoved. It counts nothing and reports false where the
// session has not shown each of them.
func (s *Session) CountRemoved(items []string, n, most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range items {
		if !s.shown[item] {
			return false
		}
	}
	if s.removed+n > most {
		return false
	}
	s.removed += n
	return true
}

// ForgetRemoved begins to count removals from zero.
func (s *Session) ForgetRemoved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = 0
}
