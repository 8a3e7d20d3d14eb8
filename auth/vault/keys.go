package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// minKey is the minimum length of a key's text in bytes. Most passwords are shorter.
const minKey = 32

// Keys are the master keys of the secrets in a database. The first one encrypts. All of them
// decrypt, so that servers with the old and the new key can work together while the secrets are
// encrypted again. The zero value has no key.
type Keys struct{ keys []key }

// A key is a master key. Its id is stored with each secret and says nothing about the key.
type key struct {
	id   int
	text string
}

// Format writes "[keys]" for every verb.
func (Keys) Format(to fmt.State, _ rune) { io.WriteString(to, "[keys]") }

// MarshalText returns "[keys]", also in JSON.
func (Keys) MarshalText() ([]byte, error) { return []byte("[keys]"), nil }

// ParseKeys returns the keys in text: one or more, separated by commas or white space. Its errors
// quote nothing of the text.
func ParseKeys(text string) (Keys, error) {
	keys := Keys{}
	separates := func(r rune) bool { return r == ',' || unicode.IsSpace(r) }
	for n, word := range strings.FieldsFunc(text, separates) {
		switch {
		case len(word) < minKey:
			return Keys{}, fmt.Errorf("key number %d has %d characters; at least %d are needed, such as `openssl rand -base64 32` prints", n+1, len(word), minKey)
		case strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r > '~' }):
			return Keys{}, fmt.Errorf("key number %d has a character that is not printable ASCII", n+1)
		}
		added := key{id: keyID(word), text: word}
		if known, ok := keys.find(added.id); ok {
			if known.text == word {
				return Keys{}, fmt.Errorf("key number %d is there twice", n+1)
			}
			return Keys{}, fmt.Errorf("key number %d cannot be used together with another key, because both have the id %d: make another key", n+1, added.id)
		}
		keys.keys = append(keys.keys, added)
	}
	if len(keys.keys) == 0 {
		return Keys{}, errors.New("it has no key")
	}
	return keys, nil
}

// Equal reports whether both have the same keys in the same order.
func (k Keys) Equal(other Keys) bool { return slices.Equal(k.keys, other.keys) }

// IDs returns the ids of the keys. The first one is that of the key that encrypts.
func (k Keys) IDs() []int {
	ids := []int{}
	for _, key := range k.keys {
		ids = append(ids, key.id)
	}
	return ids
}

// find returns the key with an id.
func (k Keys) find(id int) (key, bool) {
	for _, key := range k.keys {
		if key.id == id {
			return key, true
		}
	}
	return key{}, false
}

// first returns the key that encrypts.
func (k Keys) first() key { return k.keys[0] }

// keyID returns a positive number of 31 bits for a key. 0 is for rows that are not encrypted.
func keyID(text string) int {
	id := int(binary.BigEndian.Uint32(derive(text, "kota secrets key id", 4)) & 0x7fffffff)
	return max(id, 1)
}

// cipher returns the cipher for one tenant. Each tenant has a key of its own (HKDF, RFC 5869), so a
// row that was copied from another tenant does not open.
func (k key) cipher(tenant string) (cipher.AEAD, error) {
	block, err := aes.NewCipher(derive(k.text, "kota secrets of tenant "+tenant, 32))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// derive returns size bytes that depend on the key and the purpose.
func derive(text, purpose string, size int) []byte {
	derived, err := hkdf.Key(sha256.New, []byte(text), nil, purpose, size)
	if err != nil {
		panic(err) // only for a size that is too large
	}
	return derived
}
