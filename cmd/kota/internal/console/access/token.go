package access

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// claims is what a link or a cookie says. A code at its end proves that KOTA made it, so
// no process needs to remember the open sessions.
type claims struct {
	id      [16]byte
	expires time.Time
	person  string
}

// The uses of claims. A link is thus no cookie.
const (
	linkUse    = "link"
	sessionUse = "session"
)

func (g *Gate) issue(use, person string, lifetime time.Duration) (string, claims) {
	c := claims{expires: g.now().Add(lifetime), person: person}
	rand.Read(c.id[:])
	text := binary.BigEndian.AppendUint64(c.id[:len(c.id):len(c.id)], uint64(c.expires.Unix()))
	text = append(text, person...)
	return base64.RawURLEncoding.EncodeToString(append(text, g.mac(use, text)...)), c
}

// read returns the claims of a token of that use. ok is false for every other token, and for one
// that has expired.
func (g *Gate) read(use, token string) (c claims, ok bool) {
	const head, code = len(c.id) + 8, 32
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token) // only one text stands for each token
	if err != nil || len(raw) < head+code {
		return claims{}, false
	}
	text := raw[:len(raw)-code]
	if !hmac.Equal(raw[len(text):], g.mac(use, text)) {
		return claims{}, false
	}
	copy(c.id[:], text)
	c.expires = time.Unix(int64(binary.BigEndian.Uint64(text[len(c.id):])), 0)
	c.person = string(text[head:])
	return c, g.now().Before(c.expires)
}
