package auth

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/zalando/go-keyring"
)

// A Keyring stores secrets for the user, like the operating system's. Get and Delete return
// ErrNotInKeyring if the secret does not exist.
type Keyring interface {
	Set(service, user, secret string) error
	Get(service, user string) (string, error)
	Delete(service, user string) error
}

// ErrNotInKeyring says that the keyring works, but the secret does not exist.
var ErrNotInKeyring = keyring.ErrNotFound

// NoKeyring means that no keyring is used: tokens stay in the accounts' files.
var NoKeyring Keyring = noKeyring{}

type noKeyring struct{}

var errNoKeyring = errors.New("there is no keyring")

func (noKeyring) Set(_, _, _ string) error        { return errNoKeyring }
func (noKeyring) Get(_, _ string) (string, error) { return "", errNoKeyring }
func (noKeyring) Delete(_, _ string) error        { return errNoKeyring }

// systemKeyring is the operating system's keyring: the Keychain, the Credential Manager, or
// the service at org.freedesktop.secrets.
type systemKeyring struct{}

func (systemKeyring) Set(service, user, secret string) error {
	if err := reachable(); err != nil {
		return err
	}
	return keyring.Set(service, user, secret)
}

func (systemKeyring) Get(service, user string) (string, error) {
	if err := reachable(); err != nil {
		return "", err
	}
	return keyring.Get(service, user)
}

func (systemKeyring) Delete(service, user string) error {
	if err := reachable(); err != nil {
		return err
	}
	return keyring.Delete(service, user)
}

const (
	keyringService  = "kota"
	keyringPatience = 3 * time.Second // a keyring may ask its user first, or hang
)

var errKeyringSilent = errors.New("it did not answer in time")

// within runs a call of the keyring, which cannot be stopped, and stops waiting after
// patience. If the call succeeds later, late runs.
func within[T any](patience time.Duration, call func() (T, error), late func()) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		got := outcome{}
		got.err = contained(func() (err error) { got.value, err = call(); return err })
		done <- got
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-done:
		return got.value, got.err
	case <-timer.C:
		go func() {
			if got := <-done; got.err == nil && late != nil {
				_ = contained(func() error { late(); return nil })
			}
		}()
		var zero T
		return zero, errKeyringSilent
	}
}

// hide stores a token in the keyring. If the keyring has a low limit (Windows: 2,560 bytes),
// it leaves out the access token, which can be renewed.
func (a *Accounts) hide(item string, g grant) error {
	err := a.hideWhole(item, g)
	if errors.Is(err, keyring.ErrSetDataTooBig) {
		err = a.hideWhole(item, grant{Refresh: g.Refresh})
	}
	return err
}

func (a *Accounts) hideWhole(item string, g grant) error {
	secret, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return a.hideText(item, string(secret))
}

// hideText stores a secret in the keyring. If the keyring is too slow, it returns an error and
// removes the secret when the call succeeds late.
func (a *Accounts) hideText(item, secret string) error {
	_, err := within(a.keyringPatience, func() (struct{}, error) {
		return struct{}{}, a.keyring.Set(keyringService, item, secret)
	}, func() { // it is in the file by now
		_ = a.keyring.Delete(keyringService, item)
	})
	return err
}

// unhideText returns a secret from the keyring, or ErrNotInKeyring.
func (a *Accounts) unhideText(item string) (string, error) {
	return within(a.keyringPatience, func() (string, error) { return a.keyring.Get(keyringService, item) }, nil)
}

// unhide returns the account's token from the keyring.
func (a *Accounts) unhide(name, item string) (grant, error) {
	secret, err := a.unhideText(item)
	if errors.Is(err, ErrNotInKeyring) {
		return grant{}, &ExpiredError{Account: name, Cause: Lost}
	}
	if err != nil {
		return grant{}, &KeyringError{Account: name, Why: err.Error()}
	}
	var g grant
	if json.Unmarshal([]byte(secret), &g) != nil || !g.whole() {
		return grant{}, &ExpiredError{Account: name, Cause: Lost}
	}
	return g, nil
}

// forgetHidden removes a token from the keyring.
func (a *Accounts) forgetHidden(name, item string) {
	_, err := within(a.keyringPatience, func() (struct{}, error) {
		return struct{}{}, a.keyring.Delete(keyringService, item)
	}, nil)
	if err != nil && !errors.Is(err, ErrNotInKeyring) {
		a.log.Warn("a token stays in the keyring", "account", name, "err", err)
	}
}
