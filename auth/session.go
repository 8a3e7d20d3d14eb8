package auth

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// A session provides an account's access token in this process, and renews it.
type session struct {
	accounts *Accounts
	name     string
	client   *http.Client
	renewing singleflight.Group // one renewal at a time, however many callers wait

	// mu is held from reading the file to keeping the result, and from writing it to
	// keeping what was written. Otherwise a slow reader could overwrite the result of a
	// renewal.
	mu         sync.Mutex
	grant      grant       // as last read or renewed
	file       fs.FileInfo // the file from which grant was read; nil: not read yet
	ended      error       // why no renewal is tried before retryAfter
	retryAfter time.Time   // see ended
}

const (
	// renewTimeout limits a renewal: the wait for another process's, and this one's own
	// request.
	renewTimeout = 2 * tokenTimeout
	// endedRetryDelay is how long a sign-in that Google has ended is not tried again, unless its
	// file changes. A model that repeats its call must not cause a request to the token
	// endpoint each time.
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

// token returns an access token that is valid for at least a minute. Rejected is a token that
// an API has just refused, or ""; it is not returned again.
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
			// Others wait for this too. So it must not end with one caller's context, and must
			// not be traced as a part of one caller's request.
			ctx, cancel := context.WithTimeout(context.Background(), renewTimeout)
			defer cancel()
			access := ""
			err := recoverPanic(func() (err error) { access, err = s.renew(ctx, rejected); return err })
			return access, err
		})
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case got := <-outcome:
			if got.Err != nil {
				return "", got.Err
			}
			// A renewal that began before the API refused this token may return the same token.
			// If Google issues the same token twice, it is refused twice.
			if access := got.Val.(string); access != rejected || tries > 1 {
				return access, nil
			}
		}
	}
}

// Check asks Google for a new access token of the account with that name or address, to find
// out whether its sign-in is still valid. "" is the default account. It returns the same errors
// as HTTPClient and its requests.
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

// current returns the present token, from memory while the account's file is unchanged.
// Another process may have renewed or removed it.
func (s *session) current() (grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if info, err := os.Lstat(s.accounts.tokens.file(s.name)); err == nil {
		if held, known, ended := s.recall(info); known {
			return held, ended
		}
	}
	_, held, from, err := s.accounts.load(s.name)
	if err != nil {
		return grant{}, err
	}
	s.remember(held, from)
	return held, nil
}

// recall returns what is known about the account if its file is this one: the token, and why a
// renewal must not be tried. The caller holds s.mu.
func (s *session) recall(info fs.FileInfo) (held grant, known bool, ended error) {
	if s.file == nil || !sameContent(info, s.file) {
		return grant{}, false, nil
	}
	if s.accounts.now().Before(s.retryAfter) {
		ended = s.ended
	}
	return s.grant, true, ended
}

// remember remembers the token and its file. The caller holds s.mu.
func (s *session) remember(held grant, from fs.FileInfo) {
	s.grant, s.file, s.ended = held, from, nil
}

// load reads an account with its token.
func (a *Accounts) load(name string) (record, grant, fs.FileInfo, error) {
	r, info, err := a.tokens.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = &ExpiredError{Account: name, Cause: LoggedOut}
	}
	if err != nil {
		return record{}, grant{}, nil, err
	}
	if r.Keyring == "" {
		return r, *r.Token, info, nil
	}
	held, err := a.loadFromKeyring(name, r.Keyring)
	return r, held, info, err
}
