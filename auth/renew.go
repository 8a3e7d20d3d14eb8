package auth

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	r, held, info, err := s.reread()
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
		return s.refreshFailed(err, r, held, info, rejected)
	}
	r.update(issued, a.now())
	if err := s.replace(r, issued.grant, info); err != nil {
		return "", err
	}
	a.log.Debug("renewed an access token", "account", s.name)
	return issued.Access, nil
}

// reread reads the account from its file. If the session already knows this version of the file,
// reread returns the session's own token. That token is newer than the file's if it was renewed
// and could not be stored. reread also returns the session's error, because the sign-in may have
// ended while this caller waited.
func (s *session) reread() (record, grant, fs.FileInfo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, held, info, err := s.accounts.load(s.name)
	if err != nil {
		return record{}, grant{}, nil, err
	}
	if cached, known, ended := s.recall(info); known {
		return r, cached, info, ended
	}
	s.remember(held, info)
	return r, held, info, nil
}

// replace stores a renewed token in place of the file that info describes.
func (s *session) replace(r record, g grant, info fs.FileInfo) error {
	a := s.accounts
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := a.save(&r, g); err != nil {
		// Use the token anyway: it is valid for an hour.
		a.log.Warn("a renewed token could not be stored", "account", s.name, "err", err)
		s.remember(g, info)
		return nil
	}
	info, err := os.Lstat(a.tokens.file(s.name))
	if err != nil {
		return fmt.Errorf("read the account %s: %w", s.name, err)
	}
	s.remember(g, info)
	return nil
}

// refreshFailed handles a failed renewal. It returns the old token if Google was unreachable and
// the token is still valid, and otherwise the error. If Google has ended the sign-in, it also
// records that.
func (s *session) refreshFailed(err error, r record, held grant, info fs.FileInfo, rejected string) (string, error) {
	now := s.accounts.now()
	if refused, ok := errors.AsType[*RefusedError](err); ok && refused.Code == "invalid_grant" {
		ended := &ExpiredError{Account: s.name, Cause: Revoked}
		s.mu.Lock()
		defer s.mu.Unlock()
		info = s.markEnded(r, info)
		s.grant, s.file, s.ended, s.retryAfter = held, info, ended, now.Add(endedRetryDelay)
		return "", ended
	}
	if _, ok := errors.AsType[*UnreachableError](err); ok && held.usable(now.Add(-expiryMargin), rejected) {
		return held.Access, nil // it has not expired yet: it is in its last minute, expiryMargin
	}
	return "", err
}

// markEnded records that Google has ended the sign-in, and returns the new FileInfo. It
// writes only the first time, because each change of the file makes other processes ask
// Google again.
func (s *session) markEnded(r record, info fs.FileInfo) fs.FileInfo {
	a := s.accounts
	if !r.Ended.IsZero() {
		return info
	}
	r.Ended = a.now()
	if err := a.tokens.write(r); err != nil {
		a.log.Warn("the end of a sign-in could not be stored", "account", s.name, "err", err)
		return info
	}
	if marked, err := os.Lstat(a.tokens.file(s.name)); err == nil {
		return marked
	}
	return info
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
// The caller holds the account's lock.
func (a *Accounts) save(r *record, g grant) error {
	r.Token = &g
	if r.Keyring != "" {
		if err := a.saveToKeyring(r.Keyring, g); err == nil {
			r.Token = nil
		} else {
			r.Keyring = "" // the keyring failed: the token goes into the file
		}
	}
	return a.tokens.write(*r)
}
