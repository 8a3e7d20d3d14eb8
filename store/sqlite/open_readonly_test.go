package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/mailcache"
	"kota/store/tables/memory"
	"kota/store/tables/stages"
)

// readAndTryWrites runs all reads that would write without Options.ReadOnly: a search of rows that are not
// indexed yet, and counted uses. Then it tries to write.
func readAndTryWrites(t *testing.T, db *sqlite.DB, want []string) {
	t.Helper()
	m := memory.New(db, "ann")
	answer, err := m.Recall(t.Context(), store.RecallQuery{Text: "bread", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, hit := range answer.Hits {
		got = append(got, hit.Memory.Key)
		m.Touch(hit.Memory.ID)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if _, err := m.Set(t.Context(), store.Entry{Key: "new", Value: jsonText("x")}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("set: %v, want ErrReadOnly", err)
	}
	if _, err := stages.New(db, "ann").Open(t.Context(), "flow", "one", jsonText("{}")); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("open a stage: %v, want ErrReadOnly", err)
	}
	if err := mailcache.New(db, "ann", "a@b.example").Forget(t.Context()); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("forget mail: %v, want ErrReadOnly", err)
	}
	if would, err := m.Delete(t.Context(), store.Target{Filter: store.Filter{Category: "none"}}, true); err != nil || len(would.Keys) != 0 {
		t.Errorf("a dry run: %+v, %v", would, err)
	}
}

// bytesAt returns the bytes of the file and of its WAL. A missing WAL counts as an empty one.
func bytesAt(t *testing.T, path string) string {
	t.Helper()
	log, err := os.ReadFile(path + "-wal")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(read(t, path)) + "|" + string(log)
}

func TestAReadOnlyOpenWritesNoByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	writer := openAt(t, path, sqlite.Options{})
	set(t, memory.New(writer, "ann"), store.Entry{Key: "baker", Value: jsonText("rye bread")})
	set(t, memory.New(writer, "ann"), store.Entry{Key: "soon", Value: jsonText("bread until noon")})

	// A killed writer leaves a WAL that is not yet moved into the file.
	killed := filepath.Join(t.TempDir(), "kota.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := os.WriteFile(killed+suffix, read(t, path+suffix), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"closed": path, "killed": killed} {
		before := bytesAt(t, path)
		if name == "killed" && before[len(before)-1] == '|' {
			t.Fatal("the log is empty: there is nothing to try")
		}
		db := openAt(t, path, sqlite.Options{ReadOnly: true})
		readAndTryWrites(t, db, []string{"baker", "soon"})
		if bytesAt(t, path) != before {
			t.Errorf("%s: the file has changed", name)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if bytesAt(t, path) != before {
			t.Errorf("%s: the file has changed when it was closed", name)
		}
		beside, err := filepath.Glob(path + "-*")
		if err != nil || name == "closed" && len(beside) > 0 {
			t.Errorf("%s: %q is left beside the file, %v", name, beside, err)
		}
	}
	set(t, memory.New(openAt(t, path, sqlite.Options{}), "ann"), store.Entry{Key: "later", Value: jsonText("it is written again")})
}

func TestReadOnlyOpenRefusesAnOlderFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := openAt(t, path, sqlite.FirstStepOnly(sqlite.Options{})).Close(); err != nil {
		t.Fatal(err)
	}
	before := bytesAt(t, path)
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true}); !errors.Is(err, store.ErrOlder) {
		t.Errorf("got %v, want ErrOlder", err)
	}
	if bytesAt(t, path) != before {
		t.Error("the file has changed")
	}
}

func TestReadOnlyCloseKeepsTheWALOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := openAt(t, path, sqlite.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	writer, reader := openAt(t, path, sqlite.Options{}), openAt(t, path, sqlite.Options{ReadOnly: true})
	if err := openAt(t, path, sqlite.Options{ReadOnly: true}).Close(); err != nil { // the WAL exists and is empty
		t.Fatal(err)
	}
	set(t, memory.New(writer, "ann"), store.Entry{Key: "a", Value: jsonText("bread")})
	readAndTryWrites(t, reader, []string{"a"})
}

func TestReadOnlyDatabaseSeesWritesOfAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	writer := openAt(t, path, sqlite.Options{})
	set(t, memory.New(writer, "ann"), store.Entry{Key: "a", Value: jsonText("bread")})
	db := openAt(t, path, sqlite.Options{ReadOnly: true})
	set(t, memory.New(writer, "ann"), store.Entry{Key: "b", Value: jsonText("bread")})
	readAndTryWrites(t, db, []string{"a", "b"})
}

func TestReadOnlyOpenOfAMissingFileCreatesNone(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"no folder": func(string) error { return nil },
		"no file":   func(path string) error { return os.MkdirAll(filepath.Dir(path), 0o700) },
		"no tables": func(path string) error {
			return errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600))
		},
	} {
		path := filepath.Join(t.TempDir(), "home", "kota.db")
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		db := openAt(t, path, sqlite.Options{ReadOnly: true})
		readAndTryWrites(t, db, []string{})
		if info, err := os.Stat(path); err == nil && info.Size() > 0 || err == nil && name != "no tables" {
			t.Errorf("%s: there is a file of %d bytes", name, info.Size())
		}
		if db.Outdated() {
			t.Errorf("%s: outdated before there is a file", name)
		}
		openAt(t, path, sqlite.Options{})
		if !db.Outdated() {
			t.Errorf("%s: not outdated by a file that came", name)
		}
		readAndTryWrites(t, db, []string{})
	}
}
