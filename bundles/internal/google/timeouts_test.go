package google

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/metadata"
)

// hangingTransport is a base transport that waits for a token until its context
// ends.
type hangingTransport struct{}

func (hangingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

// ignoreBody is a server that reads no more of a body than its connection buffers.
func ignoreBody(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func TestEveryRequestPathTimesOut(t *testing.T) {
	if got := newAccount(Options{}).o.Timeout; got != 30*time.Second {
		t.Errorf("a request may last %v, want 30 s", got)
	}
	large := bytes.Repeat([]byte("x"), 20<<20)
	for path, c := range map[string]struct {
		method, url string
		body        []byte
	}{
		"a read":          {"GET", "/gmail/v1/users/me/messages", nil},
		"an attachment":   {"GET", "/gmail/v1/users/me/messages/1/attachments/2", nil},
		"events":          {"GET", "/calendar/v3/calendars/primary/events", nil},
		"a long query":    {"POST", "/calendar/v3/freeBusy", []byte("{}")},
		"a send":          {"POST", "/gmail/v1/users/me/drafts/send", []byte("{}")},
		"an invitation":   {"POST", "/calendar/v3/calendars/primary/events?sendUpdates=all", []byte("{}")},
		"a change":        {"PATCH", "/calendar/v3/calendars/primary/events/1", []byte("{}")},
		"a deletion":      {"DELETE", "/calendar/v3/calendars/primary/events/1", nil},
		"a large upload":  {"POST", "/upload/gmail/v1/users/me/drafts?uploadType=multipart", large},
		"a batch of them": {"BATCH", "/batch/gmail/v1", nil},
	} {
		for fault, slow := range map[string]http.HandlerFunc{"no answer": hang, "one byte a second": oneByteASecond, "no token": nil, "nothing is taken": ignoreBody} {
			t.Run(path+"/"+fault, func(t *testing.T) {
				t.Parallel()
				s := serve(t, slow)
				client, _ := s.client(t, func(o *Options) { o.Timeout = 200 * time.Millisecond })
				if slow == nil {
					client = Client(&http.Client{Transport: hangingTransport{}}, Options{Endpoint: s.URL, Timeout: 200 * time.Millisecond})
				}
				err := sendUnlimited(bundletest.WithUserConsent(t.Context()), client, c.method, s.URL+c.url, c.body)
				if code := metadata.CodeOf(err); code != metadata.Unavailable && code != metadata.OutcomeUnknown {
					t.Errorf("got %v, want UNAVAILABLE or OUTCOME_UNKNOWN", err)
				}
			})
		}
	}
}

// sendUnlimited makes a request with a context that never ends, and returns its error.
func sendUnlimited(ctx context.Context, client *http.Client, method, url string, body []byte) error {
	ctx = context.WithoutCancel(ctx)
	if method == "BATCH" {
		answers, err := Batch(ctx, client, url, []string{"/gmail/v1/users/me/messages/1", "/gmail/v1/users/me/messages/2"})
		if err == nil {
			err = answers[0].Err
		}
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return err
	}
	if body != nil {
		req.Body = io.NopCloser(bytes.NewReader(body))
		req.ContentLength = int64(len(body))
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func TestConcurrentCallsShareByteBudget(t *testing.T) {
	const each = 1 << 20
	s := serve(t, answerOfSize(each, true))
	client, _ := s.client(t, nil)
	first, end := context.WithCancel(bundletest.WithUserConsent(t.Context()))
	first = (&bundles.Env{}).NewCallContext(first)
	for range maxCallBytes / each {
		if _, err := get(first, client, s.URL+"/gmail/v1/users/me/messages/1"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := get(first, client, s.URL+"/gmail/v1/users/me/messages/1"); codeOf(t, err).Code != metadata.TooLarge {
		t.Errorf("beyond what a call may have: got %v, want TOO_LARGE", err)
	}
	if _, err := get(first, WithLimit(client, 1000), s.URL+"/gmail/v1/users/me/messages/1"); codeOf(t, err).Code != metadata.TooLarge {
		t.Errorf("got %v", err)
	}
	second, leave := context.WithCancel(bundletest.WithUserConsent(t.Context()))
	defer leave()
	second = (&bundles.Env{}).NewCallContext(second)
	waits := make(chan error, 1)
	go func() { _, err := get(second, client, s.URL+"/gmail/v1/users/me/messages/1"); waits <- err }()
	small := serve(t, reply(200, `{"a":"`+strings.Repeat("x", 1000)+`"}`))
	other, _ := small.client(t, nil)
	if _, err := get(t.Context(), other, small.URL+"/gmail/v1/users/me/messages/1"); err != nil {
		t.Errorf("who gets little waits for nobody: %v", err)
	}
	select {
	case err := <-waits:
		t.Errorf("another call that gets much did not wait: %v", err)
	default:
	}
	end()
	if err := <-waits; err != nil {
		t.Errorf("after the first call's end: %v", err)
	}
}
