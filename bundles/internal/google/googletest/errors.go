package googletest

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
)

// A problem is an error as Google answers it.
type problem struct {
	status   int
	domain   string // of errors[]; "" is what goes with the reason, and an envelope with a canonical status
	reason   string // of errors[], such as "notFound"
	message  string
	location string // what is wrong, such as "q"
	kind     string // of the location: "parameter" or "header"
	info     string // reason of the ErrorInfo among the details, if there is one
	metadata map[string]string
	header   http.Header
}

func (p *problem) Error() string { return fmt.Sprintf("%d %s: %s", p.status, p.reason, p.message) }

// canonical are the names of google.rpc.Code for HTTP's.
var canonical = map[int]string{
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

// usage are the reasons that are of the domain of limits, not of the global one.
var usage = map[string]bool{
	"rateLimitExceeded":     true,
	"userRateLimitExceeded": true,
	"dailyLimitExceeded":    true,
	"quotaExceeded":         true,
	"accessNotConfigured":   true,
}

// reply writes the error in the envelope of Google's JSON APIs
// (cloud.google.com/apis/design/errors, developers.google.com/workspace/gmail/api/guides/handle-errors).
func (p *problem) reply() reply {
	if p.status == http.StatusNotModified {
		return reply{status: p.status, header: http.Header{}}
	}
	domain := cmp.Or(p.domain, "global")
	if usage[p.reason] {
		domain = "usageLimits"
	}
	item := object{"message": p.message, "domain": domain, "reason": p.reason}
	if p.location != "" {
		item["location"] = p.location
		item["locationType"] = p.kind
	}
	if p.reason == "insufficientPermissions" {
		item["message"] = "Insufficient Permission"
	}
	if p.reason == "authError" {
		item["message"] = "Invalid Credentials"
	}
	envelope := object{"code": p.status, "message": p.message, "errors": []object{item}}
	if name := canonical[p.status]; name != "" && p.domain == "" {
		envelope["status"] = name
	}
	if p.info != "" {
		envelope["details"] = []object{{
			"@type":    "type.googleapis.com/google.rpc.ErrorInfo",
			"reason":   p.info,
			"domain":   "googleapis.com",
			"metadata": p.metadata,
		}}
	}
	r := jsonReply(p.status, object{"error": envelope})
	for name, values := range p.header {
		r.header[name] = values
	}
	return r
}

func invalid(format string, args ...any) *problem {
	return &problem{status: 400, reason: "invalidArgument", message: fmt.Sprintf(format, args...)}
}

func failedPrecondition(format string, args ...any) *problem {
	return &problem{status: 400, reason: "failedPrecondition", message: fmt.Sprintf(format, args...)}
}

func forbidden(format string, args ...any) *problem {
	return &problem{status: 403, reason: "forbidden", message: fmt.Sprintf(format, args...)}
}

func notFound() *problem {
	return &problem{status: 404, reason: "notFound", message: "Requested entity was not found."}
}

func unauthenticated(given bool) *problem {
	if !given {
		return &problem{
			status: 401, reason: "required", location: "Authorization", kind: "header",
			message: "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
			header:  http.Header{"Www-Authenticate": {`Bearer realm="https://accounts.google.com/"`}},
		}
	}
	return &problem{
		status: 401, reason: "authError", location: "Authorization", kind: "header",
		message: "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
		header:  http.Header{"Www-Authenticate": {`Bearer realm="https://accounts.google.com/", error="invalid_token"`}},
	}
}

func insufficientScope(m *method, service string) *problem {
	return &problem{
		status: 403, reason: "insufficientPermissions", info: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
		message:  "Request had insufficient authentication scopes.",
		metadata: map[string]string{"method": m.ID, "service": service + ".googleapis.com"},
		header: http.Header{"Www-Authenticate": {
			`Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="` + strings.Join(m.Scopes, " ") + `"`,
		}},
	}
}
