package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Set stores an entry. It returns a *ConflictError if Mode is Create and the key exists, or if
// IfVersion is not the current version. It returns ErrInvalid for an empty key, a value that is
// not JSON, and a value that Mode cannot join to the old one. It also returns ErrInvalid for an
// importance outside 0 to 3. It returns ErrTooLarge for a value over MaxValue, also after
// joining. If the value of a secret cannot be encrypted or decrypted, it changes nothing, and
// returns ErrNoSealer or the error of Options.Sealer. It returns ErrSecret if Secret is false
// for a secret.
func (m *Store) Set(ctx context.Context, e store.Entry) (store.WriteResult, error) {
	p, err := m.prepare(e)
	if err != nil {
		return store.WriteResult{}, fmt.Errorf("set: %w", err)
	}
	var written store.WriteResult
	err = m.secrets().write(ctx, func(t engine.Tx) (err error) {
		written, err = p.set(t)
		return err
	})
	if err != nil {
		return store.WriteResult{}, fmt.Errorf("set %q: %w", p.Key, err)
	}
	return m.purgePlaintext(ctx, written), nil
}

// SetMany stores all entries in one transaction, or none. It is for bulk work. Pass at most 1000
// entries per call, so that other writes do not wait long.
func (m *Store) SetMany(ctx context.Context, entries []store.Entry) ([]store.WriteResult, error) {
	prepared := make([]*preparedEntry, len(entries))
	for i, e := range entries {
		p, err := m.prepare(e)
		if err != nil {
			return nil, fmt.Errorf("set entry %d: %w", i, err)
		}
		prepared[i] = p
	}
	var written []store.WriteResult
	err := m.secrets().write(ctx, func(t engine.Tx) error {
		written = make([]store.WriteResult, 0, len(prepared))
		for i, p := range prepared {
			w, err := p.set(t)
			if err != nil {
				return fmt.Errorf("set entry %d, %q: %w", i, p.Key, err)
			}
			written = append(written, w)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range written {
		written[i] = m.purgePlaintext(ctx, written[i])
	}
	return written, nil
}

// A preparedEntry is an Entry with the values that can be computed before the write.
type preparedEntry struct {
	store.Entry
	owner      any
	norm, tags string
	secrets    secrets
}

func (m *Store) prepare(e store.Entry) (*preparedEntry, error) {
	e.Key = store.CleanKey(e.Key)
	norm := store.NormalizeKey(e.Key)
	if err := store.CheckKey(e.Key, norm); err != nil {
		return nil, err
	}
	if e.Importance != nil && (*e.Importance < 0 || *e.Importance > 3) {
		return nil, fmt.Errorf("%w: importance %d is not from 0 to 3", store.ErrInvalid, *e.Importance)
	}
	value, err := store.CompactJSON(e.Value)
	if err != nil {
		return nil, err
	}
	e.Value = json.RawMessage(value)
	return &preparedEntry{Entry: e, owner: m.owner, secrets: m.secrets(), norm: norm, tags: tagsText(e.Tags)}, nil
}

// insertMemory adds a memory. It adds nothing if a memory has the key, even a deleted one,
// because the new value must be a version of that memory. It returns the id.
const insertMemory = `
	INSERT INTO memories (id, owner, key, norm, value, category, tags, source, importance, pinned, created, updated, expires, sealed, version, stale)
	SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 1, 1
	WHERE NOT EXISTS (SELECT 1 FROM memories WHERE owner = ?2 AND norm = ?4 AND key = ?3 AND deleted IS NOT NULL)
	ON CONFLICT DO NOTHING
	RETURNING id`

func (s *preparedEntry) set(t engine.Tx) (store.WriteResult, error) {
	if t.Dialect() == engine.Postgres {
		return s.readAndSet(t)
	}
	now := t.Now()
	if s.IfVersion == nil || *s.IfVersion == 0 {
		written, err := s.insert(t, now)
		if err != nil || written.Change == store.Created {
			return written, err
		}
	}
	old, err := memoryOf(t, s.owner, s.Key)
	if errors.Is(err, store.ErrNotFound) {
		return store.WriteResult{}, &store.ConflictError{Key: s.Key}
	}
	if err != nil {
		return store.WriteResult{}, err
	}
	return s.writeVersion(t, old, now)
}

// insert adds the memory, unless a memory has its key, even a deleted one. It also looks for
// similar keys. They are only hints, so it does not look for them while other writes are queued.
func (s *preparedEntry) insert(t engine.Tx, now time.Time) (store.WriteResult, error) {
	memory, err := s.Next(nil)
	if err != nil {
		return store.WriteResult{}, err
	}
	if err := s.secrets.sealValue(memory); err != nil {
		return store.WriteResult{}, err
	}
	args := s.columns(memory, now)
	var id int64
	var near []store.SimilarKey
	if t.HasQueuedWrites() {
		err = t.InsertNew("memories", insertMemory, args...).Scan(&id)
	} else {
		id, near, err = scanNeighbours(t.InsertNew("memories", insertMemory+returningNeighbours, append(args, reversedWords(s.norm), now.UnixMilli())...))
	}
	if errors.Is(err, sql.ErrNoRows) {
		return store.WriteResult{}, nil
	}
	return s.created(id, near, now), err
}

// columns returns the arguments of insertMemory after the id.
func (s *preparedEntry) columns(memory *store.Memory, now time.Time) []any {
	return []any{s.owner, s.Key, s.norm, string(memory.Value), memory.Category, s.tags, s.Source,
		memory.Importance, memory.Pinned, notAfter(s.Created, now).UnixMilli(), notAfter(s.Updated, now).UnixMilli(), engine.Millis(s.Expires), memory.Sealed}
}

func (s *preparedEntry) created(id int64, near []store.SimilarKey, now time.Time) store.WriteResult {
	return store.WriteResult{
		Key: s.Key, Version: 1, Change: store.Created, Expires: s.Expires,
		Undo: creationUndoID(id, notAfter(s.Created, now)), Similar: selectSimilar(s.norm, near),
	}
}

// notAfter returns t, or now if t is zero or later than now.
func notAfter(t, now time.Time) time.Time {
	if t.IsZero() || t.After(now) {
		return now
	}
	return t
}

// writeVersion makes the entry the next version of a memory that exists or once existed.
func (s *preparedEntry) writeVersion(t engine.Tx, old *store.Memory, now time.Time) (store.WriteResult, error) {
	visible := old
	if !old.Alive(now) {
		visible = nil
	}
	if err := s.checkExpected(visible); err != nil {
		return store.WriteResult{}, err
	}
	if s.Mode == store.Keep && visible != nil {
		return store.WriteResult{Key: old.Key, Version: old.Version, Change: store.Kept, Previous: visible, Expires: old.Expires}, nil
	}
	plain, err := s.secrets.decrypted(visible)
	if err != nil {
		return store.WriteResult{}, err
	}
	next, err := s.Next(plain)
	if err != nil {
		return store.WriteResult{}, err
	}
	if plain != nil && sameMemory(next, plain) {
		return store.WriteResult{Key: old.Key, Version: old.Version, Change: store.Unchanged, Previous: visible, Expires: old.Expires}, nil
	}
	if err := s.secrets.sealValue(next); err != nil {
		return store.WriteResult{}, err
	}
	a := changeSet{Tx: t, owner: s.owner, secrets: s.secrets, operation: opSet, now: now}
	if err := a.replace(old, next); err != nil {
		return store.WriteResult{}, err
	}
	written := store.WriteResult{Key: old.Key, Version: next.Version, Change: store.Updated, Previous: visible, Expires: next.Expires, Undo: a.undoID(), PlaintextErase: a.plaintextErase()}
	if visible == nil {
		written.Change = store.Created
	}
	return written, nil
}

// checkExpected returns a *ConflictError if Mode is Create and visible is not nil, or if
// IfVersion is not the version of visible.
func (s *preparedEntry) checkExpected(visible *store.Memory) error {
	version := int64(0)
	if visible != nil {
		version = visible.Version
	}
	if s.Mode == store.Create && visible != nil || s.IfVersion != nil && *s.IfVersion != version {
		return &store.ConflictError{Key: s.Key, Current: visible}
	}
	return nil
}

// sameMemory reports whether both have the same content. It ignores versions, and times except
// Expires.
func sameMemory(a, b *store.Memory) bool {
	return a.Key == b.Key && string(a.Value) == string(b.Value) && a.Category == b.Category &&
		tagsText(a.Tags) == tagsText(b.Tags) && a.Source == b.Source && a.Importance == b.Importance &&
		a.Pinned == b.Pinned && a.Secret == b.Secret && engine.Millis(a.Expires) == engine.Millis(b.Expires)
}
