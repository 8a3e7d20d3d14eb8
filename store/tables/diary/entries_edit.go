package diary

import (
	"context"
	"fmt"

	"kota/store"
	"kota/store/engine"
)

// EditEntry edits an entry. It returns ErrNotFound if the entry does not exist or is deleted, and
// a *ChangedError if IfVersion is not the current version. It returns ErrInvalid and a *SizeError
// like Log.
func (d *Store) EditEntry(ctx context.Context, e store.EntryEdit) (store.EditResult[store.DayEntry], error) {
	edited := store.EditResult[store.DayEntry]{}
	err := d.db.Write(ctx, func(t engine.Tx) (err error) {
		edited, err = editRow(d.newChangeSet(t, "edit"), entryTable, e.ID, e.IfVersion, e.Apply)
		return err
	})
	if err != nil {
		return store.EditResult[store.DayEntry]{}, fmt.Errorf("edit %s: %w", e.ID, err)
	}
	return edited, nil
}

// editRow applies a change to one row that is not deleted.
func editRow[T any](c *changeSet, s table[T], id string, ifVersion *int64, apply func(next *T) error) (store.EditResult[T], error) {
	old, err := s.getUndeleted(c, c.owner, id)
	if err != nil {
		return store.EditResult[T]{}, err
	}
	if err := s.row(old).CheckVersion(ifVersion); err != nil {
		return store.EditResult[T]{}, err
	}
	next := *old
	if err := apply(&next); err != nil {
		return store.EditResult[T]{}, err
	}
	edited := store.EditResult[T]{After: &next, Before: old}
	if string(store.EncodeJSON(old)) == string(store.EncodeJSON(&next)) {
		return edited, nil
	}
	err = storeRevision(c, s, old, &next)
	edited.Undo = c.undoID()
	return edited, err
}

// Delete deletes entries, tasks and documents, all or none. Restore can restore them. It returns
// ErrNotFound if one of the ids does not exist or is already deleted, and ErrInvalid without an
// id.
func (d *Store) Delete(ctx context.Context, ids ...string) (store.DiaryDeleteResult, error) {
	removed, err := d.delete(ctx, nil, ids...)
	if err != nil {
		return store.DiaryDeleteResult{}, fmt.Errorf("delete: %w", err)
	}
	return removed, nil
}

// DeleteVersion is Delete for one row. It returns a *ChangedError if version is not the current
// version.
func (d *Store) DeleteVersion(ctx context.Context, id string, version int64) (store.DiaryDeleteResult, error) {
	removed, err := d.delete(ctx, &version, id)
	if err != nil {
		return store.DiaryDeleteResult{}, fmt.Errorf("delete: %w", err)
	}
	return removed, nil
}

func (d *Store) delete(ctx context.Context, ifVersion *int64, ids ...string) (store.DiaryDeleteResult, error) {
	if len(ids) == 0 {
		return store.DiaryDeleteResult{}, fmt.Errorf("%w: give the id of what to delete", store.ErrInvalid)
	}
	removed := store.DiaryDeleteResult{}
	err := d.db.Write(ctx, func(t engine.Tx) error {
		r := d.newChangeSet(t, "delete")
		removed = store.DiaryDeleteResult{IDs: []string{}}
		if err := r.fetch(ids); err != nil {
			return err
		}
		for _, id := range ids {
			table, err := tableOf(id)
			if err == nil {
				err = table.markDeleted(r, id, ifVersion)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			removed.IDs = append(removed.IDs, id)
		}
		removed.Undo = r.undoID()
		return nil
	})
	return removed, err
}

func (s table[T]) markDeleted(r *changeSet, id string, ifVersion *int64) error {
	old, err := s.getUndeleted(r, r.owner, id)
	if err == nil {
		err = s.row(old).CheckVersion(ifVersion)
	}
	if err != nil {
		return err
	}
	next := *old
	s.row(&next).Deleted = r.Now()
	return storeRevision(r, s, old, &next)
}
