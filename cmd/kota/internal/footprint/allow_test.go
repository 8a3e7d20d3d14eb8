package footprint

import (
	"runtime/debug"
	"testing"
)

func TestAllowRaisesOnlyTheLimitOfTune(t *testing.T) {
	before := debug.SetMemoryLimit(1 << 40)
	was := limited.Load()
	t.Cleanup(func() { debug.SetMemoryLimit(before); limited.Store(was) })
	for set, want := range map[bool]int64{false: 1 << 40, true: 1<<40 + 5} {
		debug.SetMemoryLimit(1 << 40)
		limited.Store(set)
		Allow(5)
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("limited %v: got %d, want %d", set, got, want)
		}
	}
}
