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
	name    string      // tells it from others; "" for the router's own
	shared  bool        // several conversations of one person may be in it
	foreign atomic.Bool // text from strangers came in

	wantsOutput atomic.Bool // a schema of answers was asked for: a program reads them

	mu       sync.Mutex
	began    time.Time       // when its first call came
	trusted  map[string]bool // recipients that the user agreed to for all of it
	refusals []refusal
	open     map[*openQuestion]bool
	shown    map[string]bool // the user's mail that answers had, as bundles.MarkShown names it
	removed  int             // how many mails were removed since the user was last asked about that
}

// sessionIn returns the session of the call in ctx, nil where there is none.
func sessionIn(ctx context.Context) *Session {
	if c := callOf(ctx); c != nil {
		return c.Session
	}
	return nil
}

// NewSession returns a session into which no untrusted text has come yet.
func NewSession() *Session { return &Session{name: rand.Text()} }

// NewSharedSession is NewSession for calls whose conversations nobody can tell
// apart.
func NewSharedSession() *Session { return &Session{name: rand.Text(), shared: true} }

// In returns ctx for the calls of the session. The calls of a context without
// one share a session of their router's.
func (s *Session) In(ctx context.Context) context.Context {
	return (&Call{Session: s}).in(ctx)
}

// WithSession returns ctx for the calls of a new session.
func WithSession(ctx context.Context) context.Context { return NewSession().In(ctx) }

// sessionName tells the session in ctx from others.
func sessionName(ctx context.Context) string {
	if s := sessionIn(ctx); s != nil {
		return s.name
	}
	return ""
}

// sessionBegan returns when the first call of the session in ctx came.
func sessionBegan(ctx context.Context) time.Time {
	s := sessionIn(ctx)
	if s == nil {
		return time.Time{}
	}
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

// trustable returns these people as a session may trust them: nil where the
// session in ctx is no single conversation, or where one of them has no address.
func trustable(ctx context.Context, people []string) []string {
	s := sessionIn(ctx)
	if s == nil || s.shared || s.name == "" {
		return nil
	}
	list := make([]string, len(people))
	for i, person := range people {
		address, ok := addressOf(person)
		if !ok {
			return nil
		}
		list[i] = address
	}
	return list
}

// trust notes that the user agreed to these people for the rest of the session in
// ctx. The people are as trustable returns them.
func trust(ctx context.Context, people []string) {
	s := sessionIn(ctx)
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trusted == nil {
		s.trusted = map[string]bool{}
	}
	for _, person := range people {
		s.trusted[person] = true
	}
}

// trusts reports whether the user agreed to each of these people for the rest of
// the session in ctx.
func trusts(ctx context.Context, people []string) bool {
	s := sessionIn(ctx)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, person := range people {
		if address, ok := addressOf(person); !ok || !s.trusted[address] {
			return false
		}
	}
	return len(people) > 0
}

// NoteOutputWanted notes that a program reads the answers of the session in ctx, if
// it is a single conversation.
func NoteOutputWanted(ctx context.Context) {
	if s := sessionIn(ctx); s != nil && !s.shared {
		s.wantsOutput.Store(true)
	}
}

// WantsOutput reports whether a program reads the answers of the session.
func (s *Session) WantsOutput() bool { return s.wantsOutput.Load() }
