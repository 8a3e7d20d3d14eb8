package diary

import (
	"context"
	"fmt"
	"time"

	"kota/store"
	"kota/store/tables/changes"
)

// Undoable returns the last changes of the diary, like Undoable of memories. Each row that a
// call created is a separate change.
func (d *Store) Undoable(ctx context.Context, limit int) ([]store.UndoableChange, error) {
	all := [][]changes.Change{}
	for _, kind := range []struct{ table, subject string }{{entryTable.table, "text"}, {taskTable.table, "text"}, {documentTable.table, "title"}} {
		changed, err := changes.Query(ctx, d.db, func(_ string, number int64, _ time.Time) string { return store.DiaryID(store.UndoPrefix, number) }, `
			SELECT '`+kind.table+`', coalesce(v.undo, v.id), min(v.operation), min(t.`+kind.subject+`), count(*), max(v.ended) AS at, max(v.undone)
			FROM diary_versions v JOIN `+kind.table+` t ON t.id = v.row AND t.owner = v.owner AND v.kind = '`+kind.table+`'
			WHERE v.owner = ?1 AND v.ended >= ?2
			GROUP BY 2 ORDER BY at DESC, 2 DESC LIMIT ?3`, d.owner, limit)
		if err != nil {
			return nil, fmt.Errorf("list changes of %s: %w", kind.table, err)
		}
		created, err := changes.Query(ctx, d.db, func(kind string, number int64, _ time.Time) string { return store.DiaryID(prefixOf(kind), number) }, `
			SELECT '`+kind.table+`', id, 'create', `+kind.subject+`, 1, created, NULL FROM `+kind.table+` AS t
			WHERE owner = ?1 AND created >= ?2 AND (deleted IS NULL
				OR 'restore' <> (SELECT operation FROM diary_versions WHERE kind = '`+kind.table+`' AND row = t.id AND owner = ?1 ORDER BY version DESC LIMIT 1)) ORDER BY created DESC, id DESC LIMIT ?3`, d.owner, limit)
		if err != nil {
			return nil, fmt.Errorf("list created %s: %w", kind.table, err)
		}
		all = append(all, changed, created)
	}
	return changes.MergeLatest(limit, all...), nil
}
