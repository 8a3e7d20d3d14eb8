package auth

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"kota/auth/vault"
)

// The kinds of secrets in a vault. Only accounts have names.
const (
	accountKind = "account"
	clientKind  = "oauth client"
	defaultKind = "default account"
	keyKind     = "sealing key"
)

// inDatabase says in messages where a secret is.
const inDatabase = "the database"

// vaultTime is the time limit of one access to the database.
const vaultTime = 10 * time.Second

// errReplaced says that another server has stored a later state of the account.
var errReplaced = errors.New("another server has replaced the account")

// A vaultStore is a tokenStore in a database. The versions are digests of the decrypted content, so
// that other keys for the same content change nothing.
type vaultStore struct{ vault *vault.Vault }

type vaultVersion [sha256.Size]byte

func (v vaultVersion) equals(other version) bool { return other == version(v) }

func vaultContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), vaultTime)
}

// isStoreProblem reports whether the error concerns the whole vault, such as a missing key, and not one
// account.
func isStoreProblem(err error) bool {
	return errors.As(err, new(*storeError))
}

// A storeError is an error of the whole vault.
type storeError struct{ cause error }

func (e *storeError) Error() string { return e.cause.Error() }
func (e *storeError) Unwrap() error { return e.cause }

func (s vaultStore) prepare() error { return s.vault.HasKey() }

func (s vaultStore) names() ([]string, error) {
	ctx, cancel := vaultContext()
	defer cancel()
	return s.vault.Names(ctx, accountKind)
}

func (s vaultStore) read(name string) (record, version, error) {
	ctx, cancel := vaultContext()
	defer cancel()
	raw, err := s.vault.Get(ctx, accountKind, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return record{}, nil, err
	case errors.Is(err, vault.ErrDamaged):
		return record{}, nil, &CorruptError{Account: name, Path: inDatabase, Why: err.Error()}
	case err != nil:
		return record{}, nil, &storeError{err}
	}
	r, err := parseRecord(name, raw)
	if err != nil {
		return record{}, nil, &CorruptError{Account: name, Path: inDatabase, Why: err.Error()}
	}
	return r, vaultVersion(sha256.Sum256(raw)), nil
}

func (s vaultStore) version(name string) (version, error) {
	_, stored, err := s.read(name)
	return stored, err
}

func (s vaultStore) write(r record, before version) (version, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := vaultContext()
	defer cancel()
	err = s.vault.Update(ctx, accountKind, r.Name, func(old []byte) ([]byte, error) {
		if before != nil && !before.equals(vaultVersion(sha256.Sum256(old))) && !r.isLaterThan(old) {
			return nil, errReplaced
		}
		return raw, nil
	})
	return vaultVersion(sha256.Sum256(raw)), err
}

// isLaterThan reports whether r is a later state of the same sign-in than the stored record. So a server
// whose lock has expired neither undoes a sign-out nor loses a new refresh token.
func (r record) isLaterThan(stored []byte) bool {
	other, err := parseRecord(r.Name, stored)
	sameSignIn := err == nil && other.SignedIn.Equal(r.SignedIn) && other.ClientID == r.ClientID
	return sameSignIn && r.Ended.IsZero() && (!other.Ended.IsZero() || r.Refreshed.After(other.Refreshed))
}

func (s vaultStore) setAside(name string, now time.Time) (string, error) {
	ctx, cancel := vaultContext()
	defer cancel()
	aside, err := s.vault.SetAside(ctx, accountKind, name, now)
	return aside + " in " + inDatabase, err
}

func (s vaultStore) remove(name string) error {
	ctx, cancel := vaultContext()
	defer cancel()
	return s.vault.Remove(ctx, accountKind, name)
}

func (s vaultStore) lock(ctx context.Context, name string) (unlock func(), err error) {
	return s.vault.Lock(ctx, accountKind+" "+name)
}

// removeLock does nothing: the end of a lock removes it.
func (s vaultStore) removeLock(string) {}

func (s vaultStore) defaultName() (name string, set bool, err error) {
	ctx, cancel := vaultContext()
	defer cancel()
	raw, err := s.vault.Get(ctx, defaultKind, "")
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil && !errors.Is(err, vault.ErrDamaged) {
		return "", false, &storeError{err}
	}
	name, err = accountName(string(raw))
	if err != nil {
		return "", true, nil
	}
	return name, true, nil
}

func (s vaultStore) setDefault(name string) error {
	ctx, cancel := vaultContext()
	defer cancel()
	return s.vault.Put(ctx, defaultKind, "", []byte(name))
}

func (s vaultStore) removeDefault() error {
	ctx, cancel := vaultContext()
	defer cancel()
	return s.vault.Remove(ctx, defaultKind, "")
}

func vaultClient(v *vault.Vault) ([]byte, error) {
	ctx, cancel := vaultContext()
	defer cancel()
	return v.Get(ctx, clientKind, "")
}

func setVaultClient(v *vault.Vault, raw []byte) error {
	ctx, cancel := vaultContext()
	defer cancel()
	return v.Put(ctx, clientKind, "", raw)
}

// keyInVault returns a key of the Sealers from the vault. It never changes there, so it is read once.
// The caller holds keyMu.
func (a *Accounts) keyInVault(name string) (masterKey, error) {
	if cached, known := a.cachedKeys[name]; known {
		return cached.key, nil
	}
	ctx, cancel := vaultContext()
	defer cancel()
	key, err := a.vault.Get(ctx, keyKind, name)
	return a.keepKey(name, key, err)
}

// newKeyInVault returns the key that encrypts, and creates it if it does not exist. If several servers
// do so at once, one creates the key and all get it.
func (a *Accounts) newKeyInVault() (masterKey, error) {
	a.keyMu.Lock()
	defer a.keyMu.Unlock()
	ctx, cancel := vaultContext()
	defer cancel()
	created := make([]byte, keySize)
	rand.Read(created) // it never fails
	key := []byte(nil)
	err := a.vault.Update(ctx, keyKind, "", func(old []byte) ([]byte, error) {
		if key = old; key == nil {
			if a.folder.hasKey() { // what it has encrypted could not be read with another key
				return nil, &KeyError{Path: inDatabase, Why: "the key in " + a.folder.keyFile("") + " was not copied there", Local: true}
			}
			key = created
		}
		return key, nil
	})
	return a.keepKey("", key, err)
}

// addKeyInVault is addKey for a vault.
func (a *Accounts) addKeyInVault(key masterKey) (added bool, err error) {
	ctx, cancel := vaultContext()
	defer cancel()
	add := func(name string) (differs bool, err error) {
		err = a.vault.Update(ctx, keyKind, name, func(old []byte) ([]byte, error) {
			if added, differs = old == nil, old != nil && !bytes.Equal(old, key); old != nil {
				return old, nil
			}
			return key, nil
		})
		return differs, err
	}
	differs, err := add("")
	if err == nil && differs {
		_, err = add(hex.EncodeToString(key.id()))
	}
	return added, err
}

// keepKey checks a key that was read, and keeps it.
func (a *Accounts) keepKey(name string, key []byte, err error) (masterKey, error) {
	switch {
	case errors.Is(err, vault.ErrDamaged), err == nil && len(key) != keySize:
		return nil, &KeyError{Path: inDatabase, Why: "its row is damaged", Lost: true, Local: true}
	case err != nil:
		return nil, err
	}
	a.cachedKeys[name] = cachedKey{key: key}
	return key, nil
}
