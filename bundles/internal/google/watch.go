package google

import (
	"context"
	"errors"
	"io"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"
)

// watch limits the time of one exchange and records its progress.
type watch struct {
	ctx, parent context.Context
	cancel      context.CancelCauseFunc
	answer      *time.Timer // ends the exchange; an upload in progress resets it
	connect     *time.Timer // ends the exchange if there is no connection in time
	timeout     time.Duration
	end         context.CancelFunc

	connected    atomic.Bool // there is a connection, so the request may have been sent
	wroteHeaders atomic.Bool // the headers of the request were written
	sendOnce     bool        // the request must not be sent again
	userAgent    string      // distinguishes these headers from those of a token request
}

var (
	errNoAnswer     = errors.New("there was no answer in time")
	errNoConnection = errors.New("there was no connection in time")
	errRepeated     = errors.New("the connection broke")
)

// maxConnect limits the wait for a connection, and maxUpload a whole exchange
// with a large body. A body in progress may take longer than the timeout, up to
// maxUpload.
const (
	maxConnect = 10 * time.Second
	maxUpload  = 5 * time.Minute
)

// newWatch starts the clock of an exchange.
func newWatch(parent context.Context, timeout time.Duration) *watch {
	w := &watch{parent: parent, timeout: timeout}
	whole, end := context.WithTimeoutCause(parent, max(maxUpload, timeout), errNoAnswer)
	ctx, cancel := context.WithCancelCause(whole)
	w.cancel, w.end = cancel, end
	w.answer = time.AfterFunc(timeout, func() { cancel(errNoAnswer) })
	w.connect = time.AfterFunc(timeout, func() { cancel(errNoConnection) })
	w.connect.Stop()
	w.ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: w.getConn,
		GotConn: func(httptrace.GotConnInfo) { w.connect.Stop(); w.connected.Store(true) },
		WroteHeaderField: func(name string, values []string) {
			if strings.EqualFold(name, "User-Agent") && len(values) == 1 && values[0] == w.userAgent {
				w.wroteHeaders.Store(true)
			}
		},
	})
	return w
}

// getConn is called for every attempt to get a connection. The first may be for
// a token, which the base transport requests in the same context. An attempt
// after the headers were sent means that net/http repeats the request. Over
// HTTP/2, net/http also does so after some resets after which the server may
// have carried out the request.
func (w *watch) getConn(string) {
	if w.wroteHeaders.Load() {
		if w.sendOnce {
			w.cancel(errRepeated)
		}
		return
	}
	w.connected.Store(false)
	w.connect.Reset(min(maxConnect, w.timeout))
}

// timeoutReason says why the watch ended the exchange, or returns "".
func (w *watch) timeoutReason() string {
	if w.parent.Err() != nil || w.ctx.Err() == nil {
		return ""
	}
	return context.Cause(w.ctx).Error()
}

func (w *watch) stop() {
	w.answer.Stop()
	w.connect.Stop()
	w.cancel(nil)
	w.end()
}

// progressBody is a request body. Each read restarts the timeout of the watch.
type progressBody struct {
	io.ReadCloser
	watch *watch
}

func (p *progressBody) Read(b []byte) (int, error) {
	p.watch.answer.Reset(p.watch.timeout)
	return p.ReadCloser.Read(b)
}
