package fakeapi

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// needsReply reports whether the fault changes or delays the real answer, so
// that the request must be run.
func (f *Fault) needsReply() bool {
	return f.Answer == Truncated || f.Answer == Slow || f.Answer == 0 && f.Status == 0
}

// defaultReasons are the reasons for a status if the fault names none.
var defaultReasons = map[int]string{
	400: "invalidArgument",
	401: "authError",
	403: "forbidden",
	404: "notFound",
	409: "aborted",
	410: "deleted",
	412: "conditionNotMet",
	413: "uploadTooLarge",
	429: "rateLimitExceeded",
	500: "backendError",
	502: "badGateway",
	503: "backendError",
	504: "backendError",
}

// oauthReasons are the reasons for a status at the OAuth endpoints.
var oauthReasons = map[int]string{
	400: "invalid_grant",
	401: "invalid_client",
	403: "access_denied",
	429: "rate_limit_exceeded",
	500: "internal_failure",
	503: "temporarily_unavailable",
}

// reply returns the fault's status in the envelope of the endpoint.
func (f *Fault) reply(r *http.Request) reply {
	answered := f.envelope()
	if r.URL.Path == tokenPath || r.URL.Path == revokePath {
		answered = oauthProblem(f.Status, cmp.Or(f.Reason, oauthReasons[f.Status], "internal_failure"), f.Message)
	}
	if f.RetryAfter != "" {
		answered.header.Set("Retry-After", f.RetryAfter)
	}
	return answered
}

// envelope returns the fault's status as an API error.
func (f *Fault) envelope() reply {
	p := &Problem{Status: f.Status, Reason: cmp.Or(f.Reason, defaultReasons[f.Status])}
	switch p.Reason {
	case "authError":
		p = unauthenticated(true)
		p.Status = f.Status
	case "insufficientPermissions":
		p = insufficientScope(&Method{ID: f.Method}, "gmail")
		p.Status = f.Status
	}
	if f.Message != "" || p.Message == "" {
		p.Message = cmp.Or(f.Message, fmt.Sprintf("Scripted fault: %d %s.", f.Status, p.Reason))
	}
	return p.reply()
}

// apply sends the answer that the fault asks for, and returns it. done is the
// real answer.
func (f *Fault) apply(s *Server, w http.ResponseWriter, r *http.Request, done reply) reply {
	switch f.Answer {
	case Reset:
		reset(w)
		return reply{}
	case Hang:
		s.wait(r.Context(), 24*time.Hour)
		reset(w)
		return reply{}
	case Truncated:
		done.header.Set("Content-Length", strconv.Itoa(len(done.body)+1))
		done.body = done.body[:len(done.body)/2]
		done.write(w)
		http.NewResponseController(w).Flush()
		reset(w)
		return done
	case Slow:
		s.writeSlowly(w, r, done)
		return done
	case Huge:
		f.writeHuge(w)
		return reply{status: http.StatusOK}
	}
	broken := f.brokenAnswer(r, done)
	broken.write(w)
	return broken
}

// brokenAnswer returns the answer for faults whose answer is sent completely.
func (f *Fault) brokenAnswer(r *http.Request, done reply) reply {
	plain := func(status int, kind, body string) reply {
		return reply{status: status, header: http.Header{"Content-Type": {kind}}, body: []byte(body)}
	}
	switch {
	case f.Answer == Garbage:
		return plain(http.StatusOK, "application/json; charset=UTF-8", `{"id": "18f0`+"\x00\xff"+`, ]`)
	case f.Answer == HTML:
		status := f.Status
		if status == 0 {
			status = http.StatusOK
		}
		return plain(status, "text/html; charset=UTF-8", fmt.Sprintf(errorPage, status))
	case f.Answer == BadGzip:
		broken := plain(http.StatusOK, "application/json; charset=UTF-8", "\x1f\x8b\x08\x00 no gzip at all")
		broken.header.Set("Content-Encoding", "gzip")
		return broken
	case f.Answer == Redirect:
		broken := plain(http.StatusFound, "text/html; charset=UTF-8", "Moved")
		broken.header.Set("Location", f.Location+r.URL.RequestURI())
		return broken
	case f.Status != 0:
		return f.reply(r)
	}
	return done
}

const errorPage = `<!DOCTYPE html>
<html lang=en>
<meta charset=utf-8>
<title>Error %[1]d (Server Error)!!1</title>
<p><b>%[1]d.</b> <ins>That's an error.</ins>
<p>The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds.
`

// reset ends the connection like a crash, by RST if TCP permits.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}

// writeSlowly writes one byte a second.
func (s *Server) writeSlowly(w http.ResponseWriter, r *http.Request, done reply) {
	done.header.Set("Content-Length", strconv.Itoa(len(done.body)))
	reply{status: done.status, header: done.header}.write(w)
	for _, b := range done.body {
		if http.NewResponseController(w).Flush() != nil || !s.wait(r.Context(), time.Second) {
			return
		}
		w.Write([]byte{b})
	}
}

// writeHuge writes a JSON object with a string of the fault's size.
func (f *Fault) writeHuge(w http.ResponseWriter) {
	size := f.Size
	if size == 0 {
		size = 1 << 30
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	io.WriteString(w, `{"snippet": "`)
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	for written := 0; written < size; written += len(chunk) {
		if _, err := w.Write(chunk[:min(len(chunk), size-written)]); err != nil {
			return // the client stopped reading
		}
	}
	io.WriteString(w, `"}`)
}
