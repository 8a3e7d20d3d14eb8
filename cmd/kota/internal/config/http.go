package config

import (
	"crypto/tls"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"kota/cmd/kota/internal/mistake"
)

// HTTP is the configuration of `kota serve --http`.
type HTTP struct {
	Cert, Key string   // paths of PEM files; both are "" without TLS
	Hosts     []string // host names to accept besides those of the listener and the certificate
	OAuth     OAuth
	Token     string // replaces the stored token; only from the environment

	MetricsToken string // that requests for metrics need; "" for none; only from the environment
}

func (c *checker) http(v value) {
	c.mapping(v, []field{
		{"tls", (*checker).httpTLS},
		{"hosts", (*checker).httpHosts},
		{"oauth", (*checker).httpOAuth},
	})
}

func (c *checker) httpTLS(v value) {
	c.mapping(v, []field{
		{"cert", func(c *checker, v value) { c.cfg.HTTP.Cert = c.pemFile(v) }},
		{"key", func(c *checker, v value) { c.cfg.HTTP.Key = c.pemFile(v) }},
	})
	if (c.cfg.HTTP.Cert == "") != (c.cfg.HTTP.Key == "") {
		c.problem(v.line, "%s has one of cert and key; allowed: both, or neither", v.path)
	}
}

func (c *checker) pemFile(v value) string {
	return c.absolutePath(v, "the full path of a PEM file, such as ~/kota/cert.pem")
}

func (c *checker) httpHosts(v value) {
	const allowed = "a list of host names without port, such as [kota.example.com]"
	s, ok := v.node.(*ast.SequenceNode)
	if !ok {
		if v.node.Type() != ast.NullType {
			c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), allowed)
		}
		return
	}
	for _, n := range s.Values {
		name, ok := textOf(n)
		if !ok || name == "" || len(name) > 253 || strings.ContainsAny(name, "/:* \t,") {
			c.problem(lineOf(n), "%s has %q; allowed: %s", v.path, mistake.Shorten(name), allowed)
			continue
		}
		c.cfg.HTTP.Hosts = append(c.cfg.HTTP.Hosts, strings.ToLower(name))
	}
}

// Certificate returns the server's certificate, or nil without TLS.
func (c HTTP) Certificate() (*tls.Certificate, error) {
	switch {
	case c.Cert == "" && c.Key == "":
		return nil, nil
	case c.Cert == "" || c.Key == "":
		return nil, mistake.Errorf("a certificate needs its key: give both --tls-cert and --tls-key, or neither")
	}
	cert, err := tls.LoadX509KeyPair(c.Cert, c.Key)
	if err != nil {
		return nil, mistake.Errorf("the certificate of the HTTP server cannot be loaded: %v; give a PEM file each with --tls-cert and --tls-key, or under http.tls in bundles.yaml", err)
	}
	return &cert, nil
}
