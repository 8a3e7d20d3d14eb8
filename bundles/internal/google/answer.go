package google

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kota/metadata"
)

// readAnswer reads an answer up to the call's limit. It reads at most 1 MiB of
// an error answer.
func (c call) readAnswer(resp *http.Response, w *watch) ([]byte, error) {
	const maxErrorBody = 1 << 20
	if resp.StatusCode >= 300 {
		// An incomplete error answer is still that error.
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return body, nil
	}
	if resp.ContentLength > c.limit {
		return nil, c.tooLarge(resp.StatusCode)
	}
	var text bytes.Buffer
	text.Grow(int(max(resp.ContentLength, 0)) + bytes.MinRead) // growing by doubling would take three times its size
	arriving := newCountingBody(w, resp.Body, c.limit)
	_, err := text.ReadFrom(io.LimitReader(arriving, c.limit+1))
	body := text.Bytes()
	if err == nil && int64(len(body)) <= c.limit {
		return body, nil
	}
	arriving.discard()
	switch {
	case int64(len(body)) > c.limit, errors.Is(err, errTooMuch):
		return nil, c.tooLarge(resp.StatusCode)
	case w.parent.Err() != nil:
		return nil, c.cancelled(w.parent, true)
	case w.timeoutReason() != "":
		return nil, c.noUsableAnswer(&Failure{Status: resp.StatusCode, what: w.timeoutReason()}, true)
	}
	return nil, c.noUsableAnswer(&Failure{Status: resp.StatusCode, what: "the answer was cut off", transient: true}, true)
}

// checkAnswer returns nil for an answer of the expected form, for 304, and for
// a redirect that may be followed.
func (c call) checkAnswer(resp *http.Response, body []byte, now time.Time) error {
	switch {
	case resp.StatusCode == http.StatusNotModified:
		return nil
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return c.checkRedirected(resp)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		errorReason, message, wait := parseEnvelope(body)
		f := &Failure{Status: resp.StatusCode, Reason: errorReason, RetryAfter: max(wait, retryAfter(resp.Header, now), waitInMessage(message, now))}
		return c.errorFor(f, message)
	case c.batch, resp.Request.Method == http.MethodHead, mayBeEmpty(resp, body):
		return nil
	case isObject(body):
		return nil
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	f := &Failure{Status: resp.StatusCode, what: "the answer is not from Google"}
	switch {
	case !strings.Contains(kind, "json"):
	case bytes.HasSuffix(bytes.TrimSpace(body), []byte("}")): // complete, but invalid: for example, nested deeper than encoding/json permits
		f.what = "the answer is not valid JSON"
	default:
		f.what, f.transient = "the answer was cut off", true
	}
	return c.noUsableAnswer(f, true)
}

// checkRedirected returns nil only for a GET or HEAD on the same host. Another host
// would receive the authorization, and a redirected change could be made twice.
func (c call) checkRedirected(resp *http.Response) error {
	f := &Failure{Status: resp.StatusCode, what: "the answer is a redirect to another address"}
	// 307 and 308 mean that nothing was done yet (RFC 9110, section 15.4). The
	// others may point at the result of the change.
	undone := resp.StatusCode == http.StatusTemporaryRedirect || resp.StatusCode == http.StatusPermanentRedirect
	if !c.read && !undone {
		return c.outcomeUnknown(f)
	}
	to, err := url.Parse(resp.Header.Get("Location"))
	if err == nil && resp.Request.Method != http.MethodPost && c.read && sameHost(resp.Request.URL, resp.Request.URL.ResolveReference(to)) {
		return nil
	}
	return &metadata.Error{
		Code:    metadata.Unavailable,
		Message: c.service.name + " could not be reached: " + f.what,
		Hint:    "Check whether the network requires a sign-in page, and check the Google endpoint in bundles.yaml.",
		Cause:   f,
	}
}

// mayBeEmpty reports whether the body is empty and that is a complete answer to
// the request.
func mayBeEmpty(resp *http.Response, body []byte) bool {
	if len(bytes.TrimSpace(body)) > 0 {
		return false
	}
	path := resp.Request.URL.Path
	return resp.StatusCode == http.StatusNoContent || resp.Request.Method == http.MethodDelete ||
		strings.HasSuffix(path, "/batchModify") || strings.HasSuffix(path, "/batchDelete")
}

// isObject reports whether body is one JSON object, as every answer of the two APIs is.
func isObject(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 0 && body[0] == '{' && json.Valid(body)
}
