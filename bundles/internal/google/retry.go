package google

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// maxRetries bounds the repetitions of a read.
const maxRetries = 3

// The bounds of a pause: the first is up to a second, and each one up to twice
// as long as the last.
const (
	firstPause = time.Second
	maxPause   = 8 * time.Second
)

// pause returns how long to wait before a read that failed with err is
// repeated, and whether it is: a wait that Google asked for and that does not
// fit the time left is left to the caller.
func (c call) pause(err error, attempt int, left time.Duration) (time.Duration, bool) {
	f := failureOf(err)
	if !c.read || f == nil || !f.transient || attempt == maxRetries {
		return 0, false
	}
	pause := max(jitter(attempt), f.RetryAfter)
	return pause, pause < left
}

// jitter is a pause between nothing and twice the last one's bound, so that
// clients who failed together do not come back together.
func jitter(attempt int) time.Duration {
	return rand.N(min(firstPause<<attempt, maxPause))
}

// retryAfter reads the header, which is in seconds or a date (RFC 9110,
// section 10.2.3). It returns 0 when there is none that makes sense.
func retryAfter(header http.Header, now time.Time) time.Duration {
	const most = 365 * 24 * time.Hour
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(most/time.Second))) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), most)
}
