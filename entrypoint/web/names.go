package web

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// hostNames holds the host names that requests may use.
type hostNames struct {
	loopback bool              // the names of this machine's loopback interface are allowed
	cert     *x509.Certificate // the names in this certificate are allowed; nil: none
	more     []string          // further allowed names
}

func newHostNames(l net.Listener, cert *tls.Certificate, more []string) hostNames {
	n := hostNames{more: more}
	if address, ok := l.Addr().(*net.TCPAddr); ok {
		n.loopback = address.IP.IsLoopback()
	}
	if cert != nil {
		n.cert = cert.Leaf
	}
	return n
}

// include reports whether a host, with or without a port, is one of the names.
func (n hostNames) include(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if host == "" {
		return false
	}
	if slices.ContainsFunc(n.more, func(name string) bool { return strings.EqualFold(name, host) }) {
		return true
	}
	if n.loopback && isLoopback(host) {
		return true
	}
	return n.cert != nil && n.cert.VerifyHostname(host) == nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// certNames returns the DNS names in a certificate.
func certNames(cert *tls.Certificate) []string {
	if cert == nil || cert.Leaf == nil {
		return nil
	}
	return cert.Leaf.DNSNames
}

// wrongHeader returns the header that shows that a request is meant for another server, or
// "". Only browsers send an Origin; it is "null" if they hide the page.
func (n hostNames) wrongHeader(r *http.Request) string {
	if !n.include(r.Host) {
		return "Host"
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !n.include(u.Host) {
			return "Origin"
		}
	}
	return ""
}
