package storetest

import (
	"crypto/aes"
	"crypto/cipher"
)

// A Sealer encrypts with a fixed key for tests.
type Sealer struct{}

func (Sealer) gcm() (cipher.AEAD, error) {
	block, err := aes.NewCipher([]byte("0123456789abcdef0123456789abcdef"))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Seal implements store.Sealer.
func (s Sealer) Seal(plain, associatedData []byte) ([]byte, error) {
	gcm, err := s.gcm()
	if err != nil {
		return nil, err
	}
	return gcm.Seal(nil, nil, plain, associatedData), nil
}

// Open implements store.Sealer.
func (s Sealer) Open(sealed, associatedData []byte) ([]byte, error) {
	gcm, err := s.gcm()
	if err != nil {
		return nil, err
	}
	return gcm.Open(nil, nil, sealed, associatedData)
}
