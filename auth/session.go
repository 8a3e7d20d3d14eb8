package auth

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// A session provides an account's access token in this process, and renews it.
type session struct {
	accounts *Accounts
	name     string
	client   *http.Client
	renewing singleflight.Group // runs one renewal at a time for all callers

	// mu guards the fields below. A caller that reads or writes the account's file holds mu
	// until it has set these fields. Otherwise a slow reader could overwrite the result of a
	// renewal.
	mu         sync.Mutex
	grant      grant     // the token as last read or renewed
	seen       version   // the stored account when grant was read or written; nil: not read yet
	ended      error     // the error that every caller gets before retryAfter; nil if none
	retryAfter time.Time // when a renewal may be tried again after ended
}

const (
	// renewTimeout is the time limit of a renewal: the wait for the renewal of another
	// process, and the request of this process.
	renewTimeout = 2 * tokenTimeout
	// endedRetryDelay is how long KOTA waits before it asks Google again for a token, after
	// Google has ended the sign-in. It does not wait if the account's file changes. A model
	// that repeats its call must not cause a request to the token endpoint each time.
	endedRetryDelay = time.Minute
)

// session returns the only session of the account in this process.
func (a *Accounts) session(name string) *session {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.sessions[name]
	if s == nil {
		s = &session{accounts: a, name: name}
		s.client = &http.Client{Transport: &transport{account: name, token: s.token, base: a.transport}}
		a.sessions[name] = s
	}
	return s
}

// token returns an access token, which is usually valid for at least a minute. The parameter
// rejected is a token that an API has just refused, or "".
func (s *session) token(ctx context.Context, rejected string) (string, error) {
	for tries := 1; ; tries++ {
		held, err := s.current()
		if err != nil {
			return "", err
		}
		if held.usable(s.accounts.now(), rejected) {
			return held.Access, nil
		}
		outcome := s.renewing.DoChan("", func() (any, error) {
			// Other callers also wait for this renewal. So it must not end with one caller's
			// context, and traces must not show it as a part of one caller's request.
			ctx, cancel := context.WithTimeout(context.Background(), renewTimeout)
			defer cancel()
			access := ""
			err := recoverPanic(func() (err error) { access, err = s.renew(ctx, rejected); return err })
			return access, err
		})
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case result := <-outcome:
			if result.Err != nil {
				return "", result.Err
			}
			// A renewal that began before the API refused the token may return the same token,
			// so try once more.
			if access := result.Val.(string); access != rejected || tries > 1 {
				return access, nil
			}
		}
	}
}

// Check asks Google for a new access token of the account with this name or address, to find
// out whether its sign-in is still valid. The name "" means the default account. Check returns
// the errors of HTTPClient and of requests with its client.
func (a *Accounts) Check(ctx context.Context, name string) error {
	account, err := a.Find(name)
	if err != nil {
		return err
	}
	if account.Problem != nil {
		return account.Problem
	}
	s := a.session(account.Name)
	held, err := s.current()
	if err != nil {
		return err
	}
	_, err = s.token(ctx, held.Access)
	return err
}

// current returns the account's token, from memory while the account's file is unchanged.
// Another process may change the file.
func (s *session) current() (grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stored, err := s.accounts.tokens.version(s.name); err == nil {
		if held, known, ended := s.recall(stored); known {
			return held, ended
		}
	}
	_, held, stored, err := s.accounts.load(s.name)
	if err != nil {
		return grant{}, err
	}
	s.remember(held, stored)
	return held, nil
}

// recall returns the cached token and true if the stored account is the known version. The last
// result is the error if KOTA must not try a renewal now. The caller holds s.mu.
func (s *session) recall(stored version) (held grant, known bool, ended error) {
	if s.seen == nil || !s.seen.equals(stored) {
		return grant{}, false, nil
	}
	if s.accounts.now().Before(s.retryAfter) {
		ended = s.ended
	}
	return s.grant, true, ended
}

// remember caches the token and the version of the stored account. The caller holds s.mu.
func (s *session) remember(held grant, stored version) {
	s.grant, s.seen, s.ended = held, stored, nil
}

// load returns an account with its token and its version. If only the keyring
// fails, it returns the record with the error.
func (a *Accounts) load(name string) (record, grant, version, error) {
	r, stored, err := a.tokens.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = &ExpiredError{Account: name, Cause: LoggedOut}
	}
	if err != nil {
		return record{}, grant{}, nil, err
	}
	if r.Keyring == "" {
		return r, *r.Token, stored, nil
	}
	held, err := a.loadFromKeyring(name, r.Keyring)
	return r, held, stored, err
}
