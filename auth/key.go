package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A masterKey is the secret from which every Sealer's key is derived.
type masterKey []byte

// Format writes "[key]" for every verb.
func (masterKey) Format(to fmt.State, _ rune) { io.WriteString(to, "[key]") }

const (
	keySize        = 32      // bytes of a key
	keyVersion     = 1       // the version of the key file's format
	maxKeyFile     = 4 << 10 // maximum bytes of the key file
	keyLock        = "_key"  // the name for the lock; it is not a valid account name
	keyLockTimeout = 10 * time.Second
)

// A keyRecord is the content of the key's file.
type keyRecord struct {
	Version int       `json:"version"`
	Keyring string    `json:"keyring,omitempty"` // the name of the key in the keyring; "": the key is in Key
	Key     masterKey `json:"key,omitempty"`
}

// A KeyError says that the encryption key is unavailable. KOTA leaves encrypted data unchanged
// and creates no other key. If neither Lost, Newer nor Local is true, the keyring does not return the
// key now.
type KeyError struct {
	Path  string // the file that has the key or says where the key is
	Why   string
	Lost  bool // the key is lost or damaged, or not the key of the data
	Newer bool // a newer version of KOTA wrote the file, and can read it
	Local bool // the key is in the folder, and must be copied to the database
}

// Error names the file.
func (e *KeyError) Error() string {
	return fmt.Sprintf("the encryption key (%s) is not available: %s", e.Path, e.Why)
}

// ErrNoNewKey says that no key exists and Options.NoNewKey is set.
var ErrNoNewKey = errors.New("there is no encryption key yet, and reading does not create one")

// keyPlace says in messages where the key is.
func (a *Accounts) keyPlace() string {
	if a.vault != nil {
		return inDatabase
	}
	return a.folder.keyFile()
}

// keyAbsence says in messages that there is no key.
func (a *Accounts) keyAbsence() string {
	if a.vault != nil {
		return "it is not there"
	}
	return "there is no such file"
}

func (f folder) keyFile() string { return filepath.Join(string(f), "sealing.key") }

// hasKey reports whether the folder has a key, or may have one that cannot be seen now.
func (f folder) hasKey() bool {
	_, err := os.Lstat(f.keyFile())
	return !errors.Is(err, fs.ErrNotExist)
}

// key returns the key of this home, from memory while its file is unchanged. Its errors are
// fs.ErrNotExist if no key exists, *UnsafeError, *KeyError or errors of the operating system.
func (a *Accounts) key() (masterKey, error) {
	a.keyMu.Lock()
	defer a.keyMu.Unlock()
	if a.vault != nil {
		return a.keyInVault()
	}
	info, err := os.Lstat(a.folder.keyFile())
	if err == nil && a.cachedKeyFile != nil && sameContent(info, a.cachedKeyFile) {
		return a.cachedKey, nil
	}
	key, info, err := a.readKey()
	if err != nil {
		return nil, err
	}
	a.cachedKey, a.cachedKeyFile = key, info
	return key, nil
}

// newKey returns the key of this home, and creates the key if it does not exist. If several
// processes call newKey at once, one creates the key and all get it.
func (a *Accounts) newKey() (masterKey, error) {
	key, err := a.key()
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if a.noNewKey {
		return nil, ErrNoNewKey
	}
	if a.vault != nil {
		return a.newKeyInVault()
	}
	if err := a.folder.prepare(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), keyLockTimeout)
	defer cancel()
	unlock, err := a.folder.lock(ctx, keyLock)
	if err != nil {
		return nil, err
	}
	defer unlock()
	defer a.folder.removeLock(keyLock)
	if key, err := a.key(); !errors.Is(err, fs.ErrNotExist) { // created meanwhile
		return key, err
	}
	created := make(masterKey, keySize)
	rand.Read(created) // it never fails
	if err := a.storeKey(created); err != nil {
		return nil, err
	}
	return a.key()
}

// storeKey saves a key in the keyring, or in the key file if the keyring fails.
func (a *Accounts) storeKey(key masterKey) error {
	r := keyRecord{Version: keyVersion, Keyring: "sealing key " + random(hex.EncodeToString, 4)} // a new name, because homes share a keyring
	if err := a.saveSecret(r.Keyring, base64.StdEncoding.EncodeToString(key)); err != nil {
		r.Keyring, r.Key = "", key
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return writeFile(a.folder.keyFile(), append(raw, '\n'))
}

// readKey returns the key and the FileInfo of its file.
func (a *Accounts) readKey() (masterKey, fs.FileInfo, error) {
	if err := a.folder.check(); err != nil {
		return nil, nil, err
	}
	path := a.folder.keyFile()
	raw, info, err := readPrivate(path, maxKeyFile)
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil, nil, err
	}
	lost := func(why string) (masterKey, fs.FileInfo, error) {
		return nil, nil, &KeyError{Path: path, Why: why, Lost: true}
	}
	var r keyRecord
	if err != nil || json.Unmarshal(raw, &r) != nil {
		return lost("the file is damaged")
	}
	if r.Version > keyVersion {
		return nil, nil, &KeyError{Path: path, Why: "a newer version of KOTA wrote the file", Newer: true}
	}
	if r.Keyring != "" {
		text, err := a.loadSecret(r.Keyring)
		if errors.Is(err, ErrNotInKeyring) {
			return lost("it is no longer in the system's keyring")
		}
		if err != nil {
			return nil, nil, &KeyError{Path: path, Why: "it is in the system's keyring, which cannot be read (" + err.Error() + ")"}
		}
		if r.Key, err = base64.StdEncoding.DecodeString(text); err != nil {
			return lost("the system's keyring has an invalid value for it")
		}
	}
	if len(r.Key) != keySize {
		return lost("the file is damaged")
	}
	return r.Key, info, nil
}
