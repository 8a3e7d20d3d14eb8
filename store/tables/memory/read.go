package memory

import (
	"context"
	"fmt"

	"kota/store"
)

// Get returns the memory with that key. Without an exact match, it returns the only memory whose
// normalized key is the same ("userName" for "user_name"). It returns a *NotFoundError if no
// memory matches, or if it is deleted or expired. If several memories match, but none exactly,
// it returns a *NotFoundError with their spellings.
func (m *Store) Get(ctx context.Context, key string) (*store.Memory, error) {
	found, err := m.visible(m.db.Read(ctx), key, m.db.Now)
	if err != nil {
		return nil, fmt.Errorf("get %q: %w", key, err)
	}
	return found, nil
}
