package google

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"kota/metadata"
)

func TestTokenIsSentOnlyToGoogleAndLoopback(t *testing.T) {
	for _, endpoint := range []string{"", "http://127.0.0.1:8080", "https://127.0.0.1:1/", "http://[::1]:80", "http://localhost:9", "https://gmail.googleapis.com", "https://gmail.mtls.googleapis.com/"} {
		if u, err := url.Parse(cmp.Or(endpoint, "https://gmail.googleapis.com")); err != nil || !isAllowedURL(endpoint, u) {
			t.Errorf("%q is not admitted: %v", endpoint, err)
		}
	}
	for _, endpoint := range []string{
		"http://evil.example", "https://evil.example", "http://gmail.googleapis.com", "https://googleapis.com.evil.example", "https://evilgoogleapis.com",
		"https://googleapis.com", "ftp://127.0.0.1", "127.0.0.1:80", "http://127.0.0.1.evil.example",
		"http://169.254.169.254", "http://0.0.0.0", "http://localhost.evil.example", "https://evil.example\\@gmail.googleapis.com", "://", "http:",
	} {
		if u, err := url.Parse(endpoint); err == nil && isAllowedURL(endpoint, u) {
			t.Errorf("%q is admitted", endpoint)
		}
	}
}

func TestBaseURLs(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{GmailBase(""), "https://gmail.googleapis.com/"},
		{GmailBase("http://127.0.0.1:1/"), "http://127.0.0.1:1/"},
		{CalendarBase(""), "https://www.googleapis.com/calendar/v3/"},
		{CalendarBase("http://127.0.0.1:1"), "http://127.0.0.1:1/calendar/v3/"},
		{GmailBatch(""), "https://gmail.googleapis.com/batch/gmail/v1"},
		{GmailBatch("http://127.0.0.1:1"), "http://127.0.0.1:1/batch/gmail/v1"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

// authorizingTransport adds an authorization to every request, as the base transport
// does.
type authorizingTransport struct{ base http.RoundTripper }

func (b authorizingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer canary-token")
	return b.base.RoundTrip(req)
}

func TestRedirectToOtherHostIsRefused(t *testing.T) {
	evil := serve(t, ok)
	t.Run("by a redirect", func(t *testing.T) {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			for _, status := range []int{301, 302, 303, 307, 308} {
				s := serve(t, reply(status, "", "Location", evil.URL+"/x"))
				client := Client(&http.Client{Transport: authorizingTransport{http.DefaultTransport}}, Options{Endpoint: s.URL})
				if err := do(t, client, method, s.URL+"/gmail/v1/users/me/profile", ""); err == nil {
					t.Errorf("%s followed a %d", method, status)
				}
			}
		}
	})
	t.Run("by a mistake of a caller", func(t *testing.T) {
		s := serve(t, ok)
		client := Client(&http.Client{Transport: authorizingTransport{http.DefaultTransport}}, Options{Endpoint: s.URL})
		if e := codeOf(t, do(t, client, "GET", evil.URL+"/", "")); e.Code != metadata.Internal {
			t.Errorf("got %v, want INTERNAL", e)
		}
		client = Client(&http.Client{Transport: authorizingTransport{http.DefaultTransport}}, Options{})
		if e := codeOf(t, do(t, client, "GET", evil.URL+"/", "")); e.Code != metadata.Internal {
			t.Errorf("without an endpoint: got %v, want INTERNAL", e)
		}
	})
	if got := evil.requests(); len(got) > 0 {
		t.Errorf("another host was asked %q", got)
	}
}

func TestReadFollowsRedirectOnSameHost(t *testing.T) {
	s := serve(t, reply(302, "", "Location", "/gmail/v1/users/me/profile?moved=1"), ok)
	client, _ := s.client(t, nil)
	if body, err := get(t.Context(), client, s.URL+"/gmail/v1/users/me/profile"); err != nil || string(body) != `{"id":"18c0ffee"}` {
		t.Errorf("got %q, %v, want the answer", body, err)
	}
	s = serve(t, reply(302, "", "Location", "/gmail/v1/users/me/profile"))
	client, _ = s.client(t, nil)
	if e := codeOf(t, do(t, client, "GET", s.URL+"/gmail/v1/users/me/profile", "")); e.Code != metadata.Unavailable || len(s.requests()) > 5 {
		t.Errorf("in a circle: got %v after %d requests, want UNAVAILABLE after some", e, len(s.requests()))
	}
}

// A request that was certainly never sent has a known outcome: it can be
// repeated.
func TestChangeNeverSentIsUnavailable(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	mute, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections, but never speaks TLS
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler()) // with a certificate that nobody trusts
	defer secure.Close()
	for name, endpoint := range map[string]string{
		"refused":                    closed.URL,
		"a mute server":              "https://" + mute.Addr().String(),
		"an untrusted certificate":   secure.URL,
		"a name that does not exist": "https://kota-test.googleapis.com",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			below := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				if strings.HasPrefix(addr, "kota-test") {
					return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}}
				}
				return (&net.Dialer{}).DialContext(ctx, network, addr)
			}}
			client := Client(&http.Client{Transport: below}, Options{Endpoint: endpoint, Timeout: 200 * time.Millisecond})
			e := codeOf(t, do(t, client, "POST", endpoint+"/gmail/v1/users/me/messages/send", `{"raw":"eA"}`))
			if e.Code != metadata.Unavailable || !e.Retryable {
				t.Errorf("got %+v, want UNAVAILABLE and retryable", e)
			}
		})
	}
}

