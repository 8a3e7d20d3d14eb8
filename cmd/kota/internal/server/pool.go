package server

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

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/footprint"
	"kota/cmd/kota/internal/tenant"
	"kota/entrypoint"
	"kota/entrypoint/transport"
	"kota/entrypoint/web"
)

// retryAfter is how long refused tenants should wait, and how long a tenant that failed to open is
// refused.
const retryAfter = 10 * time.Second

// Pool serves several tenants. It opens a tenant at their first request. It
// closes a tenant after a long idle time, or earlier if another needs the slot.
// If a tenant cannot be opened, nobody else is affected, and a request after
// retryAfter tries again.
type Pool struct {
	Max   int           // how many tenants may be open at the same time; 0 for no limit
	Grace time.Duration // how long Drain waits for running calls

	heap     int64     // what an open tenant keeps in use
	operator *instance // serves the user who runs the server; always open
	open     func(context.Context, tenant.Identity) (*instance, error)
	ctx      context.Context // the context of all instances
	log      *slog.Logger
	now      func() time.Time

	mu     sync.Mutex
	closed bool
	// These maps have the tenants' names as keys.
	entries map[string]*entry
	failed  map[string]time.Time            // when opening the tenant last failed
	taint   map[string]transport.TaintState // the taint of each closed tenant, whose conversations may continue
	closing sync.WaitGroup
}

// entry is a tenant that is open or being opened.
type entry struct {
	opened   chan struct{} // closed once instance or err is set
	instance *instance
	err      error

	// Guarded by Pool.mu.
	requests    int       // the number of requests under way
	lastRequest time.Time // when a request last came or ended
	workCount   int64     // how many requests did work, as the endpoint counts them
	lastWork    time.Time // when workCount last rose; initially the time of opening
}

// NewPool returns a pool for several tenants. router serves the user who runs
// the server. The pool ends with ctx.
func NewPool(ctx context.Context, a *app.App, router *entrypoint.Router) *Pool {
	return &Pool{
		Max: MaxTenants(a), Grace: transport.EndGrace, heap: heapOf(a), operator: newInstance(ctx, a, router), ctx: ctx, log: a.Log, now: time.Now,
		entries: map[string]*entry{}, failed: map[string]time.Time{}, taint: map[string]transport.TaintState{},
		open: func(ctx context.Context, who tenant.Identity) (*instance, error) {
			if err := who.Folder.Claim(who.Person, a.Now()); err != nil {
				return nil, err
			}
			tenantApp := a.ForOwner(who.Folder)
			router, err := tenantApp.Router()
			if err != nil {
				return nil, err
			}
			return newInstance(ctx, tenantApp, router), nil
		},
	}
}

// ServeHTTP passes a request to the instance of its tenant.
func (p *Pool) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who, ok := tenant.IdentityOf(r.Context())
	if !ok {
		p.operator.ServeHTTP(w, r)
		return
	}
	e, err := p.acquire(r.Context(), who)
	if err != nil {
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
		web.Refuse(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	defer p.release(e)
	e.instance.ServeHTTP(w, r)
}

var (
	errFull         = errors.New("too many people use this server now; try again in a few minutes")
	errShuttingDown = errors.New("the server is shutting down")
	errBroken       = errors.New("your data cannot be opened now; ask the operator of this server; its log has the reason")
)

// acquire returns the tenant's entry, which stays open until the caller
// calls release.
func (p *Pool) acquire(ctx context.Context, who tenant.Identity) (*entry, error) {
	e, err := p.admit(who)
	if err != nil {
		return nil, err
	}
	select {
	case <-e.opened:
	case <-ctx.Done():
		p.release(e)
		return nil, ctx.Err()
	}
	if e.err != nil {
		p.release(e)
		return nil, errBroken
	}
	return e, nil
}

// admit returns the tenant's entry and counts the request. The entry may not be
// open yet.
func (p *Pool) admit(who tenant.Identity) (*entry, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errShuttingDown
	}
	if when, ok := p.failed[who.Folder.Name]; ok && p.now().Sub(when) < retryAfter {
		return nil, errBroken
	}
	e := p.entries[who.Folder.Name]
	if e == nil {
		if !p.evict() {
			p.log.Warn("a tenant was refused: the memory is enough for no more at a time; more memory, a higher GOMEMLIMIT or a PostgreSQL database allows more", "most", p.Max)
			return nil, errFull
		}
		delete(p.failed, who.Folder.Name)
		e = &entry{opened: make(chan struct{}), lastWork: p.now()}
		p.entries[who.Folder.Name] = e
		go p.openTenant(e, who)
	}
	e.requests++
	e.lastRequest = p.now()
	return e, nil
}

// openTenant opens the tenant. One caller's timeout does not cancel the opening.
func (p *Pool) openTenant(e *entry, who tenant.Identity) {
	defer close(e.opened)
	defer func() {
		if fault := recover(); fault != nil { // this goroutine has no other handler
			e.err = entrypoint.ReportPanic(p.log, "open the data of a tenant", fault)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if e.err != nil {
			delete(p.entries, who.Folder.Name)
			p.failed[who.Folder.Name] = p.now()
			p.log.Error("the data of a tenant cannot be opened", "owner", who.Folder.Name, "error", e.err)
		}
	}()
	if e.instance, e.err = p.open(p.ctx, who); e.err != nil {
		return
	}
	footprint.Allow(p.heap)
	e.instance.endpoint.ShareBodyLimit(p.operator.endpoint)
	p.mu.Lock()
	defer p.mu.Unlock()
	e.instance.endpoint.RestoreTaint(who.Folder.Name, p.taint[who.Folder.Name])
}

func (p *Pool) release(e *entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e.requests--
	e.lastRequest = p.now()
	if !e.isOpen() {
		return
	}
	if works := e.instance.endpoint.RequestCount(); works != e.workCount {
		e.workCount, e.lastWork = works, e.lastRequest
	}
}

// IsOpen reports whether the tenant of that name is open or being opened.
func (p *Pool) IsOpen(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.entries[name] != nil
}

// Open returns how many tenants are open or being opened, and how many requests only listen.
func (p *Pool) Open() (tenants, listeners int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	listeners = p.operator.endpoint.Listeners()
	for _, e := range p.entries {
		if e.isOpen() {
			listeners += e.instance.endpoint.Listeners()
		}
	}
	return len(p.entries), listeners
}

// Drain ends the work in all instances, as Endpoint.Drain does, and refuses new
// requests of tenants.
func (p *Pool) Drain() {
	var drained sync.WaitGroup
	for _, i := range append(p.stopAdmitting(), p.operator) {
		drained.Go(func() { i.endpoint.Drain(p.Grace) })
	}
	drained.Wait()
}

// stopAdmitting makes the pool admit no more tenants. It returns the open
// instances, except the instance of the user who runs the server.
func (p *Pool) stopAdmitting() []*instance {
	p.mu.Lock()
	p.closed = true
	entries := slices.Collect(maps.Values(p.entries))
	p.mu.Unlock()
	var open []*instance
	for _, e := range entries {
		if <-e.opened; e.err == nil {
			open = append(open, e.instance)
		}
	}
	return open
}

// Close closes all tenants except the user who runs the server. Drain must have
// returned.
func (p *Pool) Close(ctx context.Context) {
	for _, i := range p.stopAdmitting() {
		p.closing.Go(func() {
			if err := i.close(ctx); err != nil {
				i.app.Log.Error("close the data of a tenant", "error", err)
			}
		})
	}
	p.closing.Wait()
}
