package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Erase removes memories for good, with all versions. They cannot be restored; undo ids of
// changes that included them restore the other memories. A key must be spelled as stored. It may
// be the key of a deleted memory. With dryRun Erase only returns what it would remove. It returns
// a *NotFoundError for an unknown key, with the other spellings that exist, and ErrInvalid for an
// empty target. It returns a *ConflictError without any change if a memory in Target.Only has
// changed, or another memory has its key.
//
// Erase rewrites the file without the text, which takes seconds per 100 MB, and empties the
// journal. This is not possible while another process is reading: Complete is then false, and
// Reason says why. The text is then removed when the database is idle, when it is opened, or by
// the next Erase. Until then, Erase of a key that no longer exists returns no Keys and no error.
// Complete then says whether the text has been removed since. Backups and copies elsewhere keep
// the text. An SSD may keep the text until it reuses the blocks.
func (m *Store) Erase(ctx context.Context, target store.Target, dryRun bool) (store.EraseResult, error) {
	run := m.erase
	if dryRun {
		run = m.previewErase
	}
	erased, err := store.EraseResult{}, target.Check()
	if err == nil {
		erased, err = run(ctx, target)
	}
	if err != nil {
		return store.EraseResult{}, fmt.Errorf("erase %q: %w", target.Key, err)
	}
	return erased, nil
}

func (m *Store) previewErase(ctx context.Context, target store.Target) (store.EraseResult, error) {
	found, err := m.erasable(m.db.Read(ctx), target, m.db.Now)
	if _, err := m.db.CleaningDue(ctx, err); err != nil {
		return store.EraseResult{}, err
	}
	return store.EraseResult{Keys: keysOf(found), Rows: rowsOf(found), Sources: sourcesOf(found)}, nil
}

func (m *Store) erase(ctx context.Context, target store.Target) (store.EraseResult, error) {
	var rows, sources []string
	erased, err := m.db.Erase(ctx, func(t engine.Tx) ([]string, error) {
		found, err := m.erasable(t, target, t.Now)
		if err != nil {
			return nil, err
		}
		if err := m.eraseMemories(t, found); err != nil {
			return nil, err
		}
		rows, sources = rowsOf(found), sourcesOf(found)
		return keysOf(found), nil
	})
	erased.Rows, erased.Sources = rows, sources
	return erased, err
}

// onlyRows returns the memories in found that are in rows, which have the form of rowOf. It
// returns a *ConflictError if another version or memory now has the key of a row, and ErrInvalid
// for a row in another form.
func onlyRows(found []*store.Memory, rows []string) ([]*store.Memory, error) {
	wanted, keys := map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		end := strings.LastIndexByte(row, '@')
		if end < 0 {
			return nil, fmt.Errorf("%w: %q is not a row of an earlier EraseResult", store.ErrInvalid, row)
		}
		wanted[row], keys[row[:end]] = true, true
	}
	for _, one := range found {
		if keys[one.Key] && !wanted[rowOf(one)] {
			return nil, &store.ConflictError{Key: one.Key, Current: one}
		}
	}
	return slices.DeleteFunc(found, func(one *store.Memory) bool { return !wanted[rowOf(one)] }), nil
}

// erasable returns the memories that match a target, including deleted ones. It returns a
// *NotFoundError for a key without a memory, and the errors of onlyRows.
func (m *Store) erasable(q engine.Querier, target store.Target, now func() time.Time) ([]*store.Memory, error) {
	where, args := "owner = ?1 AND id IN ("+currentIDsOfKey+")", []any{m.owner, store.NormalizeKey(target.Key), store.CleanKey(target.Key)}
	if target.Key == "" {
		where, args = memoriesWhere(m.db, target.Filter, m.owner, now())
	}
	rows, err := q.Query("SELECT "+columns+" FROM memories WHERE "+where+" ORDER BY norm, key, id", args...)
	if err != nil {
		return nil, err
	}
	found, err := scanMemories(rows)
	switch {
	case err != nil:
		return nil, err
	case target.Key != "" && len(found) == 0:
		others, _, err := m.spellings(q, target.Key, now())
		if err != nil {
			return nil, err
		}
		return nil, &store.NotFoundError{Key: store.CleanKey(target.Key), OtherSpellings: others}
	case target.Only != nil:
		return onlyRows(found, target.Only)
	}
	return found, nil
}

// eraseMemories removes all rows of memories.
func (m *Store) eraseMemories(t engine.Tx, found []*store.Memory) error {
	ids := make([]int64, len(found))
	for i, one := range found {
		ids[i] = one.ID
	}
	if err := memoryIndex.Remove(t, m.owner, ids); err != nil { // all at once: PostgreSQL reads the index in a few trips
		return err
	}
	for _, id := range ids {
		if err := m.eraseRows(t, id); err != nil {
			return err
		}
	}
	return nil
}

// eraseRows removes the rows of a memory outside of the index.
func (m *Store) eraseRows(t engine.Tx, id int64) error {
	// Other versions of the same call still refer to the call by the number of its first version,
	// which may be removed here. That number is never reused.
	for _, query := range []string{
		deleteVector.For(t),
		ofOneMemory("DELETE FROM versions WHERE +owner = ?1 AND memory = ?2").For(t),
		"DELETE FROM memories WHERE owner = ?1 AND id = ?2",
	} {
		if err := t.Exec(query, m.owner, id); err != nil {
			return err
		}
	}
	return nil
}
