package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kota/cmd/kota/internal/tenant"
)

// A stolen token is refused once there is a new one, and its open streams end.
func TestNewTokenEndsStreamsOfOldToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pool, _ := newTestPool(t)
		a := pool.operator.app
		bearer, err := Bearer(a.Config)
		if err != nil {
			t.Fatal(err)
		}
		stolen, err := bearer.Token(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, err := tenant.NewAuthenticator(a.Registry(), bearer, a.DatabaseProblem, a.Now, a.Log).Admit(t.Context(), stolen)
		if err != nil {
			t.Fatal(err)
		}
		body, headers := modernRequest("subscriptions/listen", object{"notifications": object{"resourceSubscriptions": []string{"memory://theme"}}})
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		headers(r)
		w, over := httptest.NewRecorder(), make(chan struct{})
		go func() { defer close(over); pool.ServeHTTP(w, r) }()
		time.Sleep(time.Minute)
		select {
		case <-over:
			t.Fatalf("it ends before: %d %s", w.Code, w.Body)
		default:
		}
		if _, err := bearer.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		select {
		case <-over:
		default:
			t.Error("it goes on")
		}
	})
}
