package fakeapi

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"time"
)

// token is an access token.
type token struct {
	user    *Account
	scopes  []string
	expires time.Time
	grant   *grant // the grant it was made from; nil if the test made it
	revoked bool
}

// grant is what a user has granted to the client. Server.grants has it under its
// refresh token, if there is one.
type grant struct {
	user    *Account
	scopes  []string
	expires time.Time // zero means never
	revoked bool
}

// NewSecret returns an unguessable text with that prefix.
func NewSecret(prefix string) string { return prefix + rand.Text() + rand.Text() }

// allScopes returns all scopes in the services' documents.
func (s *Server) allScopes() []string {
	var scopes []string
	for _, svc := range s.services {
		for scope := range svc.Auth.OAuth2.Scopes {
			scopes = append(scopes, scope)
		}
	}
	slices.Sort(scopes)
	return scopes
}

// Token returns an access token of the user with those scopes. It is valid for
// an hour of the server's clock, or as SetTokenLifetime says. Without scopes
// the token has all scopes of the APIs. A name without a slash, such as
// "gmail.modify", stands for Google's long one.
func (s *Server) Token(user string, scopes ...string) string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if len(scopes) == 0 {
		scopes = s.allScopes()
	}
	return s.issue(&token{user: s.Account(user), scopes: longScopes(scopes)})
}

// longScopes returns the scopes with Google's long names.
func longScopes(scopes []string) []string {
	long := make([]string, len(scopes))
	for i, scope := range scopes {
		long[i] = scope
		if !strings.Contains(scope, "/") && !slices.Contains(signInScopes, scope) {
			long[i] = "https://www.googleapis.com/auth/" + scope
		}
	}
	return long
}

func (s *Server) issue(t *token) string {
	t.expires = s.Now().Add(s.expires)
	name := NewSecret("ya29.")
	s.tokens[name] = t
	return name
}

// HTTPClient returns a client with an access token of the user with those
// scopes, as for Token. It sends the token only to this server.
func (s *Server) HTTPClient(user string, scopes ...string) *http.Client {
	return &http.Client{Transport: &bearerTransport{
		host:  s.listener.Addr().String(),
		token: s.Token(user, scopes...),
		base:  &http.Transport{MaxIdleConnsPerHost: 16},
	}}
}

// bearerTransport authorizes requests to one host.
type bearerTransport struct {
	host, token string
	base        *http.Transport
}

func (b *bearerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == b.host {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.base.RoundTrip(r)
}

func (b *bearerTransport) CloseIdleConnections() { b.base.CloseIdleConnections() }

// tokenOf returns the request's token, or nil if the server does not know it.
// given reports whether the request carries any token.
func (s *Server) tokenOf(r *http.Request) (t *token, given bool) {
	name, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		name = r.URL.Query().Get("access_token")
	}
	return s.tokens[name], name != ""
}

// authenticate returns the account that sent the request and the scopes of its
// token, or the reason for a refusal.
func (s *Server) authenticate(r *http.Request, m *Method, service, userID string) (*Account, []string, *Problem) {
	t, given := s.tokenOf(r)
	if t == nil || t.revoked || !s.Now().Before(t.expires) || t.grant != nil && t.grant.revoked {
		return nil, nil, unauthenticated(given)
	}
	if !slices.ContainsFunc(m.Scopes, func(scope string) bool { return slices.Contains(t.scopes, scope) }) {
		return nil, nil, insufficientScope(m, service)
	}
	if userID != "" && userID != "me" && !strings.EqualFold(userID, t.user.Address) {
		return nil, nil, Forbidden("Delegation denied for %s", t.user.Address)
	}
	return t.user, t.scopes, nil
}

// ExpireTokens expires every current access token. Refresh tokens stay.
func (s *Server) ExpireTokens() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, t := range s.tokens {
		t.expires = s.Now()
	}
}

// RevokeGrants revokes what the user granted, like a change of password: the
// current refresh tokens and access tokens.
func (s *Server) RevokeGrants(user string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, t := range s.tokens {
		if strings.EqualFold(t.user.Address, user) {
			t.revoked = true
		}
	}
	for _, g := range s.grants {
		if strings.EqualFold(g.user.Address, user) {
			g.revoked = true
		}
	}
}

// SetTokenLifetime sets the lifetime of new access tokens; initially an hour.
func (s *Server) SetTokenLifetime(d time.Duration) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.expires = d
}

// testingGrantLifetime is the lifetime of refresh tokens while the client is in testing.
const testingGrantLifetime = 7 * 24 * time.Hour

// SetTestingStatus puts the client into Google's publishing status "Testing". New
// refresh tokens then expire after seven days of the server's clock, and the
// answer says so in refresh_token_expires_in.
func (s *Server) SetTestingStatus() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.testing = true
}
