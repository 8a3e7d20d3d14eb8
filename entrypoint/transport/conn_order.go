package transport

import (
	"context"
	"slices"
	"time"
)

const (
	maxRunning  = 24              // maximum reads and writes of one lane that have begun and have no answer yet
	maxBlocking = 5 * time.Second // how long other calls wait at most for a running read or write
)

// A rank says which calls a call waits for.
type rank int

const (
	rankFree       rank = iota // waits only for initialize
	rankRead                   // also waits for earlier writes
	rankWrite                  // also waits for earlier reads and writes
	rankInitialize             // initialize: all later calls wait for it
)

// A lane says which data a call works on. Calls in different lanes do not wait for one
// another.
type lane int

const (
	laneLocal  lane = iota // data that KOTA stores
	laneRemote             // a remote account
	laneCount
)

// An ordering is the rank of a call and the lanes to which the rank applies.
type ordering struct {
	rank  rank
	lanes []lane // the lanes of a read or write; nil for other ranks
}

var (
	onlyLocal  = []lane{laneLocal}
	onlyRemote = []lane{laneRemote}
	bothLanes  = []lane{laneLocal, laneRemote} // for a call whose lane is unknown
)

// unordered returns the ordering of the same call without a session. The call then waits only
// for the limit on running calls.
func (o ordering) unordered() ordering {
	if len(o.lanes) == 0 {
		return ordering{rank: rankFree}
	}
	return ordering{rankRead, o.lanes}
}

// orderingOf returns the ordering of a request.
func (c *conn) orderingOf(e envelope) ordering {
	switch e.method {
	case methodInitialize:
		return ordering{rank: rankInitialize}
	case methodRead, methodPrompt, methodComplete:
		return ordering{rankRead, onlyLocal}
	case methodCallTool:
		return c.toolOrdering(e)
	}
	return ordering{rank: rankFree}
}

// toolOrdering returns the ordering of a tools/call. An unknown tool counts as a write in
// both lanes.
func (c *conn) toolOrdering(e envelope) ordering {
	t := ordering{rankWrite, bothLanes}
	reads, isRemote, known := c.handler.Traits(e.tool, e.bundle, e.action)
	if reads {
		t.rank = rankRead
	}
	switch {
	case known && isRemote:
		t.lanes = onlyRemote
	case known:
		t.lanes = onlyLocal
	}
	return t
}

// A callOrder decides which calls may begin. conn.mu guards it.
type callOrder struct {
	queues    [laneCount][]*Call // waiting reads and writes, in order of arrival; a call in both lanes is in both queues
	unordered []*Call            // other calls, which wait for initialize
	stopped   bool               // no more calls begin

	initializing     int             // number of blocking calls with rankInitialize
	reading          [laneCount]int  // number of blocking reads
	writing          [laneCount]int  // number of blocking writes
	running          [laneCount]int  // number of counted reads and writes, without the calls in both lanes
	slotRequested    [laneCount]bool // a slot was requested for the first waiting call
	begunWithoutSlot [laneCount]bool // the first waiting call has begun without that slot
}

// addRunning adds n to the number of running calls in the lane of the ordering. It does not
// count a call in both lanes.
func (o *callOrder) addRunning(t ordering, n int) {
	if len(t.lanes) == 1 {
		o.running[t.lanes[0]] += n
	}
}

// addBlocking adds n to the number of blocking calls with this ordering.
func (o *callOrder) addBlocking(t ordering, n int) {
	if t.rank == rankInitialize {
		o.initializing += n
	}
	for _, s := range t.lanes {
		if t.rank == rankRead {
			o.reading[s] += n
		} else {
			o.writing[s] += n
		}
	}
}

// mayBegin reports whether the call may begin. The call must be the first in its queues, no
// running call may block it, and the limit on running calls must allow it.
func (o *callOrder) mayBegin(call *Call) bool {
	if o.stopped || o.initializing > 0 {
		return false
	}
	for _, s := range call.ordering.lanes {
		if o.queues[s][0] != call || o.writing[s] > 0 || call.ordering.rank == rankWrite && o.reading[s] > 0 {
			return false
		}
	}
	if len(call.ordering.lanes) != 1 {
		return true
	}
	s := call.ordering.lanes[0]
	return o.running[s] == 0 || o.running[s] < maxRunning && !o.slotRequested[s]
}

