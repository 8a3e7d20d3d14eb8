package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kota/store/semantic"
	"kota/store/sqlite"
	"kota/store/storetest"
	"kota/store/tables/approvals"
	"kota/store/tables/contacts"
	"kota/store/tables/diary"
	"kota/store/tables/mailcache"
	"kota/store/tables/memory"
	"kota/store/tables/names"
	"kota/store/tables/outbox"
	"kota/store/tables/stages"
	"kota/store/tables/undo"
	"kota/store/tables/usage"
)

func newOpener(tb testing.TB) storetest.Opener {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "kota.db")
	if err := os.WriteFile(path, emptyDatabase(), 0o600); err != nil {
		tb.Fatal(err)
	}
	return func(now func() time.Time) storetest.Database {
		tb.Helper()
		db, err := sqlite.Open(tb.Context(), path, sqlite.Options{Now: now, Sealer: storetest.Sealer{}})
		if err != nil {
			tb.Fatal(err)
		}
		auditLog(db)
		d := closable{database{db}, sync.OnceValue(db.Close)}
		tb.Cleanup(func() { d.Close() })
		return d
	}
}

// emptyDatabase returns the bytes of a database without rows. Copying them is faster than running
// all steps of the schema for each test.
var emptyDatabase = sync.OnceValue(func() []byte {
	dir, err := os.MkdirTemp("", "kota-empty-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "kota.db")
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		panic(err)
	}
	if err := db.Close(); err != nil {
		panic(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return file
})

// A database implements storetest.Database with one file.
type database struct{ *sqlite.DB }

// A closable is a database that is closed once, even if the test closed it before: a part of the
// contract closes it where the system has another clock.
type closable struct {
	database
	close func() error
}

func (d closable) Close() error { return d.close() }

func (d database) Properties() storetest.Properties {
	return storetest.Properties{ErasesCompletely: true, NotesAuditEnd: true}
}

func (d database) Stages(tenant string) storetest.Stages { return stages.New(d.DB, tenant) }
func (d database) Usage(tenant string) storetest.Usage   { return usage.New(d.DB, tenant) }
func (d database) Undos(tenant, bundle string) storetest.UndoRecords {
	return undo.New(d.DB, tenant, bundle)
}
func (d database) BundleOf(ctx context.Context, tenant, id string) (string, error) {
	return undo.BundleOf(ctx, d.DB, tenant, id)
}
func (d database) Limits(tenant string) storetest.Limits { return approvals.NewLimits(d.DB, tenant) }
func (d database) Approvals(tenant string) storetest.Approvals {
	return approvals.New(d.DB, tenant)
}
func (d database) Outbox(tenant, bundle string) storetest.Outbox {
	return outbox.New(d.DB, tenant, bundle)
}
func (d database) Names(tenant string) storetest.Names { return names.New(d.DB, tenant) }
func (d database) Mail(tenant, account string) storetest.Mail {
	return mailcache.New(d.DB, tenant, account)
}
func (d database) Contacts(tenant, account string) storetest.Contacts {
	return contacts.New(d.DB, tenant, account)
}
func (d database) Memories(tenant string) storetest.Memories { return memory.New(d.DB, tenant) }
func (d database) MemoryVectors(tenant string) semantic.Source {
	return memory.New(d.DB, tenant).Vectors()
}
func (d database) TextVectors(string) semantic.VectorStore { return memory.NewTextVectors(d.DB) }
func (d database) CheckSecrets(ctx context.Context, tenant string) (int, error) {
	return memory.New(d.DB, tenant).CheckSecrets(ctx)
}
func (d database) Diary(tenant string) storetest.Diary { return diary.New(d.DB, tenant) }
