package transport

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The limits of request bodies.
const (
	bodyTimeout  = 10 * time.Second // how long a body may take to arrive
	smallBody    = 64 << 10         // maximum bytes of a small body; the number of small bodies is not limited
	maxLarge     = 4                // maximum number of larger bodies at the same time
	queueTimeout = 30 * time.Second // how long a larger body, or a call over the limits, waits for free space
)

// readBody returns the body of a request. If it cannot read the body, it answers the request
// and returns false. A large body counts against maxLarge until the caller calls release. The
// caller may call release more than once.
func (e *Endpoint) readBody(w http.ResponseWriter, r *http.Request) (body []byte, release func(), ok bool) {
	release = func() {}
	tooLong := func() {
		refuseHTTP(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("Invalid request: the message is longer than %d MiB", MaxMessage>>20))
	}
	if r.ContentLength > MaxMessage {
		tooLong()
		return nil, release, false
	}
	control := http.NewResponseController(w)
	within := func(d time.Duration) { _ = control.SetReadDeadline(time.Now().Add(d)) } // ignores the error of writers without deadlines, as in tests
	within(bodyTimeout)
	var read bytes.Buffer
	limited := http.MaxBytesReader(w, r.Body, MaxMessage)
	_, err := io.CopyN(&read, limited, smallBody)
	if err == nil {
		within(queueTimeout + bodyTimeout)
		select {
		case e.largeBodies <- struct{}{}:
			release = sync.OnceFunc(func() { <-e.largeBodies })
		case <-time.After(queueTimeout):
			w.Header().Set("Retry-After", "5")
			refuseHTTP(w, http.StatusServiceUnavailable, "too many large messages are being received; send it again later")
			return nil, release, false
		}
		within(bodyTimeout)
		_, err = read.ReadFrom(limited)
	}
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case err == nil, errors.Is(err, io.EOF):
		bodyComplete(w)
		return read.Bytes(), release, true
	case errors.As(err, &tooLarge):
		tooLong()
	default:
		refuseHTTP(w, http.StatusRequestTimeout, "the body did not arrive")
	}
	return nil, release, false
}

// bodyComplete removes the read deadline after the request has been read completely. So the
// call may take longer, and the connection can serve another request. For a refused request
// the deadline stays: it limits how long net/http reads the rest of the body.
func bodyComplete(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // ignores the error of writers without deadlines, as in tests
	w.Header().Del("Connection")
}

// scans are reused, because to create a scan is most of the work for a small body.
var scans = sync.Pool{New: func() any { return new(messageScan) }}

// envelopeOf classifies a body in the same way as a line.
func envelopeOf(body []byte) envelope {
	scan := scans.Get().(*messageScan)
	defer scans.Put(scan)
	scan.reset()
	scan.feed(body)
	scan.feed([]byte{'\n'}) // ends a number at the end of the body
	return scan.envelope(false)
}

// The values that nearly all clients send. They need no parsing.
const (
	commonType   = "application/json"
	commonAccept = "application/json, text/event-stream"
)

// isJSON reports whether the headers declare JSON in UTF-8.
func isJSON(h http.Header) bool {
	if h.Get("Content-Type") == commonType && len(h["Content-Encoding"]) == 0 {
		return true
	}
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, encoding := params["charset"], h.Get("Content-Encoding")
	return err == nil && media == "application/json" &&
		(charset == "" || strings.EqualFold(charset, "utf-8")) && (encoding == "" || strings.EqualFold(encoding, "identity"))
}

// accepts reports whether a client accepts the media type (RFC 9110, section 12.5.1). A client
// without an Accept header accepts every type.
func accepts(h http.Header, media string) bool {
	ranges := h.Values("Accept")
	if len(ranges) == 0 || len(ranges) == 1 && ranges[0] == commonAccept && strings.Contains(commonAccept, media) {
		return true
	}
	kind, _, _ := strings.Cut(media, "/")
	for _, mediaRange := range strings.Split(strings.Join(ranges, ","), ",") {
		name, params, err := mime.ParseMediaType(mediaRange)
		if err != nil || name != media && name != kind+"/*" && name != "*/*" {
			continue
		}
		if q, err := strconv.ParseFloat(params["q"], 64); err != nil || q > 0 {
			return true
		}
	}
	return false
}
