package app

import (
	"context"
	"slices"
	"sync"
	"time"

	"kota/auth/vault"
)

// secretsFor is how long a process may not see that another one has changed a secret.
const secretsFor = time.Second

// cachedSecrets reads all rows of an owner at once and keeps them for secretsFor, because each call of
// a Google bundle reads most of them. What is missing is always read again, so that a new sign-in
// counts at once. Update sees the latest rows.
type cachedSecrets struct {
	vault.Rows
	now func() time.Time

	mu      sync.Mutex
	list    []vault.Row
	read    time.Time // when list was read; zero after an Update
	updates int       // how many Updates have ended
}

// List implements vault.Rows.
func (c *cachedSecrets) List(ctx context.Context) ([]vault.Row, error) {
	c.mu.Lock()
	list, updates := c.list, c.updates
	known := len(list) > 0 && c.now().Sub(c.read) < secretsFor
	c.mu.Unlock()
	if known {
		return slices.Clone(list), nil
	}
	read := c.now()
	list, err := c.Rows.List(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.updates == updates { // otherwise the list may be older than the Update
		c.list, c.read = list, read
	}
	return slices.Clone(list), nil
}

// Get implements vault.Rows. The holder of a lock may change at any time.
func (c *cachedSecrets) Get(ctx context.Context, kind, name string) (*vault.Row, error) {
	if kind != vault.LockKind {
		list, err := c.List(ctx)
		if err != nil {
			return nil, err
		}
		for _, row := range list {
			if row.Kind == kind && row.Name == name {
				return &row, nil
			}
		}
	}
	return c.Rows.Get(ctx, kind, name)
}

// Update implements vault.Rows.
func (c *cachedSecrets) Update(ctx context.Context, kind, name string, change func(*vault.Row) (*vault.Row, error)) error {
	err := c.Rows.Update(ctx, kind, name, change)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list, c.read = nil, time.Time{}
	c.updates++
	return err
}
