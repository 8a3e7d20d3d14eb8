package diary

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
)

// A changeSet holds the changes of one call in the diary, in rows of any kind. number is the
// number of the first version that it stored, and 0 before that.
type changeSet struct {
	engine.Tx
	owner     any
	operation string
	now       time.Time // of the first Now; zero before that
	number    int64
	undoes    int64 // the number of the change set that this one undoes; 0 for none
	fetched   map[rowKey]any
}

func (d *Store) newChangeSet(t engine.Tx, operation string) *changeSet {
	return &changeSet{Tx: t, owner: d.owner, operation: operation}
}

// Now returns the same time for all rows of the call. PostgreSQL knows the time only after the first
// trip to the server, and a read of the call can be part of that trip. So nothing asks for the time
// before the read.
func (r *changeSet) Now() time.Time {
	if r.now.IsZero() {
		r.now = r.Tx.Now()
	}
	return r.now
}

// undoID returns the undo id of the call, or "" if no version was stored.
func (r *changeSet) undoID() string {
	if r.number == 0 {
		return ""
	}
	return store.DiaryID(store.UndoPrefix, r.number)
}

// storeRevision makes next the current state of a row, and stores old as a version. It sets the
// Row of next. If Deleted of next is not zero, the row is now deleted. A version starts after the
// previous one, even if the clock was set back.
func storeRevision[T any](r *changeSet, s table[T], old, next *T) error {
	before, after := *s.row(old), s.row(next)
	deleted := !after.Deleted.IsZero()
	*after = store.Row{ID: before.ID, Version: before.Version + 1, Created: before.Created, Updated: store.StoredTime(r.Now())}
	if !after.Updated.After(before.Updated) {
		after.Updated = before.Updated.Add(time.Millisecond)
	}
	if deleted {
		after.Deleted = after.Updated
	}
	number, err := insertedNumber(r.Insert("diary_versions", "INSERT INTO diary_versions (id, owner, kind, row, version, state, ended, operation, undo) VALUES (?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0))",
		r.owner, s.table, s.number(old), before.Version, string(store.EncodeJSON(old)), engine.Millis(after.Updated), r.operation, r.number))
	if err != nil {
		return err
	}
	if r.number == 0 {
		r.number = number
	}
	delete(r.fetched, rowKey{s.table, s.number(old)})
	return s.update(r, r.owner, next)
}

// History returns the changes of an entry, a task or a document after its creation, latest first,
// even if it is deleted. It returns ErrNotFound for an unknown id.
func (d *Store) History(ctx context.Context, id string, limit int) ([]store.Revision, error) {
	history, err := d.history(ctx, id, limit)
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", id, err)
	}
	return history, nil
}

func (d *Store) history(ctx context.Context, id string, limit int) ([]store.Revision, error) {
	table, err := tableOf(id)
	if err != nil {
		return nil, err
	}
	q := d.db.Read(ctx)
	if err := table.checkExists(q, d.owner, id); err != nil {
		return nil, err
	}
	return revisions(q.Query(selectRevisions+" WHERE kind = ? AND row = ? AND owner = ? ORDER BY version DESC LIMIT ?",
		table.name(), store.DiaryNumber(table.idPrefix(), id), d.owner, limit))
}

const selectRevisions = "SELECT kind, row, version, operation, ended, coalesce(undo, id), state FROM diary_versions"

// revisions reads and closes rows.
func revisions(rows engine.Rows, err error) ([]store.Revision, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []store.Revision{}
	for rows.Next() {
		r := store.Revision{}
		table, state := "", ""
		var row, version, ended, number int64
		if err := rows.Scan(&table, &row, &version, &r.Operation, &ended, &number, &state); err != nil {
			return nil, err
		}
		r.ID, r.Version, r.At = store.DiaryID(prefixOf(table), row), version+1, time.UnixMilli(ended).UTC()
		r.Undo, r.Before = store.DiaryID(store.UndoPrefix, number), json.RawMessage(state)
		found = append(found, r)
	}
	return found, rows.Err()
}

// prefixOf returns the prefix of the ids of a table.
func prefixOf(table string) byte {
	for _, candidate := range tables() {
		if candidate.name() == table {
			return candidate.idPrefix()
		}
	}
	return '?' // the schema allows no other kind
}
