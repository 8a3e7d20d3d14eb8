package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal the program shows the user what would be lost, and asks.
func TestRestoreAsksOnTerminal(t *testing.T) {
	d := newTestHome(t)
	d.must("call", "memory_set", "key=theme", "value=light")
	copied := filepath.Join(t.TempDir(), "copy.db")
	d.must("backup", copied)
	d.must("call", "memory_set", "key=theme", "value=dark")
	seen, status := d.runOnTerminal([]string{"n"}, "restore", copied)
	if status != 1 || !strings.Contains(seen, "Newer than the copy, and not in it: 1 memory") || !strings.Contains(d.must("call", "memory_get", "query=theme"), "dark") {
		t.Errorf("no is a yes: status %d\n%s", status, seen)
	}
	if seen, status = d.runOnTerminal([]string{"maybe"}, "restore", copied); status != 1 || !strings.Contains(seen, `"maybe" is not y or n.`) || !strings.Contains(seen, "nothing was done") {
		t.Errorf("maybe: status %d\n%s", status, seen)
	}
	if seen, status = d.runOnTerminal([]string{"Yes"}, "restore", copied); status != 0 || !strings.Contains(d.must("call", "memory_get", "query=theme"), "light") {
		t.Errorf("status %d\n%s", status, seen)
	}
}
