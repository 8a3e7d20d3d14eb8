package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// ServeHTTP passes an allowed request on to the Endpoint, and refuses any other request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	answer := &statusWriter{ResponseWriter: w}
	s.guard(answer, r)
	s.Log.LogAttrs(r.Context(), slog.LevelDebug, "http", slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Int("status", answer.status), slog.Duration("took", time.Since(start)))
}

func (s *Server) guard(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if r.ContentLength != 0 && r.ProtoMajor == 1 {
		// net/http reads the rest of a body before it sends the headers of an answer, unless
		// the connection ends with the answer. An answer must not wait for the body. A handler
		// that reads the whole body removes this header.
		h.Set("Connection", "close")
	}
	if s.draining.Load() {
		h.Set("Connection", "close") // the next request should reach another server
	}
	if header := s.names.wrongHeader(r); header != "" && !s.AnyHost {
		Refuse(w, http.StatusForbidden, "the header "+header+" does not name this server")
		return
	}
	switch path := r.URL.Path; {
	case path == s.Path && s.Open:
		s.Endpoint.ServeHTTP(w, r)
	case path == s.Path:
		s.admit(w, r)
	case s.Console != nil && (path == s.ConsolePath || strings.HasPrefix(path, s.ConsolePath+"/")):
		s.Console.ServeHTTP(w, r)
	case path == "/healthz":
		s.health(w, r, func(*http.Request) bool { return true })
	case path == "/readyz":
		s.health(w, r, s.ready)
	case s.isMetadataPath(path):
		s.serveMetadata(w, r)
	default:
		Refuse(w, http.StatusNotFound, "not found; this server is at "+cmp.Or(s.Path, s.ConsolePath))
	}
}

// admit passes a request on to the endpoint if its Authorization header has a valid token.
// It refuses a token in the query, because URLs appear in logs and histories.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery != "" && carriesToken(r.URL.Query()) {
		s.unauthorized(w, "invalid_request", "a token in the URL can be seen by others: send it as Authorization: Bearer TOKEN, and revoke this one")
		return
	}
	token, ok := bearer(r.Header)
	if !ok {
		s.unauthorized(w, "", s.tokenHint())
		return
	}
	ctx, err := s.Admit(r.Context(), token)
	if err != nil {
		s.refuseToken(w, err)
		return
	}
	s.Endpoint.ServeHTTP(w, r.WithContext(ctx))
}

// tokenHint returns which token a request needs.
func (s *Server) tokenHint() string {
	if s.Resource != nil {
		return "a token is needed: send Authorization: Bearer TOKEN with a token that " + s.Resource.Issuers[0] + " issued for " + s.Resource.URL.String()
	}
	return "a token is needed: send Authorization: Bearer TOKEN with the token of `kota http token`"
}

// ready reports whether the server can serve. If Ready returns an error, it logs the error, at most
// once a minute.
func (s *Server) ready(r *http.Request) bool {
	if s.draining.Load() {
		return false
	}
	err := s.Ready(r.Context())
	if err != nil {
		s.notReady.Do(func() { s.Log.Warn("not ready", "error", err) })
	}
	return err == nil
}

// bearer returns the token, if the headers have exactly one (RFC 6750, section 2.1).
func bearer(h http.Header) (string, bool) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	return token, ok && strings.EqualFold(scheme, "Bearer") && token != ""
}

// carriesToken reports whether a query has a token under one of its usual names.
func carriesToken(query url.Values) bool {
	for name := range query {
		if slices.Contains([]string{"access_token", "token", "bearer", "authorization", "api_key", "apikey", "key"}, strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// health answers 200 if check reports true, and 503 otherwise.
func (s *Server) health(w http.ResponseWriter, r *http.Request, check func(*http.Request) bool) {
	if !requireGet(w, r) {
		return
	}
	status, word := http.StatusOK, "ok"
	if !check(r) {
		status, word = http.StatusServiceUnavailable, "not ready"
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, word)
}

// requireGet reports whether a request is a GET or HEAD. If not, it answers with 405.
func requireGet(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	Refuse(w, http.StatusMethodNotAllowed, "use GET")
	return false
}

// Refuse answers a request that the server does not admit. The body has the form of an MCP
// error, because clients show MCP errors.
func Refuse(w http.ResponseWriter, status int, reason string) {
	type failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	const invalidRequest = -32600
	body, err := json.Marshal(struct {
		JSONRPC string  `json:"jsonrpc"`
		ID      *int    `json:"id"`
		Error   failure `json:"error"`
	}{"2.0", nil, failure{invalidRequest, reason}})
	if err != nil {
		panic(err) // strings and numbers can be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(append(body, '\n')) // if this fails, the client is gone
}

// A statusWriter keeps the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController find the wrapped writer.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
