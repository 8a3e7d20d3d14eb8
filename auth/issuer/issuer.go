// Package issuer verifies tokens of an OAuth issuer and returns their owners. A token is a JWT
// access token (RFC 9068) for this server, signed with a key that the issuer publishes.
//
// Its policy:
//
//   - A token or a subject never appears in an error or a log line.
//   - Nothing in a token is trusted before its signature is verified. Its algorithm must
//     have a public key, and the issuer must publish that key now.
//   - A token for another audience is refused (RFC 8707). Otherwise that audience could use
//     the token here.
//   - KOTA asks the issuer for its keys a few times a minute at most, whatever tokens come.
package issuer

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Options says which tokens are accepted. Issuer and Audience must be set.
type Options struct {
	Issuer    string            // URL, as in tokens: https, or http on this machine's loopback
	Audience  string            // the audience that a token must have
	Scopes    []string          // the scopes that a token must have
	Now       func() time.Time  // nil: time.Now
	Transport http.RoundTripper // nil: one with timeouts; it carries no secret
	Log       *slog.Logger      // nil: nothing is logged
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
	Subject string // the permanent id at the issuer: at most 255 printable bytes
	Name    string // a name for people to read; "" if the token has none

	ValidFor time.Duration // how long the token is still valid
}

// Verify returns the owner of the token. It returns an *InvalidError if the
// token is not valid here and now, and a *ScopeError if it allows too little. It returns an
// *UnreachableError if the issuer's keys are unavailable; this wraps ErrTooManyFetches if the issuer
// was asked too often.
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

// Ready returns an *UnreachableError if no token can be verified now, or nil.
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
