package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"time"

	"golang.org/x/oauth2"
)

// A Login says how somebody signs in. Browser or Show must be set, so that the
// user gets to see Google's page.
type Login struct {
	Account   string                 // name to keep it under; "": the address that Name finds
	Scopes    []string               // what to ask for; see Narrow
	Browser   func(url string) error // opens the user's browser; nil: none. It may block
	Show      func(url string)       // shows the address to open by hand; nil: not shown
	Paste     io.Reader              // lines in which the user may paste the address Google led to; nil: none
	Say       func(sentence string)  // hears what the user should know meanwhile; nil: it is logged
	LoginHint string                 // address to sign in as; "": the account's, where it is known
	// Name finds the address of who has just signed in, with a client that has
	// the new token. nil: Account must be set.
	Name func(context.Context, *http.Client) (address string, err error)
}

// Login lets the user sign in with their browser, as RFC 8252 has it: Google
// sends them back to a free port on 127.0.0.1, with PKCE (S256) and a state that
// is good once. On a machine without a browser, they paste the address that
// their browser could not open. It takes five minutes at most.
//
// The first account becomes the default. Signing in again replaces an account's
// token. What was granted may be less than what was asked: see Account.Scopes.
//
// It returns ErrNoClient, ErrDenied, ErrTimeout, ErrNoRefreshToken, ErrBadName,
// *UnsafeError, *OtherAddressError, *RefusedError or *UnreachableError; nothing
// was stored then. A Paste that is a terminal keeps a line that is being typed.
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
	visit := newVisit(listener.Addr().String())
	server := visit.serve(listener)
	defer stop(server)

	wait, cancel := context.WithTimeoutCause(ctx, a.patience, ErrTimeout)
	defer cancel()
	l.open(client.signInURL(l, visit), wait)
	if l.Paste != nil {
		go visit.read(wait, l.Paste, l.Say)
	}
	select {
	case <-wait.Done():
		visit.end(context.Cause(wait))
		return Account{}, context.Cause(wait)
	case got := <-visit.answers:
		account, err := a.finish(ctx, client, l, visit, got)
		visit.end(err)
		return account, err
	}
}

// check fills in what was left out, and refuses what cannot work.
func (l *Login) check(a *Accounts) error {
	if l.Browser == nil && l.Show == nil {
		return errors.New("sign in: there is no way to show Google's page")
	}
	if l.Account == "" && l.Name == nil {
		return errors.New("sign in: the account needs a name")
	}
	if l.Say == nil {
		l.Say = func(sentence string) { a.log.Warn(sentence) }
	}
	if l.Account == "" {
		return nil
	}
	name, err := accountName(l.Account)
	if err != nil {
		return err
	}
	if known, err := a.Find(l.Account); err == nil {
		name = known.Name // l.Account may be its address
		if l.LoginHint == "" {
			l.LoginHint = known.Address
		}
	}
	l.Account = name
	return nil
}

// open lets the user see the page. A browser that does not open is no failure
// where the address was shown.
func (l *Login) open(url string, wait context.Context) {
	if l.Show != nil {
		l.Show(url)
	}
	if l.Browser == nil {
		return
	}
	go func() {
		if err := l.Browser(url); err != nil && wait.Err() == nil { // its text may quote the address
			l.Say("The browser could not be opened; open the address by hand.")
		}
	}()
}

// signInURL is the page where the user consents.
func (c Client) signInURL(l Login, v *visit) string {
	config := c.config(v.redirect())
	config.Scopes = Narrow(l.Scopes)
	options := []oauth2.AuthCodeOption{
		oauth2.AccessTypeOffline, oauth2.ApprovalForce, // both, or there is no refresh token
		oauth2.SetAuthURLParam("include_granted_scopes", "true"),
		oauth2.S256ChallengeOption(v.verifier),
	}
	if l.LoginHint != "" {
		options = append(options, oauth2.SetAuthURLParam("login_hint", l.LoginHint))
	}
	return config.AuthCodeURL(v.state, options...)
}

