package fakeapi

import "strings"

// An Account is somebody's account at the fake Google.
type Account struct {
	Address string
	Server  *Server
	State   map[string]any // of each API, by its name
}

// Account returns the account with that address, which is made at the first call.
func (s *Server) Account(address string) *Account {
	key := strings.ToLower(address)
	if s.Accounts[key] == nil {
		u := &Account{Address: address, Server: s, State: map[string]any{}}
		for _, svc := range s.services {
			u.State[svc.Name] = svc.newAccount(s, address)
		}
		s.Accounts[key] = u
	}
	return s.Accounts[key]
}

// Open returns the account with that address.
func (s *Server) Open(address string) *Account {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Account(address)
}
