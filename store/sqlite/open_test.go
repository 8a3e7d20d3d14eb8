package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

func TestOpenNeverOverwritesOtherFiles(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		want    error
	}{
		"garbage":             {bytes.Repeat([]byte("not a database, but somebody's letter\n"), 300), store.ErrCorrupt},
		"a short text":        {[]byte("hello"), store.ErrCorrupt},
		"the file of another": {otherProgramsFile(t), store.ErrForeign},
		"half a database":     {truncatedDatabase(t), store.ErrCorrupt},
		"a damaged header":    {append([]byte("SQLite format 3\x00"), bytes.Repeat([]byte{0xff}, 5000)...), store.ErrCorrupt},
	} {
		path := filepath.Join(t.TempDir(), "kota.db")
		if err := os.WriteFile(path, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err == nil {
			db.Close()
		}
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want %v with the path", name, err, c.want)
		}
		after, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(after, c.content) {
			t.Errorf("%s: the file was changed, %v", name, err)
		}
	}
}

// otherProgramsFile returns a SQLite file with a table of another program.
func otherProgramsFile(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "foreign.db")
	runScript(t, path, "CREATE TABLE t (x)")
	return read(t, path)
}

// truncatedDatabase returns a truncated database.
func truncatedDatabase(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := openAt(t, path, sqlite.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	whole := read(t, path)
	return whole[:len(whole)/2]
}

func runScript(t *testing.T, path, script string) {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(script); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestOpenFolder(t *testing.T) {
	if _, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{}); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("got %v", err)
	}
}

func TestOpenBelowAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), filepath.Join(file, "kota.db"), sqlite.Options{}); err == nil {
		t.Error("opened a database in a file")
	}
}

func TestOpenFillsAnEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	set(t, memory.New(openAt(t, path, sqlite.Options{}), "ann"), store.Entry{Key: "k", Value: jsonText("v")})
}

func TestOpenAnyName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?mode=memory#%41", "kö'ta.db")
	set(t, memory.New(openAt(t, path, sqlite.Options{}), "ann"), store.Entry{Key: "k", Value: jsonText("v")})
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestFilesAreAccessibleOnlyToTheirOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	path := filepath.Join(dir, "kota.db")
	db := openAt(t, path, sqlite.Options{})
	set(t, memory.New(db, "ann"), store.Entry{Key: "k", Value: jsonText("v")})
	if err := db.Backup(t.Context(), filepath.Join(dir, "copy"), nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "kota.db": 0o600, "kota.db-wal": 0o600, "kota.db-shm": 0o600, "copy": 0o600} {
		if got := modeOf(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%q has mode %o, want %o", name, got, want)
		}
	}
}

func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestOpenRestrictsTheFileMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := openAt(t, path, sqlite.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	openAt(t, path, sqlite.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if got := modeOf(t, path); got != 0o600 {
		t.Errorf("mode is %o", got)
	}
	if !strings.Contains(log.String(), "other users could read") || !strings.Contains(log.String(), path) {
		t.Errorf("the log says %q", log.String())
	}
}

func TestOpenRefusesANewerFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := openAt(t, path, sqlite.Options{Version: "9.1"}).Close(); err != nil {
		t.Fatal(err)
	}
	runScript(t, path, "PRAGMA user_version = 9999")
	before := read(t, path)
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{Version: "1.0"})
	if !errors.Is(err, store.ErrNewer) || !strings.Contains(err.Error(), "KOTA 9.1") || !strings.Contains(err.Error(), "9999") || !strings.Contains(err.Error(), "update KOTA") {
		t.Errorf("got %v", err)
	}
	if !bytes.Equal(before, read(t, path)) {
		t.Error("the newer file was changed")
	}
}

// A WAL that was truncated within a write loses only that write, which was not acknowledged.
func TestATruncatedWALLosesOnlyTheLastWrite(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, filepath.Join(dir, "kota.db"), sqlite.Options{})
	whole := 0 // size of the WAL without the last write
	for i := range 50 {
		whole = len(read(t, filepath.Join(dir, "kota.db-wal")))
		set(t, memory.New(db, "ann"), store.Entry{Key: fmt.Sprint(i), Value: jsonText("v")})
	}
	crashed := filepath.Join(t.TempDir(), "kota.db")
	wal := read(t, filepath.Join(dir, "kota.db-wal"))
	if err := os.WriteFile(crashed, read(t, filepath.Join(dir, "kota.db")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(crashed+"-wal", wal[:whole+1000], 0o600); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, crashed, sqlite.Options{})
	found, _, err := memory.New(again, "ann").List(t.Context(), store.Filter{}, store.Page{Limit: 99})
	if err != nil || len(found) != 49 {
		t.Errorf("%d memories are left, %v", len(found), err)
	}
	set(t, memory.New(again, "ann"), store.Entry{Key: "new", Value: jsonText("v")})
	if problems, err := again.Check(t.Context()); err != nil || len(problems) != 0 {
		t.Errorf("check says %q, %v", problems, err)
	}
}

func TestAFullDiskFailsOnlyTheWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	m := memory.New(db, "ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("v")})
	sqlite.LimitPages(t, db)
	big := jsonText(strings.Repeat("x", 1_000_000))
	if _, err := m.Set(t.Context(), store.Entry{Key: "big", Value: big}); !errors.Is(err, store.ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
	if got := get(t, m, "k"); string(got.Value) != `"v"` {
		t.Errorf("got %s", got.Value)
	}
	checkMissing(t, m, "big")
	set(t, m, store.Entry{Key: "small", Value: jsonText("v")})
}

func TestClosedDatabaseReturnsErrClosed(t *testing.T) {
	db := open(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	if _, err := memory.New(db, "ann").Set(context.Background(), store.Entry{Key: "k", Value: jsonText("v")}); !errors.Is(err, store.ErrClosed) {
		t.Errorf("set: %v", err)
	}
	if _, err := memory.New(db, "ann").Get(t.Context(), "k"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	if err := db.Backup(t.Context(), filepath.Join(t.TempDir(), "b"), nil); err == nil {
		t.Error("backed up a closed database")
	}
}

func TestBackup(t *testing.T) {
	db := open(t)
	m := memory.New(db, "ann")
	for i := range 300 {
		set(t, m, store.Entry{Key: fmt.Sprint(i), Value: jsonText(strings.Repeat("x", 9000))})
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	reports, wrote := 0, false
	err := db.Backup(t.Context(), path, func(done, total int) {
		reports++
		if done > total || total < 300 {
			t.Errorf("%d of %d", done, total)
		}
		if !wrote { // the backup continues from its position
			wrote = true
			set(t, m, store.Entry{Key: "later", Value: jsonText("v")})
		}
	})
	if err != nil || reports < 2 {
		t.Fatalf("%d reports, %v", reports, err)
	}
	if err := db.Backup(t.Context(), path, nil); !errors.Is(err, os.ErrExist) {
		t.Errorf("over an existing file: %v", err)
	}
	copied := memory.New(openAt(t, path, sqlite.Options{}), "ann")
	get(t, copied, "299")
	checkMissing(t, copied, "later")

	cancelled, cancel := context.WithCancel(t.Context())
	left := filepath.Join(t.TempDir(), "left.db")
	if err := db.Backup(cancelled, left, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled backup: %v", err)
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a cancelled backup leaves its file: %v", err)
	}
}
