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

func (d database) Stages(tenant string) storetest.Stages       { return d.DB.Stages(tenant) }
func (d database) Usage(tenant string) storetest.Usage         { return d.DB.Usage(tenant) }
func (d database) Undos(tenant, bundle string) storetest.Undos { return d.DB.Undos(tenant, bundle) }
func (d database) Limits(tenant string) storetest.Limits       { return d.DB.Limits(tenant) }
func (d database) Approvals(tenant string) storetest.Approvals { return d.DB.Approvals(tenant) }
func (d database) Mail(tenant, account string) storetest.Mail  { return d.DB.Mail(tenant, account) }
