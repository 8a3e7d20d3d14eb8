// Package memory stores memories: values under keys, with all versions, so that each
// change can be undone until the memory is erased. Recall finds everything written before the
// call, by words or by meaning. Values of secrets are only stored encrypted. Start at Store.Set,
// Store.Recall and Store.Restore.
package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/index"
)

// Store holds the memories of one owner.
type Store struct {
	db    engine.DB
	owner any    // the owner in the tables
	name  string // the name of the owner
}

// New returns a handle on the memories of one owner. It does not access the database.
func New(db engine.DB, owner string) *Store {
	engine.Extension(db, func() (*indexUpkeep, engine.Hook) {
		return &indexUpkeep{}, engine.Hook{OnIdle: func(ctx context.Context) error { return index.IndexBatch(ctx, db, memoryIndex) }}
	})
	return &Store{db: db, owner: db.Owner(owner), name: owner}
}

// indexUpkeep identifies the extension that updates the index of memories in the background.
type indexUpkeep struct{}

// versionedColumns lists the columns that memories and versions share, in the order of scanMemory.
const versionedColumns = "key, value, category, tags, source, importance, pinned, created, updated, expires, deleted, version, sealed"

// columns lists the columns of a whole Memory, in the order of scanMemory.
const columns = "id, " + versionedColumns + ", uses, last_used"

func scanMemory(row engine.Scanner) (*store.Memory, error) {
	m := &store.Memory{}
	var value, tags string
	var created, updated, expires, deleted, used sql.NullInt64
	err := row.Scan(&m.ID, &m.Key, &value, &m.Category, &tags, &m.Source, &m.Importance, &m.Pinned,
		&created, &updated, &expires, &deleted, &m.Version, &m.Sealed, &m.Uses, &used)
	if err != nil {
		return nil, err
	}
	m.Value, m.Secret = json.RawMessage(value), m.Sealed != nil
	m.Created, m.Updated = engine.TimeOf(created), engine.TimeOf(updated)
	m.Expires, m.Deleted, m.LastUsed = engine.TimeOf(expires), engine.TimeOf(deleted), engine.TimeOf(used)
	m.Tags, err = tagsOf(tags)
	return m, err
}

func tagsOf(text string) ([]string, error) {
	tags := []string{}
	if text == "[]" {
		return tags, nil
	}
	if err := json.Unmarshal([]byte(text), &tags); err != nil {
		return nil, fmt.Errorf("%w: tags %q: %w", store.ErrCorrupt, text, err)
	}
	return tags, nil
}

// tagsText returns the stored form of tags: without duplicates, in the given order.
func tagsText(tags []string) string {
	if len(tags) == 0 {
		return "[]"
	}
	seen := make(map[string]bool, len(tags))
	unique := make([]string, 0, len(tags))
	for _, tag := range tags {
		if !seen[tag] {
			seen[tag] = true
			unique = append(unique, tag)
		}
	}
	return string(store.EncodeJSON(unique))
}
