package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// audience is the public name of the tests' server.
const audience = "https://kota.example.com/mcp"

// testIssuer is an OAuth issuer on this machine, with what a resource server
// asks for: it publishes its metadata and its keys.
type testIssuer struct {
	t            testing.TB
	url          string
	down         atomic.Bool // answers only errors
	requestCount atomic.Int64

	mu   sync.Mutex
	keys []jose.JSONWebKey // private

	subject   string // who signs in by a browser
	challenge string // of the sign-in that waits for its token (RFC 7636)
}

func newIssuer(t testing.TB) *testIssuer {
	t.Helper()
	i := &testIssuer{t: t}
	s := httptest.NewServer(i)
	t.Cleanup(s.Close)
	i.url = s.URL
	i.rotate("rsa", rsaKey())
	return i
}

// rsaKey is one key for all tests, because making one is slow.
var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func ecKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// rotate replaces all keys by one.
func (i *testIssuer) rotate(kid string, key crypto.Signer) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = []jose.JSONWebKey{{Key: key, KeyID: kid, Use: "sig"}}
}

func (i *testIssuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.requestCount.Add(1)
	if i.down.Load() {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration": // not the first place where KOTA looks
		json.NewEncoder(w).Encode(object{
			"issuer": i.url, "jwks_uri": i.url + "/keys", "authorization_endpoint": i.url + "/authorize", "token_endpoint": i.url + "/token",
		})
	case "/authorize":
		i.authorize(w, r)
	case "/token":
		i.giveToken(w, r)
	case "/keys":
		i.mu.Lock()
		defer i.mu.Unlock()
		set := jose.JSONWebKeySet{}
		for _, key := range i.keys {
			set.Keys = append(set.Keys, key.Public())
		}
		json.NewEncoder(w).Encode(set)
	default:
		http.NotFound(w, r)
	}
}

// authorize signs the subject in at once, and sends the browser back with a code.
func (i *testIssuer) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	for name, want := range map[string]string{
		"client_id": "kota-console", "response_type": "code", "code_challenge_method": "S256", "redirect_uri": "https://kota.example.com/console/callback", "resource": audience,
	} {
		if query.Get(name) != want {
			i.t.Errorf("the sign-in asks with %s %q, want %q", name, query.Get(name), want)
		}
	}
	i.mu.Lock()
	i.challenge = query.Get("code_challenge")
	i.mu.Unlock()
	back := query.Get("redirect_uri") + "?" + url.Values{"code": {"code-1"}, "state": {query.Get("state")}}.Encode()
	http.Redirect(w, r, back, http.StatusFound)
}

// giveToken gives a token for the code to who knows the secret of the challenge, once.
func (i *testIssuer) giveToken(w http.ResponseWriter, r *http.Request) {
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	i.mu.Lock()
	valid := r.PostFormValue("code") == "code-1" && i.challenge == base64.RawURLEncoding.EncodeToString(sum[:])
	i.challenge = ""
	i.mu.Unlock()
	if !valid {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(object{"access_token": i.token(i.subject), "token_type": "Bearer", "expires_in": 3600})
}

// claims returns valid claims for that subject, at testTime.
func (i *testIssuer) claims(subject string) object {
	now, err := time.Parse(time.RFC3339, testTime)
	if err != nil {
		panic(err)
	}
	return object{"iss": i.url, "aud": audience, "sub": subject, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}
}

// token returns a valid token for that subject.
func (i *testIssuer) token(subject string) string {
	i.t.Helper()
	i.mu.Lock()
	key := i.keys[0]
	i.mu.Unlock()
	return i.sign(i.claims(subject), key.Key, key.KeyID, nil)
}

// sign returns a token with those claims, signed with that key under that
// name.
func (i *testIssuer) sign(claims object, key any, kid string, header map[jose.HeaderKey]any) string {
	i.t.Helper()
	algorithm := jose.RS256
	switch key.(type) {
	case *ecdsa.PrivateKey:
		algorithm = jose.ES256
	case []byte:
		algorithm = jose.HS256
	}
	options := &jose.SignerOptions{ExtraHeaders: maps.Clone(header)}
	if _, given := header[jose.HeaderType]; !given {
		options.WithType("JWT")
	}
	if kid != "" {
		options.WithHeader("kid", kid)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, options)
	if err != nil {
		i.t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		i.t.Fatal(err)
	}
	object, err := signer.Sign(payload)
	if err != nil {
		i.t.Fatal(err)
	}
	token, err := object.CompactSerialize()
	if err != nil {
		i.t.Fatal(err)
	}
	return token
}

// configure writes a bundles.yaml that names the issuer, with more lines for
// http.oauth and for the top level.
func (i *testIssuer) configure(home, oauth, top string) {
	i.t.Helper()
	if err := os.MkdirAll(home, 0o700); err != nil {
		i.t.Fatal(err)
	}
	text := top + "\nhttp:\n  oauth:\n    issuer: " + i.url + "\n    audience: " + audience + "\n" + oauth
	if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte(text), 0o600); err != nil {
		i.t.Fatal(err)
	}
}

// serve configures a home with those lines and serves it.
func (i *testIssuer) serve(home, oauth, top string) *httpServer {
	i.t.Helper()
	i.configure(home, oauth, top)
	return startHTTPServer(i.t, home)
}

// withToken returns a client that sends requests with that token.
func (w *httpServer) withToken(token string) *httpServer {
	other := &httpServer{t: w.t, url: w.url, token: token}
	return other
}
