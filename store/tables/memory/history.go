package memory

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// versionColumns are the columns of a row of versions, in the order of scanVersions.
const versionColumns = "id, coalesce(undo, id), operation, ended, memory, " + versionedColumns + ", 0, NULL"

// scanVersions reads and closes rows.
func scanVersions(rows engine.Rows) ([]store.MemoryRevision, error) {
	defer rows.Close()
	events := []store.MemoryRevision{}
	for rows.Next() {
		var id, number int64
		var ended sql.NullInt64
		e := store.MemoryRevision{}
		before, err := scanMemory(scanFunc(func(dest ...any) error {
			return rows.Scan(append([]any{&id, &number, &e.Operation, &ended}, dest...)...)
		}))
		if err != nil {
			return nil, err
		}
		e.Before, e.Source, e.Key, e.Version, e.At = before, before.Source, before.Key, before.Version+1, engine.TimeOf(ended)
		e.Undo = (&changeSet{number: number}).undoID()
		events = append(events, e)
	}
	return events, rows.Err()
}

type scanFunc func(dest ...any) error

func (f scanFunc) Scan(dest ...any) error { return f(dest...) }

// History returns the changes of the memory with that key, latest first. If several memories have
// had the key, it returns the changes of all. The key may have another spelling if that is not
// ambiguous. It returns a *NotFoundError if no memory ever had the key, or if the spelling is
// ambiguous.
func (m *Store) History(ctx context.Context, key string, limit int) ([]store.MemoryRevision, error) {
	events, err := m.history(ctx, key, limit)
	if err != nil {
		return nil, fmt.Errorf("history of %q: %w", key, err)
	}
	return events, nil
}

func (m *Store) history(ctx context.Context, key string, limit int) ([]store.MemoryRevision, error) {
	key, err := m.resolveKey(m.db.Read(ctx), key, m.db.Now())
	if err != nil {
		return nil, err
	}
	return m.events(ctx, limit,
		ofOneMemory("SELECT "+versionColumns+" FROM versions WHERE memory IN ("+idsOfKey+") AND +owner = ?1 ORDER BY ended DESC, id DESC LIMIT ?4").For(m.db),
		"SELECT "+columns+" FROM memories WHERE id IN ("+idsOfKey+") AND owner = ?1 ORDER BY id LIMIT ?4",
		m.owner, store.NormalizeKey(key), key, limit)
}

// ofOneMemory returns a statement on the versions of one memory, which writes +owner. The + keeps
// SQLite from the indexes that begin with owner, which find far more rows than the index that begins
// with memory. All indexes of PostgreSQL begin with owner.
func ofOneMemory(query string) engine.Stmt {
	return engine.Stmt{SQLite: query, Postgres: strings.ReplaceAll(query, "+owner", "owner")}
}

const (
	// currentIDsOfKey selects the memories of owner ?1 that have key ?3, also deleted ones. ?2 is the
	// normalized key. Two indexes have the keys: one those of deleted memories.
	currentIDsOfKey = "SELECT id FROM memories WHERE owner = ?1 AND norm = ?2 AND key = ?3 AND deleted IS NULL" +
		" UNION SELECT id FROM memories WHERE owner = ?1 AND norm = ?2 AND key = ?3 AND deleted IS NOT NULL"
	// idsOfKey is currentIDsOfKey with the memories that had the key.
	idsOfKey = currentIDsOfKey + " UNION SELECT memory FROM versions WHERE owner = ?1 AND norm = ?2 AND key = ?3"
)

// HistorySince returns the changes of all memories since a time, latest first.
func (m *Store) HistorySince(ctx context.Context, since time.Time, limit int) ([]store.MemoryRevision, error) {
	events, err := m.events(ctx, limit,
		"SELECT "+versionColumns+" FROM versions WHERE owner = ?1 AND ended >= ?2 ORDER BY ended DESC, id DESC LIMIT ?3",
		createdSince.For(m.db), m.owner, since.UnixMilli(), limit)
	if err != nil {
		return nil, fmt.Errorf("history since %s: %w", since, err)
	}
	return events, nil
}

// createdSince selects the last ?3 memories of owner ?1 that were created at ?2 or later. There is no
// index on created. The index on updated only has rows that are in the search index; the index on
// stale has the others.
var createdSince = ofStale("SELECT " + columns + " FROM memories WHERE owner = ?1 AND updated >= ?2 AND created >= ?2 AND deleted IS NULL AND stale = 0" +
	" UNION ALL SELECT " + columns + " FROM memories INDEXED BY memories_stale WHERE owner = ?1 AND created >= ?2 AND deleted IS NULL AND stale = 1" +
	" UNION ALL SELECT " + columns + " FROM memories WHERE owner = ?1 AND created >= ?2 AND deleted IS NOT NULL" +
	" ORDER BY created DESC, id DESC LIMIT ?3")

// ofStale returns a statement that names the index of stale memories, which only SQLite needs.
func ofStale(query string) engine.Stmt {
	return engine.Stmt{SQLite: query, Postgres: strings.ReplaceAll(query, " INDEXED BY memories_stale", "")}
}

// events returns the changes that two queries find, latest first, at most limit. Each row of
// versionsQuery is a change, and each row of memoriesQuery is the creation of that memory.
func (m *Store) events(ctx context.Context, limit int, versionsQuery, memoriesQuery string, args ...any) ([]store.MemoryRevision, error) {
	rows, err := m.db.Read(ctx).Query(versionsQuery, args...)
	if err != nil {
		return nil, err
	}
	events, err := scanVersions(rows)
	if err != nil {
		return nil, err
	}
	rows, err = m.db.Read(ctx).Query(memoriesQuery, args...)
	if err != nil {
		return nil, err
	}
	memories, err := scanMemories(rows)
	if err != nil {
		return nil, err
	}
	for _, one := range memories {
		events = append(events, store.MemoryRevision{Key: one.Key, Version: 1, Operation: opCreate, At: one.Created, Source: one.Source, Undo: creationUndoID(one.ID, one.Created)})
	}
	slices.SortStableFunc(events, func(a, b store.MemoryRevision) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Version, a.Version))
	})
	return events[:min(limit, len(events))], nil
}
