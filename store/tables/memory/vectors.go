package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"kota/store"
	"kota/store/engine"
	"kota/store/search"
	"kota/store/semantic"
)

// In SQLite, the table memory_vectors has no owner.
var (
	// vectorOfMemory is the condition that a row of memory_vectors belongs to a row of memories.
	vectorOfMemory = engine.Stmt{
		SQLite:   "memory = id",
		Postgres: "memory = id AND memory_vectors.owner = memories.owner",
	}
	deleteVector = engine.Stmt{
		SQLite:   "DELETE FROM memory_vectors WHERE memory = ?2",
		Postgres: "DELETE FROM memory_vectors WHERE owner = ?1 AND memory = ?2",
	}
	keepVector = engine.Stmt{
		SQLite: `INSERT OR REPLACE INTO memory_vectors (memory, model, vector)
			SELECT id, ?, ? FROM memories WHERE id = ? AND owner = ? AND version = ? AND deleted IS NULL`,
		Postgres: `INSERT INTO memory_vectors (owner, memory, model, vector)
			SELECT owner, id, ?, ? FROM memories WHERE id = ? AND owner = ? AND version = ? AND deleted IS NULL
			ON CONFLICT (owner, memory) DO UPDATE SET model = excluded.model, vector = excluded.vector`,
	}
)

// MemoryVectors provides the memories of one owner for a search by meaning. It omits deleted and
// expired memories. It implements semantic.Source.
type MemoryVectors struct{ m *Store }

// Vectors returns a handle. It does not access the database.
func (m *Store) Vectors() MemoryVectors { return MemoryVectors{m} }

// maxCompared is the maximum number of memories that are compared with a query: the newest.
// Comparing more would take longer than a request to the endpoint.
const maxCompared = 20_000

// Vectors calls visit for memories with a vector of that model and size, at most maxCompared.
// visit gets the id of the memory and the vector.
func (v MemoryVectors) Vectors(ctx context.Context, model string, size int, visit func(int64, semantic.Vector)) error {
	where, args := memoriesWhere(v.m.db, store.Filter{}, v.m.owner, v.m.db.Now())
	rows, err := v.m.db.Read(ctx).Query("SELECT memory, vector FROM memory_vectors WHERE model = ? AND length(vector) = ?"+
		" AND EXISTS (SELECT 1 FROM memories WHERE "+vectorOfMemory.For(v.m.db)+" AND "+where+") ORDER BY memory DESC LIMIT ?", append(append([]any{model, 4 * size}, args...), maxCompared)...)
	if err != nil {
		return fmt.Errorf("read vectors: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		id, vector := int64(0), sql.RawBytes(nil)
		if err := rows.Scan(&id, &vector); err != nil {
			return fmt.Errorf("read vectors: %w", err)
		}
		visit(id, semantic.FromBytes(vector))
	}
	return rows.Err()
}

// Missing returns up to limit memories without a vector of that model and size, by id, from the
// first id above after. It omits secrets, because their content is never sent to an endpoint.
func (v MemoryVectors) Missing(ctx context.Context, model string, size int, after int64, limit int) ([]semantic.Item, error) {
	items, err := v.missing(ctx, model, size, after, limit)
	if err != nil {
		return nil, fmt.Errorf("find memories without a vector: %w", err)
	}
	return items, nil
}

func (v MemoryVectors) missing(ctx context.Context, model string, size int, after int64, limit int) ([]semantic.Item, error) {
	where, args := memoriesWhere(v.m.db, store.Filter{}, v.m.owner, v.m.db.Now())
	rows, err := v.m.db.Read(ctx).Query(`SELECT id, version, key, category, tags, value FROM memories
		WHERE NOT EXISTS (SELECT 1 FROM memory_vectors WHERE `+vectorOfMemory.For(v.m.db)+` AND model = ? AND length(vector) = ?) AND id > ? AND sealed IS NULL AND `+where+
		" ORDER BY id LIMIT ?", append(append([]any{model, 4 * size, after}, args...), limit)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var items []semantic.Item
	for rows.Next() {
		item := semantic.Item{}
		var key, category, tags, value string
		if err := rows.Scan(&item.ID, &item.Version, &key, &category, &tags, &value); err != nil {
			return nil, err
		}
		item.Text, err = embeddingText(key, category, tags, value)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, rows.Err()
}

// embeddingText returns a memory as one text for an embedding: its key in words, its labels and
// its value.
func embeddingText(key, category, tags, value string) (string, error) {
	var labels []string
	if err := json.Unmarshal([]byte(tags), &labels); err != nil {
		return "", fmt.Errorf("%w: tags %q: %w", store.ErrCorrupt, tags, err)
	}
	heading := strings.Join(append([]string{store.NormalizeKey(key), category}, labels...), " ")
	return strings.Join(strings.Fields(heading), " ") + ": " + search.PlainText(value), nil
}

// Keep stores the vectors of memories. It omits memories that were changed or deleted since their
// text was read.
func (v MemoryVectors) Keep(ctx context.Context, model string, items []semantic.Item, vectors []semantic.Vector) error {
	err := v.m.db.Write(ctx, func(t engine.Tx) error {
		for i, item := range items {
			if err := t.Exec(keepVector.For(t),
				model, vectors[i].Bytes(), item.ID, v.m.owner, item.Version); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save vectors: %w", err)
	}
	return nil
}
