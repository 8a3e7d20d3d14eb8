package transport

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"sync"
	"time"
)

// localIdle is how long a replica remembers a session that it does not use. Any replica can open the
// session again from the SessionStore.
const localIdle = 2 * time.Minute

// replicas is the part of an Endpoint that shares its sessions with other replicas.
type replicas struct {
	store SessionStore // nil: the sessions are in memory, and no other replica has them

	opening sync.Mutex // held while a session is opened that another replica may have begun

	watchMu   sync.Mutex
	receivers int // how many streams, calls and questions wait for messages
	unwatch   context.CancelFunc

	receiving sync.Mutex // held while messages are passed on
	received  int64      // the number of the last message

	sweeping bool // a timer will forget idle sessions; guarded by watchMu
}

// Share makes the endpoint keep its sessions in the store, so that any replica serves any request of
// a session. Call it before the first request.
func (e *Endpoint) Share(store SessionStore) *Endpoint {
	e.store, e.sessions.shared = store, store != nil
	return e
}

// find returns the principal's session with this id, or nil if there is none. The session is in use
// until the caller calls release.
func (e *Endpoint) find(ctx context.Context, id, principal string) (*httpSession, error) {
	if e.store == nil {
		return e.sessions.acquire(id, principal), nil
	}
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	s, known := e.sessions.acquire(id, principal), int64(0)
	if s != nil {
		known = s.shared.known()
	}
	found, err := e.store.Find(ctx, storeID(id, principal), known)
	if err == nil && s == nil {
		s, err = e.openFound(id, principal)
	}
	if err == nil {
		s.shared.take(found)
		return s, nil
	}
	if s != nil {
		defer e.sessions.release(s)
	}
	if errors.Is(err, ErrNoSession) {
		if s != nil {
			e.forget(s)
		}
		return nil, nil
	}
	return nil, err
}

// storeID returns the id of a principal's session in the SessionStore. Another principal with the same
// id thus has another session, and who reads the store cannot use the sessions.
func storeID(id, principal string) string {
	digest := sha256.Sum256([]byte(principal + "\x00" + id))
	return hex.EncodeToString(digest[:])
}

// openFound opens a session that another replica has begun. Another request may have opened it
// meanwhile.
func (e *Endpoint) openFound(id, principal string) (*httpSession, error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	if s := e.sessions.acquire(id, principal); s != nil {
		return s, nil
	}
	s, err := e.newSession(id, principal)
	if err != nil {
		return nil, err
	}
	if _, ok := e.sessions.add(s); !ok {
		s.session.Close()
		return nil, errEnding
	}
	e.sweepLater()
	return s, nil
}

// errEnding says that this replica ends.
var errEnding = errors.New(notBegun)

// newSession returns a session that is not yet open.
func (e *Endpoint) newSession(id, principal string) (*httpSession, error) {
	c, err := newConn(e.ctx, e.handler, e.log, id)
	if err != nil {
		return nil, err
	}
	s := &httpSession{conn: c, principal: principal, ended: make(chan struct{}), lastUsed: e.sessions.now()}
	if e.store != nil {
		c.shared = e.newSharedConn(c, storeID(id, principal))
		c.questions.lastID = randomNumber() // two replicas may ask the same client
		c.session.Listen(false)
	}
	return s, nil
}

// randomNumber returns a number that leaves space for many more, and that JSON readers do not round.
func randomNumber() (n int64) {
	random := [6]byte{}
	rand.Read(random[:])
	for _, b := range random {
		n = n<<8 | int64(b)
	}
	return n
}

// begin stores a new session, which is open on this replica.
func (e *Endpoint) begin(ctx context.Context, s *httpSession) error {
	if e.store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	begun, err := e.store.Begin(ctx, s.shared.id)
	if err != nil {
		return err
	}
	s.shared.take(begun)
	e.sweepLater()
	return nil
}

// forget closes a session on this replica only.
func (e *Endpoint) forget(s *httpSession) {
	if e.sessions.remove(s) {
		e.close(s)
	}
}

// sweepLater forgets sessions that this replica no longer uses, while there are any.
func (e *Endpoint) sweepLater() {
	e.watchMu.Lock()
	defer e.watchMu.Unlock()
	if e.sweeping {
		return
	}
	e.sweeping = true
	time.AfterFunc(localIdle, func() {
		idle, left := e.sessions.removeIdle()
		for _, s := range idle {
			e.close(s)
		}
		e.watchMu.Lock()
		e.sweeping = false
		e.watchMu.Unlock()
		if left {
			e.sweepLater()
		}
	})
}

// unavailable answers a request whose session cannot be read now.
func (e *Endpoint) unavailable(w http.ResponseWriter, id []byte, err error) {
	if err != errEnding {
		e.log.Error("read a session", "err", err)
	}
	w.Header().Set("Retry-After", "5")
	writeError(w, http.StatusServiceUnavailable, id, internalError, "the session cannot be read now; send the request again later")
}
