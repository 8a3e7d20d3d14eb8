package unsubscribe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"kota/metadata"
)

// A Poster sends unsubscribe requests to the servers of mailing lists. The zero Poster
// reaches only public addresses. Only tests use another Poster.
type Poster struct {
	Allows func(netip.AddrPort) bool // reports whether to connect; nil allows public addresses on port 443
	Roots  *x509.CertPool            // trusted root certificates; nil means the system's
}

const (
	oneClickTime = 10 * time.Second             // limit for the whole request
	oneClickText = "List-Unsubscribe=One-Click" // body of the request: RFC 8058 section 3.1
)

// errNotPublic means that the Poster may not connect to the server's address.
var errNotPublic = errors.New("the address is not public")

// post makes one POST as in RFC 8058 section 3.2, without cookies or redirects, and never
// repeats it. If it connects and gets no answer, it returns OUTCOME_UNKNOWN.
func (p Poster) post(ctx context.Context, link *url.URL) error {
	var isConnected atomic.Bool
	ctx = httptrace.WithClientTrace(context.WithoutCancel(ctx), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { isConnected.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, link.String(), strings.NewReader(oneClickText))
	if err != nil || link.Scheme != "https" {
		return metadata.Errorf(metadata.Refused, "the address is not a valid https address").WithHint("The user can open it: %s", link)
	}
	req.GetBody = nil // prevents a second send
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("User-Agent", "KOTA")
	resp, err := p.client().Do(req)
	if err != nil {
		return postError(link, err, isConnected.Load())
	}
	resp.Body.Close() // the body is not needed
	if resp.StatusCode/100 == 2 {
		return nil
	}
	what := fmt.Sprintf("answered %d", resp.StatusCode)
	if resp.StatusCode/100 == 3 {
		what = "answered with a redirect, which is not followed"
	}
	return metadata.Errorf(metadata.Unavailable, "%s %s: you are probably still on the list", link.Hostname(), what).
		WithHint("The user can open %s in a browser.", link)
}

// client returns a client for one request. It uses no proxy, because a proxy would
// resolve the name itself.
func (p Poster) client() *http.Client {
	allows := p.Allows
	if allows == nil {
		allows = func(to netip.AddrPort) bool { return to.Port() == 443 && isPublic(to.Addr()) }
	}
	dialer := &net.Dialer{Timeout: oneClickTime, Control: func(_, address string, _ syscall.RawConn) error {
		// The name is already resolved, so the checked address is the one that is dialled.
		to, err := netip.ParseAddrPort(address)
		if err != nil || !allows(to) {
			return errNotPublic
		}
		return nil
	}}
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true) // HTTP/2 may repeat a request
	return &http.Client{
		Timeout:       oneClickTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSClientConfig: &tls.Config{RootCAs: p.Roots}, Protocols: protocols,
			DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
		},
	}
}

// postError returns the error for a POST without an answer. isConnected means that the
// server may have got the request.
func postError(link *url.URL, err error, isConnected bool) error {
	host := link.Hostname()
	switch {
	case errors.Is(err, errNotPublic):
		e := metadata.Errorf(metadata.Refused, "%s is not on the public internet, or not at the usual port: no request was sent", host)
		return e.WithHint("This is not how a mailing list works: treat the message with suspicion.")
	case isConnected:
		return &metadata.Error{
			Code: metadata.OutcomeUnknown, Message: host + " did not answer: it is unknown whether you are still on the list", Cause: err,
			Hint: "Check in a few days whether mail still arrives; the user can also open " + link.String(),
		}
	}
	return &metadata.Error{
		Code: metadata.Unavailable, Message: host + " could not be reached: no request was sent", Retryable: true, Cause: err,
		Hint: "Repeat the call later, or ask the user to open " + link.String(),
	}
}

// reserved lists address blocks that are not public or map to other addresses. They are
// from IANA's special-purpose registries, without those that package netip knows.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

// globalUnicast is the block of public IPv6 addresses.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// isPublic reports whether the address is on the public internet. It returns false for
// addresses of this machine, its network, its provider or a cloud's internal network.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !globalUnicast.Contains(a) {
		return false
	}
	for _, block := range reserved {
		if block.Contains(a) {
			return false
		}
	}
	return true
}
