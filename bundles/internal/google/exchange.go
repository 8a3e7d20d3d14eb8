package google

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"

	"kota/metadata"
)

// exchange sends the request once and returns its answer, read and checked.
func (t *transport) exchange(req *http.Request, c call) (*http.Response, error) {
	w := newWatch(req.Context(), t.o.Timeout)
	defer w.stop()
	out, err := t.outgoing(req, c, w)
	if err != nil {
		return nil, err
	}
	resp, err := t.base.RoundTrip(out)
	if err != nil {
		return nil, c.explainNoAnswer(err, w)
	}
	defer resp.Body.Close()
	resp.Request = req
	body, err := c.readAnswer(resp, w)
	if err != nil {
		return nil, err
	}
	if err := c.checkAnswer(resp, body, t.o.Now()); err != nil {
		return nil, err
	}
	if !c.batch { // the parts of a batch are judged one by one
		body = withoutNulls(body)
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, nil
}

// outgoing returns the request as it is sent.
func (t *transport) outgoing(req *http.Request, c call, w *watch) (*http.Request, error) {
	out := req.Clone(w.ctx)
	out.Header.Set("User-Agent", t.o.UserAgent+" (gzip)") // Google compresses for clients with this User-Agent
	w.userAgent = out.Header.Get("User-Agent")
	if c.read {
		if req.GetBody != nil {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			out.Body = body
		}
		return out, nil
	}
	// net/http repeats a request that it considers safe: with these headers,
	// and over HTTP/2 with a body that it can read again.
	out.Header.Del("Idempotency-Key")
	out.Header.Del("X-Idempotency-Key")
	out.GetBody = nil
	if out.Body != nil && out.Body != http.NoBody {
		out.Body = &progressBody{ReadCloser: out.Body, watch: w}
	}
	w.sendOnce = true
	return out, nil
}

// explainNoAnswer says why there is no answer. It passes on *metadata.Error values
// of the base transport.
func (c call) explainNoAnswer(err error, w *watch) error {
	if named := (*metadata.Error)(nil); errors.As(err, &named) {
		return err
	}
	sent := w.connected.Load()
	if w.parent.Err() != nil {
		return c.cancelled(w.parent, sent)
	}
	what := w.timeoutReason()
	if what == "" {
		what = describeNetworkError(err)
	}
	if what == "" && !sent {
		return &metadata.Error{Code: metadata.Internal, Message: "the account could not be used", Hint: "Run `kota doctor`.", Cause: err}
	}
	if what == "" {
		what = "the connection broke"
	}
	return c.noUsableAnswer(&Failure{what: what, transient: sent && w.timeoutReason() == ""}, sent)
}

// describeNetworkError describes a network failure without quoting the request. It returns
// "" for other errors.
func describeNetworkError(err error) string {
	dns, network, request := (*net.DNSError)(nil), (*net.OpError)(nil), (*url.Error)(nil)
	certificate := (*tls.CertificateVerificationError)(nil)
	record := tls.RecordHeaderError{}
	switch {
	case errors.As(err, &dns):
		return "the name of its server was not found"
	case errors.As(err, &certificate), errors.As(err, &record):
		return "the connection is not secure: the certificate is not valid"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection broke"
	case errors.As(err, &network), errors.As(err, &request):
		return "the network failed"
	}
	return ""
}

// maxRetries is the maximum number of repetitions of a read.
const maxRetries = 3

// The limits of a random pause: firstPause for the first one, and twice the
// previous limit for each later one, at most maxPause. If Google asks for a
// longer wait, that counts.
const (
	firstPause = time.Second
	maxPause   = 8 * time.Second
)

// pause returns how long to wait before a request that failed with err is
// repeated. It returns false if the request must not be repeated, or if the
// time left is too short for the wait.
func (c call) pause(err error, attempt int, left time.Duration) (time.Duration, bool) {
	f := failureOf(err)
	if !c.read || f == nil || !f.transient || attempt == maxRetries {
		return 0, false
	}
	pause := max(jitter(attempt), f.RetryAfter)
	return pause, pause < left
}

// jitter returns a random pause below the limit for this attempt, so that
// clients that failed together do not retry together.
func jitter(attempt int) time.Duration {
	return rand.N(min(firstPause<<attempt, maxPause))
}

// retryAfter returns the wait in the header Retry-After, which has seconds or a
// date (RFC 9110, section 10.2.3). It returns 0 if the header is absent or
// invalid, and at most a year.
func retryAfter(header http.Header, now time.Time) time.Duration {
	const longest = 365 * 24 * time.Hour
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(longest/time.Second))) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), longest)
}
