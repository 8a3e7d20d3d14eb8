package server

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"time"

	"kota/auth"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/mistake"
)

// EndpointPath is the path of the MCP endpoint.
const EndpointPath = "/mcp"

// Warnings returns the problems that do not keep the server from starting, but
// may keep clients from connecting. It checks the certificate unless cert is nil.
func Warnings(http config.HTTP, cert *tls.Certificate, now time.Time) []string {
	var all []string
	if cert != nil {
		if why := CertificateProblem(cert, now); why != "" {
			all = append(all, why+"; clients refuse it until it is renewed")
		}
	}
	if u, err := url.Parse(http.OAuth.Audience); err == nil && u.Host != "" && u.Path != EndpointPath {
		all = append(all, fmt.Sprintf("http.oauth.audience is %s, and the endpoint is at %s: if no proxy maps that address to it, write %s", u, EndpointPath, (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: EndpointPath})))
	}
	return all
}

// CertificateProblem says why a certificate is not valid at the time now. It
// returns "" if it is valid.
func CertificateProblem(cert *tls.Certificate, now time.Time) string {
	leaf := cert.Leaf
	if leaf == nil {
		var err error
		if leaf, err = x509.ParseCertificate(cert.Certificate[0]); err != nil {
			return "the certificate cannot be read: " + err.Error()
		}
	}
	switch {
	case now.After(leaf.NotAfter):
		return "the certificate expired on " + leaf.NotAfter.UTC().Format(time.DateOnly)
	case now.Before(leaf.NotBefore):
		return "the certificate is valid only from " + leaf.NotBefore.UTC().Format(time.DateOnly)
	}
	return ""
}

// Bearer returns the token of the HTTP server.
func Bearer(c config.Config) (*auth.Bearer, error) {
	bearer, err := auth.NewBearer(c.Home, c.HTTP.Token)
	if err != nil {
		return nil, mistake.Errorf("KOTA_HTTP_TOKEN: %v", err)
	}
	return bearer, nil
}
