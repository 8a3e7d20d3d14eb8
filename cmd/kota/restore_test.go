package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runKotaIn runs the program on that home and returns all it printed.
func runKotaIn(t testing.TB, home string, args ...string) (string, error) {
	t.Helper()
	outcome := runHere(t, []string{"KOTA_HOME=" + home, "KOTA_CONFIG=", "KOTA_NOW=" + testTime}, args...)
	output := string(outcome.Stdout) + string(outcome.Stderr)
	if outcome.Status != 0 {
		return output, fmt.Errorf("kota %v ended with %d", args, outcome.Status)
	}
	return output, nil
}

// setThrough writes key through a running server and returns once it is stored.
func setThrough(t *testing.T, p *process, key string) callResult {
	t.Helper()
	p.send(setLine(key))
	for {
		m, more := p.next()
		if !more {
			t.Fatalf("no answer; stderr: %s", p.stderr.String())
		}
		if m.ID == key {
			return m.call(t)
		}
	}
}

func TestRestoreRefusesWhileServerRunsAndWorksAfterKilled(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	backup := filepath.Join(t.TempDir(), "good.db")
	p := serveIn(t, home)
	if result := setThrough(t, p, "good"); result.IsError {
		t.Fatal(result.text())
	}
	if out, err := runKotaIn(t, home, "backup", backup); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if result := setThrough(t, p, "ruined"); result.IsError {
		t.Fatal(result.text())
	}
	if out, err := runKotaIn(t, home, "restore", backup, "--yes"); err == nil || !strings.Contains(out, "another kota has the database open") || strings.Contains(out, "will be replaced") {
		t.Errorf("beside an idle server: %v: %s", err, out)
	}
	if result := setThrough(t, p, "after"); result.IsError {
		t.Errorf("the server writes no more: %s", result.text())
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // it was killed
	if wal, err := os.Stat(filepath.Join(home, "kota.db-wal")); err != nil || wal.Size() == 0 {
		t.Fatalf("the killed server left no journal: %v", err)
	}
	if out, err := runKotaIn(t, home, "restore", backup, "--yes"); err != nil {
		t.Fatalf("after the server: %v: %s", err, out)
	}
	out, err := runKotaIn(t, home, "memory", "export")
	if err != nil || !strings.Contains(out, "the value of good") || strings.Contains(out, "the value of ruined") {
		t.Errorf("the restored database has %v: %s", err, out)
	}
}
