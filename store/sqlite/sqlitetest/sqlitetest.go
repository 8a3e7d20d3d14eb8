// Package sqlitetest gives tests new database files. It copies a file that it made once, because
// the migration steps and their syncs take twenty times as long as the copy.
package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kota/store/sqlite"
)

// Path returns the path of a new database file in a folder of its own. The file has the current
// tables and no rows.
func Path(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kota.db")
	Create(t, path)
	return path
}

// Create creates a database file at path, with the current tables and no rows. The folder must
// exist.
func Create(t testing.TB, path string) {
	t.Helper()
	content, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// empty returns the content of a new database file.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "kota")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "kota.db")
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
