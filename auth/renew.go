package auth

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// renew returns a usable access token. If another process has renewed the token meanwhile,
// it returns that token. Otherwise it asks Google for a new token, and tries to store that
// before anybody uses it. If Google cannot be reached, it returns the old token while that
// is valid. The parameter rejected is a token that an API has just refused, or "".
func (s *session) renew(ctx context.Context, rejected string) (string, error) {
	a := s.accounts
	unlock, err := a.tokens.lock(ctx, s.name)
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS): // renew without the lock: KOTA cannot write the file either
		a.log.Warn("an account could not be locked", "account", s.name, "err", err)
	case errors.Is(err, context.DeadlineExceeded):
		return "", &UnreachableError{Why: "another KOTA process has been renewing it for too long"}
	case err != nil:
		return "", fmt.Errorf("wait for the account %s: %w", s.name, err)
	default:
		defer unlock()
	}
	r, held, stored, err := s.reread()
	if err != nil {
		return "", err
	}
	if held.usable(a.now(), rejected) {
		return held.Access, nil
	}
	client, err := a.Client()
	if err != nil {
		return "", err
	}
	if !r.belongsTo(client) {
		return "", &ExpiredError{Account: s.name, Cause: ClientChanged}
	}
	issued, err := a.renew(ctx, client, held.Refresh)
	if err != nil {
		return s.refreshFailed(err, r, held, stored, rejected)
	}
	r.update(issued, a.now())
	s.replace(r, issued.grant, stored)
	a.log.Debug("renewed an access token", "account", s.name)
	return issued.Access, nil
}

// reread reads the stored account. If the session already knows this version of it, reread
// returns the session's own token. That token is newer than the stored one if it was renewed
// and could not be stored. reread also returns the session's error, because the sign-in may have
// ended while this caller waited.
func (s *session) reread() (record, grant, version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, held, stored, err := s.accounts.load(s.name)
	if err != nil {
		return record{}, grant{}, nil, err
	}
	if cached, known, ended := s.recall(stored); known {
		return r, cached, stored, ended
	}
	s.remember(held, stored)
	return r, held, stored, nil
}

// replace stores a renewed token in place of the stored version.
func (s *session) replace(r record, g grant, stored version) {
	a := s.accounts
	s.mu.Lock()
	defer s.mu.Unlock()
	replaced, err := a.save(&r, g, stored)
	if err != nil {
		// Use the token anyway: it is valid for an hour.
		a.log.Warn("a renewed token could not be stored", "account", s.name, "err", err)
		replaced = stored
	}
	s.remember(g, replaced)
}

// refreshFailed handles a failed renewal. It returns the old token if Google was unreachable and
// the token is still valid, and otherwise the error. If Google has ended the sign-in, it also
// records that.
func (s *session) refreshFailed(err error, r record, held grant, stored version, rejected string) (string, error) {
	now := s.accounts.now()
	if refused, ok := errors.AsType[*RefusedError](err); ok && refused.Code == "invalid_grant" {
		ended := &ExpiredError{Account: s.name, Cause: Revoked}
		s.mu.Lock()
		defer s.mu.Unlock()
		stored = s.markEnded(r, stored)
		s.grant, s.seen, s.ended, s.retryAfter = held, stored, ended, now.Add(endedRetryDelay)
		return "", ended
	}
	if _, ok := errors.AsType[*UnreachableError](err); ok && held.usable(now.Add(-expiryMargin), rejected) {
		return held.Access, nil // it has not expired yet: it is in its last minute, expiryMargin
	}
	return "", err
}

// markEnded records that Google has ended the sign-in, and returns the new version. It writes
// only the first time, because each change makes other processes ask Google again.
func (s *session) markEnded(r record, stored version) version {
	a := s.accounts
	if !r.Ended.IsZero() {
		return stored
	}
	r.Ended = a.now()
	marked, err := a.tokens.write(r, stored)
	if err != nil {
		a.log.Warn("the end of a sign-in could not be stored", "account", s.name, "err", err)
		return stored
	}
	return marked
}

// update copies Google's answer to a renewal into the record.
func (r *record) update(issued response, now time.Time) {
	r.Refreshed, r.Ended = now, time.Time{}
	if len(issued.scopes) > 0 {
		r.Scopes = issued.scopes
	}
	if !issued.ends.IsZero() {
		r.Ends = issued.ends
	}
}

// save stores an account with its token. If the keyring fails, it stores the token in the file.
// The caller holds the account's lock. before is the version that it replaces, or nil for any.
func (a *Accounts) save(r *record, g grant, before version) (version, error) {
	r.Token = &g
	if r.Keyring != "" {
		if err := a.saveToKeyring(r.Keyring, g); err == nil {
			r.Token = nil
		} else {
			r.Keyring = "" // the keyring failed: the token goes into the file
		}
	}
	return a.tokens.write(*r, before)
}
