package diary

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"

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

// earlier returns the ids that an earlier call with the key created, or a *KeyError if that call had
// another digest. It returns nil if there was no such call.
func (c idempotentCall) earlier(t engine.Tx) ([]string, error) {
	if c.key == "" {
		return nil, nil
	}
	digest, made, created := "", "", sql.NullInt64{}
	err := t.Row("SELECT digest, made, created FROM diary_calls WHERE owner = ? AND key = ?", c.owner, c.key).Scan(&digest, &made, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
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

// record records the key with the ids that the call created.
func (c idempotentCall) record(t engine.Tx, ids []string) error {
	if c.key == "" {
		return nil
	}
	return t.Exec("INSERT INTO diary_calls (owner, key, digest, made, created) VALUES (?, ?, ?, ?, ?)",
		c.owner, c.key, c.digest, engine.JSONArray(ids), engine.Millis(t.Now()))
}
