package auth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/auth"
)

// callTogether runs n calls at the same time and returns their errors.
func callTogether(n int, call func() error) []error {
	outcomes := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { outcomes[i] = call() })
	}
	all.Wait()
	return outcomes
}

// gate blocks callers until n have come, and then lets all pass, later ones too.
func gate(n int) (pass func()) {
	var mu sync.Mutex
	open := make(chan struct{})
	return func() {
		mu.Lock()
		if n--; n == 0 {
			close(open)
		}
		mu.Unlock()
		<-open
	}
}

func TestManyCallsRenewOnce(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.advance(time.Hour)
	for _, err := range callTogether(20, func() error { _, err := w.get("ann"); return err }) {
		if err != nil {
			t.Error(err)
		}
	}
	if n := w.count("refresh_token"); n != 1 {
		t.Errorf("%d renewals", n)
	}
}

func TestManyRefusedCallsRenewOnce(t *testing.T) {
	const n = 12
	w := newMachine(t)
	w.signInAs("ann")
	w.expire() // though it has an hour left
	pass := gate(n)
	w.before = func(*http.Request) { pass() }
	for _, err := range callTogether(n, func() error { _, err := w.get("ann"); return err }) {
		if err != nil {
			t.Error(err)
		}
	}
	if renewals, calls := w.count("refresh_token"), w.count("api GET"); renewals != 1 || calls != 2*n {
		t.Errorf("%d renewals and %d calls", renewals, calls)
	}
}

func TestTokenIsRenewedAMinuteBeforeExpiry(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	for _, step := range []struct {
		pass time.Duration
		want int
	}{{3599*time.Second - 61*time.Second, 0}, {time.Second, 1}, {0, 1}, {time.Hour, 2}} {
		w.advance(step.pass)
		if _, err := w.get("ann"); err != nil {
			t.Fatal(err)
		}
		if n := w.count("refresh_token"); n != step.want {
			t.Errorf("after %v more: %d renewals, want %d", step.pass, n, step.want)
		}
	}
	if n := w.count("api GET"); n != 4 {
		t.Errorf("%d calls", n)
	}
}

func TestRenewedTokenIsStoredBeforeUse(t *testing.T) {
	for _, rotate := range []bool{false, true} {
		w := newMachine(t)
		w.rotate = rotate
		w.signInAs("ann")
		file := filepath.Join(w.home, "tokens", "ann.json")
		w.advance(time.Hour)
		w.before = func(r *http.Request) {
			token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
			if stored := read(t, file); !strings.Contains(stored, token) {
				t.Error("a token is used that is not stored")
			}
		}
		if _, err := w.get("ann"); err != nil {
			t.Fatal(err)
		}
		for live := range w.refresh {
			if !strings.Contains(read(t, file), live) {
				t.Errorf("rotate %v: the live refresh token is not stored", rotate)
			}
		}
		w.restart()
		w.advance(time.Hour)
		ann, err := w.Find("ann")
		if _, getErr := w.get("ann"); err != nil || getErr != nil || !ann.Refreshed.Equal(w.now().Add(-time.Hour)) {
			t.Errorf("rotate %v: after a restart: %+v, %v", rotate, ann, errors.Join(err, getErr))
		}
	}
}

func TestRenewalUpdatesScopes(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.advance(time.Hour)
	for token := range w.refresh {
		w.refresh[token] = send
	}
	if _, err := w.get("ann"); err != nil {
		t.Fatal(err)
	}
	if ann, err := w.Find("ann"); err != nil || !slices.Equal(ann.Scopes, []string{send}) {
		t.Errorf("got %v, %v", ann.Scopes, err)
	}
}

// endedLine matches the only line that the end of a sign-in adds to the account's file.
var endedLine = regexp.MustCompile(`\n  "ended": "[^"]*",`)

