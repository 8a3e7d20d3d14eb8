package auth_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/auth"
)

// The secrets of these tests. They must not appear anywhere.
const (
	clientID     = "1234-abc.apps.googleusercontent.com"
	clientSecret = "CANARY-client-secret"
)

// A fakeGoogle is a fake of Google's OAuth endpoints and of one API, on loopback. It checks
// everything that Google's documentation requires
// (https://developers.google.com/identity/protocols/oauth2/native-app).
type fakeGoogle struct {
	*httptest.Server
	t testing.TB

	mu       sync.Mutex
	n        int
	codes    map[string]url.Values // the request to the sign-in page, by code
	refresh  map[string]string     // live refresh tokens and their scopes
	access   map[string]bool       // live access tokens
	calls    map[string]int        // requests, by path and grant type
	bodies   []string
	rotate   bool                                              // every renewal gives a new refresh token
	withhold bool                                              // no refresh token is issued
	grants   []string                                          // what the user grants; nil: everything that is requested
	merged   bool                                              // the last sign-in requested earlier grants too
	more     map[string]any                                    // further fields of a token response
	page     func(w http.ResponseWriter, r *http.Request) bool // replaces the sign-in page if it returns true
	fault    func(w http.ResponseWriter, r *http.Request) bool // replaces the token endpoint if it returns true
	before   func(*http.Request)                               // sees every request to the API
	serve    http.HandlerFunc                                  // the API, after the token was checked
}

func newFakeGoogle(t testing.TB) *fakeGoogle {
	t.Helper()
	g := &fakeGoogle{
		t: t, codes: map[string]url.Values{}, refresh: map[string]string{}, access: map[string]bool{}, calls: map[string]int{},
		more: map[string]any{"expires_in": 3599},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /auth", g.signIn)
	mux.HandleFunc("POST /token", g.token)
	mux.HandleFunc("POST /revoke", g.revoke)
	mux.HandleFunc("/api/", g.api)
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	return g
}

// client returns the JSON of an OAuth client that signs in here.
func (g *fakeGoogle) client() []byte {
	return fmt.Appendf(nil, `{"installed":{"client_id":%q,"project_id":"kota-test","auth_uri":%q,"token_uri":%q,
		"auth_provider_x509_cert_url":"https://www.googleapis.com/oauth2/v1/certs","client_secret":%q,"redirect_uris":["http://localhost"]}}`,
		clientID, g.URL+"/auth", g.URL+"/token", clientSecret)
}

func (g *fakeGoogle) newSecret(kind string) string {
	g.n++
	return fmt.Sprintf("CANARY-%s-%d", kind, g.n)
}

func (g *fakeGoogle) count(what string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls[what]
}

// expire makes the API refuse every access token.
func (g *fakeGoogle) expire() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.access)
}

func (g *fakeGoogle) signIn(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.page != nil && g.page(w, r) {
		return
	}
	q := r.URL.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": clientID, "code_challenge_method": "S256",
		"access_type": "offline", "prompt": "consent",
	} {
		if q.Get(name) != want {
			g.t.Errorf("the sign-in asks %s=%q, want %q", name, q.Get(name), want)
		}
	}
	if len(q.Get("state")) < 43 || len(q.Get("code_challenge")) != 43 || q.Get("scope") == "" {
		g.t.Errorf("the sign-in has a short state or challenge, or no scope")
	}
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || back.Scheme != "http" || back.Hostname() != "127.0.0.1" || back.Port() == "" {
		g.t.Errorf("the sign-in leads back to %q", q.Get("redirect_uri"))
		return
	}
	if merge := q.Get("include_granted_scopes"); merge != "" && merge != "true" {
		g.t.Errorf("the sign-in asks include_granted_scopes=%q", merge)
	}
	g.merged = q.Has("include_granted_scopes")
	code := g.newSecret("code")
	g.codes[code] = q
	back.RawQuery = url.Values{"state": {q.Get("state")}, "code": {code}, "scope": {q.Get("scope")}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// setFault makes the token endpoint use fault from now on.
func (g *fakeGoogle) setFault(fault func(http.ResponseWriter, *http.Request) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fault = fault
}

func (g *fakeGoogle) token(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		g.t.Error(err)
	}
	kind := r.PostForm.Get("grant_type")
	g.mu.Lock()
	g.calls[kind]++
	g.bodies = append(g.bodies, r.PostForm.Encode())
	fault := g.fault
	g.mu.Unlock()
	if fault != nil && fault(w, r) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.Header.Get("Authorization") != "" || r.URL.RawQuery != "" {
		g.t.Error("the secrets of a token request belong in its body")
	}
	if r.PostForm.Get("client_id") != clientID || r.PostForm.Get("client_secret") != clientSecret {
		refuse(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	answer := map[string]any{"token_type": "Bearer"}
	maps.Copy(answer, g.more)
	old, scopes := r.PostForm.Get("refresh_token"), ""
	switch kind {
	case "authorization_code":
		asked, known := g.codes[r.PostForm.Get("code")]
		delete(g.codes, r.PostForm.Get("code"))
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if !known || asked.Get("redirect_uri") != r.PostForm.Get("redirect_uri") ||
			asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) {
			refuse(w, http.StatusBadRequest, "invalid_grant")
			return
		}
		scopes = asked.Get("scope")
		if g.grants != nil {
			scopes = strings.Join(g.grants, " ")
		}
	case "refresh_token":
		known := false
		if scopes, known = g.refresh[old]; !known {
			refuse(w, http.StatusBadRequest, "invalid_grant")
			return
		}
	default:
		refuse(w, http.StatusBadRequest, "unsupported_grant_type")
		return
	}
	if kind == "authorization_code" && !g.withhold || kind == "refresh_token" && g.rotate {
		delete(g.refresh, old)
		fresh := g.newSecret("refresh")
		g.refresh[fresh] = scopes
		answer["refresh_token"] = fresh
	}
	if answer["access_token"] == nil {
		access := g.newSecret("access")
		g.access[access] = true
		answer["access_token"] = access
	}
	answer["scope"] = scopes
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	json.NewEncoder(w).Encode(answer)
}

// refuse answers like Google. The description contains a canary.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":%q,"error_description":"CANARY-description"}`, code)
}

