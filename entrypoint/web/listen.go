package web

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// Listen listens on the address, such as "127.0.0.1:8321"; port 0 means any free port.
// Without a certificate the address must be a loopback address, because anybody on a
// network could read an unencrypted token.
func Listen(address string, cert *tls.Certificate) (net.Listener, error) {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w; give it as HOST:PORT, such as 127.0.0.1:8321", address, err)
	}
	if cert == nil && !resolved.IP.IsLoopback() {
		return nil, fmt.Errorf("listen on %q: remote access requires TLS, because the token and all mail could otherwise be read on the network; "+
			"listen on 127.0.0.1:%d, or give a certificate with --tls-cert and --tls-key", address, resolved.Port)
	}
	l, err := net.ListenTCP("tcp", resolved)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return nil, fmt.Errorf("listen on %q: another program uses this port, perhaps a running KOTA; stop it, or choose another port, such as %d", address, resolved.Port+1)
		}
		return nil, err // the error names the address
	}
	return l, nil
}

// URL returns the URL at which clients reach the path on the listener. With a certificate, an
// unspecified address becomes the first DNS name in the certificate.
func URL(l net.Listener, cert *tls.Certificate, path string) string {
	scheme, address := "http", l.Addr().String()
	if cert != nil {
		scheme = "https"
	}
	if host, port, err := net.SplitHostPort(address); err == nil && cert != nil {
		if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() && len(certNames(cert)) > 0 {
			address = net.JoinHostPort(certNames(cert)[0], port)
		}
	}
	return scheme + "://" + address + path
}
