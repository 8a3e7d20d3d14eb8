package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// ErrOtherKey says that the database already has another sealing key. Secrets that it has encrypted
// would be lost if Import replaced it.
var ErrOtherKey = errors.New("the database already has another key for secret memories and approvals; nothing was copied")

// Import copies the OAuth client, the accounts and the key of the Sealers from files to the vault. It
// replaces nothing that is there. It returns the names of the accounts that it copied. It returns
// ErrOtherKey, before it copies anything, if the vault has another key.
func (a *Accounts) Import(ctx context.Context, from *Accounts) ([]string, error) {
	if err := a.vault.Ready(); err != nil {
		return nil, err
	}
	if err := a.importKey(ctx, from); err != nil {
		return nil, err
	}
	if _, err := readClientOf(a.vault); errors.Is(err, fs.ErrNotExist) {
		raw, _, err := from.readClient()
		if err == nil {
			err = storeClientIn(a.vault, raw)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("copy the OAuth client: %w", err)
		}
	} else if err != nil {
		return nil, err
	}
	names, err := from.tokens.names()
	if err != nil {
		return nil, err
	}
	copied := []string{}
	for _, name := range names {
		added, err := a.importAccount(ctx, from, name)
		if err != nil {
			return copied, fmt.Errorf("copy the account %s: %w", name, err)
		}
		if added {
			copied = append(copied, name)
		}
	}
	chosen, set, err := from.tokens.defaultName()
	if _, already, _ := a.tokens.defaultName(); err == nil && set && chosen != "" && !already {
		err = a.tokens.setDefault(chosen)
	}
	return copied, err
}

// importKey copies the key of the Sealers, if from has one.
func (a *Accounts) importKey(ctx context.Context, from *Accounts) error {
	key, err := from.key()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.vault.Update(ctx, keyKind, "", func(old []byte) ([]byte, error) {
		if old != nil && !bytes.Equal(old, key) {
			return nil, ErrOtherKey
		}
		return key, nil
	})
}

// importAccount copies an account, unless there is one of that name.
func (a *Accounts) importAccount(ctx context.Context, from *Accounts, name string) (added bool, err error) {
	unlock, err := a.tokens.lock(ctx, name)
	if err != nil {
		return false, err
	}
	defer unlock()
	if _, _, err := a.tokens.read(name); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	r, held, _, err := from.load(name)
	if err != nil {
		return false, err
	}
	r.Keyring = ""
	_, err = a.save(&r, held, nil)
	return err == nil, err
}
