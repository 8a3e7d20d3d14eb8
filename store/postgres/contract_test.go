package postgres

import (
	"context"
	"encoding/hex"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kota/store/semantic"
	"kota/store/storetest"
	"kota/store/storetest/audittest"
	"kota/store/storetest/memorytest"
	"kota/store/storetest/walltest"
	"kota/store/storetest/writertest"
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

func TestContract(t *testing.T) {
	t.Parallel()
	newOpener := contractOpener(t)
	storetest.Run(t, newOpener)
	memorytest.Run(t, newOpener)
	audittest.Run(t, newOpener)
	writertest.Run(t, newOpener)
	walltest.Run(t, newOpener)
}

// contractOpener creates the database of a contract, which all its tests share.
func contractOpener(t *testing.T) (newOpener func(testing.TB) storetest.Opener) {
	shared := newDatabase(t)
	url := shared.role(t, "CREATEROLE", true)
	tests := atomic.Int64{}
	return func(tb testing.TB) storetest.Opener {
		prefix := fmt.Sprintf("%d-", tests.Add(1))
		return func(now func() time.Time) storetest.Database {
			tb.Helper()
			s, err := Open(tb.Context(), url, Options{Now: now, Version: "test", Sealer: storetest.Sealer{}})
			if err != nil {
				tb.Fatal(err)
			}
			d := &contractDatabase{Server: s, shared: shared, tb: tb, prefix: prefix, close: sync.OnceValue(s.Close), tenants: map[string]*DB{}}
			tb.Cleanup(func() { d.Close() })
			d.writer() // is not found after Close
			return d
		}
	}
}

// A contractDatabase implements storetest.Database. Each test has its own tenants, whose names begin
// with prefix.
type contractDatabase struct {
	*Server
	shared testDatabase
	tb     testing.TB
	prefix string
	close  func() error // once: a part of the contract closes it where the system has another clock

	mu      sync.Mutex
	tenants map[string]*DB
}

// tenant returns the part of a tenant. Its name is in hex, because the contract uses names that a
// server refuses.
func (d *contractDatabase) tenant(name string) *DB {
	d.tb.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tenants[name] == nil {
		db, err := d.Server.Tenant(context.Background(), d.prefix+hex.EncodeToString([]byte(name)))
		if err != nil {
			d.tb.Fatal(err)
		}
		d.tenants[name] = db
	}
	return d.tenants[name]
}

func (d *contractDatabase) Properties() storetest.Properties { return storetest.Properties{} }

func (d *contractDatabase) Close() error { return d.close() }

func (d *contractDatabase) Stages(tenant string) storetest.Stages {
	return stages.New(d.tenant(tenant), tenant)
}
func (d *contractDatabase) Usage(tenant string) storetest.Usage {
	return usage.New(d.tenant(tenant), tenant)
}
func (d *contractDatabase) Undos(tenant, bundle string) storetest.UndoRecords {
	return undo.New(d.tenant(tenant), tenant, bundle)
}
func (d *contractDatabase) BundleOf(ctx context.Context, tenant, id string) (string, error) {
	return undo.BundleOf(ctx, d.tenant(tenant), tenant, id)
}
func (d *contractDatabase) Limits(tenant string) storetest.Limits {
	return approvals.NewLimits(d.tenant(tenant), tenant)
}
func (d *contractDatabase) Approvals(tenant string) storetest.Approvals {
	return approvals.New(d.tenant(tenant), tenant)
}
func (d *contractDatabase) Outbox(tenant, bundle string) storetest.Outbox {
	return outbox.New(d.tenant(tenant), tenant, bundle)
}
func (d *contractDatabase) Names(tenant string) storetest.Names {
	return names.New(d.tenant(tenant), tenant)
}
func (d *contractDatabase) Mail(tenant, account string) storetest.Mail {
	return mailcache.New(d.tenant(tenant), tenant, account)
}
func (d *contractDatabase) Contacts(tenant, account string) storetest.Contacts {
	return contacts.New(d.tenant(tenant), tenant, account)
}
func (d *contractDatabase) Memories(tenant string) storetest.Memories {
	return memory.New(d.tenant(tenant), tenant)
}
func (d *contractDatabase) MemoryVectors(tenant string) semantic.Source {
	return memory.New(d.tenant(tenant), tenant).Vectors()
}
func (d *contractDatabase) TextVectors(tenant string) semantic.VectorStore {
	return memory.NewTextVectors(d.tenant(tenant))
}
func (d *contractDatabase) CheckSecrets(ctx context.Context, tenant string) (int, error) {
	return memory.New(d.tenant(tenant), tenant).CheckSecrets(ctx)
}
func (d *contractDatabase) Diary(tenant string) storetest.Diary {
	return diary.New(d.tenant(tenant), tenant)
}
