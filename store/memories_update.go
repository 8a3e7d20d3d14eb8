package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// An Edit changes parts of a memory. What is nil or empty stays as it is.
type Edit struct {
	Key        string          // spelled so, or otherwise when that is not ambiguous
	Addition   json.RawMessage // joined to the value as Append does
	Patch      json.RawMessage // applied to the value (RFC 7396)
	AddTags    []string
	RemoveTags []string
	Category   *string
	Source     *string
	JoinSource JoinSource // whatever changes: no edit replaces a value whole
	Importance *int
	Pinned     *bool
	Secret     *bool      // as in Entry
	Unseal     bool       // it is to be no secret any more
	Expires    *time.Time // the zero time: never
	RenameTo   string
	IfVersion  *int64 // the version that must stand now
}

// Update edits a memory. It returns a *NotFoundError as Get does, a
// *ConflictError when IfVersion is not the version that stands or RenameTo is
// the key of another memory, and ErrInvalid for a value that the addition
// cannot be joined to, ErrTooLarge when it would become larger than MaxValue,
// and for a secret the errors of Set.
func (m *Memories) Update(ctx context.Context, e Edit) (Written, error) {
	var written Written
	err := e.check()
	if err == nil {
		err = m.db.writeSealing(ctx, func(t *tx) (err error) {
			written, err = m.update(t, e)
			return err
		})
	}
	if err != nil {
		return Written{}, fmt.Errorf("update %q: %w", e.Key, err)
	}
	return m.db.rid(ctx, written), nil
}

// check makes the JSON of an edit compact and refuses what never fits.
func (e *Edit) check() error {
	if e.Importance != nil && (*e.Importance < 0 || *e.Importance > 3) {
		return fmt.Errorf("%w: importance %d is not from 0 to 3", ErrInvalid, *e.Importance)
	}
	for _, value := range []*json.RawMessage{&e.Addition, &e.Patch} {
		if *value == nil {
			continue
		}
		text, err := compact(*value)
		if err != nil {
			return err
		}
		*value = json.RawMessage(text)
	}
	return nil
}

func (m *Memories) update(t *tx, e Edit) (Written, error) {
	a := &act{tx: t, operation: opUpdate, now: t.now()}
	old, err := m.seen(t, e.Key, a.now)
	if err != nil {
		return Written{}, err
	}
	if e.IfVersion != nil && *e.IfVersion != old.Version {
		return Written{}, &ConflictError{Key: old.Key, Current: old}
	}
	known := old
	if e.needsValue(old) {
		if known, err = t.revealed(m.owner, old); err != nil {
			return Written{}, err
		}
	}
	next, err := e.apply(known)
	if err != nil {
		return Written{}, err
	}
	if sameMemory(next, known) {
		return Written{Key: old.Key, Version: old.Version, Change: Unchanged, Previous: old, Expires: old.Expires}, nil
	}
	if err := t.hide(m.owner, next); err != nil {
		return Written{}, err
	}
	if next.Key != old.Key {
		a.operation = opRename
		if err := m.vacate(a, next.Key); err != nil {
			return Written{}, err
		}
	}
	if err := a.replace(old, next); err != nil {
		return Written{}, err
	}
	return Written{Key: next.Key, Version: next.Version, Change: Updated, Previous: old, Expires: next.Expires, Undo: a.undo(), Hid: a.hidden()}, nil
}

// needsValue reports whether the edit cannot do without the value: it changes
// it, or what a secret is bound to.
func (e *Edit) needsValue(old *Memory) bool {
	key := cleanKey(e.RenameTo)
	return e.Addition != nil || e.Patch != nil || key != "" && key != old.Key || e.Unseal
}

// apply is the state after the edit.
func (e *Edit) apply(old *Memory) (*Memory, error) {
	next := *old
	if key := cleanKey(e.RenameTo); key != "" {
		next.Key = key
	}
	var err error
	if e.Addition != nil {
		if next.Value, err = joined(Append, next.Value, e.Addition); err != nil {
			return nil, err
		}
	}
	if e.Patch != nil {
		if next.Value, err = joined(Merge, next.Value, e.Patch); err != nil {
			return nil, err
		}
	}
	next.Tags = slices.DeleteFunc(slices.Concat(old.Tags, e.AddTags), func(tag string) bool { return slices.Contains(e.RemoveTags, tag) })
	next.Category = or(e.Category, old.Category)
	next.Source = e.JoinSource.join(old.Source, or(e.Source, old.Source))
	next.Importance = or(e.Importance, old.Importance)
	next.Pinned = or(e.Pinned, old.Pinned)
	if old.Secret && !e.Unseal && !or(e.Secret, true) {
		return nil, ErrSecret
	}
	next.Secret = or(e.Secret, old.Secret) && !e.Unseal
	next.Expires = or(e.Expires, old.Expires)
	return &next, nil
}

// vacate makes a key free for a memory that is renamed to it. Somebody sees
// the memory that has it: a conflict. It has expired: it is deleted in the
// same act.
func (m *Memories) vacate(a *act, key string) error {
	there, err := a.memory(m.owner, key)
	switch {
	case err != nil:
		return ignoreNotFound(err)
	case there.alive(a.now):
		return &ConflictError{Key: key, Current: there}
	case there.Deleted.IsZero():
		return a.remove(there)
	}
	return nil
}
