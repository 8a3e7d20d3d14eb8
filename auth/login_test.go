package auth_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/auth"
)

func TestSignInThroughBrowser(t *testing.T) {
	w := newMachine(t)
	l := w.login("")
	l.FindAddress = func(ctx context.Context, client *http.Client) (string, error) {
		resp, err := client.Get(w.URL + "/api/profile")
		if err != nil {
			return "", err
		}
		body, err := io.ReadAll(resp.Body)
		return string(body) + "@Example.com", err
	}
	account, err := w.Login(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if account.Name != "hello@example.com" || account.Address != "hello@Example.com" || !account.Default || account.Problem != nil {
		t.Errorf("got %+v", account)
	}
	if !slices.Equal(account.Scopes, []string{readonly, send}) || !account.SignedIn.Equal(w.now()) {
		t.Errorf("got %+v", account)
	}
	if body, err := w.get(""); body != "hello" || err != nil {
		t.Errorf("got %q, %v", body, err)
	}
	w.restart()
	if body, err := w.get("HELLO@example.com"); body != "hello" || err != nil {
		t.Errorf("after a restart: got %q, %v", body, err)
	}
	if n := w.count("refresh_token"); n != 0 {
		t.Errorf("%d renewals", n)
	}
}

// requestCallback sends a request to the listener of a sign-in, as a web page or another program may.
func requestCallback(t *testing.T, method, address, host string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body), resp.Header
}

// redirectOf is a browser that stops when Google redirects back. It returns that address.
func redirectOf(t *testing.T, page string) *url.URL {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestOnlyValidCallbackEndsSignIn(t *testing.T) {
	w := newMachine(t)
	l := w.login("ann")
	l.Browser = func(page string) error {
		back := redirectOf(t, page)
		with := func(change func(url.Values)) string {
			u, q := *back, back.Query()
			change(q)
			u.RawQuery = q.Encode()
			return u.String()
		}
		right := back.Query().Get("state")
		for name, c := range map[string]struct {
			method, address, host string
			want                  int
		}{
			"a foreign state":           {"GET", with(func(q url.Values) { q.Set("state", strings.Repeat("x", len(right))) }), "", 400},
			"a cut state":               {"GET", with(func(q url.Values) { q.Set("state", right[1:]) }), "", 400},
			"no state":                  {"GET", with(func(q url.Values) { q.Del("state") }), "", 400},
			"two states":                {"GET", with(func(q url.Values) { q.Add("state", "x") }), "", 400},
			"an error of somebody else": {"GET", with(func(q url.Values) { q.Set("state", "x"); q.Set("error", "access_denied") }), "", 400},
			"an error without a state":  {"GET", back.Scheme + "://" + back.Host + back.Path + "?error=access_denied", "", 400},
			"neither code nor error":    {"GET", with(func(q url.Values) { q.Del("code") }), "", 400},
			"another path":              {"GET", "http://" + back.Host + "/?" + back.RawQuery, "", 404},
			"an icon":                   {"GET", "http://" + back.Host + "/favicon.ico", "", 404},
			"a name that leads here":    {"GET", back.String(), "evil.example:" + back.Port(), 403},
			"localhost by name":         {"GET", back.String(), "localhost:" + back.Port(), 403},
			"a form":                    {"POST", back.String(), "", 405},
			"an inquiry":                {"OPTIONS", back.String(), "", 405},
		} {
			status, body, header := requestCallback(t, c.method, c.address, c.host)
			if status != c.want || header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: got %d, want %d", name, status, c.want)
			}
			if strings.Contains(body, right) || strings.Contains(body, back.Query().Get("code")) {
				t.Errorf("%s: the page tells what it was asked", name)
			}
		}
		return browse(back.String())
	}
	if _, err := w.Login(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if n := w.count("authorization_code"); n != 1 {
		t.Errorf("%d codes were exchanged", n)
	}
}

func TestCallbackCountsOnce(t *testing.T) {
	w := newMachine(t)
	arrived, goOn := make(chan struct{}), make(chan struct{})
	w.fault = func(http.ResponseWriter, *http.Request) bool {
		close(arrived)
		<-goOn
		return false
	}
	pages := make(chan string, 2)
	var listener string
	l := w.login("ann")
	l.Browser = func(page string) error {
		back := redirectOf(t, page)
		listener = back.Host
		go func() {
			<-arrived
			status, body, _ := requestCallback(t, "GET", back.String(), "")
			if status != 200 {
				t.Errorf("the second time: status %d", status)
			}
			close(goOn)
			pages <- body
		}()
		status, body, header := requestCallback(t, "GET", back.String(), "")
		if status != 200 {
			t.Errorf("status %d", status)
		}
		for name, want := range map[string]string{
			"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: got %q", name, got)
			}
		}
		if got := header.Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'") {
			t.Errorf("the policy is %q", got)
		}
		pages <- body
		return nil
	}
	if _, err := w.Login(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	all := <-pages + <-pages
	for _, want := range []string{"You are signed in", "Already received", "close this page", "color-scheme", "</html>"} {
		if !strings.Contains(all, want) {
			t.Errorf("no page says %q", want)
		}
	}
	for _, never := range []string{"<script", "src=", "href=", "CANARY"} {
		if strings.Contains(all, never) {
			t.Errorf("a page has %q", never)
		}
	}
	if n := w.count("authorization_code"); n != 1 {
		t.Errorf("%d codes were exchanged", n)
	}
	if conn, err := net.Dial("tcp", listener); err == nil {
		conn.Close()
		t.Error("it still listens after the sign-in")
	}
}

