package fakeapi

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
)

// Problem is an error as Google returns it.
type Problem struct {
	Status   int
	Domain   string // the domain in errors[]; "" means the domain of the reason, and adds a status to the envelope
	Reason   string // the reason in errors[], such as "notFound"
	Message  string
	Location string // what is wrong, such as "q"
	Kind     string // the kind of Location: "parameter" or "header"
	info     string // the reason of the ErrorInfo in details[]; "" without one
	metadata map[string]string
	header   http.Header
}

func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Reason, p.Message) }

// canonicalCodes are the google.rpc.Code names for HTTP statuses.
var canonicalCodes = map[int]string{
	400: "INVALID_ARGUMENT",
	401: "UNAUTHENTICATED",
	403: "PERMISSION_DENIED",
	404: "NOT_FOUND",
	409: "ABORTED",
	410: "NOT_FOUND",
	412: "FAILED_PRECONDITION",
	413: "INVALID_ARGUMENT",
	429: "RESOURCE_EXHAUSTED",
	499: "CANCELLED",
	500: "INTERNAL",
	501: "UNIMPLEMENTED",
	503: "UNAVAILABLE",
	504: "DEADLINE_EXCEEDED",
}

// limitReasons are the reasons in the domain "usageLimits". Other reasons are in
// the domain "global".
var limitReasons = map[string]bool{
	"rateLimitExceeded":     true,
	"userRateLimitExceeded": true,
	"dailyLimitExceeded":    true,
	"quotaExceeded":         true,
	"accessNotConfigured":   true,
}

// reply returns the error in the envelope of Google's JSON APIs
// (cloud.google.com/apis/design/errors,
// developers.google.com/workspace/gmail/api/guides/handle-errors).
func (p *Problem) reply() reply {
	if p.Status == http.StatusNotModified {
		return reply{status: p.Status, header: http.Header{}}
	}
	domain := cmp.Or(p.Domain, "global")
	if limitReasons[p.Reason] {
		domain = "usageLimits"
	}
	item := Object{"message": p.Message, "domain": domain, "reason": p.Reason}
	if p.Location != "" {
		item["location"] = p.Location
		item["locationType"] = p.Kind
	}
	if p.Reason == "insufficientPermissions" {
		item["message"] = "Insufficient Permission"
	}
	if p.Reason == "authError" {
		item["message"] = "Invalid Credentials"
	}
	envelope := Object{"code": p.Status, "message": p.Message, "errors": []Object{item}}
	if name := canonicalCodes[p.Status]; name != "" && p.Domain == "" {
		envelope["status"] = name
	}
	if p.info != "" {
		envelope["details"] = []Object{{
			"@type":    "type.googleapis.com/google.rpc.ErrorInfo",
			"reason":   p.info,
			"domain":   "googleapis.com",
			"metadata": p.metadata,
		}}
	}
	r := jsonReply(p.Status, Object{"error": envelope})
	for name, values := range p.header {
		r.header[name] = values
	}
	return r
}

func Invalid(format string, args ...any) *Problem {
	return &Problem{Status: 400, Reason: "invalidArgument", Message: fmt.Sprintf(format, args...)}
}

func FailedPrecondition(format string, args ...any) *Problem {
	return &Problem{Status: 400, Reason: "failedPrecondition", Message: fmt.Sprintf(format, args...)}
}

// ExpiredSyncToken returns the error of the People API for a sync token that is older than seven days.
// It is a 400, unlike Calendar's 410.
func ExpiredSyncToken() *Problem {
	p := FailedPrecondition("Sync token is expired. Clear local cache and retry call without the sync token.")
	p.info = "EXPIRED_SYNC_TOKEN"
	return p
}

func Forbidden(format string, args ...any) *Problem {
	return &Problem{Status: 403, Reason: "forbidden", Message: fmt.Sprintf(format, args...)}
}

func NotFound() *Problem {
	return &Problem{Status: 404, Reason: "notFound", Message: "Requested entity was not found."}
}

func unauthenticated(given bool) *Problem {
	if !given {
		return &Problem{
			Status: 401, Reason: "required", Location: "Authorization", Kind: "header",
			Message: "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
			header:  http.Header{"Www-Authenticate": {`Bearer realm="https://accounts.google.com/"`}},
		}
	}
	return &Problem{
		Status: 401, Reason: "authError", Location: "Authorization", Kind: "header",
		Message: "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
		header:  http.Header{"Www-Authenticate": {`Bearer realm="https://accounts.google.com/", error="invalid_token"`}},
	}
}

func insufficientScope(m *Method, service string) *Problem {
	return &Problem{
		Status: 403, Reason: "insufficientPermissions", info: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
		Message:  "Request had insufficient authentication scopes.",
		metadata: map[string]string{"method": m.ID, "service": service + ".googleapis.com"},
		header: http.Header{"Www-Authenticate": {
			`Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="` + strings.Join(m.Scopes, " ") + `"`,
		}},
	}
}
