package memory

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/changes"
)

// Delete deletes memories. Restore can restore them. With dryRun, Delete only returns what it
// would delete, and works even if the file cannot be written. It returns a *NotFoundError for an
// unknown or ambiguous key, as Get does, and ErrInvalid for an empty target.
func (m *Store) Delete(ctx context.Context, target store.Target, dryRun bool) (store.DeleteResult, error) {
	run := m.delete
	if dryRun {
		run = m.previewDelete
	}
	deleted, err := store.DeleteResult{}, target.Check()
	if err == nil {
		deleted, err = run(ctx, target)
	}
	if err != nil {
		return store.DeleteResult{}, fmt.Errorf("delete %q: %w", target.Key, err)
	}
	return deleted, nil
}

func (m *Store) previewDelete(ctx context.Context, target store.Target) (store.DeleteResult, error) {
	found, err := m.targets(m.db.Read(ctx), target, m.db.Now)
	return store.DeleteResult{Keys: keysOf(found), Sources: sourcesOf(found)}, err
}

func (m *Store) delete(ctx context.Context, target store.Target) (store.DeleteResult, error) {
	var deleted store.DeleteResult
	err := m.db.Write(ctx, func(t engine.Tx) error {
		found, err := m.targets(t, target, t.Now)
		if err != nil {
			return err
		}
		a := m.newChangeSet(t, opDelete)
		for _, one := range found {
			if err := a.markDeleted(one); err != nil {
				return err
			}
		}
		deleted = store.DeleteResult{Keys: keysOf(found), Sources: sourcesOf(found), Undo: a.undoID()}
		return nil
	})
	return deleted, err
}

// targets returns the memories that match a target and can be deleted.
func (m *Store) targets(q engine.Querier, target store.Target, now func() time.Time) ([]*store.Memory, error) {
	if target.Key != "" {
		found, err := m.visible(q, target.Key, now)
		if err != nil {
			return nil, err
		}
		return []*store.Memory{found}, nil
	}
	where, args := memoriesWhere(m.db, target.Filter, m.owner, now())
	if target.Filter.Archived {
		where += " AND deleted IS NULL" // deleted memories are not deleted again
	}
	rows, err := q.Query("SELECT "+columns+" FROM memories WHERE "+where+" ORDER BY norm, key, id", args...)
	if err != nil {
		return nil, err
	}
	return scanMemories(rows)
}

// keysOf returns each key once. Several memories may have the same key, if one was deleted and
// another was renamed to its key.
func keysOf(memories []*store.Memory) []string {
	keys := make([]string, 0, len(memories))
	for _, one := range memories {
		if len(keys) == 0 || keys[len(keys)-1] != one.Key { // the keys are sorted
			keys = append(keys, one.Key)
		}
	}
	return keys
}

// rowOf returns a text that identifies one version of a memory. The key alone does not, because
// other memories may have had it.
func rowOf(m *store.Memory) string { return fmt.Sprintf("%s@%v.%d", m.Key, m.ID, m.Version) }

// rowsOf returns the rowOf of each memory.
func rowsOf(memories []*store.Memory) []string {
	rows := make([]string, 0, len(memories))
	for _, one := range memories {
		rows = append(rows, rowOf(one))
	}
	return rows
}

func sourcesOf(memories []*store.Memory) []string {
	sources := []string{}
	for _, one := range memories {
		if !slices.Contains(sources, one.Source) {
			sources = append(sources, one.Source)
		}
	}
	return sources
}

// Restore undoes a call: it restores all memories that the call changed or deleted. undo is the
// undo id of the call. The undo id of a creation deletes the memory. The current states become
// versions, so a restore can be undone too. It returns ErrNotFound for an unknown or erased call,
// and ErrInvalid for a text that is no undo id. It changes nothing and returns a *ConflictError
// if a memory no longer has the state from the call, or another memory uses its key. The error is
// also an *UndoneError if the call was already undone. RestoreVersion also restores a memory that
// has changed.
func (m *Store) Restore(ctx context.Context, undo string) ([]store.WriteResult, error) {
	if made := parseCreationUndoID(undo); made != 0 {
		written, err := m.undoCreate(ctx, undo, made)
		if err != nil {
			return nil, fmt.Errorf("restore %s: %w", undo, err)
		}
		return []store.WriteResult{written}, nil
	}
	number, err := parseUndo(undo)
	if err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	checkAndMark := func(a *changeSet, versions []store.MemoryRevision) error {
		a.undoes = number
		err := checkAllUnchanged(a, versions)
		if conflict := (*store.ConflictError)(nil); errors.As(err, &conflict) {
			return changes.UndoneError(a, err, "versions", m.owner, number)
		}
		return err
	}
	written, err := m.restore(ctx, checkAndMark, versionsOfCall, m.owner, number)
	if err != nil {
		return nil, fmt.Errorf("restore %s: %w", undo, err)
	}
	return written, nil
}

