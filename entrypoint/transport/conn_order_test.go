package transport

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"kota/entrypoint/wiretest"
)

func TestLaneLimitsRunningCalls(t *testing.T) {
	call := &Call{ordering: ordering{rank: rankRead, lanes: []lane{0}}}
	for running, want := range map[int]bool{0: true, maxRunning - 1: true, maxRunning: false, maxRunning + 1: false} {
		o := &callOrder{}
		o.add(call)
		o.running[0] = running
		if got := o.mayBegin(call); got != want {
			t.Errorf("with %d of %d running it is let in: %t, want %t", running, maxRunning, got, want)
		}
	}
}

func TestConnectionsShareSlots(t *testing.T) {
	runWithClient(t, "a call of another connection does not wait for all of the first", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		toy.limit = 2
		ann, bob := v.BeginSession(), v.BeginSession()
		for id := range 6 {
			ann.CallLegacy(id+1, "wait", "{}")
		}
		anns := connOf(v, ann)
		if begun, asking := anns.order.running[laneRemote], anns.order.slotRequested[laneRemote]; begun != 2 || !asking {
			t.Fatalf("%d calls have begun, and the next waits for a slot: %t; want 2 and true", begun, asking)
		}
		first, second := bob.CallLegacy(1, "echo", `{"text":"x"}`), bob.CallLegacy(2, "wait", "{}")
		first.Expect(t, 200, "x") // it waits in its handler, since no other call of bob's runs
		if second.Complete() || connOf(v, bob).order.running[laneRemote] != 1 {
			t.Error("bob's second call has not begun alone")
		}
		for id := range 6 {
			ann.Post(cancelled(strconv.Itoa(id + 1)))
		}
		bob.Post(cancelled("2"))
		synctest.Wait()
		if toy.taken != 0 || len(toy.waiting) != 0 {
			t.Errorf("%d slots are taken and %d calls wait, after all are over", toy.taken, len(toy.waiting))
		}
	})
	runWithClient(t, "a slot goes to the call that waits", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		toy.limit = 2
		v = v.BeginSession()
		v.CallLegacy(1, "wait", "{}")
		v.CallLegacy(2, "wait", "{}")
		third, fourth := v.CallLegacy(3, "echo", `{"text":"3"}`), v.CallLegacy(4, "echo", `{"text":"4"}`)
		if third.Complete() || fourth.Complete() {
			t.Error("a call runs without a slot")
		}
		v.Post(cancelled("1"))
		synctest.Wait()
		third.Expect(t, 200, "3")
		fourth.Expect(t, 200, "4")
		v.Post(cancelled("2"))
	})
}

// The first write waits for a slot in its handler. The second may begin after
// maxBlocking, but not in the slot that the first was waiting for.
func TestWriteDoesNotOvertakeOneThatWaitsForSlot(t *testing.T) {
	runWithClient(t, "while all slots are taken for longer than a call keeps its place", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		toy.limit = 1
		ann, bob := v.BeginSession(), v.BeginSession()
		ann.CallLegacy(1, "wait", "{}")
		first, second := bob.CallLegacy(1, "append", `{"text":"1"}`), bob.CallLegacy(2, "append", `{"text":"2"}`)
		time.Sleep(2 * maxBlocking)
		ann.Post(cancelled("1"))
		synctest.Wait()
		first.Expect(t, 200, "1")
		second.Expect(t, 200, "12")
		if toy.taken != 0 || len(toy.waiting) != 0 {
			t.Errorf("%d slots are taken and %d calls wait, after all are over", toy.taken, len(toy.waiting))
		}
	})
}

func connOf(v *wiretest.Client, of *wiretest.Client) *conn {
	e := endpoint(v)
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	return e.sessions.open[of.Session].conn
}
