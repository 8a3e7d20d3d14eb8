// Package auth signs the user in to Google and keeps the sign-in: the OAuth client, the
// accounts with their tokens, and HTTP clients that send an account's authorization. It
// also encrypts with a key that it keeps like a token: see [Sealer].
//
// Its policy:
//
//   - A secret (token, code, client secret, PKCE verifier) never appears in an error, a
//     log line or a String. Errors of other packages are not passed on if they may
//     contain one.
//   - Google's answer decides what was granted, not the request.
//   - A token is sent only to the client's token_uri, to https://*.googleapis.com and to
//     this machine's loopback: see [Accounts.HTTPClient].
//   - A damaged file is renamed, never overwritten or deleted. A file that others
//     can read or write is refused. A problem of one account does not affect others.
//   - A file with a token is written completely or not at all, and before the token is
//     used. If a renewed token cannot be written, it is used and the failure is logged.
//
// Files below Options.Home:
//
//	google-client.json   the OAuth client as Google gave it
//	tokens/NAME.json     an account; its token too, unless that is in the keyring
//	tokens/default       the name of the default account
//	tokens/NAME.lock     held by the process that changes the account
//	tokens/sealing.key   the key of what is encrypted, unless that is in the keyring
package auth

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"
)

// Options says where the accounts are stored and how Google is reached. Only Home is
// required.
type Options struct {
	Home       string            // folder, created with mode 0700 when something is stored first
	Now        func() time.Time  // nil: time.Now
	Keyring    Keyring           // nil: the operating system's; NoKeyring: only files
	Transport  http.RoundTripper // nil: one with timeouts; it carries tokens to Google
	Log        *slog.Logger      // nil: nothing is logged
	ClientHome string            // another folder whose OAuth client is used if Home has none; "": none
	NoNewKey   bool              // a Sealer creates no key, and encrypts nothing without one
}

// Accounts are the sign-ins in one folder. They are safe for concurrent use, also by
// several processes.
type Accounts struct {
	home           string
	clientHome     string
	tokens         folder
	now            func() time.Time
	keyring        Keyring
	transport      http.RoundTripper
	log            *slog.Logger
	loginTimeout   time.Duration // maximum time of a sign-in
	keyringTimeout time.Duration // maximum time of a keyring call
	tokenTimeout   time.Duration // maximum time of a request to the token endpoint

	mu       sync.Mutex
	sessions map[string]*session // by account name

	noNewKey      bool
	keyMu         sync.Mutex
	cachedKey     masterKey   // as last read
	cachedKeyFile fs.FileInfo // the file that says where cachedKey is stored; nil: not read yet
}

// Open returns the accounts in o.Home. It uses neither the disk nor the network.
func Open(o Options) *Accounts {
	a := &Accounts{
		home:           o.Home,
		clientHome:     o.ClientHome,
		tokens:         folder(filepath.Join(o.Home, "tokens")),
		now:            o.Now,
		keyring:        o.Keyring,
		transport:      o.Transport,
		log:            o.Log,
		loginTimeout:   5 * time.Minute,
		keyringTimeout: defaultKeyringTimeout,
		tokenTimeout:   tokenTimeout,
		sessions:       map[string]*session{},
		noNewKey:       o.NoNewKey,
	}
	if a.now == nil {
		a.now = time.Now
	}
	if a.keyring == nil {
		a.keyring = systemKeyring{}
	}
	if a.transport == nil {
		a.transport = newTransport()
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	return a
}

// Format writes the folder for every verb: some would print the sessions.
func (a *Accounts) Format(to fmt.State, _ rune) { io.WriteString(to, "Google accounts in "+a.home) }

// newTransport returns the transport of all requests. It uses the proxies of the environment
// and limits the time of every step before the body.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  30 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
}
