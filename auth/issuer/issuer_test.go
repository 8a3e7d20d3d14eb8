package issuer

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	at  = "https://login.example.com/realms/home"
	aud = "https://kota.example.com/mcp"
)

// A fakeIssuer answers for an issuer, by URL; an unknown URL gets 404. If down is set, no request
// gets an answer.
type fakeIssuer struct {
	pages map[string]string
	down  atomic.Bool
	asked atomic.Int64
}

func (s *fakeIssuer) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked.Add(1)
	if s.down.Load() {
		return nil, errors.New("no route")
	}
	status, body := http.StatusOK, s.pages[r.URL.String()]
	header := http.Header{}
	switch {
	case body == "":
		status = http.StatusNotFound
	case strings.HasPrefix(body, "→"):
		status = http.StatusFound
		header.Set("Location", strings.TrimPrefix(body, "→"))
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// metadata returns the metadata document of an issuer (RFC 8414).
func metadata(of, keys string) string {
	raw, _ := json.Marshal(map[string]string{"issuer": of, "jwks_uri": keys})
	return string(raw)
}

func keysOf(keys ...jose.JSONWebKey) string {
	raw, _ := json.Marshal(jose.JSONWebKeySet{Keys: keys})
	return string(raw)
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// tokenOf returns a valid token, signed with that key.
func tokenOf(t *testing.T, key any, algorithm jose.SignatureAlgorithm, kid string) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", kid))
	if err != nil {
		t.Fatal(err)
	}
	claims, _ := json.Marshal(map[string]any{"iss": at, "aud": []string{aud}, "sub": "ann", "exp": time.Now().Add(100 * time.Hour).Unix(), "email": "ann@example.com"})
	signed, err := signer.Sign(claims)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

const pathKeys = "https://login.example.com/keys"

// metadataLocations has the possible URLs of the metadata of an issuer with a path.
var metadataLocations = []string{
	"https://login.example.com/.well-known/oauth-authorization-server/realms/home",
	"https://login.example.com/.well-known/openid-configuration/realms/home",
	"https://login.example.com/realms/home/.well-known/openid-configuration",
}

func TestMetadataIsFoundAtEveryURL(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	for _, place := range metadataLocations {
		s := &fakeIssuer{pages: map[string]string{place: metadata(at, pathKeys), pathKeys: keysOf(jose.JSONWebKey{Key: key.Public(), KeyID: "k"})}}
		v := New(Options{Issuer: at, Audience: aud, Transport: s})
		p, err := v.Verify(t.Context(), tokenOf(t, key, jose.ES256, "k"))
		if p.ValidFor <= 99*time.Hour || p.ValidFor > 101*time.Hour {
			t.Errorf("%s: the token is good for %v", place, p.ValidFor)
		}
		p.ValidFor = 0
		if want := (Person{Issuer: at, Subject: "ann", Name: "ann@example.com"}); err != nil || p != want {
			t.Errorf("%s: got %v, %v; want %v", place, p, err, want)
		}
	}
}

// Metadata of another issuer is not accepted.
func TestMetadataOfOtherIssuerIsRefused(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	keys := keysOf(jose.JSONWebKey{Key: key.Public(), KeyID: "k"})
	for name, pages := range map[string]map[string]string{
		"metadata of another issuer":    {metadataLocations[0]: metadata("https://evil.example", pathKeys), pathKeys: keys},
		"an issuer that differs by one": {metadataLocations[0]: metadata(at+"/", pathKeys), pathKeys: keys},
		"keys in the clear":             {metadataLocations[0]: metadata(at, "http://login.example.com/keys"), "http://login.example.com/keys": keys},
		"keys of this machine":          {metadataLocations[0]: metadata(at, "http://127.0.0.1/keys"), "http://127.0.0.1/keys": keys},
		"metadata that leads elsewhere": {metadataLocations[0]: "→https://evil.example/", "https://evil.example/": metadata(at, pathKeys), pathKeys: keys},
		"keys that lead elsewhere":      {metadataLocations[0]: metadata(at, pathKeys), pathKeys: "→https://evil.example/", "https://evil.example/": keys},
		"keys for something else":       {metadataLocations[0]: metadata(at, pathKeys), pathKeys: keysOf(jose.JSONWebKey{Key: key.Public(), KeyID: "k", Use: "enc"})},
		"a key for another algorithm":   {metadataLocations[0]: metadata(at, pathKeys), pathKeys: keysOf(jose.JSONWebKey{Key: key.Public(), KeyID: "k", Algorithm: "ES384"})},
		"a secret for a key":            {metadataLocations[0]: metadata(at, pathKeys), pathKeys: keysOf(jose.JSONWebKey{Key: []byte("secret"), KeyID: "k"})},
		"a key that is too short":       {metadataLocations[0]: metadata(at, pathKeys), pathKeys: keysOf(jose.JSONWebKey{Key: small.Public(), KeyID: "k"})},
		"a page":                        {metadataLocations[0]: metadata(at, pathKeys), pathKeys: "<html>"},
		"a page without end":            {metadataLocations[0]: metadata(at, pathKeys), pathKeys: keys[:len(keys)-1] + strings.Repeat(" ", maxAnswer) + "}"},
		"nothing":                       {},
	} {
		v := New(Options{Issuer: at, Audience: aud, Transport: &fakeIssuer{pages: pages}})
		tokens := []string{tokenOf(t, key, jose.ES256, "k")}
		if strings.Contains(name, "short") {
			tokens = []string{tokenOf(t, small, jose.RS256, "k")}
		}
		for _, token := range tokens {
			if p, err := v.Verify(t.Context(), token); err == nil {
				t.Errorf("%s: %v is let in", name, p)
			} else if strings.Contains(err.Error(), token[:40]) {
				t.Errorf("%s: the token is in the error: %v", name, err)
			}
		}
	}
}

// A key of an unknown kind does not affect the others.
func TestUnknownKeyTypeIsIgnored(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	good, _ := json.Marshal(jose.JSONWebKey{Key: key.Public(), KeyID: "k"})
	s := &fakeIssuer{pages: map[string]string{metadataLocations[0]: metadata(at, pathKeys), pathKeys: `{"keys":[{"kty":"new"},7,` + string(good) + `]}`}}
	if _, err := New(Options{Issuer: at, Audience: aud, Transport: s}).Verify(t.Context(), tokenOf(t, key, jose.ES256, "k")); err != nil {
		t.Error(err)
	}
}

// If the issuer is unreachable, its keys stay valid for a limited time.
func TestKeysStayValidForAnHour(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	synctest.Test(t, func(t *testing.T) {
		s := &fakeIssuer{pages: map[string]string{metadataLocations[0]: metadata(at, pathKeys), pathKeys: keysOf(jose.JSONWebKey{Key: key.Public(), KeyID: "k"})}}
		v := New(Options{Issuer: at, Audience: aud, Transport: s})
		token := tokenOf(t, key, jose.ES256, "k")
		verify := func() error {
			_, err := v.Verify(t.Context(), token)
			synctest.Wait()
			return err
		}
		unreachable := (*UnreachableError)(nil)
		if err := verify(); err != nil {
			t.Fatal(err)
		}
		asked := s.asked.Load()
		time.Sleep(refreshAfter - time.Minute)
		if err := verify(); err != nil || s.asked.Load() != asked {
			t.Errorf("%v; the issuer was asked %d times more for keys that are fresh", err, s.asked.Load()-asked)
		}
		s.down.Store(true)
		time.Sleep(2 * time.Minute)
		if err := verify(); err != nil || s.asked.Load() == asked {
			t.Errorf("keys that are due, when the issuer is gone: %v; asked is %v", err, s.asked.Load() > asked)
		}
		time.Sleep(validFor)
		if err := verify(); !errors.As(err, &unreachable) {
			t.Errorf("old keys: got %v", err)
		}
		if err := v.Ready(t.Context()); !errors.As(err, &unreachable) {
			t.Errorf("it says that it is ready: %v", err)
		}
		s.down.Store(false)
		time.Sleep(2 * fetchInterval)
		if err := verify(); err != nil {
			t.Errorf("when the issuer is back: %v", err)
		}
	})
}

// Invented key names make KOTA ask the issuer up to a limit. A token with a key that was
// created meanwhile is not refused as invalid.
func TestInventedKeyNamesDoNotInvalidateNewKey(t *testing.T) {
	t.Parallel()
	first, next := newKey(t), newKey(t)
	synctest.Test(t, func(t *testing.T) {
		s := &fakeIssuer{pages: map[string]string{metadataLocations[0]: metadata(at, pathKeys), pathKeys: keysOf(jose.JSONWebKey{Key: first.Public(), KeyID: "first"})}}
		v := New(Options{Issuer: at, Audience: aud, Transport: s})
		for range 2 * fetchBurst {
			if _, err := v.Verify(t.Context(), tokenOf(t, first, jose.ES256, "made-up")); err == nil {
				t.Fatal("a key of no such name lets in")
			}
		}
		s.pages[pathKeys] = keysOf(jose.JSONWebKey{Key: next.Public(), KeyID: "next"})
		token, unreachable := tokenOf(t, next, jose.ES256, "next"), (*UnreachableError)(nil)
		if _, err := v.Verify(t.Context(), token); !errors.As(err, &unreachable) || !errors.Is(err, ErrTooManyFetches) {
			t.Errorf("while the issuer may not be asked: %v", err)
		}
		time.Sleep(fetchInterval)
		if _, err := v.Verify(t.Context(), token); err != nil {
			t.Errorf("when it may: %v", err)
		}
	})
}
