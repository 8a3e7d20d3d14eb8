package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// Without the check SQLite would continue to write to the file that it has open. It would
// acknowledge writes that are lost.
func TestWriteFailsIfTheFileIsNotInItsPlace(t *testing.T) {
	for name, operation := range map[string]func(path string) error{
		"removed": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			if err := os.WriteFile(path+".new", nil, 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
	} {
		for mode, fstype := range map[string]string{"WAL": "", "TRUNCATE": "nfs"} {
			path := filepath.Join(t.TempDir(), "kota.db")
			db := openAt(t, path, sqlite.OnFilesystem(sqlite.Options{}, fstype))
			m := memory.New(db, "ann")
			set(t, m, store.Entry{Key: "k", Value: jsonText("v")})
			if err := operation(path); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Set(t.Context(), store.Entry{Key: "lost", Value: jsonText("v")}); !errors.Is(err, store.ErrReplaced) {
				t.Errorf("%s, journal %s: got %v, want ErrReplaced", name, mode, err)
			}
		}
	}
}

func TestWriteSucceedsWhenTheFileIsMovedBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	m := memory.New(openAt(t, path, sqlite.Options{}), "ann")
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Set(t.Context(), store.Entry{Key: "k", Value: jsonText("v")}); !errors.Is(err, store.ErrReplaced) {
		t.Errorf("got %v, want ErrReplaced", err)
	}
	if err := os.Rename(path+".old", path); err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "k", Value: jsonText("v")})
}

func TestOpenRefusesADanglingLink(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kota.db")
	if err := os.Symlink(filepath.Join(dir, "nothing"), path); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want os.ErrNotExist", err)
	}
}

func TestOpenRefusesANegativeSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := openAt(t, path, sqlite.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	runScript(t, path, "PRAGMA user_version = -1")
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, store.ErrCorrupt) || strings.Contains(err.Error(), "panic") {
		t.Errorf("got %v, want ErrCorrupt", err)
	}
}
