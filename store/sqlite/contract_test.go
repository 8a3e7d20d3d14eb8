package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"kota/store/sqlite"
	"kota/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(tb testing.TB) storetest.Opener {
		path := filepath.Join(tb.TempDir(), "kota.db")
		return func(now func() time.Time) storetest.Database {
			return database{openAt(tb, path, sqlite.Options{Now: now})}
		}
	})
}

// A database is one file as the contract sees it.
type database struct{ *sqlite.DB }

func (d database) Stages(tenant string) storetest.Stages { return d.DB.Stages(tenant) }
func (d database) Usage(tenant string) storetest.Usage   { return d.DB.Usage(tenant) }
