package google

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"kota/metadata"
)

// errorFor explains an error answer of Google, and what the user can do.
func (c call) errorFor(f *Failure, message string) *metadata.Error {
	e := &metadata.Error{Cause: f, Message: c.withReason(message, f)}
	switch {
	case f.Status == http.StatusUnauthorized:
		e.Code, e.Hint = metadata.SignInRequired, "Google no longer accepts the account's authorization: run `"+c.login()+"`."
	case f.Status == http.StatusForbidden || f.Status == http.StatusTooManyRequests:
		return c.forbidden(e, f)
	case f.Status == http.StatusNotFound, f.Status == http.StatusGone:
		e.Code, e.Hint = metadata.NotFound, "It may have been deleted or belong to another account: search for it again."
	case f.Status == http.StatusConflict, f.Status == http.StatusPreconditionFailed:
		e.Code, e.Hint = metadata.Conflict, "It was changed at the same time: read it again, then repeat the change."
	case f.Status == http.StatusRequestEntityTooLarge:
		e.Code, e.Hint = metadata.TooLarge, "Send less: a message may have 25 MB with its attachments."
	case f.Status == http.StatusBadRequest, f.Status == http.StatusUnprocessableEntity:
		e.Code, e.Hint = metadata.ValidationError, "Fix the arguments as the message says."
	case f.Status >= 500:
		return c.serverFault(e, f)
	default:
		e.Code, e.Hint = metadata.Unavailable, "If it happens again, check https://www.google.com/appsstatus."
	}
	return e
}

// errorKind is the meaning of a 403 or 429. A greater kind is more specific.
type errorKind int

const (
	accessDenied errorKind = iota
	rateLimited
	orgForbidden
	apiDisabled
	scopeMissing
	quotaUsedUp
)

// errorKinds maps Google's reasons to their kinds. It has the names of both
// error formats.
var errorKinds = map[string]errorKind{
	"rateLimitExceeded":               rateLimited,
	"userRateLimitExceeded":           rateLimited,
	"RATE_LIMIT_EXCEEDED":             rateLimited,
	"RESOURCE_EXHAUSTED":              rateLimited,
	"domainPolicy":                    orgForbidden,
	"accessNotConfigured":             apiDisabled,
	"SERVICE_DISABLED":                apiDisabled,
	"insufficientPermissions":         scopeMissing,
	"ACCESS_TOKEN_SCOPE_INSUFFICIENT": scopeMissing,
	"dailyLimitExceeded":              quotaUsedUp,
	"dailyLimitExceededUnreg":         quotaUsedUp,
	"quotaExceeded":                   quotaUsedUp,
}

// forbidden explains a 403 or 429 by its reason, because both statuses share
// reasons.
func (c call) forbidden(e *metadata.Error, f *Failure) *metadata.Error {
	what := errorKinds[f.Reason]
	if what == accessDenied && f.Status == http.StatusTooManyRequests {
		what = rateLimited
	}
	switch what {
	case rateLimited:
		return c.limited(e, f)
	case orgForbidden:
		e.Code, e.Hint = metadata.Refused, "The account's organisation forbids it: its administrator can allow your OAuth client."
	case apiDisabled:
		e.Code, e.Hint = metadata.Unavailable, "Enable the API in your Google Cloud project at https://console.cloud.google.com/apis/library/"+c.service.console+", then wait a few minutes."
	case scopeMissing:
		e.Code, e.Hint = metadata.ScopeMissing, "The account has not granted this permission: run `"+c.login()+"` and tick every box."
	case quotaUsedUp:
		e.Code, e.Hint = metadata.RateLimited, "The daily Google quota is used up: repeat it tomorrow."
	default:
		e.Code, e.Hint = metadata.Refused, "The account may not do this in "+c.service.name+": ask the owner for access, or use another account."
	}
	return e
}

