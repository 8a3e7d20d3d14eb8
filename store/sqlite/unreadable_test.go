package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
)

func TestOpenNamesFolderInPlaceOfDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if !errors.Is(err, store.ErrForeign) || !strings.HasSuffix(err.Error(), "it is a folder, not a database; move it away") {
		t.Errorf("got %v", err)
	}
}

func TestOpenNamesUnreadableFile(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("this user may read every file")
	}
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := os.WriteFile(path, nil, 0o000); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if denied := (*fs.PathError)(nil); !errors.Is(err, fs.ErrPermission) || !errors.As(err, &denied) || denied.Path != path {
		t.Errorf("got %v", err)
	}
}

func TestClassifiedErrorSaysCauseWithoutTextOfSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("not a database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if !errors.Is(err, store.ErrCorrupt) || err.Error() != "open "+path+": "+store.ErrCorrupt.Error() {
		t.Errorf("got %v", err)
	}
}
