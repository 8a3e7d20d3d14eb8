package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/restore"
	"kota/store/tables/memory"
)

// backupAndChanged makes a database with a backup in which k is "good". The database is closed with
// k "ruined".
func backupAndChanged(t *testing.T) (path, backup string) {
	t.Helper()
	dir := t.TempDir()
	path, backup = filepath.Join(dir, "kota.db"), filepath.Join(dir, "copy.db")
	db := openAt(t, path, sqlite.Options{})
	set(t, memory.New(db, "ann"), store.Entry{Key: "k", Value: jsonText("good")})
	if err := db.Backup(t.Context(), backup, nil); err != nil {
		t.Fatal(err)
	}
	set(t, memory.New(db, "ann"), store.Entry{Key: "k", Value: jsonText("ruined")})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path, backup
}

// backupAndCrashed is backupAndChanged with a killed process: the WAL contains rows that the file lacks.
func backupAndCrashed(t *testing.T) (path, backup string) {
	t.Helper()
	live := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, live, sqlite.Options{})
	path = filepath.Join(t.TempDir(), "kota.db")
	backup = path + ".copy"
	set(t, memory.New(db, "ann"), store.Entry{Key: "k", Value: jsonText("good")})
	if err := db.Backup(t.Context(), backup, nil); err != nil {
		t.Fatal(err)
	}
	set(t, memory.New(db, "ann"), store.Entry{Key: "k", Value: jsonText("ruined")})
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.WriteFile(path+suffix, read(t, live+suffix), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path, backup
}

func readK(t *testing.T, path string) string {
	t.Helper()
	db := openAt(t, path, sqlite.Options{})
	value := string(get(t, memory.New(db, "ann"), "k").Value)
	if problems, err := db.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check of %s: %q, %v", path, problems, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestRestoreReplacesTheFileAndKeepsTheOldOne(t *testing.T) {
	for name, prepare := range map[string]func(*testing.T) (string, string){"closed": backupAndChanged, "crashed": backupAndCrashed} {
		path, backup := prepare(t)
		before := read(t, backup)
		keptPaths, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil)
		if err != nil || len(keptPaths) != 1 {
			t.Fatalf("%s: kept %q, %v", name, keptPaths, err)
		}
		if got := readK(t, path); got != `"good"` {
			t.Errorf("%s: restored %s", name, got)
		}
		if got := modeOf(t, path); got != 0o600 {
			t.Errorf("%s: the database has mode %o", name, got)
		}
		if got := modeOf(t, keptPaths[0]); got != 0o600 {
			t.Errorf("%s: the old file has mode %o", name, got)
		}
		if got := readK(t, keptPaths[0]); got != `"ruined"` {
			t.Errorf("%s: kept %s", name, got)
		}
		if !bytes.Equal(before, read(t, backup)) {
			t.Errorf("%s: the copy was changed", name)
		}
	}
}

func TestTwoRestoresAtTheSameTimeKeepBothFiles(t *testing.T) {
	path, backup := backupAndChanged(t)
	still := sqlite.Options{Now: func() time.Time { return time.UnixMilli(0) }}
	first, err := restore.Restore(t.Context(), backup, path, still, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := restore.Restore(t.Context(), first[0], path, still, nil, nil)
	if err != nil || slices.Equal(first, second) {
		t.Fatalf("%q and %q, %v", first, second, err)
	}
	for file, want := range map[string]string{first[0]: `"ruined"`, second[0]: `"good"`, path: `"ruined"`} {
		if got := readK(t, file); got != want {
			t.Errorf("%s has %s, want %s", file, got, want)
		}
	}
}

func TestRestoreRefusesIncompleteDatabases(t *testing.T) {
	path, backup := backupAndChanged(t)
	good := read(t, backup)
	dir := t.TempDir()
	at := func(name string, content []byte, script string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if script != "" {
			runScript(t, file, script)
		}
		return file
	}
	withWAL := at("wal", good, "")
	at("wal-wal", []byte("frames"), "")
	before := read(t, path)
	for file, want := range map[string]error{
		filepath.Join(dir, "none"):      os.ErrNotExist,
		dir:                             restore.ErrNotDatabase,
		path:                            store.ErrInvalid,
		withWAL:                         store.ErrInvalid,
		at("empty", nil, ""):            restore.ErrNotDatabase,
		at("text", []byte("hello"), ""): restore.ErrNotDatabase,
		at("long text", bytes.Repeat([]byte("hello"), 999), ""): restore.ErrNotDatabase,
		at("foreign", otherProgramsFile(t), ""):                 store.ErrForeign,
		at("half", good[:len(good)/2], ""):                      store.ErrCorrupt,
		at("newer", good, "PRAGMA user_version = 9999"):         store.ErrNewer,
		at("negative", good, "PRAGMA user_version = -1"):        store.ErrCorrupt,
		at("no table", good, "DROP TABLE memories"):             store.ErrCorrupt,
		at("scribbled", overwriteMiddle(good), ""):              store.ErrCorrupt,
	} {
		if _, err := restore.Restore(t.Context(), file, path, sqlite.Options{}, nil, nil); !errors.Is(err, want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: got %v, want %v", filepath.Base(file), err, want)
		}
	}
	if !bytes.Equal(before, read(t, path)) {
		t.Error("the database was changed")
	}
	checkOnlyFiles(t, filepath.Dir(path), "kota.db", "copy.db")
}

// overwriteMiddle returns a database whose middle is overwritten.
func overwriteMiddle(whole []byte) []byte {
	content := bytes.Clone(whole)
	copy(content[len(content)/4:], bytes.Repeat([]byte{0xa5}, len(content)/2))
	return content
}

func checkOnlyFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(names, entry.Name()) {
			t.Errorf("%s was left behind", entry.Name())
		}
	}
}

