package memory

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"kota/store"
	"kota/store/engine"
)

// maskedValue is the Value of a secret in results. Reveal returns the value itself.
const maskedValue = `""`

// secrets encrypts and decrypts the values of one owner.
type secrets struct {
	*Store
	sealer store.Sealer
	ready  *atomic.Bool // true once the sealer has loaded its key
}

// sealerState is the extension that holds ready of secrets.
type sealerState struct{ ready atomic.Bool }

func (m *Store) secrets() secrets {
	state := engine.Extension(m.db, func() (*sealerState, engine.Hook) { return &sealerState{}, engine.Hook{} })
	return secrets{Store: m, sealer: m.db.Sealer(), ready: &state.ready}
}

// A keyNeededError says that a write needs the key, which fetch loads.
type keyNeededError struct{ fetch func(context.Context) error }

func (*keyNeededError) Error() string { return "the key of secrets is not loaded yet" }

// write is DB.Write for writes that may seal or open a secret. The writer's lock must not wait
// for a key. A write that needs the key therefore returns a keyNeededError, and runs again after
// the key was fetched.
func (s secrets) write(ctx context.Context, run func(engine.Tx) error) error {
	err := s.db.Write(ctx, run)
	needed, cold := errors.AsType[*keyNeededError](err)
	if !cold {
		return err
	}
	if err := needed.fetch(ctx); err != nil {
		return err
	}
	s.ready.Store(true)
	return s.db.Write(ctx, run)
}

// associatedData returns the data that binds a secret to its owner and key. Nobody can thus
// replace one secret by another.
func (m *Store) associatedData(key string) []byte {
	return append(append(binary.AppendUvarint(nil, uint64(len(m.name))), m.name...), key...)
}

// Reveal returns the value of a memory in any version, and decrypts it if it is a secret. If it
// cannot decrypt the value, it returns ErrNoSealer or the error of Options.Sealer.
func (m *Store) Reveal(found *store.Memory) (json.RawMessage, error) {
	if !found.Secret {
		return found.Value, nil
	}
	sealer := m.db.Sealer()
	if sealer == nil {
		return nil, fmt.Errorf("reveal %q: %w", found.Key, store.ErrNoSealer)
	}
	value, err := sealer.Open(found.Sealed, m.associatedData(found.Key))
	if err != nil {
		return nil, fmt.Errorf("reveal %q: %w", found.Key, err)
	}
	return value, nil
}

// decrypted returns a copy of m with its decrypted value, for a write. It returns m itself if m
// is nil or not a secret.
func (s secrets) decrypted(m *store.Memory) (*store.Memory, error) {
	if m == nil || !m.Secret {
		return m, nil
	}
	open := func() ([]byte, error) { return s.sealer.Open(m.Sealed, s.associatedData(m.Key)) }
	switch {
	case s.sealer == nil:
		return nil, store.ErrNoSealer
	case !s.ready.Load():
		return nil, &keyNeededError{func(context.Context) error { _, err := open(); return err }}
	}
	value, err := open()
	if err != nil {
		return nil, err
	}
	plain := *m
	plain.Value, plain.Sealed = value, nil
	return &plain, nil
}

// seal encrypts a value for the memory with that key.
func (s secrets) seal(key string, value json.RawMessage) ([]byte, error) {
	switch {
	case s.sealer == nil:
		return nil, store.ErrNoSealer
	case !s.ready.Load():
		return nil, &keyNeededError{s.fetch}
	default:
		return s.sealer.Seal(value, s.associatedData(key))
	}
}

// fetch checks that the sealer's key opens an existing secret before another one is sealed.
// Otherwise a new encryption key could replace the original one, which may only be missing for
// now. If there is no secret yet, fetch makes the sealer create its key.
func (s secrets) fetch(ctx context.Context) error {
	rows, err := s.db.Read(ctx).Query("SELECT key, sealed FROM memories WHERE owner = ? AND sealed IS NOT NULL ORDER BY id LIMIT 1", s.owner)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		_, err := s.sealer.Seal(nil, nil)
		return errors.Join(rows.Err(), err)
	}
	var key string
	var sealed []byte
	if err := rows.Scan(&key, &sealed); err != nil {
		return err
	}
	_, err = s.sealer.Open(sealed, s.associatedData(key))
	return err
}

// CheckSecrets returns the number of secrets, and decrypts one of them. It returns ErrNoSealer or
// the error of Options.Sealer if the key is not available.
func (m *Store) CheckSecrets(ctx context.Context) (int, error) {
	n := 0
	err := m.db.Read(ctx).Aggregate("SELECT count(*) FROM memories WHERE owner = ? AND sealed IS NOT NULL", m.owner).Scan(&n)
	switch {
	case err != nil || n == 0:
	case m.db.Sealer() == nil:
		err = store.ErrNoSealer
	default:
		err = m.secrets().fetch(ctx)
	}
	if err != nil {
		return n, fmt.Errorf("check secrets: %w", err)
	}
	return n, nil
}

// sealValue moves the value of a secret, encrypted, to Sealed. It changes nothing if m is not a
// secret or is sealed already.
func (s secrets) sealValue(m *store.Memory) error {
	if !m.Secret || m.Sealed != nil {
		return nil
	}
	sealed, err := s.seal(m.Key, m.Value)
	m.Value, m.Sealed = json.RawMessage(maskedValue), sealed
	return err
}

// sealVersions encrypts the versions of a memory that has become a secret, and removes its text
// from the search index. It also marks the file for cleaning, because the file still contains the
// text.
func (a *changeSet) sealVersions(id int64) error {
	rows, err := a.Query(ofOneMemory("SELECT id, key, value FROM versions WHERE memory = ? AND sealed IS NULL AND +owner = ?").For(a), id, a.owner)
	if err != nil {
		return err
	}
	type version struct {
		id         int64
		key, value string
	}
	plain := []version{}
	defer rows.Close()
	for rows.Next() {
		v := version{}
		if err := rows.Scan(&v.id, &v.key, &v.value); err != nil {
			return err
		}
		plain = append(plain, v)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, v := range plain {
		sealed, err := a.secrets.seal(v.key, json.RawMessage(v.value))
		if err != nil {
			return err
		}
		if err := a.Exec("UPDATE versions SET value = ?, sealed = ? WHERE id = ? AND owner = ?", maskedValue, sealed, v.id, a.owner); err != nil {
			return err
		}
	}
	if err := memoryIndex.Remove(a, a.owner, []int64{id}); err != nil {
		return err
	}
	a.becameSecret = true
	return a.MarkErased()
}

// plaintextErase returns the value of WriteResult.PlaintextErase: nil unless a memory has become
// a secret. purgePlaintext fills in the result.
func (a *changeSet) plaintextErase() *store.EraseResult {
	if !a.becameSecret {
		return nil
	}
	return &store.EraseResult{}
}

// purgePlaintext removes from the file the earlier plaintext of a memory that has become a secret.
// The change itself is already committed, so purgePlaintext reports a failure in PlaintextErase.
// After a failure, idle work tries again.
func (m *Store) purgePlaintext(ctx context.Context, w store.WriteResult) store.WriteResult {
	if w.PlaintextErase != nil {
		cleaned := m.db.CleanErased(ctx, store.EraseResult{Keys: []string{w.Key}})
		w.PlaintextErase = &cleaned
	}
	return w
}
