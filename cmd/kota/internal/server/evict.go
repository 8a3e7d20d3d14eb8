package server

import (
	"context"
	"time"

	"kota/cmd/kota/internal/footprint"
	"kota/entrypoint/transport"
)

const (
	idleAfter         = 30 * time.Minute // a tenant without requests for this long is closed
	listenerIdleAfter = time.Minute      // a tenant who only listens for this long can be closed if another needs the slot
	sweepInterval     = time.Minute
)

// isOpen reports whether the instance is open.
func (e *entry) isOpen() bool {
	select {
	case <-e.opened:
		return e.err == nil
	default:
		return false
	}
}

// isClosable reports whether the entry may be closed: it is open, is not busy, and
// has no requests except listening streams. If so, it also reports whether the
// entry has such a stream.
func (e *entry) isClosable() (free, listening bool) {
	if !e.isOpen() || e.instance.busy() {
		return false, false
	}
	return e.requests <= e.instance.endpoint.Listeners(), e.requests > 0
}

// evict closes a tenant if the pool is full, and reports whether there is a slot
// afterwards. It closes the tenant that can be closed and had no work for the
// longest time; tenants who only listen come last. It must close listeners too,
// or they could take all slots. A listener stays for at least listenerIdleAfter,
// or listeners would close each other.
func (p *Pool) evict() bool {
	if p.Max == 0 || len(p.entries) < p.Max {
		return true
	}
	longest, longestListens := "", false
	for name, e := range p.entries {
		free, listening := e.isClosable()
		switch {
		case !free, listening && p.now().Sub(e.lastWork) < listenerIdleAfter:
		case longest == "", longestListens && !listening, longestListens == listening && e.lastWork.Before(p.entries[longest].lastWork):
			longest, longestListens = name, listening
		}
	}
	if longest == "" {
		return false
	}
	p.closeTenant(longest)
	return true
}

// closeTenant closes a tenant for which isClosable is true. Its clients lose
// their sessions, as after a restart, and begin new ones. The pool remembers which
// of their conversations have had untrusted content (taint).
func (p *Pool) closeTenant(name string) {
	e := p.entries[name]
	delete(p.entries, name)
	footprint.Allow(-p.heap)
	p.taint[name] = e.instance.endpoint.TaintState()
	p.closing.Go(func() {
		e.instance.endpoint.Drain(transport.EndGrace)
		if err := e.instance.close(context.Background()); err != nil {
			p.log.Error("close the data of a tenant", "owner", name, "error", err)
		}
	})
}

// Sweep closes idle tenants at each time that tick delivers, until ctx is done.
func (p *Pool) Sweep(ctx context.Context, tick <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick:
			p.closeIdle(now)
		}
	}
}

func (p *Pool) closeIdle(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	for name, e := range p.entries {
		if free, listening := e.isClosable(); free && !listening && now.Sub(e.lastRequest) > idleAfter {
			p.closeTenant(name)
		}
	}
}
