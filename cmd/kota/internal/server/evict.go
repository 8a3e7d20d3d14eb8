package main

import (
	"context"
	"time"
)

const (
	houseIdle  = 30 * time.Minute // after which one is closed that nobody came to
	houseQuiet = time.Minute      // after the last work, when one makes room in which somebody only listens
	houseSweep = time.Minute
)

// isOpen reports whether the house is open by now.
func (t *tenancy) isOpen() bool {
	select {
	case <-t.opened:
		return t.err == nil
	default:
		return false
	}
}

// free reports whether a house may be closed: it is open, and nothing goes on in
// it but, at most, that somebody listens.
func (t *tenancy) free() (free, listenedTo bool) {
	if !t.isOpen() || t.house.busy() {
		return false, false
	}
	return t.visitors <= t.house.endpoint.Listeners(), t.visitors > 0
}

// makeRoom closes the house that nobody had work in for the longest, where there is
// no room for another. It reports whether there is room then. A house that a client
// only listens in gives way to one that has work, or as many as there is room for
// would keep out all others for as long as they like; but not at once, or they
// would drive each other out.
func (all *houses) makeRoom() bool {
	if len(all.of) < all.most {
		return true
	}
	longest, longestHeard := "", false
	for name, t := range all.of {
		free, heard := t.free()
		switch {
		case !free, heard && all.now().Sub(t.worked) < houseQuiet:
		case longest == "", longestHeard && !heard, longestHeard == heard && t.worked.Before(all.of[longest].worked):
			longest, longestHeard = name, heard
		}
	}
	if longest == "" {
		return false
	}
	all.shut(longest)
	return true
}

// shut closes a house that is free. What its clients still have of it, sessions,
// is gone as after a restart, and they begin anew; but what made them careful
// stays.
func (all *houses) shut(name string) {
	t := all.of[name]
	delete(all.of, name)
	all.careful[name] = t.house.endpoint.TaintState()
	all.closing.Go(func() {
		t.house.endpoint.Drain()
		if err := t.house.close(context.Background()); err != nil {
			all.log.Error("close the house of an owner", "owner", name, "error", err)
		}
	})
}

// sweep closes the houses that nobody came to for long, at each tick until ctx is
// done.
func (all *houses) sweep(ctx context.Context, tick <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			all.shutIdle()
		}
	}
}

func (all *houses) shutIdle() {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.closed {
		return
	}
	for name, t := range all.of {
		if free, heard := t.free(); free && !heard && all.now().Sub(t.last) > houseIdle {
			all.shut(name)
		}
	}
}
