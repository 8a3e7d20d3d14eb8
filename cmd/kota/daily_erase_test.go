package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestErasedDiaryTextIsGone(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	out, err := runKotaIn(t, home, "call", "daily_log", "text=Secret meeting")
	var logged struct{ IDs []string }
	if err != nil || json.Unmarshal([]byte(out), &logged) != nil || len(logged.IDs) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	id := logged.IDs[0]
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"without an id":        {nil, "needs the ids"},
		"without a terminal":   {[]string{id}, "KOTA needs a terminal to ask you, so nothing was done. `kota daily erase " + id + " --yes` does it without asking."},
		"an unknown id":        {[]string{"enothing", "--yes"}, "NOT_FOUND"},
		"one of two":           {[]string{id, "enothing", "--yes"}, "NOT_FOUND"},
		"where nothing may be": {[]string{id, "--yes", "--profile", "read-only"}, "WRITES_DISABLED"},
	} {
		if out, err := runKotaIn(t, home, append([]string{"daily", "erase"}, c.args...)...); err == nil || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
	if out, err := runKotaIn(t, home, "daily", "export"); err != nil || !strings.Contains(out, "Secret meeting") {
		t.Fatalf("after what was refused: %v, %s", err, out)
	}
	if out, err := runKotaIn(t, home, "daily", "erase", id, "--yes"); err != nil || !strings.Contains(out, id+" is erased for good.") {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := runKotaIn(t, home, "daily", "export"); err != nil || strings.Contains(out, "Secret meeting") {
		t.Errorf("%v: it is still there: %s", err, out)
	}
	if out, err := runKotaIn(t, home, "audit", "list"); err != nil || !strings.Contains(out, "kota daily erase") {
		t.Errorf("%v: the audit log does not say it: %s", err, out)
	}
}
