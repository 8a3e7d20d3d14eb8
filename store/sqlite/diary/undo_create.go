package diary

import (
	"context"
	"errors"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/changes"
)

// undoCreate deletes the rows that a call created, if all are unchanged since then.
func (d *Store) undoCreate(ctx context.Context, undo string) (store.RestoreResult, error) {
	restored := store.RestoreResult{}
	err := d.db.Write(ctx, func(t *sqlite.Tx) error {
		ids := store.ParseCreationUndoID(undo)
		if ids == nil {
			return store.ErrNotFound
		}
		r := d.newChangeSet(t, "restore")
		for _, id := range ids {
			table, err := tableOf(id)
			if err == nil {
				err = table.undoCreate(r, id)
			}
			if err != nil {
				return err
			}
		}
		restored = store.RestoreResult{IDs: ids, Deleted: true, Undo: r.undoID()}
		return nil
	})
	return restored, err
}

// undoCreate deletes a row that is unchanged since it was created.
func (s table[T]) undoCreate(r *changeSet, id string) error {
	created, err := s.get(r.Tx, r.owner, id)
	if err != nil {
		return err
	}
	err = s.checkUnchanged(r, id, 1)
	if errors.Is(err, store.ErrConflict) {
		return changes.CreationUndoneError(r.Tx, err, s.row(created).Deleted,
			"SELECT operation FROM diary_versions WHERE kind = ? AND row = ? ORDER BY version DESC LIMIT 1", s.table, s.number(created))
	}
	if err != nil {
		return err
	}
	next := *created
	s.row(&next).Deleted = r.now
	return storeRevision(r, s, created, &next)
}
