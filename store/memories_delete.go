package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Target says which memories to delete: the one with a key, or when that is
// "", those that the filter chooses.
type Target struct {
	Key    string
	Filter Filter
}

// A Deleted says which memories were deleted, or would be.
type Deleted struct {
	Keys []string // never nil
	Undo string   // brings all of them back, see Restore; "" when none was deleted
}

// Delete deletes memories, so that they are not seen but can be restored.
// With dryRun it only says which. It returns ErrNotFound for a key that is not
// seen.
func (m *Memories) Delete(ctx context.Context, target Target, dryRun bool) (Deleted, error) {
	var deleted Deleted
	err := m.db.write(ctx, func(t *tx) error {
		a := &act{tx: t, operation: opDelete, now: t.now()}
		found, err := m.targets(t, target, a.now)
		if err != nil {
			return err
		}
		deleted = Deleted{Keys: make([]string, 0, len(found))}
		for _, one := range found {
			deleted.Keys = append(deleted.Keys, one.Key)
			if dryRun {
				continue
			}
			if err := a.remove(one); err != nil {
				return err
			}
		}
		deleted.Undo = a.undo()
		return nil
	})
	if err != nil {
		return Deleted{}, fmt.Errorf("delete %q: %w", target.Key, err)
	}
	return deleted, nil
}

// targets returns the memories that a target names.
func (m *Memories) targets(t *tx, target Target, now time.Time) ([]*Memory, error) {
	if target.Key != "" {
		found, err := t.seen(m.owner, target.Key, now)
		if err != nil {
			return nil, err
		}
		return []*Memory{found}, nil
	}
	where, args := target.Filter.where(m.owner, now)
	if target.Filter.Archived {
		where += " AND deleted IS NULL" // what is deleted is not deleted again
	}
	rows, err := t.query("SELECT "+columns+" FROM memories WHERE "+where+" ORDER BY norm, key", args...)
	if err != nil {
		return nil, err
	}
	return scanMemories(rows)
}

// Restore brings back what an act superseded or deleted: all of it, by the
// undo id that the act gave. The states that stood until now become versions
// themselves, so that a restore can be undone too. It returns ErrNotFound for
// an unknown or erased act, and a *ConflictError when a key is in use again.
func (m *Memories) Restore(ctx context.Context, undo string) ([]Written, error) {
	number, err := parseUndo(undo)
	if err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	written, err := m.restore(ctx, `
		SELECT `+versionColumns+` FROM versions WHERE owner = ?1 AND id = ?2
		UNION ALL SELECT `+versionColumns+` FROM versions WHERE owner = ?1 AND undo = ?2
		ORDER BY 1 DESC`, m.owner, number)
	if err != nil {
		return nil, fmt.Errorf("restore %s: %w", undo, err)
	}
	return written, nil
}

// RestoreVersion makes an earlier version of a key the newest again, also of
// one that is deleted. It returns ErrNotFound when the key never had it, or
// has it now.
func (m *Memories) RestoreVersion(ctx context.Context, key string, version int64) (Written, error) {
	written, err := m.restore(ctx, `
		SELECT `+versionColumns+` FROM versions WHERE owner = ? AND norm = ? AND version = ?
		ORDER BY key = ? DESC, 1 DESC LIMIT 1`, m.owner, Normal(key), version, cleanKey(key))
	if err != nil {
		return Written{}, fmt.Errorf("restore version %d of %q: %w", version, key, err)
	}
	return written[0], nil
}

func (m *Memories) restore(ctx context.Context, query string, args ...any) ([]Written, error) {
	var written []Written
	err := m.db.write(ctx, func(t *tx) error {
		rows, err := t.query(query, args...)
		if err != nil {
			return err
		}
		kept, err := scanVersions(rows)
		if err != nil {
			return err
		}
		if len(kept) == 0 {
			return ErrNotFound
		}
		a := &act{tx: t, operation: opRestore, now: t.now()}
		written = make([]Written, 0, len(kept))
		for _, version := range kept { // the last change is undone first
			one, err := m.bringBack(a, version.Before)
			if err != nil {
				return err
			}
			written = append(written, one)
		}
		for i := range written {
			written[i].Undo = a.undo()
		}
		return nil
	})
	return written, err
}

// bringBack makes a state of before the state of now. An end that has passed
// is dropped: what is restored is to be seen.
func (m *Memories) bringBack(a *act, before *Memory) (Written, error) {
	old, err := scanMemory(a.row("SELECT "+columns+" FROM memories WHERE id = ?", before.ID))
	if err != nil {
		return Written{}, err
	}
	next := *before
	if !next.Expires.IsZero() && !next.Expires.After(a.now) {
		next.Expires = time.Time{}
	}
	if next.Deleted.IsZero() && (next.Key != old.Key || !old.Deleted.IsZero()) {
		if err := m.vacate(a, next.Key); err != nil {
			return Written{}, err
		}
	}
	if err := a.replace(old, &next); err != nil {
		return Written{}, err
	}
	written := Written{Key: next.Key, Version: next.Version, Change: Updated, Previous: old}
	if !old.alive(a.now) {
		written.Previous, written.Change = nil, Created
	}
	return written, nil
}

func ignoreNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
