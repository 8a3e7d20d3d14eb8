package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"kota/cmd/kota/internal/tenant"
	"kota/entrypoint"
	"kota/entrypoint/transport"
	"kota/entrypoint/web"
)

const (
	mostHouses = 16               // open at the same time, beside that of who runs the server: each takes about 5 MB
	comeAgain  = 10 * time.Second // after which whoever was not let in may come again
)

// houses are those that are open. That of an owner is opened when they first
// come, and closed when nobody came to it for long or another needs the room. One
// that cannot be opened keeps out its owner alone, and is tried again when they
// come again after a while.
type houses struct {
	own  *house // of who runs the server; it is always open
	open func(context.Context, tenant.Identity) (*house, error)
	ctx  context.Context // of all that goes on in them
	log  *slog.Logger
	now  func() time.Time
	most int

	mu      sync.Mutex
	closed  bool
	of      map[string]*tenancy             // by the owner's name
	failed  map[string]time.Time            // when a house could not be opened
	careful map[string]transport.TaintState // what conversations left that may go on, in houses that are closed
	closing sync.WaitGroup
}

// A tenancy is a house that is open, or being opened.
type tenancy struct {
	opened chan struct{} // closed once the next two are said
	house  *house
	err    error

	// Guarded by houses.mu.
	visitors int
	last     time.Time // when somebody came or left
	works    int64     // that were begun in it,
	worked   time.Time // and when that was; at first when it was opened
}

func newHouses(ctx context.Context, own *house) *houses {
	return &houses{
		own: own, ctx: ctx, log: own.app.Log, now: time.Now, most: mostHouses, of: map[string]*tenancy{}, failed: map[string]time.Time{}, careful: map[string]transport.TaintState{},
		open: func(ctx context.Context, who tenant.Identity) (*house, error) {
			if err := who.Folder.Settle(who.Person, own.app.Now()); err != nil {
				return nil, err
			}
			return openOwners(ctx, own.app, who.Folder)
		},
	}
}

// ServeHTTP leads a request into the house of whose it is.
func (all *houses) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who, ok := tenant.IdentityOf(r.Context())
	if !ok {
		all.own.ServeHTTP(w, r)
		return
	}
	t, err := all.enter(r.Context(), who)
	if err != nil {
		w.Header().Set("Retry-After", strconv.Itoa(int(comeAgain.Seconds())))
		web.Refuse(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	defer all.exit(t)
	t.house.ServeHTTP(w, r)
}

var (
	errFull   = errors.New("too many people are served at the moment; come again in a while")
	errEnding = errors.New("the server is shutting down")
	errShut   = errors.New("what is kept for you cannot be opened now; who runs this server finds the reason in its log")
)

// enter returns the owner's house, which stays open until the caller exits.
func (all *houses) enter(ctx context.Context, who tenant.Identity) (*tenancy, error) {
	t, err := all.admit(who)
	if err != nil {
		return nil, err
	}
	select {
	case <-t.opened:
	case <-ctx.Done():
		all.exit(t)
		return nil, ctx.Err()
	}
	if t.err != nil {
		all.exit(t)
		return nil, errShut
	}
	return t, nil
}

func (all *houses) admit(who tenant.Identity) (*tenancy, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.closed {
		return nil, errEnding
	}
	if when, ok := all.failed[who.Folder.Name]; ok && all.now().Sub(when) < comeAgain {
		return nil, errShut
	}
	t := all.of[who.Folder.Name]
	if t == nil {
		if !all.makeRoom() {
			all.log.Warn("somebody was not let in: all houses are in use", "most", all.most)
			return nil, errFull
		}
		delete(all.failed, who.Folder.Name)
		t = &tenancy{opened: make(chan struct{}), worked: all.now()}
		all.of[who.Folder.Name] = t
		go all.begin(t, who)
	}
	t.visitors++
	t.last = all.now()
	return t, nil
}

// begin opens the house. Nobody's patience is everybody's.
func (all *houses) begin(t *tenancy, who tenant.Identity) {
	defer close(t.opened)
	defer func() {
		if p := recover(); p != nil { // nobody else could
			t.err = entrypoint.Panicked(all.log, "open the house of an owner", p)
		}
		all.mu.Lock()
		defer all.mu.Unlock()
		if t.err != nil {
			delete(all.of, who.Folder.Name)
			all.failed[who.Folder.Name] = all.now()
			all.log.Error("the house of an owner cannot be opened", "owner", who.Folder.Name, "error", t.err)
		}
	}()
	if t.house, t.err = all.open(all.ctx, who); t.err != nil {
		return
	}
	t.house.endpoint.ShareBodyLimit(all.own.endpoint)
	all.mu.Lock()
	defer all.mu.Unlock()
	t.house.endpoint.RestoreTaint(who.Folder.Name, all.careful[who.Folder.Name])
}

func (all *houses) exit(t *tenancy) {
	all.mu.Lock()
	defer all.mu.Unlock()
	t.visitors--
	t.last = all.now()
	if !t.isOpen() {
		return
	}
	if works := t.house.endpoint.Works(); works != t.works {
		t.works, t.worked = works, t.last
	}
}

// drain ends what goes on in all of them, as Endpoint.Drain does, and lets nobody
// in any more.
func (all *houses) drain() {
	var drained sync.WaitGroup
	for _, h := range append(all.end(), all.own) {
		drained.Go(h.endpoint.Drain)
	}
	drained.Wait()
}

// end admits nobody any more, and returns the houses of owners.
func (all *houses) end() []*house {
	all.mu.Lock()
	all.closed = true
	open := slices.Collect(maps.Values(all.of))
	all.mu.Unlock()
	var there []*house
	for _, t := range open {
		if <-t.opened; t.err == nil {
			there = append(there, t.house)
		}
	}
	return there
}

// close closes the houses of all owners, which have drained.
func (all *houses) close(ctx context.Context) {
	for _, h := range all.end() {
		all.closing.Go(func() {
			if err := h.close(ctx); err != nil {
				h.app.Log.Error("close the house of an owner", "error", err)
			}
		})
	}
	all.closing.Wait()
}
