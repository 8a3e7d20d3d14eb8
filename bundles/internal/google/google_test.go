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
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"kota/metadata"
)

// A clock runs when somebody sleeps.
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

// A script is a server that answers each request with the next of its steps,
// and all further ones with the last. It keeps what it was asked.
type script struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // "GET /path"
	steps []http.HandlerFunc
}

func serve(t *testing.T, steps ...http.HandlerFunc) *script {
	t.Helper()
	s := &script{steps: steps}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.close)
	return s
}

// close ends hanging requests before it waits for them.
func (s *script) close() {
	s.CloseClientConnections()
	s.Server.Close()
}

func (s *script) handle(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	step := s.steps[min(len(s.asked), len(s.steps))-1]
	s.mu.Unlock()
	io.Copy(io.Discard, r.Body) // else the server does not see a client go away
	step(w, r)
}

func (s *script) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// client returns a client for the server, with a clock of its own. change may
// adjust its options.
func (s *script) client(t *testing.T, change func(*Options)) (*http.Client, *clock) {
	t.Helper()
	c := newClock()
	o := Options{Endpoint: s.URL, Now: c.Now, Sleep: c.Sleep, Timeout: 5 * time.Second}
	if change != nil {
		change(&o)
	}
	// A transport of its own, so that no connection is shared between tests.
	below := &http.Transport{}
	t.Cleanup(below.CloseIdleConnections)
	return Client(&http.Client{Transport: below}, o), c
}

// mail returns Google's own client on top.
func (s *script) mail(t *testing.T, client *http.Client) *gmail.Service {
	t.Helper()
	service, err := gmail.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(GmailBase(s.URL)))
	if err != nil {
		t.Fatal(err)
	}
	return service
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

// fails answers with an error as Google writes it.
func fails(status int, reason, message string, headers ...string) http.HandlerFunc {
	return reply(status, fmt.Sprintf(`{"error":{"code":%d,"message":%q,"errors":[{"domain":"global","reason":%q,"message":%q}]}}`, status, message, reason, message), headers...)
}

// hangs answers nothing until the client goes away.
func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// resets reads the request and closes the connection with a RST.
func resets(w http.ResponseWriter, _ *http.Request) {
	conn := hijack(w)
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// closes reads the request and closes the connection.
func closes(w http.ResponseWriter, _ *http.Request) { hijack(w).Close() }

// writes answers with those bytes and closes the connection.
func writes(text string) http.HandlerFunc {
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
	truncated = writes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"id\":\"1\",")
	cutJSON   = reply(200, `{"id":"1","snippet":"hal`)
	htmlPage  = reply(200, "<!doctype html><title>Sign in</title>", "Content-Type", "text/html")
	badGzip   = reply(200, "this is not gzip", "Content-Encoding", "gzip")
	badHTTP   = writes("these are no headers\r\n\r\n")
	ok        = reply(200, `{"id":"18c0ffee"}`)
)

// oneByteASecond sends a byte and then hangs, which is how the client sees it.
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

