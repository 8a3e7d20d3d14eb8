package diary

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// A revising is what one call changes in the diary, in rows of any kind. Its
// number is that of the first version it kept; 0 as long as there is none.
type revising struct {
	*sqlite.Tx
	owner     string
	operation string
	now       time.Time
	number    int64
	undoes    int64 // the number of the act that this one takes back; 0 for none
}

func (d *Store) revising(t *sqlite.Tx, operation string) *revising {
	return &revising{Tx: t, owner: d.owner, operation: operation, now: t.Now()}
}

// undo is the act's name outside; "" when it superseded nothing.
func (r *revising) undo() string {
	if r.number == 0 {
		return ""
	}
	return store.DiaryID(store.UndoLetter, r.number)
}

// revise makes next the state of the row whose state is old, and keeps old as
// a version. next gets its Row here: a version begins after the one before it,
// also when the clock was set back. Of Deleted only whether it is zero counts.
func revise[T any](r *revising, s table[T], old, next *T) error {
	was, is := *s.row(old), s.row(next)
	deleted := !is.Deleted.IsZero()
	*is = store.Row{ID: was.ID, Version: was.Version + 1, Created: was.Created, Updated: store.StoredTime(r.now)}
	if !is.Updated.After(was.Updated) {
		is.Updated = was.Updated.Add(time.Millisecond)
	}
	if deleted {
		is.Deleted = is.Updated
	}
	kept, err := r.Exec("INSERT INTO diary_versions (owner, kind, row, version, state, ended, operation, undo) VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0))",
		r.owner, s.table, s.number(old), was.Version, string(store.EncodeJSON(old)), sqlite.Millis(is.Updated), r.operation, r.number)
	if err != nil {
		return err
	}
	if r.number == 0 {
		if r.number, err = numberGiven(kept); err != nil {
			return err
		}
	}
	return s.update(r.Tx, next)
}

// History returns the changes of an entry, a task or a document after it was
// made, the latest first, also when it is deleted. It returns ErrNotFound for
// an id that names none.
func (d *Store) History(ctx context.Context, id string, limit int) ([]store.Revision, error) {
	history, err := d.history(ctx, id, limit)
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", id, sqlite.Classify(err))
	}
	return history, nil
}

func (d *Store) history(ctx context.Context, id string, limit int) ([]store.Revision, error) {
	some, err := tableOf(id)
	if err != nil {
		return nil, err
	}
	q := d.db.Read(ctx)
	if err := some.there(q, d.owner, id); err != nil {
		return nil, err
	}
	return revisions(q.Query(selectRevisions+" WHERE kind = ? AND row = ? AND owner = ? ORDER BY version DESC LIMIT ?",
		some.name(), store.DiaryNumber(some.initial(), id), d.owner, limit))
}

const selectRevisions = "SELECT kind, row, version, operation, ended, coalesce(undo, id), state FROM diary_versions"

// revisions reads and closes rows.
func revisions(rows *sql.Rows, err error) ([]store.Revision, error) {
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
		r.ID, r.Version, r.At = store.DiaryID(letterOf(table), row), version+1, time.UnixMilli(ended).UTC()
		r.Undo, r.Before = store.DiaryID(store.UndoLetter, number), json.RawMessage(state)
		found = append(found, r)
	}
	return found, rows.Err()
}

// letterOf is the letter that ids of a table begin with.
func letterOf(table string) byte {
	for _, some := range tables() {
		if some.name() == table {
			return some.initial()
		}
	}
	return '?' // the table allows no other kind
}
