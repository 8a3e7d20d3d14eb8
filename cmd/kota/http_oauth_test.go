package main

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"
)

const (
	challenge    = `Bearer realm="kota", resource_metadata="https://kota.example.com/.well-known/oauth-protected-resource/mcp"`
	badToken     = `Bearer realm="kota", error="invalid_token", resource_metadata="https://kota.example.com/.well-known/oauth-protected-resource/mcp"`
	badRequest   = `Bearer realm="kota", error="invalid_request", resource_metadata="https://kota.example.com/.well-known/oauth-protected-resource/mcp"`
	metadataPath = "/.well-known/oauth-protected-resource"
)

func TestClientsLearnWhereTokensComeFrom(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	w := i.serve(t.TempDir(), "    scopes: [kota, mail]\n", "")
	want := object{
		"resource": audience, "authorization_servers": []any{i.url}, "bearer_methods_supported": []any{"header"},
		"scopes_supported": []any{"kota", "mail"}, "resource_name": "KOTA",
	}
	for _, path := range []string{metadataPath, metadataPath + "/mcp"} {
		got := w.ask(http.MethodGet, "", changeAll(header("Authorization", ""), func(r *http.Request) { r.URL.Path, r.Host = path, "kota.example.com" }))
		var output object
		if err := json.Unmarshal([]byte(got.body), &output); err != nil || got.status != 200 || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: got %d %s, %v", path, got.status, got.body, err)
		}
		if diff := cmp.Diff(want, output); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"another path":    {func(r *http.Request) { r.URL.Path = metadataPath + "/other" }, 404},
		"another Host":    {func(r *http.Request) { r.URL.Path, r.Host = metadataPath, "evil.example" }, 403},
		"a page's Origin": {changeAll(header("Origin", "https://evil.example"), func(r *http.Request) { r.URL.Path = metadataPath }), 403},
	} {
		if got := w.ask(http.MethodGet, "", c.change); got.status != c.want {
			t.Errorf("%s: got %d, want %d", name, got.status, c.want)
		}
	}
	list, headers := modernRequest("tools/list", object{})
	lacking := w.withToken(i.sign(i.claims("ann"), rsaKey(), "rsa", nil)).ask(http.MethodPost, list, headers)
	if says := lacking.header.Get("WWW-Authenticate"); lacking.status != 403 || !strings.Contains(says, `error="insufficient_scope", scope="kota mail"`) {
		t.Errorf("a token without the scopes: %d %s", lacking.status, says)
	}
	for _, key := range []string{"scope", "scp"} {
		claims := i.claims("ann")
		claims[key] = "mail openid kota"
		if got := w.withToken(i.sign(claims, rsaKey(), "rsa", nil)).ask(http.MethodPost, list, headers); got.status != 200 {
			t.Errorf("one with them in %s: %d %s", key, got.status, got.body)
		}
	}
	w.stop()
}

