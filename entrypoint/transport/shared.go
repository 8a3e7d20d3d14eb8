package transport

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"
)

// A SessionStore shares the sessions of an Endpoint with all replicas, the processes that serve the
// same person. The id "" stands for all calls without a session, which are one conversation.
type SessionStore interface {
	// Begin stores a new session and returns the taint that it inherits. It returns
	// ErrTooManySessions if the maximum is reached.
	Begin(ctx context.Context, id string) (SharedState, error)
	// Find returns an open session, or ErrNoSession. It omits the Entries if their revision is known.
	Find(ctx context.Context, id string, known int64) (SharedState, error)
	// Save changes an open session and returns all of it, or ErrNoSession. For the id "" it creates
	// what is missing.
	Save(ctx context.Context, id string, change SharedChange) (SharedState, error)
	// End removes a session.
	End(ctx context.Context, id string) error
	// CountRemoved adds n to the removed items of an open session and reports true. If the sum would
	// exceed the limit, or there is no such session, it adds nothing and reports false.
	CountRemoved(ctx context.Context, id string, n, limit int) (bool, error)
	// ForgetRemoved sets the removed items of a session to zero.
	ForgetRemoved(ctx context.Context, id string) error

	// ClaimStream records that the client listens on this stream, and on no other. Call it again each
	// ClaimEvery until ReleaseStream.
	ClaimStream(ctx context.Context, id, stream string) error
	ReleaseStream(ctx context.Context, id, stream string) error

	// Send passes a message of the client to the other replicas.
	Send(ctx context.Context, id string, message []byte) error
	// Messages returns the messages for these sessions that were sent after the one with the number.
	Messages(ctx context.Context, ids []string, after int64) ([]SharedMessage, error)
	// Watch calls changed at once and after every Send, End, ClaimStream and change of entries, until ctx is
	// done. It may call changed more often.
	Watch(ctx context.Context, changed func())
}

// ClaimEvery is the time between two calls of SessionStore.ClaimStream for one stream.
const ClaimEvery = 5 * time.Minute

// Errors of a SessionStore.
var (
	ErrNoSession       = errors.New("there is no such session")
	ErrTooManySessions = errors.New("the maximum number of sessions is open")
)

// SharedState is what all replicas know about a session.
type SharedState struct {
	Entries  map[string]string // what the Session gave to Entries; nil if omitted
	Revision int64             // increases with each change of the entries
	Taint    Taint             // Began is always set
	Stream   string            // the stream on which the client listens; "" for none
}

// SharedChange is what a replica adds to a session. It has only differences, because several replicas
// may change a session at the same time.
type SharedChange struct {
	Entries map[string]*string // nil removes the entry
	Taint   Taint
}

// SharedMessage is a message of a client for a call on another replica.
type SharedMessage struct {
	Number  int64
	Session string
	Body    []byte
}

// shareTimeout limits the time for a question to the SessionStore. It is longer than the time that a
// database needs to fail over.
const shareTimeout = 15 * time.Second

// A sharedConn connects a conn with the state of its session in the SessionStore.
type sharedConn struct {
	store   SessionStore
	id      string
	session Session
	receive func() (stop func()) // lets messages from other replicas arrive until stop

	mu       sync.Mutex
	entries  map[string]string // as last found or saved
	revision int64
	taint    Taint     // as last found or saved
	saved    time.Time // when the taint was last saved
}

// Refresh takes over what other replicas have changed.
func (s *sharedConn) Refresh(ctx context.Context) error {
	found, err := s.store.Find(ctx, s.id, s.known())
	if s.id == "" && errors.Is(err, ErrNoSession) {
		return nil // no call without a session has saved anything
	}
	if err != nil {
		return err
	}
	s.take(found)
	return nil
}

// CountRemoved counts removed items for all replicas.
func (s *sharedConn) CountRemoved(ctx context.Context, n, limit int) (bool, error) {
	if err := s.save(ctx); err != nil { // the call may be the first one without a session that stores anything
		return false, err
	}
	return s.store.CountRemoved(ctx, s.id, n, limit)
}

// ForgetRemoved sets the removed items to zero for all replicas.
func (s *sharedConn) ForgetRemoved(ctx context.Context) error {
	return s.store.ForgetRemoved(ctx, s.id)
}

// known returns the revision of the entries that the Session has.
func (s *sharedConn) known() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revision
}

// take takes over a state that was found. It keeps what this replica has changed since.
func (s *sharedConn) take(found SharedState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeLocked(found)
}

func (s *sharedConn) takeLocked(found SharedState) {
	s.session.Inherit(found.Taint)
	s.taint = found.Taint.join(s.taint)
	if found.Entries == nil || found.Revision <= s.revision {
		return
	}
	if change := difference(s.entries, found.Entries); len(change) > 0 {
		s.session.Change(change)
	}
	s.entries, s.revision = found.Entries, found.Revision
}

// taintKept is how old the stored taint of calls without a session may become while they continue.
const taintKept = time.Hour

// save stores what the calls of this replica have changed. It must return before their answers leave,
// because the client may send its next call to another replica.
func (s *sharedConn) save(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	change := SharedChange{Entries: difference(s.entries, s.session.Entries())}
	if taint := s.session.Taint(); taint.Tainted && (!s.taint.Tainted || s.id == "" && time.Since(s.saved) > taintKept) {
		change.Taint = taint
	}
	if len(change.Entries) == 0 && !change.Taint.Tainted {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shareTimeout)
	defer cancel()
	saved, err := s.store.Save(ctx, s.id, change)
	if err != nil {
		return err
	}
	for key, value := range change.Entries { // the session has them, and must not get them again
		if value == nil {
			delete(s.entries, key)
		} else {
			s.entries[key] = *value
		}
	}
	s.saved = time.Now()
	s.takeLocked(saved)
	return nil
}

// difference returns the change from one set of entries to another.
func difference(from, to map[string]string) map[string]*string {
	change := map[string]*string(nil)
	add := func(key string, value *string) {
		if change == nil {
			change = map[string]*string{}
		}
		change[key] = value
	}
	for key, value := range to {
		if before, ok := from[key]; !ok || before != value {
			add(key, &value)
		}
	}
	for key := range from {
		if _, ok := to[key]; !ok {
			add(key, nil)
		}
	}
	return change
}

// newSharedConn returns a sharedConn for a conn that has just been opened. It has this id in the store.
func (e *Endpoint) newSharedConn(c *conn, id string) *sharedConn {
	s := &sharedConn{store: e.store, id: id, session: c.session, receive: e.receiveMessages, entries: maps.Clone(c.session.Entries())}
	if s.entries == nil {
		s.entries = map[string]string{}
	}
	c.session.Share(s)
	return s
}
