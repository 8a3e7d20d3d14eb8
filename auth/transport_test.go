package auth_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kota/auth"
)

func TestRefusedTokenIsRenewedAndOnlyReadsAreRepeated(t *testing.T) {
	for _, method := range []string{"GET", "HEAD"} {
		w := newMachine(t)
		w.signInAs("ann")
		w.expire()
		if _, err := w.do("ann", method); err != nil {
			t.Errorf("%s: %v", method, err)
		}
		if calls, renewals := w.count("api "+method), w.count("refresh_token"); calls != 2 || renewals != 1 {
			t.Errorf("%s: %d calls and %d renewals", method, calls, renewals)
		}
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		w := newMachine(t)
		w.signInAs("ann")
		w.expire()
		if _, err := w.do("ann", method); !isA[*auth.RenewedError](err) {
			t.Errorf("%s: got %v", method, err)
		}
		if calls, renewals := w.count("api "+method), w.count("refresh_token"); calls != 1 || renewals != 1 {
			t.Errorf("%s: %d calls and %d renewals", method, calls, renewals)
		}
		if body, err := w.do("ann", method); body != "hello" || err != nil || w.count("refresh_token") != 1 {
			t.Errorf("%s: the next time: %q, %v", method, body, err)
		}
	}
}

func TestSecondRefusalEndsCall(t *testing.T) {
	for name, change := range map[string]func(w *machine){
		"of every token":                func(w *machine) { w.before = func(*http.Request) { w.expire() } },
		"of one that is given again":    func(w *machine) { w.expire(); w.more["access_token"] = "CANARY-the-same" },
		"of one that cannot be renewed": func(w *machine) { w.expire(); clear(w.refresh) },
	} {
		w := newMachine(t)
		w.signInAs("ann")
		change(w)
		if _, err := w.get("ann"); !isA[*auth.ExpiredError](err) {
			t.Errorf("%s: got %v", name, err)
		}
		if calls, renewals := w.count("api GET"), w.count("refresh_token"); calls > 2 || renewals != 1 {
			t.Errorf("%s: %d calls and %d renewals", name, calls, renewals)
		}
		if _, err := w.get("ann"); !isA[*auth.ExpiredError](err) || w.count("api GET") > 4 || w.count("refresh_token") > 3 {
			t.Errorf("%s: the next time: %v after %d calls and %d renewals", name, err, w.count("api GET"), w.count("refresh_token"))
		}
	}
}

func TestRedirectDropsAuthorization(t *testing.T) {
	var seen []string
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
		fmt.Fprint(w, "elsewhere")
	}))
	defer elsewhere.Close()
	for name, to := range map[string]string{
		"another port":          elsewhere.URL,
		"another name for here": strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1),
	} {
		w := newMachine(t)
		w.signInAs("ann")
		w.serve = func(rw http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/x" {
				http.Redirect(rw, r, "/api/y", http.StatusFound)
				return
			}
			http.Redirect(rw, r, to, http.StatusFound)
		}
		seen = nil
		client, _, err := w.HTTPClient(t.Context(), "ann")
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequest("GET", w.URL+"/api/x", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer the-callers-own")
		resp, err := client.Do(req)
		if err != nil || resp.StatusCode != 200 || len(seen) != 1 || seen[0] != "" {
			t.Errorf("%s: got %v; it saw %q", name, err, seen)
		}
		if n := w.count("api GET"); n != 2 { // both with the token: the first redirect stays on the same origin
			t.Errorf("%s: %d calls", name, n)
		}
	}
}

// A recorder is a network in which every host answers.
type recorder struct{ sent []*http.Request }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.sent = append(r.sent, req)
	return &http.Response{StatusCode: 200, Body: http.NoBody, Header: http.Header{}, Request: req}, nil
}

func TestTokenGoesOnlyToGoogleAPIsAndLoopback(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	network := &recorder{}
	w.options.Transport = network
	w.restart()
	client, _, err := w.HTTPClient(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"https://gmail.googleapis.com/x", "https://www.googleapis.com/calendar/v3/", "https://GMAIL.googleapis.com:443/", "http://127.0.0.1:1/", "http://[::1]:1/", "http://localhost:1/",
	} {
		req, err := http.NewRequest("GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer of-somebody-else")
		resp, err := client.Do(req)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		sent := network.sent[len(network.sent)-1]
		if got := sent.Header.Get("Authorization"); !strings.HasPrefix(got, "Bearer CANARY-access") {
			t.Errorf("%s: it carried %q", address, got)
		}
		if strings.Contains(fmt.Sprint(resp.Request.Header), "CANARY") || strings.Contains(fmt.Sprint(req.Header), "CANARY") {
			t.Errorf("%s: the caller sees the token", address)
		}
	}
	n := len(network.sent)
	for _, address := range []string{
		"https://evil.example/", "http://gmail.googleapis.com/", "https://googleapis.com.evil.example/", "https://evilgoogleapis.com/",
		"https://evil.example/?x=.googleapis.com", "https://gmail.googleapis.com@evil.example/", "http://127.0.0.1.evil.example/", "http://10.0.0.1/", "https://accounts.google.com/",
	} {
		_, err := client.Post(address, "text/plain", io.NopCloser(strings.NewReader("x")))
		if _, ok := errors.AsType[*auth.HostError](err); !ok {
			t.Errorf("%s: got %v", address, err)
		}
	}
	if len(network.sent) != n {
		t.Errorf("%d requests left all the same", len(network.sent)-n)
	}
}

func TestOneClientPerAccount(t *testing.T) {
	w := newMachine(t)
	w.signInAs("ann")
	w.signInAs("bob")
	ann, account, err := w.HTTPClient(t.Context(), "")
	if err != nil || account.Name != "ann" {
		t.Fatalf("got %+v, %v", account, err)
	}
	again, _, err := w.HTTPClient(t.Context(), "Ann@example.com")
	if err != nil || again != ann {
		t.Errorf("it is another one, %v", err)
	}
	if bob, _, err := w.HTTPClient(t.Context(), "bob"); err != nil || bob == ann {
		t.Errorf("bob's is ann's, %v", err)
	}
}