// Every invalid token gets the status and the header that say so, and gives
// access to nothing.
func TestInvalidTokensAreRefused(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	w := i.serve(t.TempDir(), "", "log: debug\n")
	key := rsaKey()
	now, _ := time.Parse(time.RFC3339, testTime)
	with := func(name string, value any) string {
		claims := i.claims("ann")
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
		return i.sign(claims, key, "rsa", nil)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	published := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	part := func(v object) string {
		raw, _ := json.Marshal(v)
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	good := i.token("ann")
	pieces := strings.Split(good, ".")

	list, headers := modernRequest("tools/list", object{})
	var given []string // that could belong to somebody
	for _, c := range []struct {
		name, token string
		status      int
		says        string // WWW-Authenticate
	}{
		{"a good one", good, 200, ""},
		{"one for several", with("aud", []string{"https://other.example", audience}), 200, ""},
		{"one of the type of RFC 9068", i.sign(i.claims("ann"), key, "rsa", map[jose.HeaderKey]any{"typ": "at+jwt"}), 200, ""},
		{"one that does not name its key", i.sign(i.claims("ann"), key, "", nil), 200, ""},
		{"one that expired within the leeway", with("exp", now.Add(-20*time.Second).Unix()), 200, ""},
		{"the server's own", w.token, 200, ""},

		{"none", "", 401, challenge},
		{"expired", with("exp", now.Add(-time.Minute).Unix()), 401, badToken},
		{"not yet", with("nbf", now.Add(time.Minute).Unix()), 401, badToken},
		{"given in the future", with("iat", now.Add(time.Minute).Unix()), 401, badToken},
		{"for ever", with("exp", nil), 401, badToken},
		{"expires in words", with("exp", "tomorrow"), 401, badToken},
		{"for another audience", with("aud", "https://other.example/mcp"), 401, badToken},
		{"for an audience that begins alike", with("aud", audience+"/"), 401, badToken},
		{"for nobody", with("aud", nil), 401, badToken},
		{"of another issuer", with("iss", "https://other.example"), 401, badToken},
		{"of no issuer", with("iss", nil), 401, badToken},
		{"of nobody", with("sub", nil), 401, badToken},
		{"of the empty subject", with("sub", ""), 401, badToken},
		{"of a subject that is a number", with("sub", 7), 401, badToken},
		{"of a subject without end", with("sub", strings.Repeat("x", 256)), 401, badToken},
		{"of a subject that cannot be printed", with("sub", "ann\n"), 401, badToken},
		{"bound to a key", with("cnf", object{"jkt": "x"}), 401, badToken},
		{"a sign-out", i.sign(i.claims("ann"), key, "rsa", map[jose.HeaderKey]any{"typ": "logout+jwt"}), 401, badToken},

		{"alg none", part(object{"alg": "none"}) + "." + pieces[1] + ".", 401, badToken},
		{"alg None, with a signature", part(object{"alg": "None", "kid": "rsa"}) + "." + pieces[1] + "." + pieces[2], 401, badToken},
		{"HS256 with the public key for a secret", i.sign(i.claims("ann"), published, "rsa", nil), 401, badToken},
		{"HS256 with its modulus", i.sign(i.claims("ann"), key.N.Bytes(), "rsa", nil), 401, badToken},
		{"another key of that name", i.sign(i.claims("ann"), ecKey(t), "rsa", nil), 401, badToken},
		{"a key that it brings along", i.sign(i.claims("ann"), ecKey(t), "", map[jose.HeaderKey]any{"jwk": object{"kty": "EC"}}), 401, badToken},
		{"a key of no such name", i.sign(i.claims("ann"), ecKey(t), "made-up", nil), 401, badToken},
		{"a claim changed", pieces[0] + "." + part(i.claims("bob")) + "." + pieces[2], 401, badToken},
		{"the signature cut off", pieces[0] + "." + pieces[1] + ".", 401, badToken},
		{"a critical header that is not known", i.sign(i.claims("ann"), key, "rsa", map[jose.HeaderKey]any{"crit": []string{"exp"}}), 401, badToken},
		{"encrypted", "a.b.c.d.e", 401, badToken},
		{"garbage", "eyJ.garbage.!", 401, badToken},
		{"a word", "garbage", 401, badToken},
		{"20 kB", with("padding", strings.Repeat("x", 20<<10)), 401, badToken},
	} {
		if len(c.token) > 10 {
			given = append(given, c.token)
		}
		got := w.withToken(c.token).ask(http.MethodPost, list, headers)
		if says := got.header.Get("WWW-Authenticate"); got.status != c.status || says != c.says {
			t.Errorf("%s: got %d %q %s; want %d %q", c.name, got.status, says, got.body, c.status, c.says)
		}
		if len(c.token) > 10 && strings.Contains(got.body, c.token) {
			t.Errorf("%s: the token is in the answer", c.name)
		}
	}
	inQuery := w.withToken(good).ask(http.MethodPost, list, changeAll(headers, func(r *http.Request) { r.URL.RawQuery = "access_token=" + good }))
	if says := inQuery.header.Get("WWW-Authenticate"); inQuery.status != 401 || says != badRequest {
		t.Errorf("in the query: got %d %q", inQuery.status, says)
	}
	log := w.stop()
	if !strings.Contains(log, "level=DEBUG") {
		t.Errorf("the log does not tell all: %s", log)
	}
	for _, token := range append(given, good, w.token) {
		signature := token[strings.LastIndex(token, ".")+1:]
		if strings.Contains(log, token) || len(signature) > 20 && strings.Contains(log, signature) {
			t.Errorf("the token %s is in the log: %s", token, log)
		}
	}
}

// The issuer may change its keys. The server does not ask for them at every
// token with an unknown key.
func TestIssuerKeyRotationIsFollowed(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	begun := time.Now()
	w := i.serve(t.TempDir(), "", "")
	list, headers := modernRequest("tools/list", object{})
	status := func(token string) int { return w.withToken(token).ask(http.MethodPost, list, headers).status }
	if got := status(i.token("ann")); got != 200 {
		t.Fatalf("the first key: %d", got)
	}
	old := i.token("ann")
	i.rotate("ec", ecKey(t))
	if got := status(i.token("ann")); got != 200 {
		t.Errorf("the next key: %d", got)
	}
	if got := status(old); got != 401 {
		t.Errorf("a key that was withdrawn: %d", got)
	}
	stranger := ecKey(t)
	for n := range 100 {
		got := w.withToken(i.sign(i.claims("ann"), stranger, strings.Repeat("k", n+1), nil)).ask(http.MethodPost, list, headers)
		if got.status != 401 && (n == 0 || got.status != 503) { // 503 while it may not ask: the key may be new
			t.Fatalf("a key of no such name: %d", got.status)
		}
		if got.status == 503 && strings.Contains(got.body, i.url) {
			t.Fatalf("the issuer, which is well, is blamed: %s", got.body)
		}
	}
	times := 4 + int64(time.Since(begun)/(15*time.Second)) + 1
	if asked := i.requestCount.Load(); asked > 3*times { // three requests each
		t.Errorf("the issuer was asked %d times for 100 tokens", asked)
	}
	i.rotate("third", ecKey(t))
	if got := status(i.token("ann")); got != 200 && got != 503 {
		t.Errorf("a key that was made while it may not be asked: %d", got)
	}
	w.stop()
}

// A stream may stay open for days. It sends nothing once its token is no longer
// valid.
func TestStreamEndsWithItsToken(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	w := i.serve(t.TempDir(), "", "")
	claims := i.claims("ann")
	claims["exp"] = claims["iat"].(int64) - 27 // three seconds more, because clocks differ
	brief := w.withToken(i.sign(claims, i.keys[0].Key, i.keys[0].KeyID, nil))
	session := brief.beginSession()
	listen, modernly := modernRequest("subscriptions/listen", object{"notifications": object{"toolsListChanged": true}})
	var all sync.WaitGroup
	for name, ask := range map[string]func(within func(*http.Request)) httpAnswer{
		"of a session": func(within func(*http.Request)) httpAnswer {
			return brief.ask(http.MethodGet, "", changeAll(session, within))
		},
		"without a session": func(within func(*http.Request)) httpAnswer {
			return brief.ask(http.MethodPost, listen, changeAll(modernly, within))
		},
	} {
		all.Go(func() {
			ctx, stop := context.WithTimeout(t.Context(), time.Minute) // an answer is read to its end: a stream that goes on fails
			defer stop()
			got := ask(func(r *http.Request) { *r = *r.WithContext(ctx) })
			if got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/event-stream") {
				t.Errorf("%s: got %d %s", name, got.status, got.body)
			}
		})
	}
	all.Wait()
}

// Without its issuer, only the people it names are refused.
func TestUnreachableIssuerRefusesOnlyItsPeople(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	i.down.Store(true)
	w := i.serve(t.TempDir(), "", "")
	list, headers := modernRequest("tools/list", object{})
	got := w.withToken(i.token("ann")).ask(http.MethodPost, list, headers)
	if got.status != 503 || !strings.Contains(got.body, i.url) || got.header.Get("Retry-After") == "" || got.header.Get("WWW-Authenticate") != "" {
		t.Errorf("got %d %s %v; want 503, and why", got.status, got.body, got.header)
	}
	if own := w.ask(http.MethodPost, list, headers); own.status != 200 {
		t.Errorf("the server's own token: %d", own.status)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503} {
		if got := w.ask(http.MethodGet, "", changeAll(header("Authorization", ""), func(r *http.Request) { r.URL.Path = path })); got.status != want {
			t.Errorf("%s: got %d, want %d", path, got.status, want)
		}
	}
	if log := w.stop(); !strings.Contains(log, "are not available") {
		t.Errorf("the log does not say why: %s", log)
	}
}
