package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// wellKnown is where the metadata of a protected resource is (RFC 9728, section
// 3); that of one with a path has the path behind it.
const wellKnown = "/.well-known/oauth-protected-resource"

// A Resource is what clients are told of where to get a token for this server.
type Resource struct {
	URL     *url.URL // by which clients reach the endpoint, and what tokens are for
	Issuers []string // that give tokens
	Scopes  []string // that a token needs; none: no one is needed
}

// metadataURL is where clients read it.
func (r *Resource) metadataURL() string {
	at := *r.URL
	at.Path, at.RawPath = wellKnown+r.path(), ""
	return at.String()
}

// path is the path of the resource, "" for that of the host alone.
func (r *Resource) path() string { return strings.TrimSuffix(r.URL.Path, "/") }

// describes reports whether a request asks for the metadata: under RFC 9728's URL, or those
// that clients try which know only the endpoint.
func (s *Server) describes(path string) bool {
	return s.Resource != nil && (path == wellKnown || path == wellKnown+s.Path || path == wellKnown+s.Resource.path())
}

// describe tells where to get a token. It needs none.
func (s *Server) describe(w http.ResponseWriter, r *http.Request) {
	if !asksOnly(w, r) {
		return
	}
	body, err := json.Marshal(struct {
		Resource string   `json:"resource"`
		Issuers  []string `json:"authorization_servers"`
		Methods  []string `json:"bearer_methods_supported"`
		Scopes   []string `json:"scopes_supported,omitempty"`
		Name     string   `json:"resource_name"`
	}{s.Resource.URL.String(), s.Resource.Issuers, []string{"header"}, s.Resource.Scopes, "KOTA"})
	if err != nil {
		panic(err) // strings can be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(body, '\n')) // on an error the client is gone
}
