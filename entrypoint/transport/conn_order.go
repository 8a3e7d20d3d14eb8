package transport

import (
	"context"
	"slices"
	"time"
)

const (
	maxRunning = 24              // reads and writes of one side that have begun and have no answer yet
	placeLimit = 5 * time.Second // how long others wait for a call
)

// A rank says which calls a call waits for.
type rank int

const (
	rankFree    rank = iota // waits only for initialize
	rankRead                // also waits for earlier writes
	rankWrite               // also waits for earlier reads and writes
	rankOpening             // initialize: all later calls wait for it
)

// A side says where a call works. Calls of different sides do not wait for one another.
type side int

const (
	sideLocal  side = iota // data that KOTA stores
	sideRemote             // a remote account
	sides
)

// A turn is the rank of a call and the sides to which it applies.
type turn struct {
	rank rank
	on   []side // for reads and writes
}

var (
	local  = []side{sideLocal}
	remote = []side{sideRemote}
	either = []side{sideLocal, sideRemote} // for a call whose side is unknown
)

// unordered returns the turn of a call without a session. It waits for no other call,
// only for the limit on running calls.
func (t turn) unordered() turn {
	if len(t.on) == 0 {
		return turn{rank: rankFree}
	}
	return turn{rankRead, t.on}
}

// turn returns which earlier calls the request must wait for.
func (c *conn) turn(e envelope) turn {
	switch e.method {
	case methodInitialize:
		return turn{rank: rankOpening}
	case methodRead, methodPrompt, methodComplete:
		return turn{rankRead, local}
	case methodCallTool:
		return c.turnOf(e)
	}
	return turn{rank: rankFree}
}

// turnOf returns the turn of a tools/call. An unknown tool counts as a write on either side.
func (c *conn) turnOf(e envelope) turn {
	t := turn{rankWrite, either}
	reads, away, known := c.handler.Traits(e.tool, e.bundle, e.action)
	if reads {
		t.rank = rankRead
	}
	switch {
	case known && away:
		t.on = remote
	case known:
		t.on = local
	}
	return t
}

// A callOrder decides which calls may begin. conn.mu guards it.
type callOrder struct {
	ranked   [sides][]*Call // waiting reads and writes, in order of arrival; a call on either side is in both
	unranked []*Call        // other calls, which wait for initialize
	halted   bool           // no more calls begin

	opening int // placed calls of each rank
	reading [sides]int
	writing [sides]int
	running [sides]int  // reads and writes that have begun, placed or not; not those on either side
	asking  [sides]bool // a slot was requested for the first waiting call
	spare   [sides]bool // that call has begun without it
}

// run adds n to the running calls of that turn's side.
func (o *callOrder) run(t turn, n int) {
	if len(t.on) == 1 {
		o.running[t.on[0]] += n
	}
}

// place adds n to the placed calls of that turn.
func (o *callOrder) place(t turn, n int) {
	if t.rank == rankOpening {
		o.opening += n
	}
	for _, s := range t.on {
		if t.rank == rankRead {
			o.reading[s] += n
		} else {
			o.writing[s] += n
		}
	}
}

// admits reports whether the call may begin: it is the first of its lines, and no
// placed call is in its way.
func (o *callOrder) admits(call *Call) bool {
	if o.halted || o.opening > 0 {
		return false
	}
	for _, s := range call.turn.on {
		if o.ranked[s][0] != call || o.writing[s] > 0 || call.turn.rank == rankWrite && o.reading[s] > 0 {
			return false
		}
	}
	if len(call.turn.on) != 1 {
		return true
	}
	s := call.turn.on[0]
	return o.running[s] == 0 || o.running[s] < maxRunning && !o.asking[s]
}

// lines returns the lines in which the call waits.
func (o *callOrder) lines(call *Call) []*[]*Call {
	if len(call.turn.on) == 0 {
		return []*[]*Call{&o.unranked}
	}
	var all []*[]*Call
	for _, s := range call.turn.on {
		all = append(all, &o.ranked[s])
	}
	return all
}

// add puts the call at the end of its lines.
func (o *callOrder) add(call *Call) {
	for _, line := range o.lines(call) {
		*line = append(*line, call)
	}
}

// drop removes the call from its lines.
func (o *callOrder) drop(call *Call) {
	for _, line := range o.lines(call) {
		if (*line)[0] == call {
			(*line)[0] = nil // frees its message
			*line = (*line)[1:]
			continue
		}
		*line = slices.DeleteFunc(*line, func(waits *Call) bool { return waits == call })
	}
}

// next returns a call that may begin, or nil.
func (o *callOrder) next() *Call {
	for _, line := range [][]*Call{o.unranked, o.ranked[sideLocal], o.ranked[sideRemote]} {
		if len(line) > 0 && o.admits(line[0]) {
			return line[0]
		}
	}
	return nil
}

// advance begins the calls that may begin. The caller holds c.mu.
func (c *conn) advance() {
	for first := c.line.next(); first != nil; first = c.line.next() {
		if c.mayRun(first) {
			c.line.drop(first)
			c.begin(first)
		}
	}
}

// mayRun takes a slot for the call and reports whether the call may begin. If no slot is
// free, the call waits here, where its time does not run. But if nothing else of its side
// runs, it begins and waits in its handler, so that it is answered in time whoever holds
// the slots. The caller holds c.mu.
func (c *conn) mayRun(call *Call) bool {
	if len(call.turn.on) != 1 {
		return true // only its handler knows the side
	}
	s := call.turn.on[0]
	if !c.line.asking[s] {
		call.Slot = c.handler.Acquire(s == sideRemote, func(slot Slot) { c.give(s, slot) })
		c.line.asking[s] = call.Slot == nil
	}
	if call.Slot == nil && c.line.running[s] > 0 {
		return false
	}
	c.line.spare[s] = call.Slot == nil
	return true
}

// give starts the side's first call in the slot, or gives the slot back. It gives a spare
// slot back: its call waits in its handler by now, and a later call in the slot would
// overtake it.
func (c *conn) give(s side, slot Slot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	spare := c.line.spare[s]
	c.line.asking[s], c.line.spare[s] = false, false
	if line := c.line.ranked[s]; !spare && len(line) > 0 && len(line[0].turn.on) == 1 && c.line.admits(line[0]) {
		first := line[0]
		first.Slot = slot
		c.line.drop(first)
		c.begin(first)
	} else {
		slot.Release()
	}
	c.advance()
}

// begin runs the call. The caller holds c.mu.
func (c *conn) begin(call *Call) {
	ctx, cancel := context.WithCancel(c.calls)
	call.cancel = cancel
	if call.turn.rank != rankFree {
		call.placed = true
		c.line.place(call.turn, 1)
	}
	if len(call.turn.on) > 0 {
		call.counts = true
		c.line.run(call.turn, 1)
		call.timer = time.AfterFunc(placeLimit, func() { c.yield(call) })
	}
	go c.run(ctx, call)
}

// yield lets the calls behind this one begin, although it still runs.
func (c *conn) yield(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.giveUpPlace(call)
	c.advance()
}

// stepAside lets other calls begin while this one waits for a person, who may take minutes.
func (c *conn) stepAside(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.giveUpPlace(call)
	c.discount(call)
	c.advance()
}

// discount stops counting the call as running. The caller holds c.mu.
func (c *conn) discount(call *Call) {
	if call.counts {
		call.counts = false
		c.line.run(call.turn, -1)
	}
}

func (c *conn) giveUpPlace(call *Call) {
	if call.placed {
		call.placed = false
		c.line.place(call.turn, -1)
	}
}
