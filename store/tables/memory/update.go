package memory

import (
	"context"
	"fmt"

	"kota/store"
	"kota/store/engine"
)

// Update edits a memory. It returns a *NotFoundError like Get. It returns a *ConflictError if
// IfVersion is not the current version, or if another memory that is neither deleted nor
// expired has the key RenameTo. It returns ErrInvalid if Edit.Check does, and if Addition
// cannot be joined to the value. It returns ErrTooLarge for a result over MaxValue. For a
// secret it also returns the errors of Set.
func (m *Store) Update(ctx context.Context, e store.Edit) (store.WriteResult, error) {
	var written store.WriteResult
	err := e.Check()
	if err == nil {
		err = m.secrets().write(ctx, func(t engine.Tx) (err error) {
			written, err = m.update(t, e)
			return err
		})
	}
	if err != nil {
		return store.WriteResult{}, fmt.Errorf("update %q: %w", e.Key, err)
	}
	return m.purgePlaintext(ctx, written), nil
}

func (m *Store) update(t engine.Tx, e store.Edit) (store.WriteResult, error) {
	old, err := m.visible(t, e.Key, t.Now)
	if err != nil {
		return store.WriteResult{}, err
	}
	a := m.newChangeSet(t, opUpdate)
	if e.IfVersion != nil && *e.IfVersion != old.Version {
		return store.WriteResult{}, &store.ConflictError{Key: old.Key, Current: old}
	}
	plain := old
	if e.NeedsValue(old) {
		if plain, err = a.secrets.decrypted(old); err != nil {
			return store.WriteResult{}, err
		}
	}
	next, err := e.Apply(plain)
	if err != nil {
		return store.WriteResult{}, err
	}
	if sameMemory(next, plain) {
		return store.WriteResult{Key: old.Key, Version: old.Version, Change: store.Unchanged, Previous: old, Expires: old.Expires}, nil
	}
	if err := a.secrets.sealValue(next); err != nil {
		return store.WriteResult{}, err
	}
	if next.Key != old.Key {
		if err := store.CheckKey(next.Key, store.NormalizeKey(next.Key)); err != nil {
			return store.WriteResult{}, err
		}
		a.operation = opRename
		if err := m.freeKey(a, next.Key); err != nil {
			return store.WriteResult{}, err
		}
	}
	if err := a.replace(old, next); err != nil {
		return store.WriteResult{}, err
	}
	return store.WriteResult{Key: next.Key, Version: next.Version, Change: store.Updated, Previous: old, Expires: next.Expires, Undo: a.undoID(), PlaintextErase: a.plaintextErase()}, nil
}

// freeKey frees a key for another memory. It returns a *ConflictError if another memory has the
// key. If that memory has expired, freeKey instead deletes it in the same change set.
func (m *Store) freeKey(a *changeSet, key string) error {
	existing, err := memoryOf(a, m.owner, key)
	switch {
	case err != nil:
		return engine.Ignore(err, store.ErrNotFound)
	case existing.Alive(a.now):
		return &store.ConflictError{Key: key, Current: existing}
	case existing.Deleted.IsZero():
		return a.markDeleted(existing)
	}
	return nil
}
