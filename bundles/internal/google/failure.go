package google

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// Failure is what Google or the network reported, for callers who need more
// than the error code. A stale sync token, for example, is a Failure with
// status 410 and the reason "fullSyncRequired". A Failure quotes nothing of the
// request, and only the reason from the answer.
type Failure struct {
	Status     int           // the status of the answer; 0 without an answer
	Reason     string        // Google's reason: "rateLimitExceeded"; "" without one
	RetryAfter time.Duration // the wait that Google asks for; 0 without one

	what      string // what happened, in words, without any part of the request
	transient bool   // a read may be repeated
	cause     error  // the error of a context that ended; never one after which a Go client would repeat the request
}

// Error returns what happened, in words, or otherwise the status and the reason.
func (f *Failure) Error() string {
	if f.Status == 0 || f.what != "" {
		return f.what
	}
	return strings.TrimSpace(fmt.Sprintf("Google answered %d %s", f.Status, f.Reason))
}

// Unwrap returns the context's error if the context ended, else nil.
func (f *Failure) Unwrap() error { return f.cause }

// envelope is Google's error, in both of its forms:
// https://developers.google.com/workspace/gmail/api/guides/handle-errors and
// https://google.aip.dev/193.
type envelope struct {
	Message string   `json:"message"`
	Status  string   `json:"status"`
	Errors  []reason `json:"errors"`
	Details []reason `json:"details"`
}

type reason struct {
	Reason     string `json:"reason"`
	RetryDelay string `json:"retryDelay"` // of a RetryInfo: "12s"
}

// parseEnvelope returns what it can read of an error answer: the most specific
// reason, the message, and the wait that Google asks for.
func parseEnvelope(body []byte) (bestReason, message string, wait time.Duration) {
	var reply struct {
		Error envelope `json:"error"`
	}
	wrong := (*json.UnmarshalTypeError)(nil)
	if err := json.Unmarshal(trimArray(body), &reply); err != nil && !errors.As(err, &wrong) {
		return "", "", 0
	}
	e := reply.Error
	for _, r := range append(e.Details, e.Errors...) {
		if r.Reason != "" && (bestReason == "" || errorKinds[r.Reason] > errorKinds[bestReason]) {
			bestReason = r.Reason
		}
		if delay, err := time.ParseDuration(r.RetryDelay); err == nil && delay > 0 {
			wait = delay
		}
	}
	if bestReason == "" {
		bestReason = e.Status
	}
	return clean(bestReason, 80), clean(e.Message, 300), wait
}

// trimArray returns the first element of a JSON array, and any other body
// unchanged. Some of Google's errors are wrapped in an array.
func trimArray(body []byte) []byte {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		return list[0]
	}
	return body
}

// clean returns text from the network as one visible line. A line of more than
// limit runes is cut there and gets an ellipsis.
func clean(text string, limit int) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsGraphic(r):
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, ""))
	runes := []rune(strings.Join(strings.Fields(visible), " "))
	if len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return string(runes)
}

// retryAfterText matches the wait in Gmail's message.
var retryAfterText = regexp.MustCompile(`Retry after (\d{4}-\d\d-\d\dT[\d:.]+Z)`)

// waitInMessage returns the wait that a message asks for, or 0.
func waitInMessage(message string, now time.Time) time.Duration {
	found := retryAfterText.FindStringSubmatch(message)
	if found == nil {
		return 0
	}
	at, err := time.Parse(time.RFC3339, found[1])
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}
