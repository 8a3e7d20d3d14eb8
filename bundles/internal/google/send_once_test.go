package google

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/metadata"
)

// A change is sent once, whatever happens to it. If it may have happened, the
// error says that its outcome is unknown.
func TestChangeIsSentOnce(t *testing.T) {
	faults := map[string]struct {
		answer http.HandlerFunc
		code   metadata.Code
		never  bool // the answer never ends, so the client must end the exchange
	}{
		"400":               {googleError(400, "invalid", "x"), metadata.ValidationError, false},
		"401":               {googleError(401, "authError", "x"), metadata.SignInRequired, false},
		"403":               {googleError(403, "forbidden", "x"), metadata.Refused, false},
		"403 rate":          {googleError(403, "rateLimitExceeded", "x"), metadata.RateLimited, false},
		"403 day":           {googleError(403, "dailyLimitExceeded", "x"), metadata.RateLimited, false},
		"404":               {googleError(404, "notFound", "x"), metadata.NotFound, false},
		"409":               {googleError(409, "duplicate", "x"), metadata.Conflict, false},
		"410":               {googleError(410, "deleted", "x"), metadata.NotFound, false},
		"412":               {googleError(412, "conditionNotMet", "x"), metadata.Conflict, false},
		"413":               {googleError(413, "x", "x"), metadata.TooLarge, false},
		"429":               {googleError(429, "rateLimitExceeded", "x", "Retry-After", "1"), metadata.RateLimited, false},
		"500":               {googleError(500, "backendError", "x"), metadata.OutcomeUnknown, false},
		"502":               {reply(502, "<html>"), metadata.OutcomeUnknown, false},
		"503":               {googleError(503, "backendError", "x", "Retry-After", "1"), metadata.OutcomeUnknown, false},
		"504":               {reply(504, ""), metadata.OutcomeUnknown, false},
		"reset":             {resetConnection, metadata.OutcomeUnknown, false},
		"close":             {closeConnection, metadata.OutcomeUnknown, false},
		"hang":              {hang, metadata.OutcomeUnknown, true},
		"one byte a second": {oneByteASecond, metadata.OutcomeUnknown, true},
		"truncated":         {truncated, metadata.OutcomeUnknown, false},
		"half a JSON":       {cutJSON, metadata.OutcomeUnknown, false},
		"garbage":           {badHTTP, metadata.OutcomeUnknown, false},
		"HTML":              {htmlPage, metadata.OutcomeUnknown, false},
		"bad gzip":          {badGzip, metadata.OutcomeUnknown, false},
		"too long":          {reply(200, `{"id":"`+strings.Repeat("x", 5000)+`"}`), metadata.OutcomeUnknown, false},
		"a redirect":        {reply(302, "", "Location", "/elsewhere"), metadata.OutcomeUnknown, false},
		"see other":         {reply(303, "", "Location", "/elsewhere"), metadata.OutcomeUnknown, false},
		"go elsewhere":      {reply(307, "", "Location", "/elsewhere"), metadata.Unavailable, false},
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		for name, fault := range faults {
			for _, body := range []string{"", `{"raw":"eA"}`} {
				t.Run(fmt.Sprintf("%s/%s/body %d", method, name, len(body)), func(t *testing.T) {
					t.Parallel()
					// The first request leaves a connection open. net/http
					// repeats a request more readily on such a connection than
					// on a new one.
					s := serve(t, ok, fault.answer)
					client, clock := s.client(t, nil)
					if err := do(t, client, "GET", s.URL+"/gmail/v1/users/me/messages/1", ""); err != nil {
						t.Fatal(err)
					}
					if fault.never {
						client.Transport.(*transport).o.Timeout = time.Second
					}
					err := do(t, client, method, s.URL+"/gmail/v1/users/me/messages/send", body)
					if e := codeOf(t, err); e.Code != fault.code || e.Code == metadata.OutcomeUnknown && e.Retryable {
						t.Errorf("got %+v, want %s", e, fault.code)
					}
					got := s.requests()
					if fault.never && len(got) == 1 {
						return // ended before the server saw it, and not repeated either
					}
					if len(got) != 2 || len(clock.slept()) > 0 {
						t.Errorf("the server was asked %q, want two requests and no pause", got)
					}
				})
			}
		}
	}
}

// do sends a request with the headers that make net/http repeat, and returns
// its error.
func do(t *testing.T, client *http.Client, method, url, body string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(bundletest.WithUserConsent(t.Context()), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body == "" {
		req.Body, req.GetBody = nil, nil
	}
	req.Header.Set("Idempotency-Key", "1")
	resp, err := WithLimit(client, 4000).Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// recordingTransport is a base transport that records the request.
type recordingTransport struct{ req **http.Request }

func (s recordingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	*s.req = req
	return nil, metadata.Errorf(metadata.SignInRequired, "nobody is signed in")
}

func TestChangeHasNoRetryHeaders(t *testing.T) {
	var sent *http.Request
	client := Client(&http.Client{Transport: recordingTransport{&sent}}, Options{})
	do(t, client, "POST", GmailBase("")+"gmail/v1/users/me/messages/send", "{}")
	if sent.GetBody != nil || sent.Header.Get("Idempotency-Key") != "" || sent.Header.Get("X-Idempotency-Key") != "" {
		t.Errorf("net/http could repeat %+v", sent)
	}
}

// tokenRequestingTransport is a base transport that requests a token in the context of
// each request.
type tokenRequestingTransport struct{ tokens string }

func (r tokenRequestingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	token, err := http.NewRequestWithContext(context.WithoutCancel(req.Context()), "POST", r.tokens, strings.NewReader("{}"))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultTransport.RoundTrip(token)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	return http.DefaultTransport.RoundTrip(req)
}

func TestTokenRequestDoesNotCountAsChange(t *testing.T) {
	tokens, google := serve(t, ok), serve(t, ok)
	for name, endpoint := range map[string]string{"there": google.URL, "not there": "http://127.0.0.1:1"} {
		client := Client(&http.Client{Transport: tokenRequestingTransport{tokens.URL}}, Options{Endpoint: endpoint})
		err := do(t, client, "POST", endpoint+"/gmail/v1/users/me/messages/send", "{}")
		want := map[string]metadata.Code{"there": "", "not there": metadata.Unavailable}[name]
		if got := metadata.CodeOf(err); got != want {
			t.Errorf("Google is %s: got %v, want %q", name, err, want)
		}
	}
	if got := google.requests(); len(got) != 1 {
		t.Errorf("Google was asked %q", got)
	}
}
