package diary

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kota/store"
	"kota/store/engine"
)

// PreviewUndo returns the rows that Restore with this undo id would change, as JSON of entries, tasks
// and documents, and writes nothing. It does not check whether they have changed since. It returns the
// errors of Restore for ids.
func (d *Store) PreviewUndo(ctx context.Context, undo string) ([]store.UndoPreview[json.RawMessage], error) {
	found, err := d.previewUndo(d.db.Read(ctx), undo)
	if err == nil && len(found) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("preview of %s: %w", undo, err)
	}
	return found, nil
}

func (d *Store) previewUndo(q engine.Querier, undo string) (found []store.UndoPreview[json.RawMessage], err error) {
	ids, before := store.ParseCreationUndoID(undo), map[string]json.RawMessage{}
	if number := store.DiaryNumber(store.UndoPrefix, undo); number != 0 {
		versions, err := revisions(q.Query(selectRevisions+" WHERE owner = ?1 AND ("+ofCall+") ORDER BY id", d.owner, number))
		if err != nil {
			return nil, err
		}
		for _, version := range versions {
			ids, before[version.ID] = append(ids, version.ID), version.Before
		}
	}
	for _, id := range ids {
		one := store.UndoPreview[json.RawMessage]{}
		if one.Now, err = d.state(q, id); err != nil {
			return nil, err
		}
		if one.Then, err = ifKept(before[id]); err != nil {
			return nil, err
		}
		if one.Now != nil || one.Then != nil { // it was not erased
			found = append(found, one)
		}
	}
	return found, nil
}

// state returns a row as JSON, or nil if there is none that is not deleted.
func (d *Store) state(q engine.Querier, id string) (*json.RawMessage, error) {
	table, err := tableOf(id)
	if err != nil {
		return nil, err
	}
	state, err := table.state(q, d.owner, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return ifKept(state)
}

// ifKept returns the state of a row, or nil if the row is deleted or there is no state.
func ifKept(state json.RawMessage) (*json.RawMessage, error) {
	if len(state) == 0 {
		return nil, nil
	}
	row := store.Row{}
	if err := json.Unmarshal(state, &row); err != nil {
		return nil, fmt.Errorf("%w: a version in the diary: %w", store.ErrCorrupt, err)
	}
	if !row.Deleted.IsZero() {
		return nil, nil
	}
	return &state, nil
}

func (s table[T]) state(q engine.Querier, owner any, id string) (json.RawMessage, error) {
	row, err := s.get(q, owner, id)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(store.EncodeJSON(row)), nil
}
