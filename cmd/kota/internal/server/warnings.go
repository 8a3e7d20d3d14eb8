package app

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"time"

	"kota/auth"
	"kota/cmd/kota/internal/mistake"
)

// HttpWarnings are what lets the server begin, and keeps clients from it.
func (a *App) HttpWarnings(cert *tls.Certificate) []string {
	var all []string
	if cert != nil {
		if why := Untimely(cert, a.Now()); why != "" {
			all = append(all, why+"; clients will refuse it until there is another")
		}
	}
	if u, err := url.Parse(a.Config.HTTP.OAuth.Audience); err == nil && u.Host != "" && u.Path != EndpointPath {
		all = append(all, fmt.Sprintf("http.oauth.audience is %s, and the endpoint is at %s: unless a proxy in front has it there, write %s", u, EndpointPath, (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: EndpointPath})))
	}
	return all
}

// Untimely says when a certificate is not good at that moment, "" when it is.
func Untimely(cert *tls.Certificate, now time.Time) string {
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
		return "the certificate is good only from " + leaf.NotBefore.UTC().Format(time.DateOnly)
	}
	return ""
}

// EndpointPath is where the endpoint is.
const EndpointPath = "/mcp"

// Bearer is the token of the HTTP server.
func (a *App) Bearer() (*auth.Bearer, error) {
	bearer, err := auth.NewBearer(a.Config.Home, a.Config.HTTP.Token)
	if err != nil {
		return nil, mistake.Errorf("KOTA_HTTP_TOKEN: %v", err)
	}
	return bearer, nil
}
