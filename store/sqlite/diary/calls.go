package diary

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"

	"kota/store"
	"kota/store/sqlite"
)

// An idempotentCall is a call with an idempotency key. If key is "", nothing is recorded.
type idempotentCall struct{ owner, key, digest string }

// newIdempotentCall returns a call with a digest of the result of request, which is what the caller
// asked for. If key is "", it does not call request.
func newIdempotentCall(owner, key string, request func() any) idempotentCall {
	if key == "" {
		return idempotentCall{}
	}
	sum := sha256.Sum256(store.EncodeJSON(request()))
	return idempotentCall{owner, key, hex.EncodeToString(sum[:])}
}

// claim records the key. If the key is in use, it returns the ids that the earlier call created, or
// a *KeyError if that call had another digest. Otherwise it returns nil.
func (c idempotentCall) claim(t *sqlite.Tx) ([]string, error) {
	if c.key == "" {
		return nil, nil
	}
	changed := t.Changed()
	inserted, err := t.Exec("INSERT INTO diary_calls (owner, key, digest, made, created) VALUES (?, ?, ?, '[]', ?) ON CONFLICT DO NOTHING",
		c.owner, c.key, c.digest, sqlite.Millis(t.Now()))
	if err != nil {
		return nil, err
	}
	if n, err := inserted.RowsAffected(); err != nil || n > 0 {
		return nil, err
	}
	t.SetChanged(changed) // the key exists, so nothing changed
	digest, made, created := "", "", sql.NullInt64{}
	if err := t.Row("SELECT digest, made, created FROM diary_calls WHERE owner = ? AND key = ?", c.owner, c.key).Scan(&digest, &made, &created); err != nil {
		return nil, err
	}
	ids := []string{}
	if err := json.Unmarshal([]byte(made), &ids); err != nil {
		return nil, err
	}
	if digest != c.digest {
		return nil, &store.KeyError{Key: c.key, Made: sqlite.TimeOf(created), IDs: ids}
	}
	return ids, nil
}

// recordIDs records the ids that the call created.
func (c idempotentCall) recordIDs(t *sqlite.Tx, ids []string) error {
	if c.key == "" {
		return nil
	}
	_, err := t.Exec("UPDATE diary_calls SET made = ? WHERE owner = ? AND key = ?", sqlite.JSONArray(ids), c.owner, c.key)
	return err
}
