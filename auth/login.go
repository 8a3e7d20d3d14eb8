package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"golang.org/x/oauth2"
)

// A Login says how somebody signs in. Browser or Show must be set, so that the user can see
// Google's page.
type Login struct {
	Account   string                 // the name for the account, or a stored account's name or address; "": see FindAddress
	Scopes    []string               // the scopes to request; see Narrow
	Add       bool                   // request Scopes in addition to earlier grants; see Accounts.Login
	Browser   func(url string) error // opens the user's browser, and may block; nil: no browser
	Show      func(url string)       // shows the address to open by hand; nil: not shown
	Paste     io.Reader              // lines in which the user may paste the address to which Google redirected; nil: none
	Say       func(sentence string)  // receives messages for the user, in any goroutine; nil: the log gets them
	LoginHint string                 // the address to sign in as; "": the account's address, if known
	// FindAddress returns the address of the new account. The client has the new token. Without
	// Account, the account's name is this address, or the name of the stored account with this
	// address. If FindAddress is nil, Account must be set.
	FindAddress func(context.Context, *http.Client) (address string, err error)

	merge bool // whether Google merges earlier grants to this OAuth client
}

// Login lets the user sign in with their browser, as RFC 8252 describes. Google redirects
// the browser to a free port on 127.0.0.1, with PKCE (S256) and a state that is valid once. On
// a machine without a browser, the user pastes the address that their browser could not open.
// Login waits at most five minutes for Google's answer.
//
// The first account becomes the default. Another sign-in of an account replaces its token, and
// renames a file that KOTA cannot use. Google may grant less than Login requests: see
// Account.Scopes. The sign-in does not request the address. FindAddress finds it with the
// granted APIs.
//
// With Add, and at the first sign-in of an account, Google merges earlier grants
// (include_granted_scopes). A sign-in is the first if no stored account has the name or
// address in l.Account. If l.Account is "", a sign-in is the first if no account is stored. Any
// other sign-in replaces earlier grants, because the user may repeat it to grant less.
//
// The errors include ErrNoClient, ErrDenied, ErrTimeout, ErrNothingGranted, ErrNoRefreshToken,
// ErrBadName, *UnsafeError, *OtherAddressError, *RefusedError, *UnreachableError and the error
// of ctx. After these errors, no account was stored. If Paste is a terminal, a line that the user
// has not ended with Enter stays in the terminal's input.
func (a *Accounts) Login(ctx context.Context, l Login) (Account, error) {
	client, err := a.Client()
	if err != nil {
		return Account{}, err
	}
	if err := l.check(a); err != nil {
		return Account{}, err
	}
	if err := a.tokens.prepare(); err != nil {
		return Account{}, fmt.Errorf("prepare the sign-in: %w", err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return Account{}, fmt.Errorf("wait for the browser: %w", err)
	}
	callback := newCallback(listener.Addr().String())
	server := callback.serve(listener)
	defer stopServer(server)

	wait, cancel := context.WithTimeout(ctx, a.loginTimeout)
	defer cancel()
	l.showPage(client.signInURL(l, callback), wait)
	if l.Paste != nil {
		go callback.readPasted(wait, l.Paste, l.Say)
	}
	select {
	case <-wait.Done():
		err := wait.Err()
		if ctx.Err() == nil {
			err = ErrTimeout
		}
		callback.end(err)
		return Account{}, err
	case result := <-callback.answers:
		account, err := a.finishLogin(ctx, client, l, callback, result)
		callback.end(err)
		return account, err
	}
}

// check fills in defaults. It returns an error if the Login cannot work.
func (l *Login) check(a *Accounts) error {
	if l.Browser == nil && l.Show == nil {
		return errors.New("sign in: Google's page cannot be shown, because neither Browser nor Show is set")
	}
	if l.Account == "" && l.FindAddress == nil {
		return errors.New("sign in: the account needs a name")
	}
	if len(normalizeScopes(l.Scopes)) == 0 {
		return errors.New("sign in: no permissions were requested")
	}
	if l.Say == nil {
		l.Say = func(sentence string) { a.log.Warn(sentence) }
	}
	if l.Account == "" {
		stored, err := a.List()
		l.merge = l.Add || err == nil && len(stored) == 0
		return err
	}
	name, err := accountName(l.Account)
	if err != nil {
		return err
	}
	known, err := a.Find(l.Account)
	l.merge = l.Add || err != nil
	if err == nil {
		name = known.Name // l.Account may be its address
		if l.LoginHint == "" {
			l.LoginHint = known.Address
		}
	}
	l.Account = name
	return nil
}

// showPage shows the address to the user and opens the browser. If the browser does not open, it
// says so while the sign-in waits.
func (l *Login) showPage(url string, wait context.Context) {
	if l.Show != nil {
		l.Show(url)
	}
	if l.Browser == nil {
		return
	}
	go func() {
		if err := recoverPanic(func() error { return l.Browser(url) }); err != nil && wait.Err() == nil { // the text of err may quote the address
			l.Say("The browser could not be opened; open the address yourself.")
		}
	}()
}

// signInURL returns the URL of Google's page where the user consents.
func (c Client) signInURL(l Login, v *requestCallback) string {
	config := c.config(v.redirect())
	config.Scopes = Narrow(l.Scopes)
	options := []oauth2.AuthCodeOption{
		oauth2.AccessTypeOffline, oauth2.ApprovalForce, // without both there is no refresh token
		oauth2.S256ChallengeOption(v.verifier),
	}
	if l.merge {
		options = append(options, oauth2.SetAuthURLParam("include_granted_scopes", "true"))
	}
	if l.LoginHint != "" {
		options = append(options, oauth2.SetAuthURLParam("login_hint", l.LoginHint))
	}
	return config.AuthCodeURL(v.state, options...)
}

// random returns n bytes that nobody can guess, as text.
func random(encode func([]byte) string, n int) string {
	raw := make([]byte, n)
	rand.Read(raw) // it never fails
	return encode(raw)
}
