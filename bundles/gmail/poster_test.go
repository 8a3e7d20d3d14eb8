package gmail

import (
	"crypto/x509"
	"net/http/httptest"
	"net/netip"
)

// PostOnlyTo allows the bundle to unsubscribe at the test server only.
func (d *Deps) PostOnlyTo(server *httptest.Server) {
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	here := netip.MustParseAddrPort(server.Listener.Addr().String())
	d.Poster = Poster{Roots: roots, Allows: func(to netip.AddrPort) bool { return to == here }}
}
