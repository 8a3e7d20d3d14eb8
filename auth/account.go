package auth

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"
)

// An Account is the public part of a signed-in account, without its secrets.
type Account struct {
	Name      string // lower case; the address unless the user chose another name
	Address   string // the mail address; "" if unknown
	Default   bool
	Scopes    []string  // the scopes that the user granted, sorted; see Covers
	SignedIn  time.Time // when the user last consented
	Refreshed time.Time // when KOTA last renewed the access token; zero if never
	Ends      time.Time // when the sign-in ends according to Google; zero if Google did not say
	Ended     time.Time // when KOTA first saw that Google had ended the sign-in; zero if a later renewal worked
	Keyring   bool      // whether the token is in the system's keyring instead of the account's file
	// Problem says why KOTA cannot use the account: *UnsafeError, *CorruptError, an error of
	// the operating system, or *ExpiredError if the account belongs to another OAuth client.
	// If the account's file is unsafe, damaged or unreadable, only Name, Default and Problem
	// are set.
	Problem error
}

// testingLifetime is how long a sign-in lasts while the publishing status of the OAuth app is
// Testing (https://developers.google.com/identity/protocols/oauth2#expiration).
const testingLifetime = 7 * 24 * time.Hour

// Age returns how long the account has been signed in.
func (a Account) Age(now time.Time) time.Duration { return now.Sub(a.SignedIn) }

// DaysLeft returns in how many days the sign-in ends, rounded; below 0 if it should have
// ended. It also reports whether Google stated the time. If not, DaysLeft assumes 7 days after
// the sign-in. That is only right if the OAuth app is in Testing: sign-ins of a published app
// do not end by age.
func (a Account) DaysLeft(now time.Time) (days int, stated bool) {
	end := a.Ends
	if end.IsZero() {
		end = a.SignedIn.Add(testingLifetime)
	}
	left := end.Sub(now).Hours() / 24
	if left < 0 {
		return int(math.Floor(left)), !a.Ends.IsZero()
	}
	return int(math.Round(left)), !a.Ends.IsZero()
}

// List returns the accounts: the default first, then by name. If the chosen default does
// not exist, no account is the default. List uses neither the network nor the keyring. An
// account that KOTA cannot use has a Problem. List returns an error if the folder of the
// accounts is unsafe or cannot be read, and *vault.KeyError or an error of the database if the
// accounts are there and cannot be read.
func (a *Accounts) List() ([]Account, error) {
	names, err := a.tokens.names()
	if err != nil {
		return nil, fmt.Errorf("list the accounts: %w", err)
	}
	client, clientErr := a.Client()
	accounts := make([]Account, 0, len(names))
	for _, name := range names {
		r, _, err := a.tokens.read(name)
		if errors.Is(err, fs.ErrNotExist) { // signed out meanwhile
			continue
		}
		if isStoreProblem(err) {
			return nil, fmt.Errorf("read the account %s: %w", name, err)
		}
		if err == nil && clientErr == nil && !r.belongsTo(client) {
			err = &ExpiredError{Account: name, Cause: ClientChanged}
		}
		account := r.account()
		account.Name, account.Problem = name, err
		accounts = append(accounts, account)
	}
	chosen, set, err := a.tokens.defaultName()
	if err != nil {
		return nil, fmt.Errorf("read the default account: %w", err)
	}
	markDefault(accounts, chosen, set)
	slices.SortFunc(accounts, func(x, y Account) int {
		switch {
		case x.Default:
			return -1
		case y.Default:
			return 1
		}
		return strings.Compare(x.Name, y.Name)
	})
	return accounts, nil
}

// markDefault marks the chosen account. If none was chosen, it marks the account that has been
// signed in longest, or the first account if no file can be read. If the chosen account does not
// exist, it marks none: mail must not leave from another account.
func markDefault(accounts []Account, chosen string, set bool) {
	if set {
		for i := range accounts {
			accounts[i].Default = accounts[i].Name == chosen
		}
		return
	}
	oldest := -1
	for i := range accounts {
		if !accounts[i].SignedIn.IsZero() && (oldest < 0 || accounts[i].SignedIn.Before(accounts[oldest].SignedIn)) {
			oldest = i
		}
	}
	if oldest < 0 && len(accounts) > 0 {
		oldest = 0
	}
	if oldest >= 0 {
		accounts[oldest].Default = true
	}
}

// SetDefault makes the account with this name or address the default. Methods that take a
// name use the default account for "".
func (a *Accounts) SetDefault(name string) error {
	account, err := a.Find(name)
	if err != nil {
		return err
	}
	if err := a.tokens.setDefault(account.Name); err != nil {
		return fmt.Errorf("make %s the default account: %w", account.Name, err)
	}
	return nil
}

// If no default was chosen, recordDefault stores the present default, so that a later sign-in
// does not change it. If the chosen default does not exist, recordDefault replaces it only if
// exactly one account is left.
func (a *Accounts) recordDefault() {
	accounts, err := a.List()
	chosen, set, chosenErr := a.tokens.defaultName()
	if err != nil || chosenErr != nil || len(accounts) == 0 || accounts[0].Name == chosen || set && len(accounts) > 1 {
		return
	}
	if err := a.tokens.setDefault(accounts[0].Name); err != nil {
		a.log.Warn("the default account could not be stored", "account", accounts[0].Name, "err", err)
	}
}

// reassignDefault chooses another default account if the removed account was the default.
func (a *Accounts) reassignDefault(removed Account) {
	if !removed.Default {
		return
	}
	if err := a.tokens.removeDefault(); err != nil {
		a.log.Warn("the default account could not be changed", "err", err)
	}
	a.recordDefault()
}

// Find returns the account with this name, or else the first account with this address. It
// ignores case, and "" means the default account. It returns ErrSignedOut if no account
// exists, *UnknownAccountError if none matches, and *NoDefaultError for "" if the chosen
// default does not exist. The account may have a Problem.
func (a *Accounts) Find(name string) (Account, error) {
	accounts, err := a.List()
	if err != nil {
		return Account{}, err
	}
	if len(accounts) == 0 {
		return Account{}, a.signedOut()
	}
	name = strings.TrimSpace(name)
	if name == "" && accounts[0].Default {
		return accounts[0], nil
	}
	known := make([]string, 0, len(accounts))
	for _, account := range accounts {
		known = append(known, account.Name)
	}
	if name == "" {
		chosen, _, _ := a.tokens.defaultName()
		return Account{}, &NoDefaultError{Name: chosen, Known: known}
	}
	for _, account := range accounts {
		if strings.EqualFold(account.Name, name) {
			return account, nil
		}
	}
	for _, account := range accounts {
		if strings.EqualFold(account.Address, name) {
			return account, nil
		}
	}
	return Account{}, &UnknownAccountError{Name: name, Known: known}
}

// signedOut returns the error for no account.
func (a *Accounts) signedOut() error {
	if a.vault != nil {
		if names, _ := a.folder.names(); len(names) > 0 {
			return ErrNotImported
		}
	}
	return ErrSignedOut
}

// account returns the public part of the record.
func (r record) account() Account {
	return Account{
		Name: r.Name, Address: r.Address, Scopes: slices.Clone(r.Scopes),
		SignedIn: r.SignedIn, Refreshed: r.Refreshed, Ends: r.Ends, Ended: r.Ended, Keyring: r.Keyring != "",
	}
}

// belongsTo reports whether the account's token was issued to the client. KOTA uses the token
// with no other client.
func (r record) belongsTo(client Client) bool {
	return r.ClientID == client.ID && r.TokenURI == client.TokenURI
}
