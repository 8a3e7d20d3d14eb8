package memory

import (
	"context"
	"fmt"

	"kota/store"
	"kota/store/sqlite"
)

// Get returns the memory with that key: spelled exactly so, or else the only
// one that Normal finds equal ("userName" for "user_name"). It returns a
// *NotFoundError when there is none, when it is deleted or expired, and when
// several other spellings are kept, which it names.
func (m *Store) Get(ctx context.Context, key string) (*store.Memory, error) {
	found, err := m.seen(m.db.Read(ctx), key, m.db.Now())
	if err != nil {
		return nil, fmt.Errorf("get %q: %w", key, sqlite.Classify(err))
	}
	return found, nil
}
