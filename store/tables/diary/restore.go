package diary

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/changes"
)

// Restore undoes a call: it restores every entry, task and document to the state before, and
// deletes those that the call created. undo is the undo id of the call. The current states become
// versions. It returns ErrNotFound for an unknown or erased call. It returns a *ChangedError
// without any change if a row no longer has the state that the call gave it. RestoreVersion also
// restores such a row. The error is also an *UndoneError if the call was already undone. Restore
// also returns a *ChangedError if a restored document is Unique and another one of its type and
// period exists.
func (d *Store) Restore(ctx context.Context, undo string) (store.RestoreResult, error) {
	if store.DiaryNumber(store.UndoPrefix, undo) == 0 {
		restored, err := d.undoCreate(ctx, undo)
		if err != nil {
			return store.RestoreResult{}, fmt.Errorf("restore %s: %w", undo, err)
		}
		return restored, nil
	}
	checkAndMark := func(table anyTable, r *changeSet, change store.Revision) error {
		r.undoes = store.DiaryNumber(store.UndoPrefix, undo)
		err := table.checkUnchanged(r, change.ID, change.Version)
		if errors.Is(err, store.ErrConflict) {
			return changes.UndoneError(r, err, "diary_versions", r.owner, r.undoes)
		}
		return err
	}
	restored, err := d.restore(ctx, checkAndMark, ofCall, store.DiaryNumber(store.UndoPrefix, undo))
	if err != nil {
		return store.RestoreResult{}, fmt.Errorf("restore %s: %w", undo, err)
	}
	return restored, nil
}

// ofCall is the condition of the versions before the call with undo number ?2.
const ofCall = "id = ?2 OR undo = ?2"

// RestoreVersion makes an earlier version from History the newest again, also for a deleted row. It
// returns ErrNotFound if the version does not exist or is the current one. It returns a
// *ChangedError if ifVersion is not the current version; nil matches any. It also returns a
// *ChangedError if another Unique document of its type and period exists now.
func (d *Store) RestoreVersion(ctx context.Context, id string, version int64, ifVersion *int64) (store.RestoreResult, error) {
	table, err := tableOf(id)
	if err != nil {
		return store.RestoreResult{}, fmt.Errorf("restore %s: %w", id, err)
	}
	checkVersion := func(table anyTable, r *changeSet, _ store.Revision) error {
		return table.checkVersion(r, id, ifVersion)
	}
	restored, err := d.restore(ctx, checkVersion, "kind = ?2 AND row = ?3 AND version = ?4", table.name(), store.DiaryNumber(table.idPrefix(), id), version)
	if err != nil {
		return store.RestoreResult{}, fmt.Errorf("restore version %d of %s: %w", version, id, err)
	}
	return restored, nil
}

// restore restores the versions that match a condition. These belong to different rows, because a
// call changes each row once. check returns an error for a version that may not be restored.
func (d *Store) restore(ctx context.Context, check func(anyTable, *changeSet, store.Revision) error, condition string, args ...any) (store.RestoreResult, error) {
	restored := store.RestoreResult{}
	err := d.db.Write(ctx, func(t engine.Tx) error {
		versions, err := revisions(t.Query(selectRevisions+" WHERE owner = ?1 AND ("+condition+") ORDER BY id", append([]any{d.owner}, args...)...))
		if err != nil {
			return err
		}
		if len(versions) == 0 {
			return store.ErrNotFound
		}
		restored = store.RestoreResult{IDs: []string{}}
		r, ids := d.newChangeSet(t, "restore"), []string{}
		for _, version := range versions {
			ids = append(ids, version.ID)
		}
		if err := r.fetch(ids); err != nil {
			return err
		}
		for _, version := range versions {
			table, err := tableOf(version.ID)
			if err != nil {
				return err
			}
			if err := check(table, r, version); err != nil {
				return err
			}
			if err := table.restoreState(r, version); err != nil {
				return err
			}
			restored.IDs = append(restored.IDs, version.ID)
		}
		restored.Undo = r.undoID()
		if r.undoes != 0 {
			err = r.Exec("UPDATE diary_versions SET undone = ?2 WHERE (id = ?1 OR undo = ?1) AND owner = ?3", r.undoes, r.number, r.owner)
		}
		return err
	})
	return restored, err
}

// An anyTable is a table with rows of any type.
type anyTable interface {
	name() string
	idPrefix() byte
	checkExists(q engine.Querier, owner any, id string) error
	checkVersion(r *changeSet, id string, ifVersion *int64) error
	checkUnchanged(r *changeSet, id string, version int64) error
	restoreState(r *changeSet, version store.Revision) error
	markDeleted(r *changeSet, id string, ifVersion *int64) error
	undoCreate(r *changeSet, id string) error
	state(q engine.Querier, owner any, id string) (json.RawMessage, error)
	fetch(r *changeSet, ids []string) error
	erase(t engine.Tx, owner any, ids []string) error
}

func tables() []anyTable { return []anyTable{entryTable, taskTable, documentTable} }

// tableOf returns the table that an id belongs to, or a *NotFoundError if the text is not an id.
func tableOf(id string) (anyTable, error) {
	for _, table := range tables() {
		if store.DiaryNumber(table.idPrefix(), id) != 0 {
			return table, nil
		}
	}
	return nil, &store.NotFoundError{Key: id}
}

func (s table[T]) name() string { return s.table }

func (s table[T]) idPrefix() byte { return s.prefix }

// checkExists returns a *NotFoundError if the owner has no such row.
func (s table[T]) checkExists(q engine.Querier, owner any, id string) error {
	_, err := s.get(q, owner, id)
	return err
}

// checkVersion returns a *ChangedError unless a row is at that version. Nil matches any version.
func (s table[T]) checkVersion(r *changeSet, id string, ifVersion *int64) error {
	current, err := s.get(r, r.owner, id)
	if err != nil {
		return err
	}
	return s.row(current).CheckVersion(ifVersion)
}

// checkUnchanged returns a *ChangedError unless a row has the state of that version: the version is
// the current one, or later changes were undone.
func (s table[T]) checkUnchanged(r *changeSet, id string, version int64) error {
	current, err := s.get(r, r.owner, id)
	if err != nil || s.row(current).Version == version {
		return err
	}
	state, expected := "", new(T)
	err = r.Row("SELECT state FROM diary_versions WHERE kind = ? AND row = ? AND version = ? AND owner = ?", s.table, s.number(current), version, r.owner).Scan(&state)
	if err := engine.Ignore(err, sql.ErrNoRows); err != nil {
		return err
	}
	if err == nil {
		if err := json.Unmarshal([]byte(state), expected); err != nil {
			return fmt.Errorf("%w: version of %s: %w", store.ErrCorrupt, id, err)
		}
		was, is := *s.row(expected), *s.row(current)
		*s.row(expected) = is
		if was.Deleted.IsZero() == is.Deleted.IsZero() && bytes.Equal(store.EncodeJSON(expected), store.EncodeJSON(current)) {
			return nil
		}
	}
	return s.row(current).CheckVersion(&version)
}

// restoreState makes an earlier state the current one.
func (s table[T]) restoreState(r *changeSet, version store.Revision) error {
	current, err := s.get(r, r.owner, version.ID)
	if err != nil {
		return err
	}
	next := new(T)
	if err := json.Unmarshal(version.Before, next); err != nil {
		return fmt.Errorf("%w: version of %s: %w", store.ErrCorrupt, version.ID, err)
	}
	if s.check != nil && s.row(next).Deleted.IsZero() {
		if err := s.check(r, r.owner, next); err != nil {
			return err
		}
	}
	return storeRevision(r, s, current, next)
}
