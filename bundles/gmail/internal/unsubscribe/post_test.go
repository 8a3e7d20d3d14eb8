package unsubscribe

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailboxtest"
	"kota/bundles/gmail/internal/outgoing"
	"kota/bundles/internal/google"
	"kota/bundles/internal/google/googletest"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
	"kota/store/tables/outbox"
)

func posterFor(server *httptest.Server) Poster {
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	here := netip.MustParseAddrPort(server.Listener.Addr().String())
	return Poster{Roots: roots, Allows: func(to netip.AddrPort) bool { return to == here }}
}

func TestIsPublic(t *testing.T) {
	for _, address := range []string{
		"127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
		"100.64.0.1", "100.127.255.255", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.9", "224.0.0.1",
		"239.255.255.250", "240.0.0.1", "255.255.255.255", "192.88.99.1",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1",
		"64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "4000::1",
	} {
		if isPublic(netip.MustParseAddr(address)) {
			t.Errorf("%s is taken for public", address)
		}
	}
	for _, address := range []string{"8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1", "172.15.0.1", "::ffff:8.8.8.8", "2606:4700::1", "2a00:1450:4001::8a"} {
		if !isPublic(netip.MustParseAddr(address)) {
			t.Errorf("%s is not taken for public", address)
		}
	}
}

func TestPostSendsOneRequest(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || string(body) != "List-Unsubscribe=One-Click" || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
			t.Errorf("asked %s %s with %q", r.Method, r.Header.Get("Content-Type"), body)
		}
		for _, name := range []string{"Cookie", "Authorization", "Referer", "Accept-Encoding"} {
			if r.Header.Get(name) != "" {
				t.Errorf("it tells %s: %s", name, r.Header.Get(name))
			}
		}
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case "/refused":
			w.WriteHeader(http.StatusGone)
		case "/reset":
			panic(http.ErrAbortHandler)
		case "/endless":
			w.Header().Set("Set-Cookie", "a=b")
			for w.(http.Flusher).Flush(); r.Context().Err() == nil; {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	for path, want := range map[string]metadata.Code{
		"/ok?a=%20b": "", "/moved": metadata.Unavailable, "/refused": metadata.Unavailable, "/reset": metadata.OutcomeUnknown, "/endless": "",
	} {
		requests.Store(0)
		link, err := url.Parse(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		err = posterFor(server).post(t.Context(), link)
		if metadata.CodeOf(err) != want || requests.Load() != 1 {
			t.Errorf("%s: %v after %d requests", path, err, requests.Load())
		}
	}
}

func TestPostRejectsPrivateAddresses(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	t.Cleanup(server.Close)
	_, port, _ := strings.Cut(server.Listener.Addr().String(), ":")
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		link, err := url.Parse("https://" + host + ":" + port + "/")
		if err != nil {
			t.Fatal(err)
		}
		for rule, p := range map[string]Poster{"port": {}, "address": {Allows: func(to netip.AddrPort) bool { return isPublic(to.Addr()) }}} {
			if err := p.post(t.Context(), link); metadata.CodeOf(err) != metadata.Refused {
				t.Errorf("%s, by its %s: %v", host, rule, err)
			}
		}
	}
	if err := posterFor(server).post(t.Context(), &url.URL{Scheme: "http", Host: server.Listener.Addr().String()}); metadata.CodeOf(err) != metadata.Refused {
		t.Errorf("plain http: %v", err)
	}
}

func TestPostRejectsUntrustedCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	p := posterFor(server)
	p.Roots = x509.NewCertPool()
	link, _ := url.Parse(server.URL)
	if err := p.post(t.Context(), link); metadata.CodeOf(err) != metadata.Unavailable {
		t.Errorf("got %v", err)
	}
}

// Whatever happens between the question and the click, KOTA sends no request to a list
// that the user was not asked about.
func TestSendItemRequiresApproval(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer server.Close()
	s := googletest.New(t)
	db := enginetest.Open(t, nil)
	account, client := google.Account{Name: "home", Address: "ada@example.com"}, s.HTTPClient("ada@example.com", mailbox.ScopeModify)
	own, err := mailbox.New(mailbox.Source{
		Accounts: func() ([]google.Account, error) { return []google.Account{account}, nil },
		Client:   func(context.Context, string) (*http.Client, error) { return client, nil },
		Endpoint: s.URL,
		Stores:   mailboxtest.StoresIn(db),
		Now:      time.Now,
	}).Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	m := &Unsubscriber{Sender: &outgoing.Sender{Mailbox: own}, Poster: posterFor(server)}
	box := outbox.New(db, mailboxtest.Tenant, mailbox.BundleKey)
	want := store.OutboxItem{Account: m.Account.Key(), Kind: outgoing.KindOneClick, Digest: "x", Summary: []byte("{}"), Raw: []byte(server.URL)}
	for i, ctx := range []context.Context{t.Context(), bundletest.WithUserConsent(t.Context())} {
		item, isLeased, err := m.ItemSender(box).Claim(ctx, &want, nil)
		if err != nil || !isLeased {
			t.Fatal(isLeased, err)
		}
		if err := m.SendItem(ctx, box, item); (err == nil) != (i == 1) || requests.Load() != int32(i) {
			t.Errorf("%d: answered %v, and the list was asked %d times", i, err, requests.Load())
		}
	}
}
