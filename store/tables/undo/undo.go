// Package undo stores how to undo changes outside of KOTA. One process at a time may
// undo a change. Start at Store.Save and Store.Claim.
package undo

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/lease"
)

// claimTTL is how long a claim excludes other callers. A claim ends earlier if its process has
// certainly ended.
const claimTTL = 3 * time.Minute

// Store holds the undo records of one bundle for one owner.
type Store struct {
	db     engine.DB
	owner  any
	bundle string
}

// New returns a handle on the undo records of a bundle for an owner. It does not access the
// database.
func New(db engine.DB, owner, bundle string) *Store {
	return &Store{db: db, owner: db.Owner(owner), bundle: bundle}
}

// BundleOf returns the bundle of an owner's undo record. It returns the errors of Find.
func BundleOf(ctx context.Context, db engine.DB, owner, id string) (string, error) {
	_, bundle, err := Find(ctx, db, owner, id)
	return bundle, err
}

// Find returns an owner's change and the bundle that made it, even if it was undone. It returns
// ErrNotFound for an unknown id.
func Find(ctx context.Context, db engine.DB, owner, id string) (*store.UndoRecord, string, error) {
	bundle := ""
	found, err := scanUndo(db.Read(ctx).Row("SELECT "+undoColumns+", bundle FROM undo WHERE id = ? AND owner = ?", id, db.Owner(owner)), &bundle)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, "", fmt.Errorf("look up %s: %w", id, err)
	}
	return found, bundle, nil
}

const undoColumns = "id, account, kind, title, before, created, undone"

func scanUndo(row engine.Scanner, more ...any) (*store.UndoRecord, error) {
	u := &store.UndoRecord{}
	var before string
	var created, undone sql.NullInt64
	if err := row.Scan(append([]any{&u.ID, &u.Account, &u.Kind, &u.Title, &before, &created, &undone}, more...)...); err != nil {
		return nil, err
	}
	if before != "" {
		u.Before = json.RawMessage(before)
	}
	u.Created, u.Undone = engine.TimeOf(created), engine.TimeOf(undone)
	return u, nil
}

