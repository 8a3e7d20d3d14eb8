package auth

import (
	"context"
	"time"
)

// SetLoginTimeout makes a sign-in give up after d.
func (a *Accounts) SetLoginTimeout(d time.Duration) { a.loginTimeout = d }

// SetKeyringTimeout makes a call of the keyring give up after d.
func (a *Accounts) SetKeyringTimeout(d time.Duration) { a.keyringTimeout = d }

// SetTokenTimeout makes a request to the token endpoint give up after d.
func (a *Accounts) SetTokenTimeout(d time.Duration) { a.tokenTimeout = d }

// RevokeURI returns the URL at which tokens of a token_uri are revoked.
var RevokeURI = revokeURI

// Token returns the token for requests of the account. Rejected is a token that was refused.
func (a *Accounts) Token(ctx context.Context, name, rejected string) (string, error) {
	return a.session(name).token(ctx, rejected)
}

// BeginRenewal begins a renewal that ends with that token when finish is called.
func (a *Accounts) BeginRenewal(name, token string) (finish func()) {
	end := make(chan struct{})
	a.session(name).renewing.DoChan("", func() (any, error) { <-end; return token, nil })
	return func() { close(end) }
}