// versionsOfCall selects the versions before the call with undo number ?2, the last change first.
const versionsOfCall = "SELECT " + versionColumns + " FROM versions WHERE owner = ?1 AND id = ?2" +
	" UNION ALL SELECT " + versionColumns + " FROM versions WHERE owner = ?1 AND undo = ?2 ORDER BY 1 DESC"

// undoCreate deletes a memory that is unchanged since it was created.
func (m *Store) undoCreate(ctx context.Context, undo string, id int64) (store.WriteResult, error) {
	written := store.WriteResult{}
	err := m.db.Write(ctx, func(t engine.Tx) error {
		created, err := scanMemory(t.Row(byID, id, m.owner))
		if errors.Is(err, sql.ErrNoRows) || err == nil && creationUndoID(id, created.Created) != undo {
			return store.ErrNotFound
		}
		if err != nil {
			return err
		}
		a := m.newChangeSet(t, opRestore)
		err = a.checkUnchanged(id, 1)
		if conflict := (*store.ConflictError)(nil); errors.As(err, &conflict) {
			return changes.CreationUndoneError(t, err, created.Deleted, "SELECT operation FROM versions WHERE memory = ? AND owner = ? ORDER BY version DESC LIMIT 1", id, m.owner)
		}
		if err != nil {
			return err
		}
		if err := a.markDeleted(created); err != nil {
			return err
		}
		written = store.WriteResult{Key: created.Key, Version: created.Version + 1, Change: store.Updated, Previous: created, Undo: a.undoID(), Deleted: true, Source: created.Source}
		return nil
	})
	return written, err
}

// checkAllUnchanged returns a *ConflictError if a memory has changed since a call. versions are
// the versions of the call, last first. A call may change a memory twice; then its last change
// counts.
func checkAllUnchanged(a *changeSet, versions []store.MemoryRevision) error {
	checked := map[int64]bool{}
	for _, version := range versions {
		id := version.Before.ID
		if checked[id] {
			continue
		}
		checked[id] = true
		if err := a.checkUnchanged(id, version.Version); err != nil {
			return err
		}
	}
	return nil
}

// checkUnchanged returns a *ConflictError unless a memory has the state of that version: the
// version is the current one, or later changes were undone.
func (a *changeSet) checkUnchanged(id, version int64) error {
	now, err := scanMemory(a.Row(byID, id, a.owner))
	if err != nil || now.Version == version {
		return err
	}
	expected, err := scanMemory(a.Row("SELECT memory, "+versionedColumns+", 0, NULL FROM versions WHERE memory = ? AND version = ? AND owner = ?", id, version, a.owner))
	if err == nil && sameMemory(expected, now) && bytes.Equal(expected.Sealed, now.Sealed) && expected.Deleted.IsZero() == now.Deleted.IsZero() {
		return nil
	}
	if err := engine.Ignore(err, sql.ErrNoRows); err != nil {
		return err
	}
	conflict := &store.ConflictError{Key: now.Key}
	if now.Alive(a.now) {
		conflict.Current = now
	}
	return conflict
}

// allowAny is the check of a restore that is always allowed.
func allowAny(*changeSet, []store.MemoryRevision) error { return nil }

const byID = "SELECT " + columns + " FROM memories WHERE id = ? AND owner = ?"

