package auth

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// A Copied says what Import has copied.
type Copied struct {
	Accounts []string // their names
	Client   bool
	Keys     int
	Problems []error // of accounts that it could not copy
}

// String describes it: "2 sign-ins, the OAuth client and the key of secret memories".
func (c Copied) String() string {
	words := []string{}
	switch n := len(c.Accounts); {
	case n == 1:
		words = append(words, "1 sign-in")
	case n > 1:
		words = append(words, fmt.Sprint(n, " sign-ins"))
	}
	if c.Client {
		words = append(words, "the OAuth client")
	}
	if c.Keys > 0 {
		words = append(words, "the key of secret memories")
	}
	switch n := len(words); n {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// Import copies the OAuth client, the accounts and the keys of the Sealers: from files to a vault, or
// back. It removes nothing. If both have an account, the later sign-in stays. If both have a client or
// a chosen default account, that of the vault stays. If both have a key, each keeps its own key to
// encrypt, and can also decrypt with the other. An account that Import cannot copy is among the
// Problems, and no error.
func (a *Accounts) Import(ctx context.Context, from *Accounts) (Copied, error) {
	copied := Copied{}
	if err := a.tokens.prepare(); err != nil {
		return copied, err
	}
	if err := a.importKeys(from, &copied); err != nil {
		return copied, fmt.Errorf("copy the key of secret memories: %w", err)
	}
	if err := a.importClient(from, &copied); err != nil {
		return copied, fmt.Errorf("copy the OAuth client: %w", err)
	}
	names, err := from.tokens.names()
	if err != nil {
		return copied, err
	}
	for _, name := range names {
		added, err := a.importAccount(ctx, from, name)
		if err != nil {
			err = fmt.Errorf("copy the account %s: %w", name, err)
		}
		switch {
		case isStoreProblem(err), ctx.Err() != nil:
			return copied, err
		case err != nil:
			copied.Problems = append(copied.Problems, err)
		case added:
			copied.Accounts = append(copied.Accounts, name)
		}
	}
	chosen, set, err := from.tokens.defaultName()
	if _, already, _ := a.tokens.defaultName(); err == nil && set && chosen != "" && (!already || a.vault == nil) {
		err = a.tokens.setDefault(chosen)
	}
	return copied, err
}

// HasSecrets reports whether there is anything that Import could copy from a.
func (a *Accounts) HasSecrets() (bool, error) {
	names, err := a.tokens.names()
	keys, keysErr := a.keyNames()
	_, clientErr := a.ownClient()
	if errors.Is(clientErr, fs.ErrNotExist) {
		return len(names)+len(keys) > 0, errors.Join(err, keysErr)
	}
	return true, errors.Join(err, keysErr)
}

// importKeys copies the keys of the Sealers.
func (a *Accounts) importKeys(from *Accounts, copied *Copied) error {
	names, err := from.keyNames()
	if err != nil {
		return err
	}
	for _, name := range names {
		key, err := from.key(name)
		if err != nil {
			return err
		}
		added, err := a.addKey(key)
		if err != nil {
			return err
		}
		if added {
			copied.Keys++
		}
	}
	return nil
}

// ownClient returns the content of the OAuth client of a, without that of the user who runs KOTA.
func (a *Accounts) ownClient() ([]byte, error) {
	if a.vault != nil {
		return vaultClient(a.vault)
	}
	raw, _, err := readPrivate(a.clientFile(), maxClientFile)
	return raw, err
}

// importClient copies the OAuth client.
func (a *Accounts) importClient(from *Accounts, copied *Copied) error {
	raw, err := from.ownClient()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	known, err := a.ownClient()
	if err == nil && (a.vault != nil || string(known) == string(raw)) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	copied.Client = true
	return a.writeClient(raw)
}

// importAccount copies an account, unless there is one of that name from the same or a later sign-in.
func (a *Accounts) importAccount(ctx context.Context, from *Accounts, name string) (added bool, err error) {
	r, held, _, err := from.load(name)
	if err != nil {
		return false, err
	}
	unlock, err := a.tokens.lock(ctx, name)
	if err != nil {
		return false, err
	}
	defer unlock()
	known, _, err := a.tokens.read(name)
	if err == nil && !r.SignedIn.After(known.SignedIn) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	r.Keyring = ""
	if a.vault == nil {
		r.Keyring = name + " " + random(hex.EncodeToString, 4) // another item than the known one
	}
	if _, err = a.save(&r, held, nil); err == nil && known.Keyring != "" {
		a.deleteFromKeyring(name, known.Keyring)
	}
	return err == nil, err
}
