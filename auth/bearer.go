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

// A Bearer is the token by which clients reach KOTA's own server. It is kept in a
// file of its user's, and made when it is first needed. It is safe for concurrent
// use, also by several processes.
type Bearer struct {
	folder folder
	given  string

	mu     sync.Mutex
	read   fs.FileInfo // of the file when digest was taken from it
	digest [sha256.Size]byte
}

// leastBearer is how long a token that was chosen has to be, in bytes: nobody
// guesses so many at random, and a password is shorter.
const leastBearer = 32

// NewBearer returns the token that is kept in the folder at path, or the one that
// is given instead. It returns an error for one that is too short or cannot be in
// a header (RFC 6750, section 2.1).
func NewBearer(path, given string) (*Bearer, error) {
	strange := func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' || r == ',' }
	switch {
	case given != "" && len(given) < leastBearer:
		return nil, fmt.Errorf("it has %d characters; at least %d are needed, such as `openssl rand -hex 32` prints", len(given), leastBearer)
	case strings.ContainsFunc(given, strange):
		return nil, errors.New("it has characters that no token can have; letters, digits and -._~+/= are fine")
	}
	return &Bearer{folder: folder(path), given: given}, nil
}

// Path is the file that the token is in, "" for one that was given.
func (b *Bearer) Path() string {
	if b.given != "" {
		return ""
	}
	return filepath.Join(string(b.folder), "http.token")
}

// Token returns the token. It returns an *UnsafeError where others could read or
// replace it.
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
		return b.make()
	}
	return token, err
}

// Renew makes another token, in place of the one that there is: from now on that
// one is refused, by servers that run too. One that was given is not KOTA's to
// renew: ErrGiven.
func (b *Bearer) Renew(ctx context.Context) (string, error) {
	if b.given != "" {
		return "", ErrGiven
	}
	unlock, err := b.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	return b.make()
}

// ErrGiven says that a token comes from elsewhere.
var ErrGiven = errors.New("the token was given, and is renewed where it comes from")

// Is reports whether that is the token. How long it takes tells nothing of how
// near it is.
func (b *Bearer) Is(token string) (bool, error) {
	want, err := b.current()
	if err != nil {
		return false, err
	}
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1, nil
}

// Check returns why no token can be compared with this one now, an *UnsafeError for
// instance: a token that is refused then may be a good one.
func (b *Bearer) Check() error {
	_, err := b.current()
	return err
}

// current returns the digest of the token. It reads the token again when its file was replaced.
func (b *Bearer) current() ([sha256.Size]byte, error) {
	if b.given != "" {
		return sha256.Sum256([]byte(b.given)), nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if now, err := os.Lstat(b.Path()); err == nil && b.read != nil && sameContent(now, b.read) {
		return b.digest, nil
	}
	token, info, err := b.load()
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	b.read, b.digest = info, sha256.Sum256([]byte(token))
	return b.digest, nil
}

// sameContent reports whether nothing was written between the two: a new token
// comes in a new file. The mode counts, since the file is not used by any.
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
	if len(token) < leastBearer {
		return "", nil, fmt.Errorf("%s has no token in it; run `kota http token --new` to make one", b.Path())
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
	return func() { b.folder.forgetLock("http.token"); release() }, nil
}

// make makes a token of 256 random bits. The lock is held.
func (b *Bearer) make() (string, error) {
	random := make([]byte, 32)
	rand.Read(random) // never fails
	token := "kota_" + base64.RawURLEncoding.EncodeToString(random)
	if err := writeFile(b.Path(), []byte(token+"\n")); err != nil {
		return "", fmt.Errorf("keep the token: %w", err)
	}
	return token, nil
}
