package diary

import (
	"context"
	"errors"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/changes"
)

// undoCreate deletes the rows that a call created and that were not erased, if all are unchanged
// since then. It returns ErrNotFound if no row is left.
func (d *Store) undoCreate(ctx context.Context, undo string) (store.RestoreResult, error) {
	restored := store.RestoreResult{}
	err := d.db.Write(ctx, func(t engine.Tx) error {
		r, ids, deleted := d.newChangeSet(t, "restore"), store.ParseCreationUndoID(undo), []string{}
		if err := r.fetch(ids); err != nil {
			return err
		}
		for _, id := range ids {
			table, err := tableOf(id)
			if err == nil {
				err = table.undoCreate(r, id)
			}
			if errors.Is(err, store.ErrNotFound) { // it was erased
				continue
			}
			if err != nil {
				return err
			}
			deleted = append(deleted, id)
		}
		if len(deleted) == 0 {
			return store.ErrNotFound
		}
		restored = store.RestoreResult{IDs: deleted, Deleted: true, Undo: r.undoID()}
		return nil
	})
	return restored, err
}

// undoCreate deletes a row that is unchanged since it was created.
func (s table[T]) undoCreate(r *changeSet, id string) error {
	created, err := s.get(r, r.owner, id)
	if err != nil {
		return err
	}
	err = s.checkUnchanged(r, id, 1)
	if errors.Is(err, store.ErrConflict) {
		return changes.CreationUndoneError(r, err, s.row(created).Deleted,
			"SELECT operation FROM diary_versions WHERE kind = ? AND row = ? AND owner = ? ORDER BY version DESC LIMIT 1", s.table, s.number(created), r.owner)
	}
	if err != nil {
		return err
	}
	next := *created
	s.row(&next).Deleted = r.Now()
	return storeRevision(r, s, created, &next)
}
