package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"kota/store/faulttest"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// runOpener is a process that opens the file at path, which migrates it, and closes it.
// It stays on one thread, because faulttest counts the system calls of one thread.
func runOpener(path, _, _ string) error {
	runtime.LockOSThread()
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	return db.Close()
}

// A migration is killed at each system call that changes a file, including those of the copy it
// makes first. No statement reaches the disk between these calls. A kill at any statement
// therefore has the same effect as a kill at one of them.
func TestAMigrationThatIsKilledIsFinishedByTheNextStart(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, seen := range map[string]int{"all but the first step": 1, "the newest step": sqlite.Steps - 1} {
		t.Run(name, func(t *testing.T) {
			old := filepath.Join(t.TempDir(), "kota.db")
			db := openAt(t, old, sqlite.FirstStepOnly(sqlite.Options{}))
			for i := range 20 {
				sqlite.AddFirstStepMemory(t, db, fmt.Sprint("k", i), `"v"`)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if err := openAt(t, old, sqlite.FirstSteps(sqlite.Options{}, seen)).Close(); err != nil {
				t.Fatal(err)
			}
			before := read(t, old)
			// migrated opens a copy under strace, and returns its path and the result.
			migrated := func(options ...string) (string, error) {
				path := filepath.Join(t.TempDir(), "kota.db")
				if err := os.WriteFile(path, before, 0o600); err != nil {
					t.Fatal(err)
				}
				opener := exec.Command(self)
				opener.Env = append(os.Environ(), childCommand+"="+path+" opener 1")
				return path, faulttest.Strace(t, opener, options...).Run()
			}
			trace := filepath.Join(t.TempDir(), "trace")
			if _, err := migrated("-o", trace, "-e", "trace="+faulttest.Writes); err != nil {
				t.Fatalf("a migration that nobody kills: %v", err)
			}
			calls := faulttest.Calls(string(read(t, trace)))
			points := faulttest.KillPoints(calls, 8)
			for _, call := range points {
				path, err := migrated("-o", os.DevNull, "-e", "trace="+faulttest.Writes, "-e", call.Kill())
				if err == nil {
					t.Errorf("it was not killed at %+v", call)
				}
				checkIntact(t, path, call)
			}
			t.Logf("killed at %d of %d system calls", len(points), len(calls))
		})
	}
}

// checkIntact checks that the next start finds all data, and that each copy with its final name
// is complete.
func checkIntact(t *testing.T, path string, at faulttest.NthCall) {
	t.Helper()
	db := openAt(t, path, sqlite.Options{})
	for i := range 20 {
		get(t, memory.New(db, "ann"), fmt.Sprint("k", i))
	}
	if problems, err := db.Check(t.Context()); err != nil || len(problems) != 0 {
		t.Errorf("killed at %+v: check says %q, %v", at, problems, err)
	}
	copies, err := filepath.Glob(path + ".schema*.bak")
	if err != nil || len(copies) == 0 {
		t.Errorf("killed at %+v: no copy is left, %v", at, err)
	}
	for _, copied := range copies {
		old, err := sqlite.Open(t.Context(), copied, sqlite.Options{})
		if err != nil {
			t.Errorf("killed at %+v: %v", at, err)
			continue
		}
		get(t, memory.New(old, "ann"), "k19")
		if err := old.Close(); err != nil {
			t.Error(err)
		}
	}
}