// RestoreVersion makes an earlier version from History the newest again, even if the memory has
// changed since or is deleted. It can also restore the current version of an expired memory,
// which then does not expire. The key is spelled as for History. It returns ErrNotFound if no
// memory with that key ever had the version, or if the version is the current one and has not
// expired. It returns a *ConflictError if another memory uses the key of that version.
func (m *Store) RestoreVersion(ctx context.Context, key string, version int64) (store.WriteResult, error) {
	written, err := m.restoreVersion(ctx, key, version)
	if err != nil {
		return store.WriteResult{}, fmt.Errorf("restore version %d of %q: %w", version, key, err)
	}
	return written, nil
}

func (m *Store) restoreVersion(ctx context.Context, key string, version int64) (store.WriteResult, error) {
	key, err := m.resolveKey(m.db.Read(ctx), key, m.db.Now())
	if err != nil {
		return store.WriteResult{}, err
	}
	written, err := m.restore(ctx, allowAny, versionOfKey.For(m.db), m.owner, store.NormalizeKey(key), key, version, m.db.Now().UnixMilli())
	if err != nil {
		return store.WriteResult{}, err
	}
	return written[0], nil
}

// versionOfKey selects version ?4 of the memory that has key ?3, or else of one that had it.
var versionOfKey = ofOneMemory(`
	SELECT * FROM (
		SELECT ` + versionColumns + ` FROM versions WHERE memory IN (` + idsOfKey + `) AND version = ?4 AND +owner = ?1
		UNION ALL SELECT 0, 0, '', NULL, id, ` + versionedColumns + `, 0, NULL FROM memories
		WHERE id IN (` + idsOfKey + `) AND owner = ?1 AND version = ?4 AND deleted IS NULL AND expires <= ?5) AS found
	ORDER BY key = ?3 DESC, 1 DESC LIMIT 1`)

// restore restores the versions that a query finds, unless check returns an error.
func (m *Store) restore(ctx context.Context, check func(*changeSet, []store.MemoryRevision) error, query string, args ...any) ([]store.WriteResult, error) {
	var written []store.WriteResult
	err := m.secrets().write(ctx, func(t engine.Tx) error {
		rows, err := t.Query(query, args...)
		if err != nil {
			return err
		}
		versions, err := scanVersions(rows)
		if err != nil {
			return err
		}
		if len(versions) == 0 {
			return store.ErrNotFound
		}
		a := m.newChangeSet(t, opRestore)
		if err := check(a, versions); err != nil {
			return err
		}
		written = make([]store.WriteResult, 0, len(versions))
		for _, version := range versions { // undo the last change first
			one, err := m.restoreState(a, version)
			if err != nil {
				return err
			}
			written = append(written, one)
		}
		for i := range written {
			written[i].Undo, written[i].PlaintextErase = a.undoID(), a.plaintextErase()
		}
		if a.undoes != 0 {
			err = a.Exec(ofOneMemory("UPDATE versions SET undone = ?2 WHERE (id = ?1 OR undo = ?1) AND +owner = ?3").For(a), a.undoes, a.number, a.owner)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range written {
		written[i] = m.purgePlaintext(ctx, written[i])
	}
	return written, nil
}

// restoreState makes an earlier state the current one. It removes an expiry that has passed, so
// that the restored memory is visible. When it undoes a change of an expired memory other than a
// deletion, it keeps the expiry.
func (m *Store) restoreState(a *changeSet, version store.MemoryRevision) (store.WriteResult, error) {
	before := version.Before
	old, err := scanMemory(a.Row(byID, before.ID, a.owner))
	if err != nil {
		return store.WriteResult{}, err
	}
	next := *before
	wasExpired := a.undoes != 0 && version.Operation != opDelete && !next.Alive(version.At)
	if !next.Expires.IsZero() && !next.Expires.After(a.now) && !wasExpired {
		next.Expires = time.Time{}
	}
	if next.Deleted.IsZero() && (next.Key != old.Key || !old.Deleted.IsZero()) {
		if err := m.freeKey(a, next.Key); err != nil {
			return store.WriteResult{}, err
		}
	}
	if err := a.replace(old, &next); err != nil {
		return store.WriteResult{}, err
	}
	written := store.WriteResult{Key: next.Key, Version: next.Version, Change: store.Updated, Previous: old, Expires: next.Expires, Deleted: !next.Alive(a.now), Source: next.Source}
	if !old.Alive(a.now) {
		written.Previous, written.Change = nil, store.Created
	}
	return written, nil
}
