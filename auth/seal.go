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

// A Sealer encrypts data that only KOTA in this home may read again, with AES-256-GCM (NIST
// SP 800-38D). Its key is created at the first Seal and stored like tokens: in the system's
// keyring, or in a file of this user. It is safe for concurrent use, also by several
// processes.
type Sealer struct {
	accounts *Accounts
	purpose  string
}

// ErrSealed says that the data is not what Seal returned for this purpose and context.
var ErrSealed = errors.New("it was changed since it was encrypted, or it is not an encrypted text of KOTA")

// Sealer returns the Sealer for a purpose. Each purpose has its own key (HKDF, RFC 5869), so
// data sealed for one purpose cannot be opened for another. Sealer uses neither the disk nor
// the network, and needs no sign-in.
func (a *Accounts) Sealer(purpose string) *Sealer { return &Sealer{accounts: a, purpose: purpose} }

// A sealed text consists of one byte for its form, eight bytes that identify the key, the
// nonce, the encrypted text and its tag. It is 37 bytes longer than the text.
const (
	sealedForm = 1
	keyIDSize  = 8
	headSize   = 1 + keyIDSize
)

// Seal encrypts plain and binds it to context, which Open needs too: data sealed for one row
// cannot be moved to another. Sealing the same text twice gives different results. It returns
// *UnsafeError if others can read the key, *KeyError if the key was lost, or ErrNoNewKey.
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

// Open returns the text that Seal encrypted for the same context. It returns ErrSealed for
// anything else, *UnsafeError if others can read the key, and *KeyError if the key is lost or
// is another one.
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
		return nil, fmt.Errorf("decrypt: %w", &KeyError{Path: path, Why: "it was encrypted with another key", Lost: true})
	}
	plain, err := gcm.Open(nil, nil, sealed[headSize:], slices.Concat(head, context))
	if err != nil {
		return nil, fmt.Errorf("decrypt: %w", ErrSealed)
	}
	return plain, nil
}

// cipher returns the purpose's cipher, which creates its nonces, and the prefix of sealed texts.
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
