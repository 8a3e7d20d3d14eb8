package mailbox

import (
	"context"
	"fmt"
)

// AddressAndHistory returns the address of the mailbox. If it had to ask Gmail, it also
// returns the current history id, and otherwise 0.
func (m *Mailbox) AddressAndHistory(ctx context.Context) (string, uint64, error) {
	if m.Account.Address != "" {
		return m.Account.Address, 0, nil
	}
	m.mu.Lock()
	address := m.address
	m.mu.Unlock()
	if address != "" {
		return address, 0, nil
	}
	address, historyID, err := m.Profile(ctx)
	if err != nil {
		return "", 0, err
	}
	m.mu.Lock()
	m.address = address
	m.mu.Unlock()
	return address, historyID, nil
}

// Profile returns the mailbox's address and its current history id.
func (m *Mailbox) Profile(ctx context.Context) (string, uint64, error) {
	profile, err := m.API.Users.GetProfile(Me).Context(ctx).Do()
	if err != nil {
		return "", 0, fmt.Errorf("read the mailbox's profile: %w", err)
	}
	return profile.EmailAddress, profile.HistoryId, nil
}