// queuesOf returns the queues in which the call waits.
func (o *callOrder) queuesOf(call *Call) []*[]*Call {
	if len(call.ordering.lanes) == 0 {
		return []*[]*Call{&o.unordered}
	}
	var queues []*[]*Call
	for _, s := range call.ordering.lanes {
		queues = append(queues, &o.queues[s])
	}
	return queues
}

// add puts the call at the end of its queues.
func (o *callOrder) add(call *Call) {
	for _, line := range o.queuesOf(call) {
		*line = append(*line, call)
	}
}

// remove removes the call from its queues.
func (o *callOrder) remove(call *Call) {
	for _, line := range o.queuesOf(call) {
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
	for _, line := range [][]*Call{o.unordered, o.queues[laneLocal], o.queues[laneRemote]} {
		if len(line) > 0 && o.mayBegin(line[0]) {
			return line[0]
		}
	}
	return nil
}

// advance begins the calls that may begin. The caller holds c.mu.
func (c *conn) advance() {
	for first := c.order.next(); first != nil; first = c.order.next() {
		if c.takeSlot(first) {
			c.order.remove(first)
			c.begin(first)
		}
	}
}

// takeSlot takes a slot for the call and reports whether the call may begin. If no slot is
// free, the call waits in its queue, and its deadline does not start. But if no other call
// runs in its lane, the call begins without a slot. It then waits for a slot in its handler,
// where its deadline runs. So the call gets an answer in time, even if other clients keep all
// slots. The caller holds c.mu.
func (c *conn) takeSlot(call *Call) bool {
	if len(call.ordering.lanes) != 1 {
		return true // only its handler knows the lane
	}
	s := call.ordering.lanes[0]
	if !c.order.slotRequested[s] {
		call.Slot = c.handler.Acquire(s == laneRemote, func(slot Slot) { c.useSlot(s, slot) })
		c.order.slotRequested[s] = call.Slot == nil
	}
	if call.Slot == nil && c.order.running[s] > 0 {
		return false
	}
	c.order.begunWithoutSlot[s] = call.Slot == nil
	return true
}

// useSlot starts the first call of the lane in the slot, or gives the slot back. The call for
// which takeSlot requested the slot may have begun without a slot. Then useSlot gives the slot
// back, because a later call in the slot would overtake that call.
func (c *conn) useSlot(s lane, slot Slot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	begun := c.order.begunWithoutSlot[s]
	c.order.slotRequested[s], c.order.begunWithoutSlot[s] = false, false
	if line := c.order.queues[s]; !begun && len(line) > 0 && len(line[0].ordering.lanes) == 1 && c.order.mayBegin(line[0]) {
		first := line[0]
		first.Slot = slot
		c.order.remove(first)
		c.begin(first)
	} else {
		slot.Release()
	}
	c.advance()
}

// begin starts the call in a new goroutine. The caller holds c.mu.
func (c *conn) begin(call *Call) {
	ctx, cancel := context.WithCancel(call.inTrace(c.calls))
	call.cancel = cancel
	if call.ordering.rank != rankFree {
		call.blocking = true
		c.order.addBlocking(call.ordering, 1)
	}
	if len(call.ordering.lanes) > 0 {
		call.counted = true
		c.order.addRunning(call.ordering, 1)
		call.timer = time.AfterFunc(maxBlocking, func() { c.endBlocking(call) })
	}
	go c.run(ctx, call)
}

// endBlocking lets later calls begin, although the call still runs.
func (c *conn) endBlocking(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopBlocking(call)
	c.advance()
}

// unblockOthers lets other calls begin while the call waits for a person, which may take
// minutes.
func (c *conn) unblockOthers(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopBlocking(call)
	c.stopCounting(call)
	c.advance()
}

// stopCounting stops counting the call as running. The caller holds c.mu.
func (c *conn) stopCounting(call *Call) {
	if call.counted {
		call.counted = false
		c.order.addRunning(call.ordering, -1)
	}
}

// stopBlocking stops counting the call as blocking. The caller holds c.mu.
func (c *conn) stopBlocking(call *Call) {
	if call.blocking {
		call.blocking = false
		c.order.addBlocking(call.ordering, -1)
	}
}
