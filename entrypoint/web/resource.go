package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// wellKnown is the path of the metadata of a protected resource (RFC 9728, section 3).
// The path of the resource, if any, follows it.
const wellKnown = "/.well-known/oauth-protected-resource"

// A Resource says where clients get a token for this server.
type Resource struct {
	URL     *url.URL // the endpoint's public URL, for which issuers issue tokens
	Issuers []string // the issuers of tokens; at least one
	Scopes  []string // the scopes that a token needs; may be empty
}

// metadataURL returns the URL of the metadata.
func (r *Resource) metadataURL() string {
	at := *r.URL
	at.Path, at.RawPath = wellKnown+r.path(), ""
	return at.String()
}

// path returns the path of the resource's URL, or "" if the URL has only a host.
func (r *Resource) path() string { return strings.TrimSuffix(r.URL.Path, "/") }

// isMetadataPath reports whether the path is one for the metadata. It accepts the path of
// RFC 9728 and the paths that clients try if they know only the endpoint.
func (s *Server) isMetadataPath(path string) bool {
	return s.Resource != nil && (path == wellKnown || path == wellKnown+s.Path || path == wellKnown+s.Resource.path())
}

// serveMetadata answers with the metadata. The request needs no token.
func (s *Server) serveMetadata(w http.ResponseWriter, r *http.Request) {
	if !requireGet(w, r) {
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
	w.Write(append(body, '\n')) // if this fails, the client is gone
}
