package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/approvals"
	"kota/store/tables/memory"
)

func TestMigratingKeepsRowsAndACopy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kota.db")
	old := openAt(t, path, sqlite.FirstStepOnly(sqlite.Options{}))
	sqlite.AddFirstStepMemory(t, old, "k", `"v"`)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	get(t, memory.New(openAt(t, path, sqlite.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}), "ann"), "k")

	copies, err := filepath.Glob(path + ".schema1-*.bak")
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies %q, %v", copies, err)
	}
	if !strings.Contains(log.String(), copies[0]) {
		t.Errorf("the log does not name the copy: %s", log.String())
	}
	if got := modeOf(t, copies[0]); got != 0o600 {
		t.Errorf("the copy has mode %o", got)
	}
	if keys := sqlite.FirstStepKeys(t, openAt(t, copies[0], sqlite.FirstStepOnly(sqlite.Options{}))); !slices.Equal(keys, []string{"k"}) {
		t.Errorf("the copy has %q", keys)
	}
}

// The column that records whether an outcome was returned was renamed in step 22.
func TestMigratingKeepsWhichOutcomesWereReturned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := openAt(t, path, sqlite.FirstSteps(sqlite.Options{}, 21)).Close(); err != nil {
		t.Fatal(err)
	}
	now := newClock().now
	at := now().UnixMilli()
	for call, returned := range map[string]int{"new": 0, "returned": 1} {
		runScript(t, path, fmt.Sprintf(`INSERT INTO approvals VALUES ('a_%[1]s', 'ann', '%[1]s', 'd', 'gmail_send_message', 'sends', '', '', '', 'done', '"sent"', %[2]d, %[3]d, %[3]d, %[4]d, '')`,
			call, returned, at, at+store.OutcomeTTL.Milliseconds()))
	}
	rows := approvals.New(openAt(t, path, sqlite.Options{Now: now}), "ann")
	if got, err := rows.TakeOutcome(t.Context(), "new"); err != nil || string(got.Outcome) != `"sent"` {
		t.Errorf("the new outcome: %+v, %v", got, err)
	}
	for _, call := range []string{"new", "returned"} {
		if got, err := rows.TakeOutcome(t.Context(), call); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the outcome of %s is returned again: %+v, %v", call, got, err)
		}
	}
}

func TestANewFileNeedsNoCopy(t *testing.T) {
	dir := t.TempDir()
	openAt(t, filepath.Join(dir, "kota.db"), sqlite.Options{})
	if copies, _ := filepath.Glob(filepath.Join(dir, "*.bak*")); len(copies) != 0 {
		t.Errorf("copies %q", copies)
	}
}

func TestManyMayOpenANewOrOldFileAtOnce(t *testing.T) {
	for _, from := range []string{"new", "old"} {
		path := filepath.Join(t.TempDir(), "kota.db")
		if from == "old" {
			if err := openAt(t, path, sqlite.FirstStepOnly(sqlite.Options{})).Close(); err != nil {
				t.Fatal(err)
			}
		}
		var all sync.WaitGroup
		failures := make(chan error, 8)
		for range cap(failures) {
			all.Go(func() {
				db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
				if err != nil {
					failures <- err
					return
				}
				_, err = memory.New(db, "ann").Set(t.Context(), store.Entry{Key: "k", Value: jsonText("v")})
				failures <- errors.Join(err, db.Close())
			})
		}
		all.Wait()
		close(failures)
		for err := range failures {
			if err != nil {
				t.Errorf("%s: %v", from, err)
			}
		}
	}
}

func TestNetworkFileSystemsUseNoWAL(t *testing.T) {
	for fstype, want := range map[string]string{"nfs": "NFS", "CIFS": "SMB", "fuse": "FUSE", "9p": "9P", "": "", "ext4": ""} {
		var log bytes.Buffer
		path := filepath.Join(t.TempDir(), "kota.db")
		opts := sqlite.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}
		if err := openAt(t, path, opts).Close(); err != nil { // created where WAL works, and then moved
			t.Fatal(err)
		}
		db := openAt(t, path, sqlite.OnFilesystem(opts, fstype))
		journal := "wal"
		if want != "" {
			journal = "truncate"
		}
		if got := sqlite.Journal(t, db); got != journal || db.Filesystem() != want {
			t.Errorf("on %q: journal %s, called %q", fstype, got, db.Filesystem())
		}
		if logged := strings.Contains(log.String(), "filesystem="+want) && want != ""; logged != (want != "") {
			t.Errorf("on %q the log says %q", fstype, log.String())
		}
		set(t, memory.New(db, "ann"), store.Entry{Key: "k", Value: jsonText("v")})
		get(t, memory.New(db, "ann"), "k")
	}
}
