// Package auth signs its user in to Google and keeps the sign-in: the OAuth
// client, the accounts with their tokens, and HTTP clients that carry an
// account's authorization. It also encrypts, with a key that it keeps like a
// token: see [Sealer].
//
// The policy it keeps:
//
//   - A secret (token, code, client secret, PKCE verifier) is in no error, no
//     log line and no String. Errors of other packages are not passed on where
//     they may hold one.
//   - Google is believed about what was granted, not the request.
//   - A token goes to the client's token_uri, to https://*.googleapis.com and to
//     this machine's loopback, and nowhere else: see [Accounts.HTTPClient].
//   - A damaged file is renamed, never overwritten or deleted. A file that others
//     can read or write is refused. A problem of one account does not affect others.
//   - A file with a token is written completely or not at all, and before the token is
//     used. A renewed token that cannot be written is used anyway, and that is logged.
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

// Options say where the accounts are kept and what they are reached with. Home
// is the one that must be set.
type Options struct {
	Home      string            // folder; it is created, 0700, with the first thing that is stored
	Now       func() time.Time  // nil: time.Now
	Keyring   Keyring           // nil: the operating system's; NoKeyring: files alone
	Transport http.RoundTripper // nil: one with timeouts; it carries tokens to Google
	Log       *slog.Logger      // nil: nothing is logged
	ClientOf  string            // another folder, whose OAuth client is used where Home has none; "": none
	NoNewKey  bool              // a Sealer makes no key, and encrypts nothing without one
}

// Accounts are the sign-ins kept in one folder. They are safe for concurrent
// use, also by several processes.
type Accounts struct {
	home            string
	clientOf        string
	tokens          folder
	now             func() time.Time
	keyring         Keyring
	transport       http.RoundTripper
	log             *slog.Logger
	patience        time.Duration // how long a sign-in may take
	keyringPatience time.Duration // how long the keyring may
	tokenPatience   time.Duration // how long one request to the token endpoint may

	mu       sync.Mutex
	sessions map[string]*session // by account name

	noNewKey bool
	keyMu    sync.Mutex
	held     masterKey   // as last read
	keyFrom  fs.FileInfo // the file that says where held is; nil: not read yet
}

// Open returns the accounts kept in o.Home. It touches nothing on disk and
// asks nothing of the network.
func Open(o Options) *Accounts {
	a := &Accounts{
		home:            o.Home,
		clientOf:        o.ClientOf,
		tokens:          folder(filepath.Join(o.Home, "tokens")),
		now:             o.Now,
		keyring:         o.Keyring,
		transport:       o.Transport,
		log:             o.Log,
		patience:        5 * time.Minute,
		keyringPatience: keyringPatience,
		tokenPatience:   tokenTimeout,
		sessions:        map[string]*session{},
		noNewKey:        o.NoNewKey,
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

// Format names the folder, whatever the verb: some would print the sessions.
func (a *Accounts) Format(to fmt.State, _ rune) { io.WriteString(to, "Google accounts in "+a.home) }

// newTransport is what requests leave by: proxies as the environment says, and
// a limit on every step before the body.
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
