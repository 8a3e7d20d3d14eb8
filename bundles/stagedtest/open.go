package stagedtest

import (
	"context"
	"testing"
	"time"

	"kota/bundles"
	"kota/store/sqlite"
	"kota/store/tables/memory"
	"kota/store/tables/stages"
)

// Open returns the bundle with the database at path. It creates the database if needed,
// and closes it when the test ends.
func Open(tb testing.TB, path string, now func() time.Time) bundles.Bundle {
	tb.Helper()
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{Now: now})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return New(Deps{Memories: memory.New(db, "local"), Stages: stages.New(db, "local"), Now: now})
}
