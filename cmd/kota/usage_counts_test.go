package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"kota/cmd/kota/internal/costs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mustRunKota runs a command of the program on that home and returns its stdout.
func mustRunKota(t *testing.T, home string, args ...string) string {
	t.Helper()
	return runKota(t, home, []string{"KOTA_NOW=" + testTime}, 0, args...)
}

// callCount returns the number of calls of a tool in `kota stats`.
func callCount(t *testing.T, home, tool string) int64 {
	t.Helper()
	var report costs.UsageReport
	if err := json.Unmarshal([]byte(mustRunKota(t, home, "stats", "--json")), &report); err != nil {
		t.Fatal(err)
	}
	for _, one := range report.Actions {
		if one.Tool == tool {
			return one.Calls
		}
	}
	return 0
}

func TestKilledServerLosesOnlyLastCounts(t *testing.T) {
	home := t.TempDir()
	first := serveIn(t, home)
	first.send(toolCall("set", "memory_set", object{"key": "theme", "value": "dark"}) + toolCall("get", "memory_get", object{"query": "theme"}))
	first.end()
	if n := callCount(t, home, "memory_get"); n != 1 {
		t.Fatalf("a server that ended has counted %d calls, want 1", n)
	}
	second := serveIn(t, home)
	second.send(toolCall("get", "memory_get", object{"query": "theme"}))
	for answered := false; !answered; {
		m, more := second.next()
		if !more {
			t.Fatal("no answer")
		}
		answered = m.ID == "get"
	}
	if err := second.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = second.cmd.Wait()
	if n := callCount(t, home, "memory_get"); n < 1 || n > 2 {
		t.Errorf("after a kill %d calls are counted, want 1 or 2", n)
	}
	mustRunKota(t, home, "call", "memory_get", "query=theme")
	if n := callCount(t, home, "memory_get"); n < 2 {
		t.Errorf("%d calls are counted, want counting to go on", n)
	}
}

// Another program holds the file for longer than a program may wait at its end:
// nothing fails, and nothing waits for a count.
func TestCallSucceedsIfItCannotBeCounted(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	mustRunKota(t, home, "call", "memory_set", "key=theme", "value=dark")
	other, err := sql.Open("sqlite", filepath.Join(home, "kota.db")+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	held, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	p := serveIn(t, home)
	p.send(toolCall("get", "memory_get", object{"query": "theme"}))
	if p.end()["get"].call(t).IsError {
		t.Error("a read failed")
	}
	mustRunKota(t, home, "discover", "remember")
	if err := held.Rollback(); err != nil {
		t.Fatal(err)
	}
	if p.stderr.Len() > 0 {
		t.Errorf("stderr has %s", p.stderr.String())
	}
}

func TestDiscoveryWorksWithoutUsableDatabase(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "kota.db")
	no := bytes.Repeat([]byte("no database "), 1000)
	writeFile(t, path, no)
	mustRunKota(t, home, "discover", "remember")
	mustRunKota(t, home, "describe", "memory")
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, no) {
		t.Errorf("the file was changed (%v)", err)
	}
}

func TestActionsUsedTogetherAreDescribedTogether(t *testing.T) {
	home := t.TempDir()
	before := mustRunKota(t, home, "describe", "memory")
	calls := []string{initializeLine}
	for i := range 6 {
		calls = append(calls, toolCall(i, "memory_set", object{"key": "theme", "value": i}), toolCall(10+i, "memory_history", object{"key": "theme"}))
	}
	serveLines(t, home, testTime, calls...)
	for action, want := range map[string]string{
		"set":        "Often used with `memory_history`.",
		"history":    "Often used with `memory_set`.",
		"categories": "",
	} {
		got := mustRunKota(t, home, "describe", "memory", action)
		if strings.Contains(got, "Often used with") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("memory %s is described as\n%s\nwant %q in it", action, got, want)
		}
	}
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte("profile: mine\nprofiles: {mine: {actions: [memory_set, memory_get]}}\n"))
	if got := mustRunKota(t, home, "describe", "memory"); strings.Contains(got, "Often used with") {
		t.Errorf("what the profile hides is named:\n%s", got)
	}
	writeFile(t, filepath.Join(home, "bundles.yaml"), []byte("usage: off\n"))
	if got := mustRunKota(t, home, "describe", "memory"); got != before {
		t.Errorf("with `usage: off` memory is described as\n%s\nand without usage as\n%s", got, before)
	}
	if got, want := mustRunKota(t, home, "docs"), mustRunKota(t, t.TempDir(), "docs"); got != want {
		t.Error("the reference follows usage")
	}
}