func TestRenewalErrors(t *testing.T) {
	answer := func(status int, kind, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return true
		}
	}
	const object, html = "application/json", "text/html"
	for name, c := range map[string]struct {
		fault func(http.ResponseWriter, *http.Request) bool
		want  func(error) bool
		says  string
	}{
		"invalid_client":      {answer(401, object, `{"error":"invalid_client","error_description":"CANARY"}`), isA[*auth.RefusedError], "download the JSON"},
		"deleted_client":      {answer(401, object, `{"error":"deleted_client"}`), isA[*auth.RefusedError], "download the JSON"},
		"a policy":            {answer(400, object, `{"error":"admin_policy_enforced"}`), isA[*auth.RefusedError], "administrator"},
		"a code that is none": {answer(400, object, `{"error":"CANARY <b>"}`), isA[*auth.UnreachableError], "400"},
		"too many":            {answer(429, object, `{"error":"rate_limit_exceeded"}`), isA[*auth.UnreachableError], "429"},
		"500":                 {answer(500, object, `{"error":"internal_failure"}`), isA[*auth.UnreachableError], "500"},
		"503 in HTML":         {answer(503, html, `<h1>CANARY`), isA[*auth.UnreachableError], "503"},
		"HTML":                {answer(200, html, `<h1>CANARY`), isA[*auth.UnreachableError], "its answer is invalid"},
		"404 in HTML":         {answer(404, html, `<h1>CANARY`), isA[*auth.UnreachableError], "404"},
		"no token":            {answer(200, object, `{"token_type":"Bearer"}`), isA[*auth.UnreachableError], "no token"},
		"a token in two":      {answer(200, object, `{"access_token":"CANARY a\r\nX: b"}`), isA[*auth.UnreachableError], "no usable token"},
		"an error with 200":   {answer(200, object, `{"error":"invalid_grant"}`), isA[*auth.ExpiredError], "Testing"},
		"endless":             {answer(200, object, `{"access_token":"`+strings.Repeat("x", 3<<20)), isA[*auth.UnreachableError], "its answer is invalid"},
		"a way elsewhere": {func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
			return true
		}, isA[*auth.UnreachableError], "307"},
		"a reset": {func(w http.ResponseWriter, r *http.Request) bool { panic(http.ErrAbortHandler) }, isA[*auth.UnreachableError], "connection"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newMachine(t)
			w.signInAs("ann")
			before := read(t, filepath.Join(w.home, "tokens", "ann.json"))
			w.advance(time.Hour)
			w.fault = c.fault
			_, err := w.get("ann")
			if !c.want(err) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "CANARY") {
				t.Errorf("got %v", err)
			}
			if n := w.count("refresh_token"); n != 1 {
				t.Errorf("%d token requests", n)
			}
			after := endedLine.ReplaceAllString(read(t, filepath.Join(w.home, "tokens", "ann.json")), "")
			if w.count("api GET") != 0 || after != before {
				t.Error("the API was asked, or the account has changed")
			}
			w.fault = nil
			if _, err := w.get("ann"); err != nil && !isA[*auth.ExpiredError](err) {
				t.Errorf("when that is over: %v", err)
			}
		})
	}
}

func TestTokenEndpointMissing(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	t.Run("does not matter as long as the token is good", func(t *testing.T) {
		w.advance(3599*time.Second - 30*time.Second)
		w.fault = func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(503); return true }
		if _, err := w.get("ann"); err != nil {
			t.Error(err)
		}
	})
	w.advance(time.Minute)
	w.Close()
	_, err := w.get("ann")
	if !isA[*auth.UnreachableError](err) || !strings.Contains(err.Error(), "connection") {
		t.Errorf("got %v", err)
	}
}

// The endpoint hangs before its answer or in the middle of it, or sends a byte now and then. A
// caller must not wait longer than for an endpoint that does not exist.
func TestHangingTokenEndpointTimesOut(t *testing.T) {
	over := make(chan struct{})
	hang := func(r *http.Request) bool {
		select {
		case <-over:
		case <-r.Context().Done():
		}
		return true
	}
	for name, fault := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"before its answer": func(_ http.ResponseWriter, r *http.Request) bool { return hang(r) },
		"within its answer": func(w http.ResponseWriter, r *http.Request) bool {
			io.WriteString(w, `{"access_token":"CANARY`)
			w.(http.Flusher).Flush()
			return hang(r)
		},
		"a byte at a time": func(w http.ResponseWriter, r *http.Request) bool {
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				select {
				case <-over:
					return true
				case <-time.After(time.Millisecond):
				}
			}
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newMachine(t)
			w.signInAs("ann")
			w.SetTokenTimeout(20 * time.Millisecond)
			w.advance(time.Hour)
			w.setFault(fault)
			var together sync.WaitGroup
			for range 3 {
				together.Go(func() {
					if _, err := w.get("ann"); !isA[*auth.UnreachableError](err) || strings.Contains(err.Error(), "CANARY") {
						t.Errorf("got %v", err)
					}
				})
			}
			together.Wait()
			w.setFault(nil)
			w.SetTokenTimeout(time.Minute)
			if body, err := w.get("ann"); body != "hello" || err != nil {
				t.Errorf("when that is over: %q, %v", body, err)
			}
		})
	}
	close(over)
}

