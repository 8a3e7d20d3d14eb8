package auth

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/zalando/go-keyring"
)

// A Keyring stores secrets for the user, for example the operating system's keyring. Get and
// Delete return ErrNotInKeyring if the secret does not exist.
type Keyring interface {
	Set(service, user, secret string) error
	Get(service, user string) (string, error)
	Delete(service, user string) error
}

// ErrNotInKeyring says that the keyring works, but the secret does not exist.
var ErrNotInKeyring = keyring.ErrNotFound

// NoKeyring is a Keyring that stores nothing, so that tokens stay in the accounts' files.
var NoKeyring Keyring = noKeyring{}

type noKeyring struct{}

var errNoKeyring = errors.New("this system has no keyring")

func (noKeyring) Set(_, _, _ string) error        { return errNoKeyring }
func (noKeyring) Get(_, _ string) (string, error) { return "", errNoKeyring }
func (noKeyring) Delete(_, _ string) error        { return errNoKeyring }

// systemKeyring is the operating system's keyring: the Keychain, the Credential Manager, or
// the service at org.freedesktop.secrets.
type systemKeyring struct{}

func (systemKeyring) Set(service, user, secret string) error {
	if err := checkKeyring(); err != nil {
		return err
	}
	return keyring.Set(service, user, secret)
}

func (systemKeyring) Get(service, user string) (string, error) {
	if err := checkKeyring(); err != nil {
		return "", err
	}
	return keyring.Get(service, user)
}

func (systemKeyring) Delete(service, user string) error {
	if err := checkKeyring(); err != nil {
		return err
	}
	return keyring.Delete(service, user)
}

const (
	keyringService        = "kota"
	defaultKeyringTimeout = 3 * time.Second // a keyring may ask its user first, or never answer
)

var errKeyringTimeout = errors.New("it did not answer in time")

// withTimeout runs a call of the keyring and waits for it at most for the timeout. Nothing can
// stop the call. If the call succeeds after the timeout, onLateSuccess runs; it may be nil.
func withTimeout[T any](timeout time.Duration, call func() (T, error), onLateSuccess func()) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		result := outcome{}
		result.err = recoverPanic(func() (err error) { result.value, err = call(); return err })
		done <- result
	}()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case result := <-done:
		return result.value, result.err
	case <-timer.C:
		go func() {
			if result := <-done; result.err == nil && onLateSuccess != nil {
				_ = recoverPanic(func() error { onLateSuccess(); return nil })
			}
		}()
		var zero T
		return zero, errKeyringTimeout
	}
}

// saveToKeyring stores a token in the keyring. If the token is too long for the keyring (Windows:
// 2,560 bytes), it leaves out the access token, which KOTA can renew.
func (a *Accounts) saveToKeyring(item string, g grant) error {
	err := a.saveGrant(item, g)
	if errors.Is(err, keyring.ErrSetDataTooBig) {
		err = a.saveGrant(item, grant{Refresh: g.Refresh})
	}
	return err
}

func (a *Accounts) saveGrant(item string, g grant) error {
	secret, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return a.saveSecret(item, string(secret))
}

// saveSecret stores a secret in the keyring. If the keyring is too slow, it returns an error and
// removes the secret when the call succeeds late.
func (a *Accounts) saveSecret(item, secret string) error {
	_, err := withTimeout(a.keyringTimeout, func() (struct{}, error) {
		return struct{}{}, a.keyring.Set(keyringService, item, secret)
	}, func() { // the caller has stored the secret in a file by now
		_ = a.keyring.Delete(keyringService, item)
	})
	return err
}

// loadSecret returns a secret from the keyring. It returns ErrNotInKeyring if there is no such
// secret.
func (a *Accounts) loadSecret(item string) (string, error) {
	return withTimeout(a.keyringTimeout, func() (string, error) { return a.keyring.Get(keyringService, item) }, nil)
}

// loadFromKeyring returns the account's token from the keyring.
func (a *Accounts) loadFromKeyring(name, item string) (grant, error) {
	secret, err := a.loadSecret(item)
	if errors.Is(err, ErrNotInKeyring) {
		return grant{}, &ExpiredError{Account: name, Cause: Lost}
	}
	if err != nil {
		return grant{}, &KeyringError{Account: name, Why: err.Error()}
	}
	var g grant
	if json.Unmarshal([]byte(secret), &g) != nil || !g.isValid() {
		return grant{}, &ExpiredError{Account: name, Cause: Lost}
	}
	return g, nil
}

// deleteFromKeyring removes a token from the keyring.
func (a *Accounts) deleteFromKeyring(name, item string) {
	_, err := withTimeout(a.keyringTimeout, func() (struct{}, error) {
		return struct{}{}, a.keyring.Delete(keyringService, item)
	}, nil)
	if err != nil && !errors.Is(err, ErrNotInKeyring) {
		a.log.Warn("a token could not be removed from the keyring", "account", name, "err", err)
	}
}