func (g *fakeGoogle) revoke(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls["revoke"]++
	token := r.PostFormValue("token")
	if _, known := g.refresh[token]; !known || r.URL.RawQuery != "" {
		refuse(w, http.StatusBadRequest, "invalid_token")
		return
	}
	delete(g.refresh, token)
	clear(g.access)
	fmt.Fprint(w, "{}")
}

func (g *fakeGoogle) api(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	g.calls["api "+r.Method]++
	before := g.before
	g.mu.Unlock()
	if before != nil {
		before(r)
	}
	g.mu.Lock()
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	ok, serve := bearer && g.access[token], g.serve
	g.mu.Unlock()
	switch {
	case !ok:
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"code":401,"status":"UNAUTHENTICATED"}}`)
	case serve != nil:
		serve(w, r)
	default:
		fmt.Fprint(w, "hello")
	}
}

// A machine simulates a user's computer. It has its own data folder, accounts
// and clock, and signs in to a fake Google.
type machine struct {
	*fakeGoogle
	t       testing.TB
	home    string
	options auth.Options
	*auth.Accounts

	clock sync.Mutex
	time  time.Time
}

func newMachine(t testing.TB) *machine {
	t.Helper()
	w := &machine{fakeGoogle: newFakeGoogle(t), t: t, home: t.TempDir(), time: time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)}
	w.options = auth.Options{Home: w.home, Now: w.now, Keyring: auth.NoKeyring}
	w.restart()
	if _, err := w.SetClient(w.client()); err != nil {
		t.Fatal(err)
	}
	return w
}

// restart simulates a restart of the program.
func (w *machine) restart() { w.Accounts = auth.Open(w.options) }

func (w *machine) now() time.Time {
	w.clock.Lock()
	defer w.clock.Unlock()
	return w.time
}

func (w *machine) advance(d time.Duration) {
	w.clock.Lock()
	defer w.clock.Unlock()
	w.time = w.time.Add(d)
}

// browse is a headless browser: it follows redirects.
func browse(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

const (
	readonly = "https://www.googleapis.com/auth/gmail.readonly"
	send     = "https://www.googleapis.com/auth/gmail.send"
)

// login returns a sign-in as name, whose address is name@example.com.
func (w *machine) login(name string) auth.Login {
	return auth.Login{
		Account: name, Scopes: []string{readonly, send}, Browser: browse,
		FindAddress: func(context.Context, *http.Client) (string, error) { return name + "@example.com", nil },
	}
}

func (w *machine) signInAs(name string) auth.Account {
	w.t.Helper()
	account, err := w.Login(w.t.Context(), w.login(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return account
}

// get calls the API as the account.
func (w *machine) get(name string) (string, error) {
	return w.do(name, http.MethodGet)
}

func (w *machine) do(name, method string) (string, error) {
	client, _, err := w.HTTPClient(w.t.Context(), name)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.URL+"/api/x", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return string(body), err
}

func (w *machine) names() []string {
	w.t.Helper()
	accounts, err := w.List()
	if err != nil {
		w.t.Fatal(err)
	}
	var names []string
	for _, account := range accounts {
		names = append(names, account.Name)
	}
	return slices.Clip(names)
}
