package stagedtest

import (
	"testing"
	"time"

	"kota/bundles"
	"kota/store/enginetest"
	"kota/store/tables/memory"
	"kota/store/tables/stages"
)

// Open returns the bundle with a new database.
func Open(tb testing.TB, now func() time.Time) bundles.Bundle {
	tb.Helper()
	db := enginetest.Open(tb, now)
	return New(Deps{Memories: memory.New(db, "local"), Stages: stages.New(db, "local"), Now: now})
}
