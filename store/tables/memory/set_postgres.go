package memory

import (
	"errors"

	"kota/store"
	"kota/store/engine"
)

// insertAbsent is insertMemory for a key that no memory has.
const insertAbsent = `
	INSERT INTO memories (id, owner, key, norm, value, category, tags, source, importance, pinned, created, updated, expires, sealed, version, stale)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 1, 1)`

// readAndSet is set for PostgreSQL, where each question is a trip to the server. It reads first and
// then asks for the time, because the first trip of a write also locks the head and gets the time.
// The insert goes with the next trip.
func (s *preparedEntry) readAndSet(t engine.Tx) (store.WriteResult, error) {
	old, err := memoryOf(t, s.owner, s.Key)
	now := t.Now()
	switch {
	case err == nil:
		return s.writeVersion(t, old, now)
	case !errors.Is(err, store.ErrNotFound):
		return store.WriteResult{}, err
	case s.IfVersion != nil && *s.IfVersion != 0:
		return store.WriteResult{}, &store.ConflictError{Key: s.Key}
	}
	memory, err := s.Next(nil)
	if err != nil {
		return store.WriteResult{}, err
	}
	if err := s.secrets.sealValue(memory); err != nil {
		return store.WriteResult{}, err
	}
	id, err := t.Insert("memories", insertAbsent, s.columns(memory, now)...)
	if err != nil {
		return store.WriteResult{}, err
	}
	near := []store.SimilarKey(nil)
	if !t.HasQueuedWrites() {
		near, err = s.neighbours(t, now)
	}
	return s.created(id, near, now), err
}