// finish turns Google's answer into a stored account.
func (a *Accounts) finish(ctx context.Context, client Client, l Login, v *visit, got answer) (Account, error) {
	if got.err != nil {
		return Account{}, got.err
	}
	given, err := a.exchange(ctx, client, v.redirect(), got.code, v.verifier)
	if err != nil {
		return Account{}, fmt.Errorf("finish the sign-in: %w", err)
	}
	if given.scopes == nil { // RFC 6749, 5.1: then it is what was asked for
		given.scopes = Narrow(l.Scopes)
	}
	r := record{
		Version: recordVersion, ClientID: client.ID, TokenURI: client.TokenURI,
		Scopes: given.scopes, SignedIn: a.now(), Ends: given.ends,
	}
	if r.Name, r.Address, err = a.whose(ctx, l, given.Access); err != nil {
		return Account{}, err
	}
	return a.admit(ctx, r, given.grant, l.Say)
}

// nameTimeout bounds asking for the address of who has signed in.
const nameTimeout = 30 * time.Second

// whose returns the name to keep the account under, and its address.
func (a *Accounts) whose(ctx context.Context, l Login, access string) (name, address string, err error) {
	if l.Name == nil {
		return l.Account, "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, nameTimeout)
	defer cancel()
	address, err = l.Name(ctx, &http.Client{Transport: &transport{account: "the new account", base: a.transport,
		token: func(_ context.Context, rejected string) (string, error) {
			if rejected != "" {
				return "", &ExpiredError{Account: "the new account", Cause: Refused}
			}
			return access, nil
		}}})
	if err == nil && !isPrintable(address) {
		err = ErrBadName
	}
	if err != nil && l.Account == "" {
		return "", "", fmt.Errorf("find out whose account it is: %w; sign in again with a name for it", err)
	}
	if err != nil {
		l.Say("The address of the account could not be found out.")
		return l.Account, "", nil
	}
	if l.Account != "" {
		return l.Account, address, nil
	}
	if known, err := a.Find(address); err == nil { // under whatever name
		return known.Name, address, nil
	}
	name, err = accountName(address)
	return name, address, err
}

// admit stores the account, in place of the one that had its name.
func (a *Accounts) admit(ctx context.Context, r record, g grant, say func(string)) (Account, error) {
	unlock, err := a.tokens.lock(ctx, r.Name)
	if err != nil {
		return Account{}, fmt.Errorf("store the account %s: %w", r.Name, err)
	}
	defer unlock()
	before, held, _, err := a.load(r.Name)
	switch {
	case before.Name == "" && !isLoggedOut(err): // it cannot be read
		aside, err := a.tokens.setAside(r.Name, a.now())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Account{}, fmt.Errorf("keep the damaged account %s: %w", r.Name, err)
		}
		say(fmt.Sprintf("What was stored of %s could not be used; it is kept as %s.", r.Name, aside))
	case before.Address != "" && r.Address != "" && before.Address != r.Address:
		return Account{}, &OtherAddressError{Account: r.Name, Want: before.Address, Got: r.Address}
	case r.Address == "":
		r.Address = before.Address
	}
	if g.Refresh == "" && before.ClientID == r.ClientID && before.TokenURI == r.TokenURI {
		g.Refresh = held.Refresh
	}
	if g.Refresh == "" {
		return Account{}, ErrNoRefreshToken
	}
	r.Keyring = r.Name + " " + random(hex.EncodeToString, 4) // its own, so that the old one stays until the file is written
	if err := a.save(&r, g); err != nil {
		return Account{}, fmt.Errorf("store the account %s: %w", r.Name, err)
	}
	if before.Keyring != "" {
		if err := a.unhideForGood(before.Keyring); err != nil {
			a.log.Warn("an old token stays in the keyring", "account", r.Name, "err", err)
		}
	}
	if a.tokens.chosen() == "" {
		if err := a.tokens.choose(r.Name); err != nil {
			return Account{}, fmt.Errorf("make %s the default account: %w", r.Name, err)
		}
	}
	return a.Find(r.Name)
}

func isLoggedOut(err error) bool {
	ended, ok := errors.AsType[*ExpiredError](err)
	return ok && ended.Cause == LoggedOut
}

// random returns n bytes that nobody can guess, as text.
func random(encode func([]byte) string, n int) string {
	raw := make([]byte, n)
	rand.Read(raw) // it never fails
	return encode(raw)
}

// newState returns 32 random bytes as the text of a query.
func newState() string { return random(base64.RawURLEncoding.EncodeToString, 32) }
