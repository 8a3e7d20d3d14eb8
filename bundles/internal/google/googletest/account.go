package googletest

import "strings"

// An account is somebody's account at the fake Google.
type account struct {
	Address string
	server  *core
	state   map[string]any // of each API, by its name
}

// user returns the account with that address, which is made at the first call.
func (s *core) user(address string) *account {
	key := strings.ToLower(address)
	if s.users[key] == nil {
		u := &account{Address: address, server: s, state: map[string]any{}}
		for _, svc := range s.services {
			u.state[svc.Name] = svc.newAccount(s, address)
		}
		s.users[key] = u
	}
	return s.users[key]
}

// open returns the account with that address.
func (s *core) open(address string) *account {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.user(address)
}
