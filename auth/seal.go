package auth

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// A Sealer encrypts what this home's KOTA alone shall read again, with
// AES-256-GCM (NIST SP 800-38D). Its key is made at the first Seal and kept
// where tokens are: in the system's keyring, or in a file of this user's. It
// is safe for concurrent use, also by several processes.
type Sealer struct {
	accounts *Accounts
	purpose  string
}

// ErrSealed: it is not what Seal returned for this purpose and context.
var ErrSealed = errors.New("it was changed since it was encrypted, or is something else")

// Sealer returns the Sealer of a purpose, which has a key of its own (HKDF, RFC
// 5869): what was sealed for one opens for no other. It touches nothing, and
// needs nobody to be signed in.
func (a *Accounts) Sealer(purpose string) *Sealer { return &Sealer{accounts: a, purpose: purpose} }

// A sealed text is a byte for its form, eight that name the key, the nonce, the
// encrypted text and its tag: 37 bytes more than the text.
const (
	sealedForm = 1
	keyIDSize  = 8
	headSize   = 1 + keyIDSize
)

// Seal encrypts plain and binds it to context, which Open must be given again:
// what is sealed for one row cannot be put into another. Sealing the same twice
// gives two texts. It returns *UnsafeError for a key that others can read,
// *KeyError for one that was lost, and ErrNoNewKey.
func (s *Sealer) Seal(plain, context []byte) ([]byte, error) {
	key, err := s.accounts.newKey()
	if err != nil {
		return nil, fmt.Errorf("encrypt: %w", err)
	}
	gcm, head, err := s.cipher(key)
	if err != nil {
		return nil, fmt.Errorf("encrypt: %w", err)
	}
	return gcm.Seal(slices.Clone(head), nil, plain, slices.Concat(head, context)), nil
}

// Open returns what Seal encrypted for the same context. It returns ErrSealed
// for anything else, *UnsafeError for a key that others can read, and *KeyError
// for one that is lost or is not the one it was sealed with.
func (s *Sealer) Open(sealed, context []byte) ([]byte, error) {
	if len(sealed) < headSize || sealed[0] != sealedForm {
		return nil, fmt.Errorf("decrypt: %w", ErrSealed)
	}
	path := s.accounts.tokens.keyFile()
	key, err := s.accounts.key()
	if errors.Is(err, fs.ErrNotExist) {
		err = &KeyError{Path: path, Why: "there is no such file", Lost: true}
	}
	if err != nil {
		return nil, fmt.Errorf("decrypt: %w", err)
	}
	gcm, head, err := s.cipher(key)
	if err != nil {
		return nil, fmt.Errorf("decrypt: %w", err)
	}
	if !bytes.Equal(head, sealed[:headSize]) {
		return nil, fmt.Errorf("decrypt: %w", &KeyError{Path: path, Why: "this was encrypted with another one", Lost: true})
	}
	plain, err := gcm.Open(nil, nil, sealed[headSize:], slices.Concat(head, context))
	if err != nil {
		return nil, fmt.Errorf("decrypt: %w", ErrSealed)
	}
	return plain, nil
}

// cipher returns the purpose's cipher, which makes its nonces, and the prefix of sealed texts.
func (s *Sealer) cipher(key masterKey) (cipher.AEAD, []byte, error) {
	id, err := hkdf.Key(sha256.New, key, nil, "kota key id", keyIDSize)
	if err != nil {
		return nil, nil, err
	}
	own, err := hkdf.Key(sha256.New, key, nil, "kota seal "+s.purpose, keySize)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(own)
	if err != nil {
		return nil, nil, err
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	return gcm, append([]byte{sealedForm}, id...), err
}
