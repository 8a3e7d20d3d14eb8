package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// A Refusal says why the server refuses a request although its token is valid, or why it could
// not check the token.
type Refusal struct {
	Status int      // 403 or 503
	Scopes []string // the scopes that the token lacks, for a 403
	Reason string   // a clause that the client can show
}

func (r *Refusal) Error() string { return r.Reason }

// refuseToken refuses a request because of its token (RFC 6750, section 3.1).
func (s *Server) refuseToken(w http.ResponseWriter, err error) {
	r := (*Refusal)(nil)
	switch {
	case !errors.As(err, &r):
		s.unauthorized(w, "invalid_token", err.Error())
		return
	case r.Status == http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "10")
	case len(r.Scopes) > 0:
		w.Header().Set("WWW-Authenticate", s.challenge("insufficient_scope"))
	}
	Refuse(w, r.Status, r.Reason)
}

// unauthorized answers 401 as required by RFC 6750, section 3.
func (s *Server) unauthorized(w http.ResponseWriter, code, reason string) {
	w.Header().Set("WWW-Authenticate", s.challenge(code))
	Refuse(w, http.StatusUnauthorized, reason)
}

// challenge returns the WWW-Authenticate header, which says how to send a token. If there is a
// Resource, the header also has the URL of its metadata (RFC 9728, section 5.1).
func (s *Server) challenge(code string) string {
	challenge := `Bearer realm="kota"`
	if code != "" {
		challenge += fmt.Sprintf(", error=%q", code)
	}
	if s.Resource == nil {
		return challenge
	}
	if len(s.Resource.Scopes) > 0 {
		challenge += fmt.Sprintf(", scope=%q", strings.Join(s.Resource.Scopes, " "))
	}
	return challenge + fmt.Sprintf(", resource_metadata=%q", s.Resource.metadataURL())
}
