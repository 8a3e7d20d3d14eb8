// Package issuer verifies tokens of an OAuth issuer and returns their owners. A token is a JWT
// access token (RFC 9068) for this server. The issuer publishes the keys for its signatures.
//
// Its policy:
//
//   - A token or a subject never appears in an error or a log line.
//   - KOTA trusts nothing in a token before it has verified the signature. The algorithm
//     must use a public key, which KOTA must have fetched from the issuer in the last hour.
//   - KOTA refuses a token for another audience (RFC 8707). Otherwise that audience could
//     use the token here.
//   - KOTA asks the issuer for its keys at most a few times a minute.
package issuer

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Options says which tokens KOTA accepts. Issuer and Audience must be set.
type Options struct {
	Issuer    string            // the issuer's URL, as in tokens: https, or http on this machine's loopback
	Audience  string            // the audience that a token must have
	Scopes    []string          // the scopes that a token must have
	Now       func() time.Time  // nil: time.Now
	Transport http.RoundTripper // fetches keys; nil: a transport with timeouts
	Log       *slog.Logger      // nil: no log
}

// A Verifier verifies the tokens of one issuer. It is safe for concurrent use.
type Verifier struct {
	issuer, audience string
	scopes           []string
	now              func() time.Time
	keys             *keySet
}

// New returns a verifier. It does not use the network yet.
func New(o Options) *Verifier {
	v := &Verifier{issuer: o.Issuer, audience: o.Audience, scopes: o.Scopes, now: o.Now}
	if v.now == nil {
		v.now = time.Now
	}
	v.keys = newKeySet(o)
	return v
}

// A Person is the owner of a token.
type Person struct {
	Issuer  string
	Subject string // the permanent id at the issuer: printable, at most 255 bytes
	Name    string // a name for people to read; "" if the token has none

	ValidFor time.Duration // how long the token is still valid
}

// Verify returns the owner of the token. It returns an *InvalidError if the token is not valid
// here and now, and a *ScopeError if the token lacks scopes. It returns an *UnreachableError if
// the issuer's keys are unavailable. That error wraps ErrTooManyFetches if KOTA has asked the
// issuer too often and its last fetch did not fail.
func (v *Verifier) Verify(ctx context.Context, token string) (Person, error) {
	signed, err := parse(token)
	if err != nil {
		return Person{}, err
	}
	keys, err := v.keys.find(ctx, signed.header.KeyID)
	if err != nil {
		return Person{}, err
	}
	c, err := signed.claims(keys)
	if err != nil {
		return Person{}, err
	}
	return v.accept(c)
}

// Ready returns an *UnreachableError if KOTA can verify no token now, or nil.
func (v *Verifier) Ready(ctx context.Context) error {
	_, err := v.keys.current(ctx)
	return err
}

// An InvalidError says in a clause why a token is not valid.
type InvalidError struct{ Why string }

func (e *InvalidError) Error() string { return e.Why }

func invalidError(format string, args ...any) error {
	return &InvalidError{fmt.Sprintf(format, args...)}
}

// A ScopeError says which scopes a valid token lacks.
type ScopeError struct{ Missing []string }

func (e *ScopeError) Error() string { return fmt.Sprintf("the token lacks the scopes %q", e.Missing) }

// An UnreachableError says that the issuer's keys are unavailable.
type UnreachableError struct {
	Issuer string
	Err    error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the keys of the issuer %s are not available: %v", e.Issuer, e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }
