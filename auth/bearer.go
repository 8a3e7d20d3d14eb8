package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A Bearer is the token with which clients reach KOTA's own server. Unless the token is given,
// KOTA creates it on first use and stores it in a file of the user. A Bearer is safe for
// concurrent use, also by several processes.
type Bearer struct {
	folder folder
	given  string // the token from outside KOTA; "": the token is in the file

	mu         sync.Mutex
	digestFile fs.FileInfo // the file from which digest was read
	digest     [sha256.Size]byte
}

// minBearerBytes is the minimum length in bytes of a given token. Most passwords are shorter, so
// the limit refuses them.
const minBearerBytes = 32

// NewBearer returns a Bearer with the given token or, if given is "", with the token in the
// folder at path. It returns an error if the given token is too short or has a forbidden
// character. The space, double quote, backslash and comma are forbidden, and every character
// that is not printable ASCII.
func NewBearer(path, given string) (*Bearer, error) {
	isForbidden := func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' || r == ',' }
	switch {
	case given != "" && len(given) < minBearerBytes:
		return nil, fmt.Errorf("it has %d characters; at least %d are needed, such as `openssl rand -hex 32` prints", len(given), minBearerBytes)
	case strings.ContainsFunc(given, isForbidden):
		return nil, errors.New("it has a space, a double quote, a comma, a backslash, or a character that is not printable ASCII; use only letters, digits and -._~+/=")
	}
	return &Bearer{folder: folder(path), given: given}, nil
}

// Path returns the file of the token, or "" for a given token.
func (b *Bearer) Path() string {
	if b.given != "" {
		return ""
	}
	return filepath.Join(string(b.folder), "http.token")
}

// Token returns the token. It returns an *UnsafeError if others can read or replace the file.
func (b *Bearer) Token(ctx context.Context) (string, error) {
	if b.given != "" {
		return b.given, nil
	}
	token, _, err := b.load()
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	unlock, err := b.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	if token, _, err = b.load(); errors.Is(err, fs.ErrNotExist) {
		return b.create()
	}
	return token, err
}

// Renew creates a token that replaces the stored token. From now on, running servers also refuse
// the old token. For a given token it returns ErrGiven, because KOTA cannot renew it.
func (b *Bearer) Renew(ctx context.Context) (string, error) {
	if b.given != "" {
		return "", ErrGiven
	}
	unlock, err := b.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	return b.create()
}

// ErrGiven says that KOTA cannot renew a token that comes from outside KOTA.
var ErrGiven = errors.New("the token comes from KOTA_HTTP_TOKEN; change it there")

// Matches reports whether token is equal to b's token. Its duration reveals nothing about how
// the tokens differ.
func (b *Bearer) Matches(token string) (bool, error) {
	want, err := b.currentDigest()
	if err != nil {
		return false, err
	}
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1, nil
}

// Check returns the error that Matches would return now, for example an *UnsafeError, or nil.
func (b *Bearer) Check() error {
	_, err := b.currentDigest()
	return err
}

// currentDigest returns the digest of the token. It reads the token again if its file was replaced.
func (b *Bearer) currentDigest() ([sha256.Size]byte, error) {
	if b.given != "" {
		return sha256.Sum256([]byte(b.given)), nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if now, err := os.Lstat(b.Path()); err == nil && b.digestFile != nil && sameContent(now, b.digestFile) {
		return b.digest, nil
	}
	token, info, err := b.load()
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	b.digestFile, b.digest = info, sha256.Sum256([]byte(token))
	return b.digest, nil
}

// sameContent reports whether a and b describe the same file with the same content. It need not
// read the file, because writeFile always replaces a file by a new file. The mode must also be
// the same, because KOTA does not use an unsafe file.
func sameContent(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && a.Mode() == b.Mode()
}

func (b *Bearer) load() (string, fs.FileInfo, error) {
	if err := b.folder.check(); err != nil {
		return "", nil, err
	}
	raw, info, err := readPrivate(b.Path(), 1<<10)
	if err != nil {
		return "", nil, err
	}
	token := strings.TrimSpace(string(raw))
	if len(token) < minBearerBytes {
		return "", nil, fmt.Errorf("%s contains no token; run `kota http token --new` to create one", b.Path())
	}
	return token, info, nil
}

func (b *Bearer) lock(ctx context.Context) (unlock func(), err error) {
	if err := b.folder.prepare(); err != nil {
		return nil, err
	}
	release, err := b.folder.lock(ctx, "http.token")
	if err != nil {
		return nil, err
	}
	return func() { b.folder.removeLock("http.token"); release() }, nil
}

// create creates a token of 256 random bits. The caller holds the lock.
func (b *Bearer) create() (string, error) {
	random := make([]byte, 32)
	rand.Read(random) // never fails
	token := "kota_" + base64.RawURLEncoding.EncodeToString(random)
	if err := writeFile(b.Path(), []byte(token+"\n")); err != nil {
		return "", fmt.Errorf("save the token: %w", err)
	}
	return token, nil
}
