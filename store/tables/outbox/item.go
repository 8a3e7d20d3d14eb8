package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/lease"
)

// Acquire makes the caller the holder of an item that is neither done nor held. The lease lasts
// for the duration hold. It returns ErrNotFound for an unknown id. It returns the item and
// ErrNotHeld if the item is done or held.
func (b *Store) Acquire(ctx context.Context, id string, hold time.Duration) (store.OutboxItem, error) {
	var got store.OutboxItem
	err := b.db.Write(ctx, func(t engine.Tx) (err error) {
		got, err = scanItem(t.Row(itemByID.For(t), b.owner, b.bundle, id))
		switch {
		case err != nil:
			return notFoundIfNoRow(err)
		case got.Done(), got.Held():
			return store.ErrNotHeld
		}
		return b.takeLease(t, &got, hold)
	})
	if err != nil {
		return got, fmt.Errorf("take the lease of outbox item %s: %w", id, err)
	}
	return got, nil
}

// Save stores the state of an item that the caller holds, and renews its lease for the duration
// hold. If hold is 0, it releases the item. Save removes the bytes of a done item. Save returns
// ErrNotHeld without any change if another caller has taken over the item, or the item is already
// sent. It saves the new status sent even then, because the item was sent.
func (b *Store) Save(ctx context.Context, item *store.OutboxItem, hold time.Duration) error {
	err := b.db.Write(ctx, func(t engine.Tx) error {
		item.Updated, item.Leased = t.Now(), hold > 0
		changed, err := t.Change(saveItem.For(t),
			b.owner, b.bundle, item.ID, string(item.Summary), item.Draft, item.OwnsDraft, item.ThreadID, item.Message, item.Status, item.Error,
			item.Tries, item.Updated.UnixMilli(), max(0, hold.Milliseconds()), item.LeaseToken)
		return checkHeld(changed, err)
	})
	if err != nil {
		return fmt.Errorf("save outbox item %s: %w", item.ID, err)
	}
	return nil
}

// Forget removes an item that the caller holds, as if it had never been requested. It returns
// ErrNotHeld without any change if another caller has taken over the item.
func (b *Store) Forget(ctx context.Context, item store.OutboxItem) error {
	err := b.db.Write(ctx, func(t engine.Tx) error {
		changed, err := t.Change("DELETE FROM outbox WHERE owner = ? AND bundle = ? AND id = ? AND holder = ?", b.owner, b.bundle, item.ID, item.LeaseToken)
		return checkHeld(changed, err)
	})
	if err != nil {
		return fmt.Errorf("delete outbox item %s: %w", item.ID, err)
	}
	return nil
}

// ExtendLease renews the lease of an item for the duration hold. It returns ErrNotHeld if another
// caller has taken over the item, or the item was released.
func (b *Store) ExtendLease(ctx context.Context, item store.OutboxItem, hold time.Duration) error {
	err := b.db.Write(ctx, func(t engine.Tx) error {
		changed, err := t.Change(extendLease.For(t), hold.Milliseconds(), b.owner, b.bundle, item.ID, item.LeaseToken)
		return checkHeld(changed, err)
	})
	if err != nil {
		return fmt.Errorf("renew outbox item %s: %w", item.ID, err)
	}
	return nil
}

// checkHeld checks the result of a statement that changes the row of a held item. It returns err,
// or ErrNotHeld if the statement changed no row.
func checkHeld(changed int64, err error) error {
	if err == nil && changed == 0 {
		err = store.ErrNotHeld
	}
	return err
}

// Get returns the item with that id. It returns ErrNotFound for an unknown id.
func (b *Store) Get(ctx context.Context, id string) (store.OutboxItem, error) {
	reader := b.db.Read(ctx)
	item, err := scanItem(reader.Row(itemByID.For(reader), b.owner, b.bundle, id))
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("read outbox item %s: %w", id, notFoundIfNoRow(err))
	}
	return item, nil
}

// Raw returns the bytes of the item. The bytes are nil for a done item, and for an existing
// draft that is sent unchanged. It returns ErrNotFound for an unknown id.
func (b *Store) Raw(ctx context.Context, id string) ([]byte, error) {
	var raw []byte
	err := b.db.Read(ctx).Row("SELECT raw FROM outbox WHERE owner = ? AND bundle = ? AND id = ?", b.owner, b.bundle, id).Scan(&raw)
	if err != nil {
		return nil, fmt.Errorf("read text of outbox item %s: %w", id, notFoundIfNoRow(err))
	}
	return raw, nil
}

// List returns the items that changed last, newest first.
func (b *Store) List(ctx context.Context, limit int) ([]store.OutboxItem, error) {
	items, err := b.list(ctx, limit)
	if err != nil {
		return nil, fmt.Errorf("list outbox items: %w", err)
	}
	return items, nil
}

func (b *Store) list(ctx context.Context, limit int) ([]store.OutboxItem, error) {
	reader := b.db.Read(ctx)
	rows, err := reader.Query(latestItems.For(reader), b.owner, b.bundle, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	items := []store.OutboxItem{}
	for rows.Next() {
		item, err := scanItem(rows)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, rows.Err()
}

func scanItem(row engine.Scanner) (store.OutboxItem, error) {
	var item store.OutboxItem
	var created, updated, end int64
	summary := ""
	err := row.Scan(&item.ID, &item.Account, &item.Key, &item.Digest, &item.ContentKey, &item.Kind, &summary, &item.TargetThread, &item.SaveOnly, &item.Draft, &item.OwnsDraft, &item.ThreadID,
		&item.Message, &item.Status, &item.Error, &item.Tries, &created, &updated, &item.LeaseToken, &end, &item.Leased)
	if err != nil {
		return store.OutboxItem{}, err
	}
	item.Summary = json.RawMessage(summary)
	item.Created, item.Updated, item.Lease = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC(), time.UnixMilli(end).UTC()
	item.HolderGone = item.Leased && lease.HolderGone(item.LeaseToken)
	return item, nil
}

func notFoundIfNoRow(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}
