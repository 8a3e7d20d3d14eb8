// Package outbox stores the items that a bundle sends, so that each item is sent at
// most once. An item is stored before it is sent, and one process at a time holds its lease.
// Start at Store.ClaimOrCreate.
package outbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/lease"
)

// Store holds the items that one bundle sends for an owner, so that each is sent at most once.
// Only the holder of an item's lease works on it, across all processes. Leases use the database's
// clock, because the clocks of machines differ. They do so even if the program's clock is fixed.
type Store struct {
	db     engine.DB
	owner  any
	bundle string
}

// New returns a handle on the items of a bundle for an owner. It does not access the database.
func New(db engine.DB, owner, bundle string) *Store {
	return &Store{db: db, owner: db.Owner(owner), bundle: bundle}
}

// doneTTL is the age, since the last change, from which prune removes done and failed items.
const doneTTL = 90 * 24 * time.Hour

// ClaimOrCreate returns the existing item for the same request as want, or creates a pending one.
// The existing item has the same Account. If want has a Key, the existing item is the one with
// that Key. Otherwise it is an item with the same Digest that was sent or saved after the time
// since, or is not done. But an item with the same ContentKey that is pending, or may have been
// sent, comes first. Its outcome must be known before a changed request gets its own item.
// ClaimOrCreate ignores cancelled items.
//
// ClaimOrCreate also reports whether the caller now holds the item, for the duration hold. The
// caller holds a new item, and an existing one that was neither done nor held. It never holds the
// item of another request (see OutboxItem.Matches). A request for an Orphaned item may still be
// on its way.
func (b *Store) ClaimOrCreate(ctx context.Context, want store.OutboxItem, since time.Time, hold time.Duration) (store.OutboxItem, bool, error) {
	var got store.OutboxItem
	held := false
	want.ContentKey = cmp.Or(want.ContentKey, want.Digest)
	err := b.db.Write(ctx, func(t engine.Tx) error {
		held = false
		err := b.prune(t)
		if err != nil {
			return err
		}
		got, err = b.existing(t, want, since)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			got, held = newItem(want, t.Now(), hold), true
			return b.insert(t, got, hold)
		case err != nil, !got.Matches(want), got.Done(), got.Held():
			return err
		}
		held = true
		return b.takeLease(t, &got, hold)
	})
	if err != nil {
		return store.OutboxItem{}, false, fmt.Errorf("claim outbox item: %w", err)
	}
	return got, held, nil
}

// Find returns the item that ClaimOrCreate would return, without holding it. It returns
// ErrNotFound if ClaimOrCreate would create one.
func (b *Store) Find(ctx context.Context, want store.OutboxItem, since time.Time) (store.OutboxItem, error) {
	want.ContentKey = cmp.Or(want.ContentKey, want.Digest)
	item, err := b.existing(b.db.Read(ctx), want, since)
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("find outbox item: %w", notFoundIfNoRow(err))
	}
	return item, nil
}

// existing returns the existing item of ClaimOrCreate, or sql.ErrNoRows.
func (b *Store) existing(from engine.Querier, want store.OutboxItem, since time.Time) (store.OutboxItem, error) {
	if want.Key != "" {
		return scanItem(from.Row(itemByKey.For(from), b.owner, b.bundle, want.Account, want.Key))
	}
	return scanItem(from.Row(itemByContent.For(from), b.owner, b.bundle, want.Account, want.ContentKey, want.Digest, since.UnixMilli()))
}

func newItem(want store.OutboxItem, now time.Time, hold time.Duration) store.OutboxItem {
	want.ID = strings.ToLower(rand.Text()[:16]) // 80 bits
	want.New, want.Status, want.Created, want.Updated = true, store.OutboxPending, now, now
	want.LeaseToken, want.Leased = lease.NewToken(), hold > 0
	return want
}

func (b *Store) insert(t engine.Tx, item store.OutboxItem, hold time.Duration) error {
	_, err := t.Insert("outbox", insertItem.For(t),
		item.ID, b.owner, b.bundle, item.Account, item.Key, item.Digest, item.ContentKey, item.Kind, string(item.Summary), item.Raw, item.TargetThread, item.SaveOnly, item.Draft, item.OwnsDraft, item.ThreadID,
		item.Message, item.Status, item.Error, item.Tries, item.Created.UnixMilli(), item.Updated.UnixMilli(), item.LeaseToken, hold.Milliseconds())
	return err
}

// takeLease makes the caller the holder, and sets Orphaned if the previous lease has not expired.
func (b *Store) takeLease(t engine.Tx, item *store.OutboxItem, hold time.Duration) error {
	item.Orphaned = item.Leased
	item.LeaseToken, item.HolderGone, item.Leased = lease.NewToken(), false, hold > 0
	return t.Exec(takeLease.For(t), item.LeaseToken, hold.Milliseconds(), b.owner, b.bundle, item.ID)
}

// prune removes old items that are done or failed. It keeps items with an unknown outcome.
func (b *Store) prune(t engine.Tx) error {
	return t.Exec("DELETE FROM outbox WHERE owner = ? AND bundle = ? AND updated < ? AND status IN ('sent', 'saved', 'failed', 'dropped')",
		b.owner, b.bundle, t.Now().Add(-doneTTL).UnixMilli())
}
