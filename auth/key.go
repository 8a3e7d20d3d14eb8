package auth

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A masterKey is the secret from which every Sealer's key is derived.
type masterKey []byte

// id returns keyIDSize bytes that identify the key and say nothing about it.
func (k masterKey) id() []byte {
	id, err := hkdf.Key(sha256.New, k, nil, "kota key id", keyIDSize)
	if err != nil {
		panic(err) // only for a size that is too large
	}
	return id
}

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
	Local bool // the key may be in the folder, and must be copied to the database: see Import
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
	return a.folder.keyFile("")
}

// keyFile returns the path of the file of a key: see Accounts.key.
func (f folder) keyFile(name string) string {
	if name != "" {
		name = "-" + name
	}
	return filepath.Join(string(f), "sealing"+name+".key")
}

// hasKey reports whether the folder has a key, or may have one that cannot be seen now.
func (f folder) hasKey() bool {
	_, err := os.Lstat(f.keyFile(""))
	return !errors.Is(err, fs.ErrNotExist)
}

// keyNames returns the names of the keys in the folder, sorted: see Accounts.key.
func (f folder) keyNames() ([]string, error) {
	names := []string{}
	entries, err := os.ReadDir(string(f))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		name, isKey := strings.CutSuffix(entry.Name(), ".key")
		name, isSealing := strings.CutPrefix(name, "sealing")
		if isKey && isSealing {
			names = append(names, strings.TrimPrefix(name, "-"))
		}
	}
	slices.Sort(names)
	return names, nil
}

// A cachedKey is a key as last read.
type cachedKey struct {
	key  masterKey
	file fs.FileInfo // says where the key is stored; nil for a vault
}

// key returns a key of this home, from memory while its file is unchanged. The key "" encrypts. Other
// keys only decrypt: their names are their ids. The errors of key are fs.ErrNotExist if the key does not
// exist, *UnsafeError, *KeyError, and errors of the operating system or the database.
func (a *Accounts) key(name string) (masterKey, error) {
	a.keyMu.Lock()
	defer a.keyMu.Unlock()
	if a.vault != nil {
		return a.keyInVault(name)
	}
	info, err := os.Lstat(a.folder.keyFile(name))
	if cached := a.cachedKeys[name]; err == nil && cached.file != nil && sameContent(info, cached.file) {
		return cached.key, nil
	}
	key, info, err := a.readKey(name)
	if err != nil {
		return nil, err
	}
	a.cachedKeys[name] = cachedKey{key, info}
	return key, nil
}

// keyWithID returns the key with that id.
func (a *Accounts) keyWithID(id []byte) (masterKey, error) {
	key, err := a.key("")
	if err == nil && !bytes.Equal(key.id(), id) {
		if key, err = a.key(hex.EncodeToString(id)); errors.Is(err, fs.ErrNotExist) {
			return nil, &KeyError{Path: a.keyPlace(), Why: "it was encrypted with another key", Lost: true, Local: a.vault != nil}
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && a.vault != nil:
		err = &KeyError{Path: inDatabase, Why: "it is not there", Lost: true, Local: true}
	case errors.Is(err, fs.ErrNotExist):
		err = &KeyError{Path: a.keyPlace(), Why: "there is no such file", Lost: true}
	}
	return key, err
}

// keyNames returns the names of all keys, sorted: the one that encrypts is the first.
func (a *Accounts) keyNames() ([]string, error) {
	if a.vault == nil {
		return a.folder.keyNames()
	}
	ctx, cancel := vaultContext()
	defer cancel()
	return a.vault.Names(ctx, keyKind)
}

// newKey returns the key of this home, and creates the key if it does not exist. If several
// processes call newKey at once, one creates the key and all get it.
func (a *Accounts) newKey() (masterKey, error) {
	key, err := a.key("")
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if a.noNewKey {
		return nil, ErrNoNewKey
	}
	if a.vault != nil {
		return a.newKeyInVault()
	}
	unlock, err := a.lockKeys()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if key, err := a.key(""); !errors.Is(err, fs.ErrNotExist) { // created meanwhile
		return key, err
	}
	created := make(masterKey, keySize)
	rand.Read(created) // it never fails
	if err := a.storeKey("", created); err != nil {
		return nil, err
	}
	return a.key("")
}

// addKey stores a key unless it is there. If there is another one, that one still encrypts, and both
// decrypt.
func (a *Accounts) addKey(key masterKey) (added bool, err error) {
	if a.vault != nil {
		return a.addKeyInVault(key)
	}
	unlock, err := a.lockKeys()
	if err != nil {
		return false, err
	}
	defer unlock()
	known, err := a.key("")
	name := ""
	if err == nil && !bytes.Equal(known, key) {
		name = hex.EncodeToString(key.id())
		_, err = a.key(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return true, a.storeKey(name, key)
	}
	return false, err
}

// lockKeys waits until only this process may store keys in files.
func (a *Accounts) lockKeys() (unlock func(), err error) {
	if err := a.folder.prepare(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), keyLockTimeout)
	defer cancel()
	release, err := a.folder.lock(ctx, keyLock)
	if err != nil {
		return nil, err
	}
	return func() {
		a.folder.removeLock(keyLock)
		release()
	}, nil
}

// storeKey saves a key in the keyring, or in the key file if the keyring fails.
func (a *Accounts) storeKey(name string, key masterKey) error {
	r := keyRecord{Version: keyVersion, Keyring: "sealing key " + random(hex.EncodeToString, 4)} // a new name, because homes share a keyring
	if err := a.saveSecret(r.Keyring, base64.StdEncoding.EncodeToString(key)); err != nil {
		r.Keyring, r.Key = "", key
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return writeFile(a.folder.keyFile(name), append(raw, '\n'))
}

// readKey returns a key and the FileInfo of its file.
func (a *Accounts) readKey(name string) (masterKey, fs.FileInfo, error) {
	if err := a.folder.check(); err != nil {
		return nil, nil, err
	}
	path := a.folder.keyFile(name)
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
