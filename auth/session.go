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

// A session gives out an account's access token in this process, and renews it.
type session struct {
	accounts *Accounts
	name     string
	client   *http.Client
	renewing singleflight.Group // one renewal at a time, whoever waits for it

	// mu is held from looking at the file to keeping what was found, and from
	// writing it to keeping what was written: a reader that was overtaken would
	// else put back what a renewal has found out.
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
	for tries := 1; ; tries++ {
		held, err := s.current()
		if err != nil {
			return "", err
		}
		if held.usable(s.accounts.now(), rejected) {
			return held.Access, nil
		}
		outcome := s.renewing.DoChan("", func() (any, error) {
			// Others wait for this too, so that it neither ends with one caller's
			// context nor is traced as a part of one caller's request.
			ctx, cancel := context.WithTimeout(context.Background(), renewTimeout)
			defer cancel()
			access := ""
			err := contained(func() (err error) { access, err = s.renew(ctx, rejected); return err })
			return access, err
		})
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case got := <-outcome:
			if got.Err != nil {
				return "", got.Err
			}
			// A renewal that began before the API refused this very token may return
			// it; one that Google gives twice is refused twice.
			if access := got.Val.(string); access != rejected || tries > 1 {
				return access, nil
			}
		}
	}
}

// Check asks Google for a new access token of the account of that name or
// address, so that it is known whether its sign-in still lasts. "" is the default
// account. It returns what HTTPClient and its requests may end in.
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

// current returns the present token, from memory while the account's file is the same:
// another process may have renewed or removed it.
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
	s.keep(held, from)
	return held, nil
}

// recall returns what is known of the account when its file is this one: the
// token, and why renewing it is not to be tried. s.mu is held.
func (s *session) recall(info fs.FileInfo) (held grant, known bool, ended error) {
	if s.from == nil || !same(info, s.from) {
		return grant{}, false, nil
	}
	if s.accounts.now().Before(s.endure) {
		ended = s.ended
	}
	return s.held, true, ended
}

// same reports whether a file still has the same content: files are only ever replaced.
func same(x, y fs.FileInfo) bool {
	return os.SameFile(x, y) && x.ModTime().Equal(y.ModTime()) && x.Size() == y.Size() && x.Mode() == y.Mode()
}

// keep remembers the token and the file it is in. s.mu is held.
func (s *session) keep(held grant, from fs.FileInfo) {
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