// Google's own client on top: what a handler gets is KOTA's error.
func TestEveryAnswerHasTheCodeThatHelps(t *testing.T) {
	scope := reply(403, `{"error":{"code":403,"message":"Request had insufficient authentication scopes.","errors":[{"reason":"insufficientPermissions"}],"status":"PERMISSION_DENIED",
		"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"ACCESS_TOKEN_SCOPE_INSUFFICIENT"}]}}`)
	off := reply(403, `{"error":{"code":403,"message":"Gmail API has not been used in project 1 before or it is disabled.","status":"PERMISSION_DENIED","details":[{"reason":"SERVICE_DISABLED"}]}}`)
	for name, c := range map[string]struct {
		answer    http.HandlerFunc
		code      metadata.Code
		says      string // in the message or the hint
		status    int
		reason    string
		requests  int
		retryable bool
	}{
		"an invalid argument":        {fails(400, "invalidArgument", "Invalid id value"), metadata.ValidationError, "Invalid id value", 400, "invalidArgument", 1, false},
		"no authorization":           {fails(401, "authError", "Invalid Credentials"), metadata.SignInRequired, "kota auth login --account work", 401, "authError", 1, false},
		"a missing scope":            {scope, metadata.ScopeMissing, "kota auth login --account work", 403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", 1, false},
		"a missing scope, old":       {fails(403, "insufficientPermissions", "Insufficient Permission"), metadata.ScopeMissing, "kota auth login", 403, "insufficientPermissions", 1, false},
		"the API is off":             {off, metadata.Unavailable, "https://console.cloud.google.com/apis/library/gmail.googleapis.com", 403, "SERVICE_DISABLED", 1, false},
		"the API is off, old":        {fails(403, "accessNotConfigured", "Access Not Configured"), metadata.Unavailable, "console.cloud.google.com", 403, "accessNotConfigured", 1, false},
		"the organisation forbids":   {fails(403, "domainPolicy", "The domain administrators have disabled Gmail apps."), metadata.Refused, "administrator", 403, "domainPolicy", 1, false},
		"no access":                  {fails(403, "forbidden", "Forbidden"), metadata.Refused, "Forbidden", 403, "forbidden", 1, false},
		"the day's quota":            {fails(403, "dailyLimitExceeded", "Daily Limit Exceeded"), metadata.RateLimited, "tomorrow", 403, "dailyLimitExceeded", 1, false},
		"the day's quota, as 429":    {fails(429, "quotaExceeded", "Quota exceeded"), metadata.RateLimited, "tomorrow", 429, "quotaExceeded", 1, false},
		"too fast":                   {fails(429, "rateLimitExceeded", "Too many concurrent requests for user"), metadata.RateLimited, "Too many concurrent", 429, "rateLimitExceeded", 4, true},
		"too fast, as 403":           {fails(403, "userRateLimitExceeded", "User Rate Limit Exceeded"), metadata.RateLimited, "minute", 403, "userRateLimitExceeded", 4, true},
		"too fast, for an hour":      {fails(429, "rateLimitExceeded", "slow down", "Retry-After", "3600"), metadata.RateLimited, "3600 seconds", 429, "rateLimitExceeded", 1, true},
		"too fast, until a date":     {fails(429, "rateLimitExceeded", "slow down", "Retry-After", "Sat, 14 Mar 2026 09:10:00 GMT"), metadata.RateLimited, "600 seconds", 429, "rateLimitExceeded", 1, true},
		"too fast, said in words":    {fails(429, "rateLimitExceeded", "User-rate limit exceeded.  Retry after 2026-03-14T09:15:00.000Z"), metadata.RateLimited, "900 seconds", 429, "rateLimitExceeded", 1, true},
		"too fast, in a RetryInfo":   {reply(429, `{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"120s"}]}}`), metadata.RateLimited, "120 seconds", 429, "RESOURCE_EXHAUSTED", 1, true},
		"too fast, without a word":   {reply(429, ""), metadata.RateLimited, "429", 429, "", 4, true},
		"not found":                  {fails(404, "notFound", "Requested entity was not found."), metadata.NotFound, "Requested entity", 404, "notFound", 1, false},
		"gone":                       {fails(410, "fullSyncRequired", "Sync token is no longer valid"), metadata.NotFound, "Sync token", 410, "fullSyncRequired", 1, false},
		"there already":              {fails(409, "duplicate", "The requested identifier already exists."), metadata.Conflict, "read it again", 409, "duplicate", 1, false},
		"changed meanwhile":          {fails(412, "conditionNotMet", "Precondition Failed"), metadata.Conflict, "read it again", 412, "conditionNotMet", 1, false},
		"too large a request":        {fails(413, "uploadTooLarge", "Request too large"), metadata.TooLarge, "25 MB", 413, "uploadTooLarge", 1, false},
		"an error of the server":     {fails(500, "backendError", "Backend Error"), metadata.Unavailable, "Backend Error", 500, "backendError", 4, true},
		"a bad gateway, in HTML":     {reply(502, "<html>502</html>", "Content-Type", "text/html"), metadata.Unavailable, "502", 502, "", 4, true},
		"an outage":                  {reply(503, ""), metadata.Unavailable, "503", 503, "", 4, true},
		"an outage for an hour":      {reply(503, "", "Retry-After", "3600"), metadata.Unavailable, "3600 seconds", 503, "", 1, true},
		"a gateway's timeout":        {reply(504, ""), metadata.Unavailable, "504", 504, "", 4, true},
		"a redirect to another host": {reply(302, "", "Location", "https://evil.example/"), metadata.Unavailable, "redirect", 302, "", 1, false},
		"a web page":                 {htmlPage, metadata.Unavailable, "not one of Google's", 200, "", 1, true},
		"half an answer":             {truncated, metadata.Unavailable, "cut off", 200, "", 4, true},
		"half a JSON":                {cutJSON, metadata.Unavailable, "cut off", 200, "", 4, true},
		"an empty answer":            {reply(200, ""), metadata.Unavailable, "cut off", 200, "", 4, true},
		"broken compression":         {badGzip, metadata.Unavailable, "cut off", 200, "", 4, true},
		"no HTTP at all":             {badHTTP, metadata.Unavailable, "broke", 0, "", 4, true},
		"a reset":                    {resets, metadata.Unavailable, "broke", 0, "", 4, true},
		"a closed connection":        {closes, metadata.Unavailable, "broke", 0, "", 4, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.answer)
			client, _ := s.client(t, func(o *Options) { o.Account = "work" })
			_, err := s.mail(t, client).Users.Messages.Get("me", "1").Context(t.Context()).Do()
			e := codeOf(t, err)
			if e.Code != c.code || e.Retryable != c.retryable || !strings.Contains(e.Message+" "+e.Hint, c.says) {
				t.Errorf("got %+v, want %s, retryable %v, saying %q", e, c.code, c.retryable, c.says)
			}
			f := failureOf(err)
			if f == nil || f.Status != c.status || f.Reason != c.reason {
				t.Errorf("got failure %+v, want status %d and reason %q", f, c.status, c.reason)
			}
			if got := len(s.requests()); got != c.requests {
				t.Errorf("it was asked %d times, want %d", got, c.requests)
			}
		})
	}
}