func TestCancelledCallerDoesNotStopRenewalWhileOthersWait(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.advance(time.Hour)
	asked, goOn := make(chan struct{}), make(chan struct{})
	w.fault = func(http.ResponseWriter, *http.Request) bool {
		close(asked)
		<-goOn
		return false
	}
	client, _, err := w.HTTPClient(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() {
		req, err := http.NewRequestWithContext(ctx, "GET", w.URL+"/api/x", nil)
		if err == nil {
			_, err = client.Do(req)
		}
		first <- err
	}()
	<-asked
	go func() { _, err := w.get("ann"); second <- err }()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	close(goOn)
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}
	if n := w.count("refresh_token"); n != 1 {
		t.Errorf("%d renewals", n)
	}
}

func TestTokenTimeoutIsNotCallersDeadline(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.advance(time.Hour)
	w.options.Transport = timeoutTransport{}
	w.restart()
	if _, err := w.get("ann"); !isA[*auth.UnreachableError](err) || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "in time") {
		t.Errorf("got %v", err)
	}
}

// A timeoutTransport is a network in which every deadline has passed.
type timeoutTransport struct{}

func (timeoutTransport) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, context.DeadlineExceeded
}

// The bundles' transport traces its request, to know whether a mail may have been sent. The
// request for a token must not appear in that trace.
func TestRenewalIsNotTracedAsCallersRequest(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.advance(time.Hour)
	client, _, err := w.HTTPClient(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	w.Close() // no connection is possible
	connections := 0
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GetConn: func(string) { connections++ }})
	req, err := http.NewRequestWithContext(ctx, "POST", w.URL+"/api/x", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Do(req); !isA[*auth.UnreachableError](err) || connections != 0 {
		t.Errorf("got %v, and %d connections seemed to be for it", err, connections)
	}
}

func TestUnstoredTokenIsUsed(t *testing.T) {
	w := newMachine(t)
	w.rotate = true
	w.signInAs("ann")
	dir := filepath.Join(w.home, "tokens")
	file := filepath.Join(dir, "ann.json")
	w.fault = func(http.ResponseWriter, *http.Request) bool {
		// This acts like a full disk: no file can be created in the folder or moved into it.
		if err := os.Rename(dir, dir+"2"); err != nil {
			t.Error(err)
		}
		return false
	}
	w.advance(time.Hour)
	client, _, err := w.HTTPClient(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := client.Get(w.URL + "/api/x"); err != nil || resp.StatusCode != 200 {
		t.Fatalf("got %v", err)
	}
	w.fault = nil
	if err := os.Rename(dir+"2", dir); err != nil {
		t.Fatal(err)
	}
	w.advance(time.Hour)
	if resp, err := client.Get(w.URL + "/api/x"); err != nil || resp.StatusCode != 200 {
		t.Errorf("the next time: got %v", err)
	}
	for live := range w.refresh {
		if !strings.Contains(read(t, file), live) {
			t.Error("when there is room again it is still not stored")
		}
	}
}

// A renewal that began before the API refused the token may return that same token.
func TestEarlierRenewalDoesNotReturnRefusedToken(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	refused, err := w.Token(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, w.BeginRenewal("ann", refused))
	if got, err := w.Token(t.Context(), "ann", refused); err != nil || got == refused {
		t.Errorf("got %q, %v; want another token than the refused one", got, err)
	}
}
