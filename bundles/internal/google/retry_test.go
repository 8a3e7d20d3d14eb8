package google

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/metadata"
)

func TestReadIsRetriedUntilSuccess(t *testing.T) {
	for name, fault := range map[string]http.HandlerFunc{
		"429":         googleError(429, "rateLimitExceeded", "x"),
		"403 rate":    googleError(403, "rateLimitExceeded", "x"),
		"403 user":    googleError(403, "userRateLimitExceeded", "x"),
		"500":         googleError(500, "backendError", "x"),
		"502":         reply(502, "<html>", "Content-Type", "text/html"),
		"503":         reply(503, ""),
		"504":         reply(504, ""),
		"reset":       resetConnection,
		"close":       closeConnection,
		"truncated":   truncated,
		"half a JSON": cutJSON,
		"bad gzip":    badGzip,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, fault, fault, fault, ok)
			client, clock := s.client(t, nil)
			message, err := s.mail(t, client).Users.Messages.Get("me", "1").Context(t.Context()).Do()
			if err != nil || message.Id != "18c0ffee" {
				t.Fatalf("got %+v, %v, want the message", message, err)
			}
			pauses := clock.slept()
			if len(pauses) != 3 {
				t.Fatalf("it paused %v, want three times", pauses)
			}
			for i, pause := range pauses {
				if bound := firstPause << i; pause < 0 || pause >= bound {
					t.Errorf("pause %d is %v, want less than %v", i, pause, bound)
				}
			}
		})
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   time.Duration
	}{
		"in seconds":          {googleError(429, "rateLimitExceeded", "x", "Retry-After", "20"), 20 * time.Second},
		"as a date":           {googleError(503, "backendError", "x", "Retry-After", "Sat, 14 Mar 2026 09:00:30 GMT"), 30 * time.Second},
		"in Gmail's words":    {googleError(403, "userRateLimitExceeded", "User Rate Limit Exceeded. Retry after 2026-03-14T09:00:40.000Z"), 40 * time.Second},
		"in a RetryInfo":      {reply(429, `{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"11.5s"}]}}`), 11500 * time.Millisecond},
		"not what has passed": {googleError(429, "rateLimitExceeded", "x", "Retry-After", "Sat, 14 Mar 2026 08:00:00 GMT"), 0},
		"not nonsense":        {googleError(429, "rateLimitExceeded", "x", "Retry-After", "soon"), 0},
		"not below nothing":   {googleError(429, "rateLimitExceeded", "x", "Retry-After", "-5"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer, ok)
			client, clock := s.client(t, nil)
			if err := do(t, client, "GET", s.URL+"/gmail/v1/users/me/profile", ""); err != nil {
				t.Fatal(err)
			}
			if pauses := clock.slept(); len(pauses) != 1 || pauses[0] < c.want || pauses[0] >= c.want+firstPause {
				t.Errorf("it paused %v, want %v and no second more", pauses, c.want)
			}
		})
	}
}

