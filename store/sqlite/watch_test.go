package sqlite_test

import (
	"path/filepath"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/memory"
)

func TestWatchSeesWritesOfEveryProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	first, second := openAt(t, path, sqlite.Options{}), openAt(t, path, sqlite.Options{})
	watch, err := first.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close()
	version := func() int64 {
		t.Helper()
		v, err := watch.Version(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := version()
	for name, db := range map[string]*sqlite.DB{"this process": first, "another": second} {
		set(t, memory.New(db, "ann"), store.Entry{Key: "theme", Value: jsonText(name)})
		after := version()
		if after == before {
			t.Errorf("a write of %s is not detected", name)
		}
		if _, err := memory.New(db, "ann").Get(t.Context(), "theme"); err != nil || version() != after {
			t.Errorf("a read is reported as a write: %v", err)
		}
		before = after
	}
}