// failingTransport is a layer that fails by itself.
type failingTransport struct{ err error }

func (b failingTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, b.err }

func TestErrorsOfBaseTransportPassUnchanged(t *testing.T) {
	signedOut := metadata.Errorf(metadata.SignInRequired, "nobody is signed in").WithHint("Run `kota auth login`.")
	for _, method := range []string{"GET", "POST"} {
		client := Client(&http.Client{Transport: failingTransport{signedOut}}, Options{})
		if err := do(t, client, method, "https://gmail.googleapis.com/gmail/v1/users/me/profile", ""); codeOf(t, err) != signedOut {
			t.Errorf("%s: got %v, want the very error", method, err)
		}
	}
	unnamed := errors.New("the keyring is locked")
	client := Client(&http.Client{Transport: failingTransport{unnamed}}, Options{})
	err := do(t, client, "POST", "https://gmail.googleapis.com/gmail/v1/users/me/messages/send", "")
	if e := codeOf(t, err); e.Code != metadata.Internal || !errors.Is(err, unnamed) || strings.Contains(e.Message, "keyring") {
		t.Errorf("got %+v, want INTERNAL with its cause for the log alone", e)
	}
}

// Neither search words nor a token appear in anything that may be shown or
// logged.
func TestErrorsQuoteNoPrivateData(t *testing.T) {
	for name, fault := range map[string]http.HandlerFunc{
		"refused": googleError(400, "invalid", "x"), "busy": googleError(429, "rateLimitExceeded", "x"), "down": reply(503, "canary-body"),
		"reset": resetConnection, "cut": truncated, "html": reply(200, "<p>canary-body", "Content-Type", "text/html"), "redirect": reply(302, "", "Location", "http://evil.example/?q=canary-q"),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, fault)
			c := newClock()
			client := Client(&http.Client{Transport: authorizingTransport{http.DefaultTransport}}, Options{Endpoint: s.URL, Now: c.Now, Sleep: c.Sleep})
			e := codeOf(t, do(t, client, "GET", s.URL+"/gmail/v1/users/me/messages?q=canary-q", ""))
			all := e.Error() + e.Hint
			for err := e.Cause; err != nil; err = errors.Unwrap(err) {
				all += err.Error()
			}
			if strings.Contains(all, "canary") {
				t.Errorf("it quotes: %s", all)
			}
		})
	}
}
