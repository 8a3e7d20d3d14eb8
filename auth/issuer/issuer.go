// Package issuer tells who somebody is by the token that an OAuth issuer gave
// them: a JWT access token (RFC 9068) for this server, signed with a key that the
// issuer publishes.
//
// The policy it keeps:
//
//   - A token is in no error and no log line, and neither is a subject.
//   - What is signed is believed, and nothing of a token before: its algorithm is
//     one of those with a public key, its key one that the issuer publishes now.
//   - A token for another audience, which somebody else was given, is refused
//     (RFC 8707): who reads it there could use it here.
//   - The issuer is asked for its keys a few times a minute at most, whatever
//     tokens come.
package issuer

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Options say whose tokens are taken. Issuer and Audience must be set.
type Options struct {
	Issuer    string            // URL, as it stands in tokens: https, or http on this machine's loopback
	Audience  string            // what a token must be for
	Scopes    []string          // each of which a token must have
	Now       func() time.Time  // nil: time.Now
	Transport http.RoundTripper // nil: one with timeouts; it carries no secret
	Log       *slog.Logger      // nil: nothing is logged
}

// A Verifier takes the tokens of one issuer. It is safe for concurrent use.
type Verifier struct {
	issuer, audience string
	scopes           []string
	now              func() time.Time
	keys             *keySet
}

// New returns a verifier. It asks nothing of the network yet.
func New(o Options) *Verifier {
	v := &Verifier{issuer: o.Issuer, audience: o.Audience, scopes: o.Scopes, now: o.Now}
	if v.now == nil {
		v.now = time.Now
	}
	v.keys = newKeySet(o)
	return v
}

// A Person is who a token was given to.
type Person struct {
	Issuer  string
	Subject string // who that is at the issuer, for good: at most 255 bytes that can be printed
	Name    string // what they are called there, for people to read; "" where the token does not say

	Left time.Duration // for which the token is good yet
}

// Verify returns who the token was given to. It returns an *InvalidError for one
// that is not good here and now, a *ScopeError for one that allows too little,
// and an *UnreachableError where the issuer's keys cannot be had, of ErrWait where it
// is not asked for them.
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

// Ready returns why no token could be verified now: an *UnreachableError, or nil.
func (v *Verifier) Ready(ctx context.Context) error {
	_, err := v.keys.current(ctx)
	return err
}

// An InvalidError says in a clause why a token is not good.
type InvalidError struct{ Why string }

func (e *InvalidError) Error() string { return e.Why }

func invalid(format string, args ...any) error { return &InvalidError{fmt.Sprintf(format, args...)} }

// A ScopeError says which scopes a token that is good lacks.
type ScopeError struct{ Lacks []string }

func (e *ScopeError) Error() string { return fmt.Sprintf("the token lacks the scopes %q", e.Lacks) }

// An UnreachableError says that the issuer's keys cannot be had.
type UnreachableError struct {
	Issuer string
	Err    error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the keys of the issuer %s cannot be had: %v", e.Issuer, e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }
