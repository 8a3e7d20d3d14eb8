package memory

import (
	"database/sql"
	"slices"
	"time"

	"kota/store"
	"kota/store/engine"
)

// maxSpellings is the maximum number of spellings of one key that are examined.
const maxSpellings = 9

const (
	andVisible = " AND deleted IS NULL AND (expires IS NULL OR expires > ?)"
	byKey      = "SELECT " + columns + " FROM memories WHERE owner = ? AND norm = ? AND key = ? AND deleted IS NULL"
	byNorm     = "SELECT " + columns + " FROM memories WHERE owner = ? AND norm = ?" + andVisible + " ORDER BY key LIMIT ?"
)

// visible returns the memory with that key if it is neither deleted nor expired. Without an exact
// match, it returns the only visible memory whose normalized key is the same ("userName" for
// "user_name"). It returns a *NotFoundError if none matches, or if several other spellings do.
//
// It calls now after the first query: in PostgreSQL, the first query of a write also gets the time.
func (m *Store) visible(q engine.Querier, key string, now func() time.Time) (*store.Memory, error) {
	name := store.NormalizeKey(key)
	exact, err := scanMemory(q.Row(byKey, m.owner, name, store.CleanKey(key)))
	if err := engine.Ignore(err, sql.ErrNoRows); err != nil {
		return nil, err
	}
	at := now()
	if exact != nil && exact.Alive(at) {
		return exact, nil
	}
	rows, err := q.Query(byNorm, m.owner, name, at.UnixMilli(), maxSpellings)
	if err != nil {
		return nil, err
	}
	found, err := scanMemories(rows)
	if err != nil {
		return nil, err
	}
	return resolveSpelling(key, found)
}

// resolveSpelling returns the memory in found with exactly this key, or else the only one. All
// keys in found must have the same normalized form as key. A key without words only matches
// itself. It returns a *NotFoundError like visible.
func resolveSpelling(key string, found []*store.Memory) (*store.Memory, error) {
	key = store.CleanKey(key)
	var others []*store.Memory
	var spellings []string
	for _, one := range found {
		if one.Key == key {
			return one, nil
		}
		if store.NormalizeKey(key) != "" && !slices.Contains(spellings, one.Key) {
			others, spellings = append(others, one), append(spellings, one.Key)
		}
	}
	if len(others) == 1 {
		return others[0], nil
	}
	return nil, &store.NotFoundError{Key: key, OtherSpellings: spellings}
}

// resolveKey returns the stored spelling of key. It chooses among the keys that memories have or
// had with the same normalized form. It takes the exact match, or else the only visible one, or
// else the only one. It returns a *NotFoundError if there is no such key, or if it cannot choose
// among several.
func (m *Store) resolveKey(q engine.Querier, key string, now time.Time) (string, error) {
	all, visible, err := m.spellings(q, key, now)
	switch {
	case err != nil:
		return "", err
	case slices.Contains(all, store.CleanKey(key)):
		return store.CleanKey(key), nil
	case len(visible) == 1:
		return visible[0], nil
	case len(all) == 1:
		return all[0], nil
	}
	return "", &store.NotFoundError{Key: store.CleanKey(key), OtherSpellings: all}
}

// spellings returns up to maxSpellings keys that memories have or had with the same normalized
// form as key, the exact match first. visible are the keys of memories that are neither deleted
// nor expired.
func (m *Store) spellings(q engine.Querier, key string, now time.Time) (all, visible []string, err error) {
	rows, err := q.Query(`
		SELECT key, max(seen) FROM (
			SELECT key, CASE WHEN expires IS NULL OR expires > ?3 THEN 1 ELSE 0 END AS seen FROM memories WHERE owner = ?1 AND norm = ?2 AND deleted IS NULL
			UNION ALL SELECT key, 0 FROM memories WHERE owner = ?1 AND norm = ?2 AND deleted IS NOT NULL
			UNION ALL SELECT key, 0 FROM versions WHERE owner = ?1 AND norm = ?2) AS spelled
		WHERE key = ?4 OR ?2 <> ''
		GROUP BY key ORDER BY key = ?4 DESC, key LIMIT ?5`, m.owner, store.NormalizeKey(key), now.UnixMilli(), store.CleanKey(key), maxSpellings)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		one, isSeen := "", false
		if err := rows.Scan(&one, &isSeen); err != nil {
			return nil, nil, err
		}
		all = append(all, one)
		if isSeen {
			visible = append(visible, one)
		}
	}
	return all, visible, rows.Err()
}
