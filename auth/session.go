package auth

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/singleflight"
)

// A session gives an account's access token to whoever asks for it in this
// process, and renews it.
type session struct {
	accounts *Accounts
	name     string
	client   *http.Client
	renewing singleflight.Group // one renewal at a time, whoever waits for it

	mu     sync.Mutex
	held   grant       // as last read or renewed
	from   fs.FileInfo // the file that held comes from; nil: not read yet
	ended  error       // why renewing is not tried again for a while
	endure time.Time   // until when
}

const (
	// renewTimeout bounds a renewal: the wait for another process's, and this
	// one's own request.
	renewTimeout = 2 * tokenTimeout
	// endedFor is how long a sign-in that Google has ended is not tried again,
	// unless its file changes: a model that repeats its call must not make the
	// token endpoint hear each one.
	endedFor = time.Minute
)

// session returns the account's one session of this process.
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

// token returns an access token that is good for a minute at least. rejected is
// one that an API has just refused, or "": it is not returned again.
func (s *session) token(ctx context.Context, rejected string) (string, error) {
	for {
		held, err := s.current()
		if err != nil {
			return "", err
		}
		if held.usable(s.accounts.now(), rejected) {
			return held.Access, nil
		}
		outcome := s.renewing.DoChan("", func() (any, error) {
			// Others wait for this too, so that it does not end with one caller's context.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewTimeout)
			defer cancel()
			return s.renew(ctx, rejected)
		})
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case got := <-outcome:
			if got.Err != nil {
				return "", got.Err
			}
			// A renewal that began before the API refused this very token may return it.
			if access := got.Val.(string); access != rejected {
				return access, nil
			}
		}
	}
}

// current returns the token as it is now: from memory as long as the account's
// file is the one it was read from, which another process may have renewed,
// signed in again or removed.
func (s *session) current() (grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Lstat(s.accounts.tokens.file(s.name))
	if err == nil && s.from != nil && same(info, s.from) {
		return s.held, s.endedNow()
	}
	_, held, from, err := s.accounts.load(s.name)
	if err != nil {
		s.from = nil
		return grant{}, err
	}
	s.held, s.from, s.ended = held, from, nil
	return held, nil
}

// endedNow returns why renewing is not to be tried. The caller has s.mu.
func (s *session) endedNow() error {
	if s.accounts.now().Before(s.endure) {
		return s.ended
	}
	return nil
}

// hasEnded is endedNow for the account's file as it is.
func (s *session) hasEnded(info fs.FileInfo) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from == nil || !same(info, s.from) {
		return nil
	}
	return s.endedNow()
}

// same reports whether a file is still the one it was, with the same content:
// it is only ever replaced.
func same(x, y fs.FileInfo) bool {
	return os.SameFile(x, y) && x.ModTime().Equal(y.ModTime()) && x.Size() == y.Size() && x.Mode() == y.Mode()
}

func (s *session) keep(held grant, from fs.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held, s.from, s.ended = held, from, nil
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
	held, err := a.unhide(name, r.Keyring)
	return r, held, info, err
}

// renew gets a new access token, unless another process has done so meanwhile,
// and stores it before anybody uses it.
func (s *session) renew(ctx context.Context, rejected string) (string, error) {
	a := s.accounts
	unlock, err := a.tokens.lock(ctx, s.name)
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS): // nothing is written there either
		a.log.Warn("an account cannot be locked", "account", s.name, "err", err)
	case err != nil:
		return "", fmt.Errorf("wait for the account %s: %w", s.name, err)
	default:
		defer unlock()
	}
	r, held, info, err := a.load(s.name)
	if err != nil {
		return "", err
	}
	if held.usable(a.now(), rejected) {
		s.keep(held, info)
		return held.Access, nil
	}
	if err := s.hasEnded(info); err != nil { // while this caller was on its way here
		return "", err
	}
	client, err := a.Client()
	if err != nil {
		return "", err
	}
	if !r.belongsTo(client) {
		return "", &ExpiredError{Account: s.name, Cause: ClientChanged}
	}
	got, err := a.renew(ctx, client, held.Refresh)
	if err != nil {
		return s.unrenewed(err, held, info, rejected)
	}
	if got.Refresh == "" { // Google's never have one
		got.Refresh = held.Refresh
	}
	r.update(got, a.now())
	if err := a.save(&r, got.grant); err != nil {
		// The token is good for an hour, with or without a disk.
		a.log.Warn("a renewed token could not be stored", "account", s.name, "err", err)
		s.keep(got.grant, info)
		return got.Access, nil
	}
	if info, err = os.Lstat(a.tokens.file(s.name)); err != nil {
		return "", fmt.Errorf("read the account %s: %w", s.name, err)
	}
	s.keep(got.grant, info)
	a.log.Debug("renewed an access token", "account", s.name)
	return got.Access, nil
}

// unrenewed decides what a failed renewal means. It has the account's lock.
func (s *session) unrenewed(err error, held grant, info fs.FileInfo, rejected string) (string, error) {
	now := s.accounts.now()
	if refused, ok := errors.AsType[*RefusedError](err); ok && refused.Code == "invalid_grant" {
		ended := &ExpiredError{Account: s.name, Cause: Revoked}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held, s.from, s.ended, s.endure = held, info, ended, now.Add(endedFor)
		return "", ended
	}
	if _, ok := errors.AsType[*UnreachableError](err); ok && held.usable(now.Add(-early), rejected) {
		return held.Access, nil // its last minute is a minute
	}
	return "", err
}

// update takes over what Google said at a renewal.
func (r *record) update(got response, now time.Time) {
	r.Refreshed = now
	if len(got.scopes) > 0 {
		r.Scopes = got.scopes
	}
	if !got.ends.IsZero() {
		r.Ends = got.ends
	}
}

// save stores an account with its token, where the account's token is. The
// caller has the account's lock.
func (a *Accounts) save(r *record, g grant) error {
	r.Token = &g
	if r.Keyring != "" {
		if err := a.hide(r.Keyring, g); err == nil {
			r.Token = nil
		} else {
			r.Keyring = "" // it has gone; the file is what is left
		}
	}
	return a.tokens.write(*r)
}