// A change is sent once, whatever becomes of it, and what may have happened is
// said to be unknown.
func TestAChangeIsSentOnce(t *testing.T) {
	faults := map[string]struct {
		answer http.HandlerFunc
		code   metadata.Code
	}{
		"400":               {fails(400, "invalid", "x"), metadata.ValidationError},
		"401":               {fails(401, "authError", "x"), metadata.SignInRequired},
		"403":               {fails(403, "forbidden", "x"), metadata.Refused},
		"403 rate":          {fails(403, "rateLimitExceeded", "x"), metadata.RateLimited},
		"403 day":           {fails(403, "dailyLimitExceeded", "x"), metadata.RateLimited},
		"404":               {fails(404, "notFound", "x"), metadata.NotFound},
		"409":               {fails(409, "duplicate", "x"), metadata.Conflict},
		"410":               {fails(410, "deleted", "x"), metadata.NotFound},
		"412":               {fails(412, "conditionNotMet", "x"), metadata.Conflict},
		"413":               {fails(413, "x", "x"), metadata.TooLarge},
		"429":               {fails(429, "rateLimitExceeded", "x", "Retry-After", "1"), metadata.RateLimited},
		"500":               {fails(500, "backendError", "x"), metadata.OutcomeUnknown},
		"502":               {reply(502, "<html>"), metadata.OutcomeUnknown},
		"503":               {fails(503, "backendError", "x", "Retry-After", "1"), metadata.OutcomeUnknown},
		"504":               {reply(504, ""), metadata.OutcomeUnknown},
		"reset":             {resets, metadata.OutcomeUnknown},
		"close":             {closes, metadata.OutcomeUnknown},
		"hang":              {hangs, metadata.OutcomeUnknown},
		"one byte a second": {oneByteASecond, metadata.OutcomeUnknown},
		"truncated":         {truncated, metadata.OutcomeUnknown},
		"half a JSON":       {cutJSON, metadata.OutcomeUnknown},
		"garbage":           {badHTTP, metadata.OutcomeUnknown},
		"HTML":              {htmlPage, metadata.OutcomeUnknown},
		"bad gzip":          {badGzip, metadata.OutcomeUnknown},
		"too long":          {reply(200, `{"id":"`+strings.Repeat("x", 5000)+`"}`), metadata.OutcomeUnknown},
		"a redirect":        {reply(302, "", "Location", "/elsewhere"), metadata.OutcomeUnknown},
		"see other":         {reply(303, "", "Location", "/elsewhere"), metadata.OutcomeUnknown},
		"go elsewhere":      {reply(307, "", "Location", "/elsewhere"), metadata.Unavailable},
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		for name, fault := range faults {
			for _, body := range []string{"", `{"raw":"eA"}`} {
				t.Run(fmt.Sprintf("%s/%s/body %d", method, name, len(body)), func(t *testing.T) {
					t.Parallel()
					// The first request leaves a connection behind, which net/http
					// repeats on more readily than on a new one.
					s := serve(t, ok, fault.answer)
					client, clock := s.client(t, func(o *Options) { o.Timeout = 100 * time.Millisecond })
					do(t, client, "GET", s.URL+"/gmail/v1/users/me/messages/1", "")
					err := do(t, client, method, s.URL+"/gmail/v1/users/me/messages/send", body)
					if e := codeOf(t, err); e.Code != fault.code || e.Code == metadata.OutcomeUnknown && e.Retryable {
						t.Errorf("got %+v, want %s", e, fault.code)
					}
					if got := s.requests(); len(got) != 2 || len(clock.slept()) > 0 {
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
	req, err := http.NewRequestWithContext(WithLimit(t.Context(), 4000), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body == "" {
		req.Body, req.GetBody = nil, nil
	}
	req.Header.Set("Idempotency-Key", "1")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
