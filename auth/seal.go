package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
)

// A Sealer encrypts data that only KOTA in this home may read again, with AES-256-GCM (NIST
// SP 800-38D). The first Seal creates the key and stores it like tokens: in the system's
// keyring, or in a file of this user. A Sealer is safe for concurrent use, also by several
// processes.
type Sealer struct {
	accounts *Accounts
	purpose  string
}

// ErrSealed says that the data is not a result of Seal for this purpose and associated data.
var ErrSealed = errors.New("it was changed since it was encrypted, or it is not an encrypted text of KOTA")

// Sealer returns the Sealer for a purpose. Each purpose has its own key (HKDF, RFC 5869), so
// no Sealer can open the data of another purpose. Sealer uses neither the disk nor
// the network, and needs no sign-in.
func (a *Accounts) Sealer(purpose string) *Sealer { return &Sealer{accounts: a, purpose: purpose} }

// A sealed text consists of one byte for its format, eight bytes that identify the key, the
// nonce, the encrypted text and its tag. It is 37 bytes longer than the plain text.
const (
	sealedForm = 1
	keyIDSize  = 8
	headSize   = 1 + keyIDSize
)

// Seal encrypts plain and binds it to the associated data, which Open needs too. So data sealed
// for one row cannot be moved to another row. Sealing the same text twice gives different
// results. The errors include *UnsafeError if others can read the key, *KeyError if the key is
// unavailable, and ErrNoNewKey.
func (s *Sealer) Seal(plain, associatedData []byte) ([]byte, error) {
	key, err := s.accounts.newKey()
	if err != nil {
		return nil, fmt.Errorf("encrypt: %w", err)
	}
	gcm, head, err := s.cipher(key)
	if err != nil {
		return nil, fmt.Errorf("encrypt: %w", err)
	}
	return gcm.Seal(slices.Clone(head), nil, plain, slices.Concat(head, associatedData)), nil
}

// Open returns the text that Seal encrypted with the same associated data. For any other data it
// returns ErrSealed. It returns *UnsafeError if others can read the key, and *KeyError if the
// key of Seal is unavailable.
func (s *Sealer) Open(sealed, associatedData []byte) ([]byte, error) {
	if len(sealed) < headSize || sealed[0] != sealedForm {
		return nil, fmt.Errorf("decrypt: %w", ErrSealed)
	}
	key, err := s.accounts.keyWithID(sealed[1:headSize])
	if err != nil {
		return nil, fmt.Errorf("decrypt: %w", err)
	}
	gcm, head, err := s.cipher(key)
	if err != nil {
		return nil, fmt.Errorf("decrypt: %w", err)
	}
	plain, err := gcm.Open(nil, nil, sealed[headSize:], slices.Concat(head, associatedData))
	if err != nil {
		return nil, fmt.Errorf("decrypt: %w", ErrSealed)
	}
	return plain, nil
}

// cipher returns the cipher of the purpose, which creates its nonces, and the first headSize
// bytes of sealed texts.
func (s *Sealer) cipher(key masterKey) (cipher.AEAD, []byte, error) {
	purposeKey, err := hkdf.Key(sha256.New, key, nil, "kota seal "+s.purpose, keySize)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(purposeKey)
	if err != nil {
		return nil, nil, err
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	return gcm, append([]byte{sealedForm}, key.id()...), err
}
