package google

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/api/gmail/v1"

	"kota/metadata"
)

// clock is a clock that only Sleep advances.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	sleeps []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.sleeps = c.now.Add(d), append(c.sleeps, d)
	return ctx.Err()
}

func (c *clock) slept() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.sleeps)
}

// scriptedServer is a server that answers each request with the next of its steps, and
// all further ones with the last. It records the requests.
type scriptedServer struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // "GET /path"
	steps []http.HandlerFunc
}

func serve(t *testing.T, steps ...http.HandlerFunc) *scriptedServer {
	t.Helper()
	s := &scriptedServer{steps: steps}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.close)
	return s
}

// close ends hanging requests before it waits for them.
func (s *scriptedServer) close() {
	s.CloseClientConnections()
	s.Server.Close()
}

func (s *scriptedServer) handle(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	step := s.steps[min(len(s.asked), len(s.steps))-1]
	s.mu.Unlock()
	body, _ := io.ReadAll(r.Body) // otherwise the server does not notice that a client has gone
	step(w, r.WithContext(context.WithValue(r.Context(), bodyKey{}, body)))
}

func (s *scriptedServer) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// client returns a client for the server, with its own clock. change may adjust
// its options.
func (s *scriptedServer) client(t *testing.T, change func(*Options)) (*http.Client, *clock) {
	t.Helper()
	c := newClock()
	o := Options{Endpoint: s.URL, Now: c.Now, Sleep: c.Sleep, Timeout: 5 * time.Second}
	if change != nil {
		change(&o)
	}
	// Each test has its own transport, so that tests share no connection.
	below := &http.Transport{}
	t.Cleanup(below.CloseIdleConnections)
	return Client(&http.Client{Transport: below}, o), c
}

// mail returns Google's own client over this one.
func (s *scriptedServer) mail(t *testing.T, client *http.Client) *gmail.Service {
	t.Helper()
	return NewGmail(client, s.URL)
}

// reply answers with a status and a body, as JSON.
func reply(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// googleError answers with an error in Google's form.
func googleError(status int, reason, message string, headers ...string) http.HandlerFunc {
	return reply(status, fmt.Sprintf(`{"error":{"code":%d,"message":%q,"errors":[{"domain":"global","reason":%q,"message":%q}]}}`, status, message, reason, message), headers...)
}

// hang sends no answer until the client has gone.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// resetConnection reads the request and closes the connection with a RST.
func resetConnection(w http.ResponseWriter, _ *http.Request) {
	conn := hijack(w)
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// closeConnection reads the request and closes the connection.
func closeConnection(w http.ResponseWriter, _ *http.Request) { hijack(w).Close() }

// writeRaw answers with those bytes and closes the connection.
func writeRaw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn := hijack(w)
		out := bufio.NewWriter(conn)
		out.WriteString(text)
		out.Flush()
		conn.Close()
	}
}

func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	return conn
}

var (
	truncated = writeRaw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"id\":\"1\",")
	cutJSON   = reply(200, `{"id":"1","snippet":"hal`)
	htmlPage  = reply(200, "<!doctype html><title>Sign in</title>", "Content-Type", "text/html")
	badGzip   = reply(200, "this is not gzip", "Content-Encoding", "gzip")
	badHTTP   = writeRaw("these are no headers\r\n\r\n")
	ok        = reply(200, `{"id":"18c0ffee"}`)
)

// oneByteASecond sends a byte and then hangs, which looks the same to the
// client.
func oneByteASecond(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, "{")
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func codeOf(t *testing.T, err error) *metadata.Error {
	t.Helper()
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want a *metadata.Error in it", err)
	}
	return e
}
