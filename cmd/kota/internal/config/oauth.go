package config

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"kota/cmd/kota/internal/mistake"
)

// OAuth says which tokens the HTTP server accepts besides its own.
type OAuth struct {
	Issuer   string            // the issuer of the tokens; "" for none
	Audience string            // the URL of the endpoint, as clients reach it
	Scopes   []string          // the scopes that a token needs
	Console  string            // the id of the console's client at the issuer; "": people cannot sign in to the console
	Owners   map[string]string // maps the subjects of admitted people to their names; nil admits everybody
}

// SubjectOf returns the subject of the person with that name, or "".
func (o OAuth) SubjectOf(name string) string {
	for subject, given := range o.Owners {
		if given == name {
			return subject
		}
	}
	return ""
}

const (
	issuerAllowed   = "the URL of an issuer as in its tokens (iss), https://HOST/PATH, or http://127.0.0.1:PORT and other addresses of this machine"
	audienceAllowed = "the URL of the endpoint, which tokens must have as audience (aud), such as https://kota.example.com/mcp"
	clientAllowed   = "the id of a public client at the issuer, such as kota-console"
	scopesAllowed   = "a list of scopes that the issuer knows, such as [kota]"
	ownersAllowed   = "a mapping of subjects (sub) to names, such as {auth0|5f7c8: ann}"
	nameAllowed     = "a name of lower-case letters, digits and dashes that begins with a letter, at most 24 characters, and not local"
)

func (c *checker) httpOAuth(v value) {
	before := len(c.problems)
	var o OAuth
	c.mapping(v, []field{
		{"issuer", func(c *checker, v value) { o.Issuer = c.safeURL(v, issuerAllowed) }},
		{"audience", func(c *checker, v value) { o.Audience = c.safeURL(v, audienceAllowed) }},
		{"scopes", func(c *checker, v value) { o.Scopes = c.scopes(v) }},
		{"console_client", func(c *checker, v value) { o.Console = c.clientID(v) }},
		{"owners", func(c *checker, v value) { o.Owners = c.ownerNames(v) }},
	})
	switch {
	case len(c.problems) > before || o.Issuer == "" && o.Audience == "" && o.Scopes == nil && o.Owners == nil:
		return
	case o.Issuer == "":
		c.problem(v.line, "%s has no issuer; allowed: %s", v.path, issuerAllowed)
	case o.Audience == "":
		c.problem(v.line, "%s has no audience; allowed: %s", v.path, audienceAllowed)
	}
	c.cfg.HTTP.OAuth = o
	if u, err := url.Parse(o.Audience); err == nil { // the host name that clients use
		c.cfg.HTTP.Hosts = append(c.cfg.HTTP.Hosts, strings.ToLower(u.Hostname()))
	}
}

// safeURL reads a URL with https, or with http on this machine. Nobody on the
// network can thus change the answers from that URL. safeURL returns the text
// unchanged, because tokens must contain exactly the same bytes.
func (c *checker) safeURL(v value, allowed string) string {
	text, ok := textOf(v.node)
	u, err := url.Parse(text)
	if !ok || err != nil || len(text) > 1000 || !hasOnlyHostAndPath(u) || u.ForceQuery || strings.ContainsAny(text, " \"\\#") ||
		u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u)) {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), allowed)
		return ""
	}
	return text
}

// clientID reads the id of an OAuth client (RFC 6749, appendix A.1).
func (c *checker) clientID(v value) string {
	text, ok := textOf(v.node)
	if !ok || text == "" || len(text) > 200 || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), clientAllowed)
		return ""
	}
	return text
}

// scopePattern is the scope token of RFC 6749, section 3.3.
var scopePattern = regexp.MustCompile(`^[!#-\[\]-~]+$`)

func (c *checker) scopes(v value) []string {
	s, ok := v.node.(*ast.SequenceNode)
	if !ok {
		if v.node.Type() != ast.NullType {
			c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), scopesAllowed)
		}
		return nil
	}
	scopes := []string{}
	for _, n := range s.Values {
		scope, ok := textOf(n)
		if !ok || len(scope) > 200 || !scopePattern.MatchString(scope) {
			c.problem(lineOf(n), "%s has %s; allowed: %s", v.path, kindOf(n), scopesAllowed)
			continue
		}
		scopes = append(scopes, scope)
	}
	return scopes
}

// ownerNames reads the subjects and names of admitted people. An empty mapping
// admits nobody. The result is never nil.
func (c *checker) ownerNames(v value) map[string]string {
	names := map[string]string{}
	if v.node.Type() == ast.NullType {
		return names
	}
	m, ok := v.node.(*ast.MappingNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), ownersAllowed)
		return names
	}
	subjects := map[string]string{}
	c.entries(v, m, func(subject string, entry value) {
		name, ok := textOf(entry.node)
		if !ok || !IsGivenName(name) {
			c.problem(entry.line, "%s is %s; allowed: %s", entry.path, kindOf(entry.node), nameAllowed)
			return
		}
		if other, taken := subjects[name]; taken {
			c.problem(entry.line, "%s gives the name %s a second time, first to %q; allowed: each name for one person", v.path, name, mistake.Shorten(other))
			return
		}
		names[subject], subjects[name] = name, subject
	})
	return names
}

// maxGivenName is the maximum length in bytes of a name in bundles.yaml. A
// folder name generated for a person is longer, so the two kinds never collide.
const maxGivenName = 24

var (
	givenNamePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	// windowsDevice matches the names of devices on Windows.
	windowsDevice = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
)

// IsGivenName reports whether bundles.yaml may give a name to an owner. The
// name must be a valid folder name on every file system. It must not be local,
// the name of the user who runs the server.
func IsGivenName(name string) bool {
	return len(name) <= maxGivenName && givenNamePattern.MatchString(name) && !windowsDevice.MatchString(name) && name != "local"
}
