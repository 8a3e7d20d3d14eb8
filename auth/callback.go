package auth

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// A requestCallback is one sign-in while the user is at Google. It has the sign-in's state and
// PKCE verifier, and receives the answer.
type requestCallback struct {
	host     string // the host of the listener, 127.0.0.1:PORT
	state    string
	verifier string
	answers  chan answer   // receives the only answer
	ended    chan struct{} // closed when the sign-in has ended, successfully or not

	mu       sync.Mutex
	answered bool
	err      error // why the sign-in failed; nil if it succeeded or has not ended
}

// An answer is Google's answer for this sign-in.
type answer struct {
	code string
	err  error
}

const callbackPath = "/callback"

func newCallback(host string) *requestCallback {
	return &requestCallback{
		host: host, state: random(base64.RawURLEncoding.EncodeToString, 32), verifier: oauth2.GenerateVerifier(),
		answers: make(chan answer, 1), ended: make(chan struct{}),
	}
}

func (v *requestCallback) redirect() string { return "http://" + v.host + callbackPath }

var (
	errOtherSignIn = errors.New("it belongs to another sign-in")
	errNoAnswer    = errors.New("it has no answer from Google")
	errDuplicate   = errors.New("it was already received")
)

// accept takes Google's answer from the query of a callback request. It accepts only the first
// answer with this sign-in's state.
func (v *requestCallback) accept(query url.Values) error {
	state := query["state"]
	if len(state) != 1 || subtle.ConstantTimeCompare([]byte(state[0]), []byte(v.state)) != 1 {
		return errOtherSignIn
	}
	received := answer{code: query.Get("code")}
	if fault := query.Get("error"); fault != "" {
		received = answer{err: refusal(fault)}
	}
	if received.err == nil && !isToken(received.code) {
		return errNoAnswer
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.answered {
		return errDuplicate
	}
	v.answered = true
	v.answers <- received
	return nil
}

// refusal returns the error for an error code that Google sent instead of an authorization
// code.
func refusal(code string) error {
	switch {
	case code == "access_denied":
		return ErrDenied
	case codeForm().MatchString(code):
		return &RefusedError{Code: code}
	}
	return &RefusedError{Code: "unknown_error"}
}

// end passes the outcome of the sign-in to the requests that wait for it.
func (v *requestCallback) end(err error) {
	v.mu.Lock()
	v.err = err
	v.mu.Unlock()
	close(v.ended)
}

func (v *requestCallback) outcome() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.err
}

// serve starts the server for the user's browser and returns it.
func (v *requestCallback) serve(listener net.Listener) *http.Server {
	server := &http.Server{
		Handler:           v,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      2 * time.Minute, // the page waits for the code's exchange
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // net/http's messages would quote addresses
	}
	go server.Serve(listener)
	return server
}

// stopServer ends the server after it has sent the current pages. It waits at most a second,
// because a browser may have opened connections that it does not use.
func stopServer(server *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		server.Close()
	}
}

// ServeHTTP answers the browser. It refuses requests under another host name.
func (v *requestCallback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Host != v.host:
		writePage(w, http.StatusForbidden, pageWrongHost)
	case r.URL.Path != callbackPath:
		writePage(w, http.StatusNotFound, pageNotFound)
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		writePage(w, http.StatusMethodNotAllowed, pageNotFound)
	default:
		v.receive(w, r)
	}
}

func (v *requestCallback) receive(w http.ResponseWriter, r *http.Request) {
	switch v.accept(r.URL.Query()) {
	case errOtherSignIn, errNoAnswer:
		writePage(w, http.StatusBadRequest, pageOtherSignIn)
		return
	case errDuplicate:
		writePage(w, http.StatusOK, pageDuplicate)
		return
	}
	select {
	case <-v.ended:
	case <-r.Context().Done():
		return
	}
	switch err := v.outcome(); {
	case errors.Is(err, ErrDenied):
		writePage(w, http.StatusOK, pageDenied)
	case err != nil:
		writePage(w, http.StatusOK, pageFailed)
	default:
		writePage(w, http.StatusOK, pageDone)
	}
}
