// Package changes lists the last changes of a table's rows that can still be undone.
package changes

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"kota/store"
	"kota/store/engine"
)

// A Change is what one call changed in the rows of one kind.
type Change struct {
	store.UndoableChange
	undoneBy string // the id of the change that has undone it; "" for none
}

// Query reads changes with an SQL query. The arguments of the query are the owner, the earliest
// time and the maximum number of rows. undoID returns the undo id of a change.
func Query(ctx context.Context, db engine.DB, undoID func(kind string, number int64, at time.Time) string, query string, owner any, limit int) ([]Change, error) {
	const spare = 20 // for changes that were undone, and the changes that undid them
	rows, err := db.Read(ctx).Query(query, owner, engine.Millis(db.Now().Add(-store.UndoTTL)), 2*limit+spare)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []Change{}
	for rows.Next() {
		a := Change{}
		var number, at int64
		var by sql.NullInt64
		if err := rows.Scan(&a.Kind, &number, &a.Operation, &a.Subject, &a.Rows, &at, &by); err != nil {
			return nil, err
		}
		a.At = time.UnixMilli(at).UTC()
		a.Undo = undoID(a.Kind, number, a.At)
		if by.Valid {
			a.undoneBy = undoID(a.Kind, by.Int64, a.At)
		}
		found = append(found, a)
	}
	return found, rows.Err()
}

// MergeLatest merges lists into one, newest first, at most limit changes. It omits changes that
// were undone. A change with rows of several kinds is in several lists; it becomes one.
func MergeLatest(limit int, lists ...[]Change) []store.UndoableChange {
	all := []Change{}
	for _, a := range slices.Concat(lists...) {
		at := slices.IndexFunc(all, func(b Change) bool { return b.Undo == a.Undo })
		if at < 0 {
			all = append(all, a)
		} else {
			all[at].Rows += a.Rows
		}
	}
	all = inEffect(all)
	slices.SortStableFunc(all, func(a, b Change) int { return b.At.Compare(a.At) })
	latest := make([]store.UndoableChange, min(limit, len(all)))
	for i := range latest {
		latest[i] = all[i].UndoableChange
	}
	return latest
}

// inEffect returns the changes that were not undone, or whose undo was itself undone.
func inEffect(all []Change) []Change {
	undoneBy := map[string]string{}
	for _, a := range all {
		undoneBy[a.Undo] = a.undoneBy
	}
	return slices.DeleteFunc(all, func(a Change) bool {
		undone := false
		for id := undoneBy[a.Undo]; id != ""; id = undoneBy[id] {
			undone = !undone
		}
		return undone
	})
}

// UndoneError returns the error for a change that cannot be undone because of a conflict. It is
// conflict, and also an *UndoneError if the change was already undone. versions is the table with
// the owner's versions before the change.
func UndoneError(t engine.Tx, conflict error, versions string, owner any, number int64) error {
	var undos, at int64 // 1: it was undone; 2: that was undone too; and so on
	err := t.Row(`
		WITH RECURSIVE undo (number, undos) AS (
			SELECT CAST(?1 AS bigint), 0
			UNION ALL SELECT v.undone, undos + 1 FROM undo JOIN `+versions+` v ON v.id = number AND v.owner = ?2 WHERE v.undone IS NOT NULL)
		SELECT undos, ended FROM undo JOIN `+versions+` ON id = number AND owner = ?2 ORDER BY undos DESC LIMIT 1`, number, owner).Scan(&undos, &at)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && undos%2 == 0:
		return conflict
	case err != nil:
		return err
	}
	return joined(conflict, time.UnixMilli(at).UTC())
}

// CreationUndoneError is like UndoneError for a creation. A creation was undone if its row is
// deleted and the last change of the row undid something. deleted is the time of the deletion.
// query selects the operation of the last change.
func CreationUndoneError(t engine.Tx, conflict error, deleted time.Time, query string, args ...any) error {
	if deleted.IsZero() {
		return conflict
	}
	operation := ""
	if err := engine.Ignore(t.Row(query, args...).Scan(&operation), sql.ErrNoRows); err != nil {
		return err
	}
	if operation != "restore" {
		return conflict
	}
	return joined(conflict, deleted)
}

func joined(conflict error, undone time.Time) error {
	return fmt.Errorf("%w: %w", &store.UndoneError{At: undone}, conflict)
}
