package footprint

import "testing"

func TestMemoryIsReadFromTheSystem(t *testing.T) {
	for text, want := range map[string]int64{
		"max\n": 0, "": 0, "536870912\n": 512 << 20, "MemTotal:        4005312 kB\nMemFree: 1 kB\n": 4005312 << 10,
	} {
		if got := parseMemory(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	if machineMemory() < 64<<20 {
		t.Errorf("this machine has %d bytes", machineMemory())
	}
}