// Save stores a change and returns its undo id. Call it before making the change, so that a crash
// never leaves a change that cannot be undone. It returns ErrInvalid if Before is not JSON.
func (u *Store) Save(ctx context.Context, change store.UndoRecord) (string, error) {
	if !json.Valid(change.Before) {
		return "", fmt.Errorf("save undo record: %w: it is not JSON", store.ErrInvalid)
	}
	id := "u_" + strings.ToLower(rand.Text())
	err := u.db.Write(ctx, func(t engine.Tx) error {
		now := t.Now()
		if err := t.Exec("DELETE FROM undo WHERE owner = ? AND bundle = ? AND created < ?", u.owner, u.bundle, engine.Millis(now.Add(-store.UndoTTL))); err != nil {
			return err
		}
		_, err := t.Insert("undo", "INSERT INTO undo (rowid, id, owner, bundle, account, kind, title, before, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			id, u.owner, u.bundle, change.Account, change.Kind, change.Title, string(change.Before), engine.Millis(now))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("save undo record: %w", err)
	}
	return id, nil
}

// Amend replaces the title and the previous state of a change. Call it if less was changed than
// planned. It returns ErrNotFound for an unknown id.
func (u *Store) Amend(ctx context.Context, id, title string, before json.RawMessage) error {
	if !json.Valid(before) {
		return fmt.Errorf("update undo record %s: %w: it is not JSON", id, store.ErrInvalid)
	}
	return u.updateRow(ctx, "amend", id, "UPDATE undo SET title = ?4, before = ?5 WHERE id = ?1 AND owner = ?2 AND bundle = ?3", title, string(before))
}

// Drop removes a change that was not made. It returns ErrNotFound for an unknown id.
func (u *Store) Drop(ctx context.Context, id string) error {
	return u.updateRow(ctx, "drop", id, "DELETE FROM undo WHERE id = ?1 AND owner = ?2 AND bundle = ?3")
}

// Claim returns a change that the caller may undo. It excludes other callers until Done or
// Release, but at most for three minutes. It returns ErrNotFound for an id that is unknown or
// older than UndoTTL. It returns an *UndoneError if the change was already undone, and ErrClaimed
// while another call is undoing it.
func (u *Store) Claim(ctx context.Context, id string) (*store.UndoRecord, error) {
	var found *store.UndoRecord
	err := u.db.Write(ctx, func(t engine.Tx) error {
		var claimed sql.NullInt64
		var claimer string
		var err error
		now := t.Now()
		found, err = scanUndo(t.Row("SELECT "+undoColumns+", claimed, claimer FROM undo WHERE id = ? AND owner = ? AND bundle = ? AND created >= ?",
			id, u.owner, u.bundle, engine.Millis(now.Add(-store.UndoTTL))), &claimed, &claimer)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return store.ErrNotFound
		case err != nil:
			return err
		case !found.Undone.IsZero():
			return &store.UndoneError{At: found.Undone}
		case claimed.Valid && now.Sub(engine.TimeOf(claimed)).Abs() < claimTTL && !lease.HolderGone(claimer):
			return store.ErrClaimed
		}
		return t.Exec("UPDATE undo SET claimed = ?, claimer = ? WHERE id = ? AND owner = ?", engine.Millis(now), lease.NewToken(), id, u.owner)
	})
	if err != nil {
		return nil, fmt.Errorf("undo %s: %w", id, err)
	}
	return found, nil
}

// Done records that a change was undone. The change cannot be undone again.
func (u *Store) Done(ctx context.Context, id string) error {
	return u.updateRow(ctx, "mark as undone", id, "UPDATE undo SET claimed = NULL, undone = ?4 WHERE id = ?1 AND owner = ?2 AND bundle = ?3", engine.Millis(u.db.Now()))
}

// Release ends a claim whose undo failed, so that others can undo the change.
func (u *Store) Release(ctx context.Context, id string) error {
	return u.updateRow(ctx, "release", id, "UPDATE undo SET claimed = NULL WHERE id = ?1 AND owner = ?2 AND bundle = ?3")
}

// Recent returns the changes that can still be undone, newest first, without their previous
// states.
func (u *Store) Recent(ctx context.Context, limit int) ([]store.UndoRecord, error) {
	return u.list(ctx, "''", "", limit)
}

// OfKind returns the changes of a kind that can still be undone, newest first, with their
// previous states.
func (u *Store) OfKind(ctx context.Context, kind string, limit int) ([]store.UndoRecord, error) {
	return u.list(ctx, "before", kind, limit)
}

// list returns changes of a kind, or of every kind for "". beforeColumn is the SQL expression for
// UndoRecord.Before.
func (u *Store) list(ctx context.Context, beforeColumn, kind string, limit int) ([]store.UndoRecord, error) {
	rows, err := u.db.Read(ctx).Query(`
		SELECT id, account, kind, title, `+beforeColumn+`, created, undone FROM undo
		WHERE owner = ?1 AND bundle = ?2 AND created >= ?3 AND undone IS NULL AND ?4 IN ('', kind) ORDER BY created DESC, rowid DESC LIMIT ?5`,
		u.owner, u.bundle, engine.Millis(u.db.Now().Add(-store.UndoTTL)), kind, limit)
	if err != nil {
		return nil, fmt.Errorf("list what can be undone: %w", err)
	}
	defer rows.Close()
	found := []store.UndoRecord{}
	for rows.Next() {
		one, err := scanUndo(rows)
		if err != nil {
			return nil, fmt.Errorf("list what can be undone: %w", err)
		}
		found = append(found, *one)
	}
	return found, rows.Err()
}

// updateRow runs a statement on the row with that id. It returns ErrNotFound if there is no such
// row.
func (u *Store) updateRow(ctx context.Context, what, id, query string, args ...any) error {
	err := u.db.Write(ctx, func(t engine.Tx) error {
		changed, err := t.Change(query, append([]any{id, u.owner, u.bundle}, args...)...)
		if err == nil && changed == 0 {
			err = store.ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, id, err)
	}
	return nil
}