func TestRestoreRefusesWhileTheDatabaseIsOpen(t *testing.T) {
	path, backup := backupAndChanged(t)
	idle := openAt(t, path, sqlite.Options{})
	if _, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	set(t, memory.New(idle, "ann"), store.Entry{Key: "k", Value: jsonText("still ruined")})
	if err := idle.Close(); err != nil {
		t.Fatal(err)
	}
	checkOnlyFiles(t, filepath.Dir(path), "kota.db", "copy.db")
	if got := readK(t, path); got != `"still ruined"` {
		t.Errorf("the database has %s", got)
	}
}

func TestRestoreReplacesFilesThatCannotBeOpened(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"text":      func(path string) error { return os.WriteFile(path, []byte("hello, this is no database"), 0o600) },
		"read-only": func(path string) error { return os.Chmod(path, 0o400) },
		"removed, its WAL left": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path+"-wal", []byte("frames"), 0o600))
		},
		"text with a WAL": func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("hello, this is no database"), 0o600), os.WriteFile(path+"-wal", []byte("frames"), 0o600))
		},
	} {
		path, backup := backupAndChanged(t)
		if err := damage(path); err != nil {
			t.Fatal(err)
		}
		keptPaths, err := restore.Restore(t.Context(), backup, path, sqlite.Options{}, nil, nil)
		if err != nil || len(keptPaths) == 0 {
			t.Errorf("%s: kept %q, %v", name, keptPaths, err)
			continue
		}
		for _, file := range keptPaths {
			if got := modeOf(t, file); got != 0o600 {
				t.Errorf("%s: %s has mode %o", name, file, got)
			}
		}
		if got := readK(t, path); got != `"good"` {
			t.Errorf("%s: restored %s", name, got)
		}
	}
}

func TestRestoreFollowsALink(t *testing.T) {
	path, backup := backupAndChanged(t)
	link := filepath.Join(t.TempDir(), "kota.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := restore.Restore(t.Context(), backup, link, sqlite.Options{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := readK(t, path); got != `"good"` {
		t.Errorf("restored %s", got)
	}
}

func TestACancelledRestoreChangesNothing(t *testing.T) {
	path, backup := backupAndChanged(t)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := restore.Restore(ctx, backup, path, sqlite.Options{}, nil, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	checkOnlyFiles(t, filepath.Dir(path), "kota.db", "copy.db")
	if got := readK(t, path); got != `"ruined"` {
		t.Errorf("the database has %s", got)
	}
}

func TestCheckReportsAMissingTable(t *testing.T) {
	path, _ := backupAndChanged(t)
	runScript(t, path, "DROP INDEX memories_key; DROP TABLE memories")
	problems, err := openAt(t, path, sqlite.Options{}).Check(t.Context())
	if err != nil || len(problems) != 1 || !strings.Contains(problems[0], "no table memories,") {
		t.Errorf("check says %q, %v", problems, err)
	}
}