func (c call) limited(e *metadata.Error, f *Failure) *metadata.Error {
	f.transient = true
	e.Code, e.Retryable, e.Hint = metadata.RateLimited, true, "Repeat it in a minute, and ask for less at a time."
	if f.RetryAfter > 0 {
		e.Hint = fmt.Sprintf("Repeat it in %s.", metadata.CountOf(seconds(f.RetryAfter), "second"))
	}
	return e
}

// serverFault explains a fault of Google's servers. A change may have been
// made, so its error is OUTCOME_UNKNOWN.
func (c call) serverFault(e *metadata.Error, f *Failure) *metadata.Error {
	if !c.read {
		return c.outcomeUnknown(f)
	}
	f.transient = f.Status != http.StatusNotImplemented && f.Status != http.StatusHTTPVersionNotSupported
	e.Code, e.Retryable, e.Hint = metadata.Unavailable, true, "Repeat it later; https://www.google.com/appsstatus shows outages."
	if f.RetryAfter > 0 {
		e.Hint = fmt.Sprintf("Repeat it in %s.", metadata.CountOf(seconds(f.RetryAfter), "second"))
	}
	return e
}

// outcomeUnknown returns the error for a change that may or may not have happened.
func (c call) outcomeUnknown(f *Failure) *metadata.Error {
	return &metadata.Error{
		Code:    metadata.OutcomeUnknown,
		Message: fmt.Sprintf("it is unknown whether %s did this: %s", c.service.name, f.Error()),
		Hint:    "Check whether it happened before you repeat it.",
		Cause:   f,
	}
}

// noUsableAnswer returns the error for a request without a usable answer. sent
// says whether the request may have been sent.
func (c call) noUsableAnswer(f *Failure, sent bool) *metadata.Error {
	if sent && !c.read {
		return c.outcomeUnknown(f)
	}
	return &metadata.Error{
		Code:      metadata.Unavailable,
		Message:   fmt.Sprintf("%s could not be reached: %s", c.service.name, f.Error()),
		Hint:      "Check the connection, then repeat the call.",
		Retryable: true,
		Cause:     f,
	}
}

// cancelled returns the error for a call whose context ended.
func (c call) cancelled(ctx context.Context, sent bool) *metadata.Error {
	what := "the call was cancelled"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		what = "the call reached its time limit"
	}
	return c.noUsableAnswer(&Failure{what: what, cause: ctx.Err()}, sent)
}

// quotaExceeded returns the error for a call that would have to wait too long for
// quota.
func (c call) quotaExceeded(wait time.Duration) *metadata.Error {
	f := &Failure{what: "the quota per minute is used up", RetryAfter: wait}
	return &metadata.Error{
		Code:      metadata.RateLimited,
		Message:   fmt.Sprintf("the quota of %s per minute is used up", c.service.name),
		Hint:      fmt.Sprintf("Repeat it in %s, and ask for less at a time.", metadata.CountOf(seconds(wait), "second")),
		Retryable: true,
		Cause:     f,
	}
}

// tooLarge returns the error for an answer beyond the limit.
func (c call) tooLarge(status int) *metadata.Error {
	f := &Failure{Status: status, what: "the answer is larger than " + size(c.limit)}
	if !c.read {
		return c.outcomeUnknown(f)
	}
	return &metadata.Error{Code: metadata.TooLarge, Message: c.service.name + ": " + f.what, Hint: "Ask for less: fewer items, or without their content.", Cause: f}
}

func (c call) withReason(message string, f *Failure) string {
	if message == "" {
		message = f.Error()
	}
	return c.service.name + ": " + message
}

func (c call) login() string {
	if c.account == "" {
		return "kota auth login"
	}
	return "kota auth login --account " + c.account
}

func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// Errors returns the codes that any action with requests to Google may return,
// and the codes in more.
func Errors(more ...metadata.Code) []metadata.Code {
	return append([]metadata.Code{
		metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited, metadata.Unavailable, metadata.Refused, metadata.ValidationError,
	}, more...)
}
