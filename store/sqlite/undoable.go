package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"kota/store"
)

// A doneAct is an act, and what has taken it back.
type doneAct struct {
	store.Undoable
	undone string // Undo of the act that has taken it back; "" for none
}

// Undoable returns the last acts on memories, the last first, that are not older
// than UndoKept and were not taken back. Restore undoes older ones too, while
// their versions are kept, and refuses those whose memories were changed since.
func (m *Memories) Undoable(ctx context.Context, limit int) ([]store.Undoable, error) {
	acts, err := m.db.acts(ctx, func(number int64) string { return (&act{number: number}).undo() }, `
		SELECT 'memories', coalesce(v.undo, v.id), v.operation, min(v.key), count(*), max(v.ended) AS at, max(v.undone)
		FROM versions v WHERE v.owner = ?1 AND v.ended >= ?2
		GROUP BY 2 ORDER BY at DESC, 2 DESC LIMIT ?3`, m.owner, limit)
	if err != nil {
		return nil, fmt.Errorf("list acts on memories: %w", Classify(err))
	}
	made, err := m.db.acts(ctx, nil, `
		SELECT 'memories', id, 'create', key, 1, created, NULL FROM memories
		WHERE owner = ?1 AND created >= ?2 AND (deleted IS NULL
			OR 'restore' <> (SELECT operation FROM versions WHERE memory = memories.id ORDER BY version DESC LIMIT 1)) ORDER BY created DESC, id DESC LIMIT ?3`, m.owner, limit)
	if err != nil {
		return nil, fmt.Errorf("list memories that were made: %w", Classify(err))
	}
	return lastActs(limit, acts, made), nil
}

// Undoable returns the last acts on the diary, as that of memories does. What one
// call has made are several of them.
func (d *Diary) Undoable(ctx context.Context, limit int) ([]store.Undoable, error) {
	all := [][]doneAct{}
	for _, of := range []struct{ table, what string }{{entryTable.table, "text"}, {taskTable.table, "text"}, {documentTable.table, "title"}} {
		acts, err := d.db.acts(ctx, func(number int64) string { return store.DiaryID(store.UndoLetter, number) }, `
			SELECT '`+of.table+`', coalesce(v.undo, v.id), v.operation, min(t.`+of.what+`), count(*), max(v.ended) AS at, max(v.undone)
			FROM diary_versions v JOIN `+of.table+` t ON t.id = v.row AND v.kind = '`+of.table+`'
			WHERE v.owner = ?1 AND v.ended >= ?2
			GROUP BY 2 ORDER BY at DESC, 2 DESC LIMIT ?3`, d.owner, limit)
		if err != nil {
			return nil, fmt.Errorf("list acts on %s: %w", of.table, Classify(err))
		}
		made, err := d.db.acts(ctx, nil, `
			SELECT '`+of.table+`', id, 'create', `+of.what+`, 1, created, NULL FROM `+of.table+` AS t
			WHERE owner = ?1 AND created >= ?2 AND (deleted IS NULL
				OR 'restore' <> (SELECT operation FROM diary_versions WHERE kind = '`+of.table+`' AND row = t.id ORDER BY version DESC LIMIT 1)) ORDER BY created DESC, id DESC LIMIT ?3`, d.owner, limit)
		if err != nil {
			return nil, fmt.Errorf("list %s that were made: %w", of.table, Classify(err))
		}
		all = append(all, acts, made)
	}
	return lastActs(limit, all...), nil
}

// acts reads acts, whose numbers undo names, or rows that were made.
func (db *DB) acts(ctx context.Context, undo func(int64) string, query, owner string, limit int) ([]doneAct, error) {
	const spare = 20 // for those that were taken back, and what took them back
	rows, err := db.Read(ctx).Query(query, owner, Millis(db.Now().Add(-store.UndoKept)), 2*limit+spare)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []doneAct{}
	for rows.Next() {
		a := doneAct{}
		var number, at int64
		var by sql.NullInt64
		if err := rows.Scan(&a.Kind, &number, &a.Operation, &a.What, &a.Rows, &at, &by); err != nil {
			return nil, err
		}
		if by.Valid {
			a.undone = undo(by.Int64)
		}
		a.At = time.UnixMilli(at).UTC()
		switch {
		case undo != nil:
			a.Undo = undo(number)
		case a.Kind == "memories":
			a.Undo = madeID(number, a.At)
		default:
			a.Undo = store.DiaryID(letterOf(a.Kind), number)
		}
		found = append(found, a)
	}
	return found, rows.Err()
}

// lastActs joins lists of acts. An act on rows of several kinds is in several
// lists, and stays one.
func lastActs(limit int, lists ...[]doneAct) []store.Undoable {
	all := []doneAct{}
	for _, a := range slices.Concat(lists...) {
		at := slices.IndexFunc(all, func(b doneAct) bool { return b.Undo == a.Undo })
		if at < 0 {
			all = append(all, a)
		} else {
			all[at].Rows += a.Rows
		}
	}
	all = inEffect(all)
	slices.SortStableFunc(all, func(a, b doneAct) int { return b.At.Compare(a.At) })
	acts := make([]store.Undoable, min(limit, len(all)))
	for i := range acts {
		acts[i] = all[i].Undoable
	}
	return acts
}

// inEffect are the acts that were not taken back, or by one that was itself.
func inEffect(all []doneAct) []doneAct {
	by := map[string]string{}
	for _, a := range all {
		by[a.Undo] = a.undone
	}
	return slices.DeleteFunc(all, func(a doneAct) bool {
		undone := false
		for one := by[a.Undo]; one != ""; one = by[one] {
			undone = !undone
		}
		return undone
	})
}
