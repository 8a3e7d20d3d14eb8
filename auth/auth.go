// Package auth signs the user in to Google. It keeps the OAuth client and the accounts with
// their tokens, and returns HTTP clients that send an account's authorization. It also
// encrypts with a key that it keeps like a token: see [Sealer].
//
// Its policy:
//
//   - A secret (token, code, client secret, PKCE verifier) never appears in an error, a
//     log line or a String. The package does not pass on errors of other packages if
//     they may contain a secret.
//   - Google's answer decides which scopes are granted, not the request.
//   - The package sends a token only to the host of the client's token_uri, to
//     https://*.googleapis.com and to this machine's loopback: see [Accounts.HTTPClient].
//   - It renames an account's damaged file, and never overwrites or deletes it. It refuses
//     a file with secrets if others can read or write the file. A problem of one account
//     does not affect others.
//   - It writes a file with a token completely or not at all. It stores a renewed token
//     before it uses the token. If it cannot, it logs the failure and still uses the token.
//
// Files below Options.Home:
//
//	google-client.json   the OAuth client as Google gave it
//	tokens/NAME.json     an account, with its token unless the token is in the keyring
//	tokens/default       the name of the default account
//	tokens/NAME.lock     held by the process that changes the account
//	tokens/sealing.key   the key of [Sealer], unless the key is in the keyring
//	tokens/sealing-*.key other keys that only decrypt: see [Accounts.Import]
package auth

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"kota/auth/vault"
)

// Options says where KOTA stores the accounts and how it reaches Google. Only Home is required.
type Options struct {
	Home       string            // the folder; created with mode 0700 when first needed
	Now        func() time.Time  // nil: time.Now
	Keyring    Keyring           // nil: the operating system's keyring; NoKeyring: only files
	Transport  http.RoundTripper // sends requests with tokens to Google; nil: a transport with timeouts
	Log        *slog.Logger      // nil: no log
	ClientHome string            // a folder whose OAuth client KOTA uses if Home has none; "" for none
	NoNewKey   bool              // a Sealer creates no key; without a stored key it encrypts nothing

	// Vault stores the accounts, the OAuth client and the key of Sealer in a database, where all
	// servers find them. nil: files below Home and the keyring store them.
	Vault       *vault.Vault
	ClientVault *vault.Vault // a vault whose OAuth client KOTA uses if Vault has none; nil for none
}

// Accounts are the sign-ins in one folder. They are safe for concurrent use, also by
// several processes.
type Accounts struct {
	home           string
	clientHome     string
	tokens         tokenStore
	folder         folder // of the files; with a vault, only of an OAuth client that was stored before
	vault          *vault.Vault
	clientVault    *vault.Vault
	now            func() time.Time
	keyring        Keyring
	transport      http.RoundTripper
	log            *slog.Logger
	loginTimeout   time.Duration // maximum wait for Google's answer to a sign-in
	keyringTimeout time.Duration // maximum time of a keyring call
	tokenTimeout   time.Duration // maximum time of a request to the token endpoint

	mu       sync.Mutex
	sessions map[string]*session // by account name

	noNewKey   bool
	keyMu      sync.Mutex
	cachedKeys map[string]cachedKey // the keys as last read, by name: see key
}

// Open returns the accounts in o.Home. It uses neither the disk nor the network.
func Open(o Options) *Accounts {
	a := &Accounts{
		home:           o.Home,
		clientHome:     o.ClientHome,
		folder:         folder(filepath.Join(o.Home, "tokens")),
		vault:          o.Vault,
		clientVault:    o.ClientVault,
		now:            o.Now,
		keyring:        o.Keyring,
		transport:      o.Transport,
		log:            o.Log,
		loginTimeout:   5 * time.Minute,
		keyringTimeout: defaultKeyringTimeout,
		tokenTimeout:   tokenTimeout,
		sessions:       map[string]*session{},
		noNewKey:       o.NoNewKey,
		cachedKeys:     map[string]cachedKey{},
	}
	a.tokens = a.folder
	if a.vault != nil {
		a.tokens, a.keyring = vaultStore{a.vault}, NoKeyring
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

// Format writes the folder for every verb, because some verbs would print the sessions.
func (a *Accounts) Format(to fmt.State, _ rune) { io.WriteString(to, "Google accounts in "+a.home) }

// newTransport returns the default transport. It uses the proxies of the environment. It limits
// the time to connect and the wait for an answer, but not the transfer of a body.
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
