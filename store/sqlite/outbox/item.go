package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/lease"
)

// Acquire makes the caller the holder of a letter that is neither done nor held,
// for the length of hold. It returns ErrNotFound for an unknown id, and
// ErrNotHeld with the letter as it is for one that may not be worked on.
func (b *Store) Acquire(ctx context.Context, id string, hold time.Duration) (store.OutboxItem, error) {
	var got store.OutboxItem
	err := b.db.Write(ctx, func(t *sqlite.Tx) (err error) {
		got, err = scanLetter(t.Row(letterByID, b.owner, b.bundle, id))
		switch {
		case err != nil:
			return missingLetter(err)
		case got.Done(), got.Held():
			return store.ErrNotHeld
		}
		return b.lease(t, &got, hold)
	})
	if err != nil {
		return got, fmt.Errorf("hold letter %s: %w", id, sqlite.Classify(err))
	}
	return got, nil
}

// Save writes down what became of a letter that the caller holds, and holds it
// for the length of hold from now on; 0 gives it back. The bytes of one that is
// done are removed. It returns ErrNotHeld, with nothing changed, when
// another process has taken the letter over, unless the letter was sent: that
// is a fact, whoever holds it.
func (b *Store) Save(ctx context.Context, l *store.OutboxItem, hold time.Duration) error {
	until := int64(0)
	if hold > 0 {
		until = time.Now().Add(hold).UnixMilli()
	}
	err := b.db.Write(ctx, func(t *sqlite.Tx) error {
		l.Updated, l.Lease = t.Now(), time.UnixMilli(until)
		result, err := t.Exec(`UPDATE outbox SET summary = ?4, draft = ?5, own = ?6, placed = ?7, message = ?8, status = ?9, error = ?10,
				tries = ?11, updated = ?12, lease = ?13, raw = CASE WHEN ?9 IN ('sent', 'saved', 'dropped') THEN NULL ELSE raw END
			WHERE owner = ?1 AND bundle = ?2 AND id = ?3 AND (holder = ?14 AND status <> 'sent' OR ?9 = 'sent')`,
			b.owner, b.bundle, l.ID, string(l.Summary), l.Draft, l.Own, l.Placed, l.Message, l.Status, l.Error,
			l.Tries, l.Updated.UnixMilli(), until, l.LeaseToken)
		return stillHeld(result, err)
	})
	if err != nil {
		return fmt.Errorf("save letter %s: %w", l.ID, sqlite.Classify(err))
	}
	return nil
}

// Forget removes a letter that the caller holds, so that it was never asked for.
// It returns ErrNotHeld, with nothing changed, when another process has taken
// it over.
func (b *Store) Forget(ctx context.Context, l store.OutboxItem) error {
	err := b.db.Write(ctx, func(t *sqlite.Tx) error {
		result, err := t.Exec("DELETE FROM outbox WHERE owner = ? AND bundle = ? AND id = ? AND holder = ?", b.owner, b.bundle, l.ID, l.LeaseToken)
		return stillHeld(result, err)
	})
	if err != nil {
		return fmt.Errorf("forget letter %s: %w", l.ID, sqlite.Classify(err))
	}
	return nil
}

// ExtendLease holds a letter on for the length of hold from now. It returns ErrNotHeld
// when another process has taken it over.
func (b *Store) ExtendLease(ctx context.Context, l store.OutboxItem, hold time.Duration) error {
	err := b.db.Write(ctx, func(t *sqlite.Tx) error {
		result, err := t.Exec("UPDATE outbox SET lease = ? WHERE owner = ? AND bundle = ? AND id = ? AND holder = ? AND lease > 0",
			time.Now().Add(hold).UnixMilli(), b.owner, b.bundle, l.ID, l.LeaseToken)
		return stillHeld(result, err)
	})
	if err != nil {
		return fmt.Errorf("renew letter %s: %w", l.ID, sqlite.Classify(err))
	}
	return nil
}

// stillHeld returns the error of a statement that changes the row of a letter
// while its holder has it, ErrNotHeld when there was none.
func stillHeld(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, store.ErrNotHeld)
	}
	return nil
}

// Get returns the letter of that id. It returns ErrNotFound when there is none.
func (b *Store) Get(ctx context.Context, id string) (store.OutboxItem, error) {
	l, err := scanLetter(b.db.Read(ctx).Row(letterByID, b.owner, b.bundle, id))
	if err != nil {
		return store.OutboxItem{}, fmt.Errorf("read letter %s: %w", id, sqlite.Classify(missingLetter(err)))
	}
	return l, nil
}

// Raw returns the letter itself. It is nil when the letter is done, and for a
// draft of the user's. It returns ErrNotFound for an unknown id.
func (b *Store) Raw(ctx context.Context, id string) ([]byte, error) {
	var raw []byte
	err := b.db.Read(ctx).Row("SELECT raw FROM outbox WHERE owner = ? AND bundle = ? AND id = ?", b.owner, b.bundle, id).Scan(&raw)
	if err != nil {
		return nil, fmt.Errorf("read text of letter %s: %w", id, sqlite.Classify(missingLetter(err)))
	}
	return raw, nil
}

// List returns the letters that changed last, newest first.
func (b *Store) List(ctx context.Context, limit int) ([]store.OutboxItem, error) {
	letters, err := b.list(ctx, limit)
	if err != nil {
		return nil, fmt.Errorf("list letters: %w", sqlite.Classify(err))
	}
	return letters, nil
}

func (b *Store) list(ctx context.Context, limit int) ([]store.OutboxItem, error) {
	rows, err := b.db.Read(ctx).Query("SELECT "+letterColumns+" FROM outbox WHERE owner = ? AND bundle = ? ORDER BY updated DESC, rowid DESC LIMIT ?", b.owner, b.bundle, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	letters := []store.OutboxItem{}
	for rows.Next() {
		l, err := scanLetter(rows)
		if err != nil {
			return nil, err
		}
		letters = append(letters, l)
	}
	return letters, rows.Err()
}

const (
	letterColumns = `id, account, key, digest, gist, kind, summary, thread, save, draft, own, placed, message, status, error, tries, created, updated, holder, lease`
	letterByID    = "SELECT " + letterColumns + " FROM outbox WHERE owner = ? AND bundle = ? AND id = ?"
)

func scanLetter(row sqlite.Scanner) (store.OutboxItem, error) {
	var l store.OutboxItem
	var created, updated, until int64
	summary := ""
	err := row.Scan(&l.ID, &l.Account, &l.Key, &l.Digest, &l.ContentKey, &l.Kind, &summary, &l.Thread, &l.SaveOnly, &l.Draft, &l.Own, &l.Placed,
		&l.Message, &l.Status, &l.Error, &l.Tries, &created, &updated, &l.LeaseToken, &until)
	if err != nil {
		return store.OutboxItem{}, err
	}
	l.Summary = json.RawMessage(summary)
	l.Created, l.Updated, l.Lease = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC(), time.UnixMilli(until).UTC()
	l.HolderGone = time.Now().Before(l.Lease) && lease.HolderGone(l.LeaseToken)
	return l, nil
}

func missingLetter(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}
