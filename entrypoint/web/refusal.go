package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// A Refusal says why a request with a token is not let in, where that is not that
// the token is no good.
type Refusal struct {
	Status int      // 403 or 503
	Scopes []string // that the token lacks, for a 403
	Reason string   // in a clause, for the client to show
}

func (r *Refusal) Error() string { return r.Reason }

// refuseToken answers a request that its token does not let in (RFC 6750, section 3.1).
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

// unauthorized answers 401 as RFC 6750, section 3 wants it.
func (s *Server) unauthorized(w http.ResponseWriter, code, reason string) {
	w.Header().Set("WWW-Authenticate", s.challenge(code))
	Refuse(w, http.StatusUnauthorized, reason)
}

// challenge says how a token is presented and, where an issuer gives them, where a
// client reads how to get one (RFC 9728, section 5.1).
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
