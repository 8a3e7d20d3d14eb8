package transport

import "testing"

func TestOnlySoManyCallsOfASideHaveBegun(t *testing.T) {
	call := &Call{turn: turn{rank: rankRead, on: []side{0}}}
	for running, want := range map[int]bool{0: true, maxRunning - 1: true, maxRunning: false, maxRunning + 1: false} {
		o := &callOrder{}
		o.add(call)
		o.running[0] = running
		if got := o.admits(call); got != want {
			t.Errorf("with %d of %d running it is let in: %t, want %t", running, maxRunning, got, want)
		}
	}
}
