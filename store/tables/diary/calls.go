package diary

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"

	"kota/store"
	"kota/store/engine"
)

// An idempotentCall is a call with an idempotency key. If key is "", nothing is recorded.
type idempotentCall struct {
	owner       any
	key, digest string
}

// newIdempotentCall returns a call with a digest of the result of request, which is what the caller
// asked for. If key is "", it does not call request.
func newIdempotentCall(owner any, key string, request func() any) idempotentCall {
	if key == "" {
		return idempotentCall{}
	}
	sum := sha256.Sum256(store.EncodeJSON(request()))
	return idempotentCall{owner, key, hex.EncodeToString(sum[:])}
}

// claim records the key. If the key is in use, it returns the ids that the earlier call created, or
// a *KeyError if that call had another digest. Otherwise it returns nil.
func (c idempotentCall) claim(t engine.Tx) ([]string, error) {
	if c.key == "" {
		return nil, nil
	}
	inserted, err := t.Change("INSERT INTO diary_calls (owner, key, digest, made, created) VALUES (?, ?, ?, '[]', ?) ON CONFLICT DO NOTHING",
		c.owner, c.key, c.digest, engine.Millis(t.Now()))
	if err != nil || inserted > 0 {
		return nil, err
	}
	digest, made, created := "", "", sql.NullInt64{}
	if err := t.Row("SELECT digest, made, created FROM diary_calls WHERE owner = ? AND key = ?", c.owner, c.key).Scan(&digest, &made, &created); err != nil {
		return nil, err
	}
	ids := []string{}
	if err := json.Unmarshal([]byte(made), &ids); err != nil {
		return nil, err
	}
	if digest != c.digest {
		return nil, &store.KeyError{Key: c.key, Made: engine.TimeOf(created), IDs: ids}
	}
	return ids, nil
}

// recordIDs records the ids that the call created.
func (c idempotentCall) recordIDs(t engine.Tx, ids []string) error {
	if c.key == "" {
		return nil
	}
	return t.Exec("UPDATE diary_calls SET made = ? WHERE owner = ? AND key = ?", engine.JSONArray(ids), c.owner, c.key)
}
