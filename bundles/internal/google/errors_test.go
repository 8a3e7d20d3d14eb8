package google

import (
	"net/http"
	"strings"
	"testing"

	"kota/metadata"
)

// Through Google's own client too, a handler gets KOTA's error.
func TestErrorCodesOfGoogleAnswers(t *testing.T) {
	scope := reply(403, `{"error":{"code":403,"message":"Request had insufficient authentication scopes.","errors":[{"reason":"insufficientPermissions"}],"status":"PERMISSION_DENIED",
		"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"ACCESS_TOKEN_SCOPE_INSUFFICIENT"}]}}`)
	off := reply(403, `{"error":{"code":403,"message":"Gmail API has not been used in project 1 before or it is disabled.","status":"PERMISSION_DENIED","details":[{"reason":"SERVICE_DISABLED"}]}}`)
	both := reply(403, `{"error":{"code":403,"message":"m","errors":[{"reason":"dailyLimitExceeded"}],"details":[{"reason":"RATE_LIMIT_EXCEEDED"}]}}`)
	for name, c := range map[string]struct {
		answer    http.HandlerFunc
		code      metadata.Code
		says      string // in the message or the hint
		status    int
		reason    string
		requests  int
		retryable bool
	}{
		"an invalid argument":         {googleError(400, "invalidArgument", "Invalid id value"), metadata.ValidationError, "Invalid id value", 400, "invalidArgument", 1, false},
		"no authorization":            {googleError(401, "authError", "Invalid Credentials"), metadata.SignInRequired, "kota auth login --account work", 401, "authError", 1, false},
		"a missing scope":             {scope, metadata.ScopeMissing, "kota auth login --account work", 403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", 1, false},
		"a missing scope, old":        {googleError(403, "insufficientPermissions", "Insufficient Permission"), metadata.ScopeMissing, "kota auth login", 403, "insufficientPermissions", 1, false},
		"the API is off":              {off, metadata.Unavailable, "https://console.cloud.google.com/apis/library/gmail.googleapis.com", 403, "SERVICE_DISABLED", 1, false},
		"the API is off, old":         {googleError(403, "accessNotConfigured", "Access Not Configured"), metadata.Unavailable, "console.cloud.google.com", 403, "accessNotConfigured", 1, false},
		"the organisation forbids":    {googleError(403, "domainPolicy", "The domain administrators have disabled Gmail apps."), metadata.Refused, "administrator", 403, "domainPolicy", 1, false},
		"no access":                   {googleError(403, "forbidden", "Forbidden"), metadata.Refused, "Forbidden", 403, "forbidden", 1, false},
		"the day's quota":             {googleError(403, "dailyLimitExceeded", "Daily Limit Exceeded"), metadata.RateLimited, "tomorrow", 403, "dailyLimitExceeded", 1, false},
		"the day's quota, as 429":     {googleError(429, "quotaExceeded", "Quota exceeded"), metadata.RateLimited, "tomorrow", 429, "quotaExceeded", 1, false},
		"the day's quota, twice said": {both, metadata.RateLimited, "tomorrow", 403, "dailyLimitExceeded", 1, false},
		"too fast":                    {googleError(429, "rateLimitExceeded", "Too many concurrent requests for user"), metadata.RateLimited, "Too many concurrent", 429, "rateLimitExceeded", 4, true},
		"too fast, as 403":            {googleError(403, "userRateLimitExceeded", "User Rate Limit Exceeded"), metadata.RateLimited, "minute", 403, "userRateLimitExceeded", 4, true},
		"too fast, for an hour":       {googleError(429, "rateLimitExceeded", "slow down", "Retry-After", "3600"), metadata.RateLimited, "3600 seconds", 429, "rateLimitExceeded", 1, true},
		"too fast, until a date":      {googleError(429, "rateLimitExceeded", "slow down", "Retry-After", "Sat, 14 Mar 2026 09:10:00 GMT"), metadata.RateLimited, "600 seconds", 429, "rateLimitExceeded", 1, true},
		"too fast, said in words":     {googleError(429, "rateLimitExceeded", "User-rate limit exceeded.  Retry after 2026-03-14T09:15:00.000Z"), metadata.RateLimited, "900 seconds", 429, "rateLimitExceeded", 1, true},
		"too fast, in a RetryInfo":    {reply(429, `{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"120s"}]}}`), metadata.RateLimited, "120 seconds", 429, "RESOURCE_EXHAUSTED", 1, true},
		"too fast, without a word":    {reply(429, ""), metadata.RateLimited, "429", 429, "", 4, true},
		"not found":                   {googleError(404, "notFound", "Requested entity was not found."), metadata.NotFound, "Requested entity", 404, "notFound", 1, false},
		"gone":                        {googleError(410, "fullSyncRequired", "Sync token is no longer valid"), metadata.NotFound, "Sync token", 410, "fullSyncRequired", 1, false},
		"there already":               {googleError(409, "duplicate", "The requested identifier already exists."), metadata.Conflict, "read it again", 409, "duplicate", 1, false},
		"changed meanwhile":           {googleError(412, "conditionNotMet", "Precondition Failed"), metadata.Conflict, "read it again", 412, "conditionNotMet", 1, false},
		"too large a request":         {googleError(413, "uploadTooLarge", "Request too large"), metadata.TooLarge, "25 MB", 413, "uploadTooLarge", 1, false},
		"an error of the server":      {googleError(500, "backendError", "Backend Error"), metadata.Unavailable, "Backend Error", 500, "backendError", 4, true},
		"a bad gateway, in HTML":      {reply(502, "<html>502</html>", "Content-Type", "text/html"), metadata.Unavailable, "502", 502, "", 4, true},
		"an outage":                   {reply(503, ""), metadata.Unavailable, "503", 503, "", 4, true},
		"an outage for an hour":       {reply(503, "", "Retry-After", "3600"), metadata.Unavailable, "3600 seconds", 503, "", 1, true},
		"a gateway's timeout":         {reply(504, ""), metadata.Unavailable, "504", 504, "", 4, true},
		"a redirect to another host":  {reply(302, "", "Location", "https://evil.example/"), metadata.Unavailable, "redirect", 302, "", 1, false},
		"a web page":                  {htmlPage, metadata.Unavailable, "not from Google", 200, "", 1, true},
		"an incomplete answer":        {truncated, metadata.Unavailable, "cut off", 200, "", 4, true},
		"half a JSON":                 {cutJSON, metadata.Unavailable, "cut off", 200, "", 4, true},
		"an empty answer":             {reply(200, ""), metadata.Unavailable, "cut off", 200, "", 4, true},
		"broken compression":          {badGzip, metadata.Unavailable, "cut off", 200, "", 4, true},
		"no HTTP at all":              {badHTTP, metadata.Unavailable, "broke", 0, "", 4, true},
		"a reset":                     {resetConnection, metadata.Unavailable, "broke", 0, "", 4, true},
		"a closed connection":         {closeConnection, metadata.Unavailable, "broke", 0, "", 4, true},
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