func TestFailedSignInStoresNothing(t *testing.T) {
	lead := func(query url.Values) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			query.Set("state", r.URL.Query().Get("state"))
			http.Redirect(w, r, r.URL.Query().Get("redirect_uri")+"?"+query.Encode(), http.StatusFound)
			return true
		}
	}
	for name, c := range map[string]struct {
		change func(*machine, *auth.Login)
		want   func(error) bool
	}{
		"declined": {func(w *machine, _ *auth.Login) { w.page = lead(url.Values{"error": {"access_denied"}}) }, isError(auth.ErrDenied)},
		"the organisation forbids it": {func(w *machine, _ *auth.Login) { w.page = lead(url.Values{"error": {"admin_policy_enforced"}}) },
			func(err error) bool { return strings.Contains(err.Error(), "administrator") }},
		"an error that is none": {func(w *machine, _ *auth.Login) { w.page = lead(url.Values{"error": {"<b>CANARY</b>"}}) }, isA[*auth.RefusedError]},
		"a code that is none":   {func(w *machine, _ *auth.Login) { w.page = lead(url.Values{"code": {"CANARY-code"}}) }, isA[*auth.RefusedError]},
		"Google does not answer": {func(w *machine, _ *auth.Login) {
			w.fault = func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(503); return true }
		}, isA[*auth.UnreachableError]},
		"no box was ticked":  {func(w *machine, _ *auth.Login) { w.grants = []string{} }, isError(auth.ErrNothingGranted)},
		"another's box was":  {func(w *machine, _ *auth.Login) { w.grants = []string{"openid"} }, isError(auth.ErrNothingGranted)},
		"no refresh token":   {func(w *machine, _ *auth.Login) { w.withhold = true }, isError(auth.ErrNoRefreshToken)},
		"nobody knows whose": {func(_ *machine, l *auth.Login) { l.Account, l.FindAddress = "", failToFindAddress }, isError(errTest)},
		"an address that is none": {func(_ *machine, l *auth.Login) {
			l.Account, l.FindAddress = "", func(context.Context, *http.Client) (string, error) { return "a/b@example.com", nil }
		}, isError(auth.ErrBadName)},
		"nobody comes back": {func(w *machine, l *auth.Login) {
			w.SetLoginTimeout(20 * time.Millisecond)
			l.Browser = func(string) error { return nil }
		}, isError(auth.ErrTimeout)},
		"a name that is a path":    {func(_ *machine, l *auth.Login) { l.Account = "../x" }, isError(auth.ErrBadName)},
		"nothing to ask for":       {func(_ *machine, l *auth.Login) { l.Scopes = nil }, isAny},
		"no way to show the page":  {func(_ *machine, l *auth.Login) { l.Browser = nil }, isAny},
		"no client":                {func(w *machine, _ *auth.Login) { os.Remove(filepath.Join(w.home, "google-client.json")) }, isError(auth.ErrNoClient)},
		"a folder others write to": {func(w *machine, _ *auth.Login) { mkdir(w.t, filepath.Join(w.home, "tokens"), 0o777) }, isA[*auth.UnsafeError]},
	} {
		t.Run(name, func(t *testing.T) {
			w := newMachine(t)
			l := w.login("ann")
			c.change(w, &l)
			if _, err := w.Login(t.Context(), l); err == nil || !c.want(err) || strings.Contains(err.Error(), "CANARY") {
				t.Errorf("got %v", err)
			}
			if left, _ := filepath.Glob(filepath.Join(w.home, "tokens", "*.json")); len(left) != 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

func TestSignInEndsWithContext(t *testing.T) {
	w := newMachine(t)
	ctx, cancel := context.WithCancel(t.Context())
	l := w.login("ann")
	l.Browser = func(string) error { cancel(); return nil }
	if _, err := w.Login(ctx, l); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	ctx, interrupt := context.WithCancelCause(t.Context())
	l.Browser = func(string) error { interrupt(errTest); return nil }
	if _, err := w.Login(ctx, l); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cause of its own: got %v", err)
	}
}

func TestGrantedScopesAreStored(t *testing.T) {
	w := newMachine(t)
	w.grants = []string{readonly} // the user has unticked the other scope
	if account := w.signInAs("ann"); !slices.Equal(account.Scopes, []string{readonly}) {
		t.Errorf("got %v", account.Scopes)
	}
}
