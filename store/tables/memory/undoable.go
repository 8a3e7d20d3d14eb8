package memory

import (
	"context"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/changes"
)

// Undoable returns up to limit changes of memories, latest first. It omits changes that are older
// than UndoTTL, and those that were undone. Restore can also undo older changes while their
// versions exist. But Restore refuses to undo a change if its memories have changed since.
func (m *Store) Undoable(ctx context.Context, limit int) ([]store.UndoableChange, error) {
	changed, err := changes.Query(ctx, m.db, func(_ string, number int64, _ time.Time) string { return (&changeSet{number: number}).undoID() }, `
		SELECT 'memories', coalesce(v.undo, v.id), min(v.operation), min(v.key), count(*), max(v.ended) AS at, max(v.undone)
		FROM versions v WHERE v.owner = ?1 AND v.ended >= ?2
		GROUP BY 2 ORDER BY at DESC, 2 DESC LIMIT ?3`, m.owner, limit)
	if err != nil {
		return nil, fmt.Errorf("list changes of memories: %w", err)
	}
	created, err := changes.Query(ctx, m.db, func(_ string, number int64, at time.Time) string { return creationUndoID(number, at) }, undoableCreations.For(m.db), m.owner, limit)
	if err != nil {
		return nil, fmt.Errorf("list created memories: %w", err)
	}
	return changes.MergeLatest(limit, changed, created), nil
}

// undoableCreations selects the creations that were not undone, as changes.Query reads them. Its parts
// are those of createdSince.
var undoableCreations = func() engine.Stmt {
	const creation = "SELECT 'memories', id, 'create', key, 1, created, NULL FROM memories"
	return ofStale(creation + " WHERE owner = ?1 AND updated >= ?2 AND created >= ?2 AND deleted IS NULL AND stale = 0" +
		" UNION ALL " + creation + " INDEXED BY memories_stale WHERE owner = ?1 AND created >= ?2 AND deleted IS NULL AND stale = 1" +
		" UNION ALL " + creation + " WHERE owner = ?1 AND created >= ?2 AND deleted IS NOT NULL" +
		" AND 'restore' <> (SELECT operation FROM versions WHERE memory = memories.id AND owner = ?1 ORDER BY version DESC LIMIT 1)" +
		" ORDER BY created DESC, id DESC LIMIT ?3")
}()