func TestRetriesKeepToDeadline(t *testing.T) {
	t.Run("under a minute in all", func(t *testing.T) {
		s := serve(t, googleError(429, "rateLimitExceeded", "x", "Retry-After", "25"))
		client, clock := s.client(t, nil)
		err := do(t, client, "GET", s.URL+"/gmail/v1/users/me/profile", "")
		if e := codeOf(t, err); e.Code != metadata.RateLimited || len(clock.slept()) != 2 {
			t.Errorf("got %v after pauses %v, want RATE_LIMITED after two: a third would pass %v", e, clock.slept(), callTimeout)
		}
	})
	t.Run("and under the caller's deadline", func(t *testing.T) {
		s := serve(t, googleError(429, "rateLimitExceeded", "x", "Retry-After", "25"))
		client, clock := s.client(t, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err := get(ctx, client, s.URL+"/gmail/v1/users/me/profile")
		if e := codeOf(t, err); e.Code != metadata.RateLimited || !strings.Contains(e.Hint, "25 seconds") || len(clock.slept()) != 0 {
			t.Errorf("got %+v after pauses %v, want RATE_LIMITED for 25 seconds at once", e, clock.slept())
		}
	})
}

func TestContextErrorIsWrapped(t *testing.T) {
	for _, method := range []string{"GET", "POST"} {
		t.Run(method, func(t *testing.T) {
			ctx, cancel := context.WithCancel(bundletest.WithUserConsent(t.Context()))
			s := serve(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hang(w, r) })
			client, _ := s.client(t, nil)
			req, err := http.NewRequestWithContext(ctx, method, s.URL+"/gmail/v1/users/me/messages/send", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Do(req)
			want := map[string]metadata.Code{"GET": metadata.Unavailable, "POST": metadata.OutcomeUnknown}[method]
			if e := codeOf(t, err); !errors.Is(err, context.Canceled) || e.Code != want || len(s.requests()) != 1 {
				t.Errorf("got %v after %q, want context.Canceled in %s after one request", err, s.requests(), want)
			}
		})
		t.Run(method+" before it began", func(t *testing.T) {
			ctx, cancel := context.WithCancel(bundletest.WithUserConsent(t.Context()))
			cancel()
			s := serve(t, ok)
			client, _ := s.client(t, nil)
			req, err := http.NewRequestWithContext(ctx, method, s.URL+"/gmail/v1/users/me/messages/send", nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Do(req)
			if !errors.Is(err, context.Canceled) || len(s.requests()) != 0 {
				t.Errorf("got %v after %q, want context.Canceled and no request", err, s.requests())
			}
		})
	}
}

func TestSlowAnswerTimesOut(t *testing.T) {
	for name, slow := range map[string]http.HandlerFunc{"no answer": hang, "one byte a second": oneByteASecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, slow)
			client, _ := s.client(t, func(o *Options) { o.Timeout = 100 * time.Millisecond })
			_, err := s.mail(t, client).Users.Messages.List("me").Q("canary").Context(t.Context()).Do()
			if e := codeOf(t, err); e.Code != metadata.Unavailable || !e.Retryable || len(s.requests()) > 1 {
				t.Errorf("got %+v after %q, want UNAVAILABLE, to be repeated by the caller", e, s.requests())
			}
		})
	}
	t.Run("but not an upload that makes progress", func(t *testing.T) {
		t.Parallel()
		s := serve(t, ok)
		client, _ := s.client(t, func(o *Options) { o.Timeout = 600 * time.Millisecond })
		body := &slowBody{left: 8, pause: 150 * time.Millisecond}
		req, err := http.NewRequestWithContext(bundletest.WithUserConsent(t.Context()), http.MethodPost, s.URL+"/upload/gmail/v1/users/me/messages/send?uploadType=multipart", body)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	})
}

// slowBody is a body that arrives in pieces.
type slowBody struct {
	left  int
	pause time.Duration
}

func (b *slowBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	time.Sleep(b.pause)
	b.left--
	return copy(p, "piece"), nil
}

// get reads a whole answer.
func get(ctx context.Context, client *http.Client, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func TestFreeBusyQueryIsRetried(t *testing.T) {
	s := serve(t, resetConnection, reply(200, `{"kind":"calendar#freeBusy"}`))
	client, _ := s.client(t, nil)
	if err := do(t, client, "POST", s.URL+"/calendar/v3/freeBusy", `{"items":[]}`); err != nil || len(s.requests()) != 2 {
		t.Errorf("got %v after %q, want the answer to a repeated query", err, s.requests())
	}
}

func TestQueryWithUnreadableBodyIsNotRetried(t *testing.T) {
	s := serve(t, reply(503, ""))
	client, _ := s.client(t, nil)
	_, err := client.Post(s.URL+"/calendar/v3/freeBusy", "application/json", io.MultiReader(strings.NewReader("{}")))
	if codeOf(t, err).Code != metadata.Unavailable || len(s.requests()) != 1 {
		t.Errorf("got %v after %q, want UNAVAILABLE after one request", err, s.requests())
	}
}
