package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"time"

	"kota/auth"
	"kota/cmd/kota/internal/mistake"
)

// httpWarnings are what lets the server begin, and keeps clients from it.
func (a *app) httpWarnings(cert *tls.Certificate) []string {
	var all []string
	if cert != nil {
		if why := untimely(cert, a.now()); why != "" {
			all = append(all, why+"; clients will refuse it until there is another")
		}
	}
	if u, err := url.Parse(a.config.HTTP.OAuth.Audience); err == nil && u.Host != "" && u.Path != webPath {
		all = append(all, fmt.Sprintf("http.oauth.audience is %s, and the endpoint is at %s: unless a proxy in front has it there, write %s", u, webPath, (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: webPath})))
	}
	return all
}

// untimely says when a certificate is not good at that moment, "" when it is.
func untimely(cert *tls.Certificate, now time.Time) string {
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

// webPath is where the endpoint is.
const webPath = "/mcp"

// bearer is the token of the HTTP server.
func (a *app) bearer() (*auth.Bearer, error) {
	bearer, err := auth.NewBearer(a.config.Home, a.config.HTTP.Token)
	if err != nil {
		return nil, mistake.Errorf("KOTA_HTTP_TOKEN: %v", err)
	}
	return bearer, nil
}
