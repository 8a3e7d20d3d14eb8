package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kota/store"
	"kota/store/engine"
)

// PreviewUndo returns the memories that Restore with this undo id would change, and writes nothing. It
// does not check whether they have changed since. It returns the errors of Restore for ids.
func (m *Store) PreviewUndo(ctx context.Context, undo string) ([]store.UndoPreview[store.Memory], error) {
	found, err := m.previewUndo(ctx, m.db.Read(ctx), undo)
	if err != nil {
		return nil, fmt.Errorf("preview of %s: %w", undo, err)
	}
	return found, nil
}

func (m *Store) previewUndo(ctx context.Context, q engine.Querier, undo string) ([]store.UndoPreview[store.Memory], error) {
	if made := parseCreationUndoID(undo); made != 0 {
		created, err := m.aliveByID(q, made)
		if err == nil && (created == nil || creationUndoID(made, created.Created) != undo) {
			err = store.ErrNotFound
		}
		return []store.UndoPreview[store.Memory]{{Now: created}}, err
	}
	number, err := parseUndo(undo)
	if err != nil {
		return nil, err
	}
	rows, err := q.Query(versionsOfCall, m.owner, number)
	if err != nil {
		return nil, err
	}
	versions, err := scanVersions(rows)
	if err != nil {
		return nil, err
	}
	places, found := map[int64]int{}, []store.UndoPreview[store.Memory]{}
	for _, version := range versions { // the last change first: the first one says what was there before the call
		before := version.Before
		place, seen := places[before.ID]
		if !seen {
			now, err := m.aliveByID(q, before.ID)
			if err != nil {
				return nil, err
			}
			place = len(found)
			places[before.ID], found = place, append(found, store.UndoPreview[store.Memory]{Now: now})
		}
		found[place].Then = nil
		if before.Deleted.IsZero() {
			found[place].Then = before
		}
	}
	if len(found) == 0 {
		return nil, store.ErrNotFound
	}
	return found, nil
}

// aliveByID returns the memory with that id, or nil if there is none that is neither deleted nor
// expired.
func (m *Store) aliveByID(q engine.Querier, id int64) (*store.Memory, error) {
	one, err := scanMemory(q.Row(byID, id, m.owner))
	if errors.Is(err, sql.ErrNoRows) || err == nil && !one.Alive(m.db.Now()) {
		return nil, nil
	}
	return one, err
}
