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

// What the bodies of requests may take.
const (
	bodyTime  = 10 * time.Second // to arrive in
	small     = 64 << 10         // bytes that a body may have without a place
	maxLarge  = 4                // larger ones at the same time
	placeTime = 30 * time.Second // to wait for a place
)

// readBody reads the body of a request, and answers it where it cannot be taken.
// release gives up its place, which it has until something else bounds what it
// takes; it may be called again.
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
	within := func(d time.Duration) { _ = control.SetReadDeadline(time.Now().Add(d)) } // what has none, as in tests, does not hang
	within(bodyTime)
	var read bytes.Buffer
	limited := http.MaxBytesReader(w, r.Body, MaxMessage)
	_, err := io.CopyN(&read, limited, small)
	if err == nil {
		within(placeTime + bodyTime)
		select {
		case e.large <- struct{}{}:
			release = sync.OnceFunc(func() { <-e.large })
		case <-time.After(placeTime):
			w.Header().Set("Retry-After", "5")
			refuseHTTP(w, http.StatusServiceUnavailable, "there are too many large messages now")
			return nil, release, false
		}
		within(bodyTime)
		_, err = read.ReadFrom(limited)
	}
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case err == nil, errors.Is(err, io.EOF):
		arrived(w)
		return read.Bytes(), release, true
	case errors.As(err, &tooLarge):
		tooLong()
	default:
		refuseHTTP(w, http.StatusRequestTimeout, "the body did not arrive")
	}
	return nil, release, false
}

// arrived says that a request has been read whole: its call may take longer than
// it had to arrive, and its connection may serve another. Until then a deadline
// stands, which bounds what net/http reads of a body that is refused.
func arrived(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // what has none, as in tests, has nothing to lift
	w.Header().Del("Connection")
}

// scans are used again: a scan is most of what it takes to judge a small body.
var scans = sync.Pool{New: func() any { return new(messageScan) }}

// envelopeOf judges a body as the envelope of a line is.
func envelopeOf(body []byte) envelope {
	scan := scans.Get().(*messageScan)
	defer scans.Put(scan)
	scan.reset()
	scan.feed(body)
	scan.feed([]byte{'\n'}) // ends a number that ended the body
	return scan.envelope(false)
}

// What nearly all clients send, which need not be parsed.
const (
	usualType   = "application/json"
	usualAccept = "application/json, text/event-stream"
)

// isJSON reports whether the body is said to be JSON in UTF-8.
func isJSON(h http.Header) bool {
	if h.Get("Content-Type") == usualType && len(h["Content-Encoding"]) == 0 {
		return true
	}
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, encoding := params["charset"], h.Get("Content-Encoding")
	return err == nil && media == "application/json" &&
		(charset == "" || strings.EqualFold(charset, "utf-8")) && (encoding == "" || strings.EqualFold(encoding, "identity"))
}

// accepts reports whether a client takes that media type (RFC 9110, section
// 12.5.1). One that does not say what it takes takes all.
func accepts(h http.Header, media string) bool {
	ranges := h.Values("Accept")
	if len(ranges) == 0 || len(ranges) == 1 && ranges[0] == usualAccept && strings.Contains(usualAccept, media) {
		return true
	}
	kind, _, _ := strings.Cut(media, "/")
	for _, one := range strings.Split(strings.Join(ranges, ","), ",") {
		name, params, err := mime.ParseMediaType(one)
		if err != nil || name != media && name != kind+"/*" && name != "*/*" {
			continue
		}
		if q, err := strconv.ParseFloat(params["q"], 64); err != nil || q > 0 {
			return true
		}
	}
	return false
}
