package auth

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// finishLogin turns Google's answer into a stored account.
func (a *Accounts) finishLogin(ctx context.Context, client Client, l Login, v *requestCallback, result answer) (Account, error) {
	if result.err != nil {
		return Account{}, result.err
	}
	issued, err := a.exchange(ctx, client, v.redirect(), result.code, v.verifier)
	if err != nil {
		return Account{}, fmt.Errorf("finish the sign-in: %w", err)
	}
	if issued.scopes == nil { // RFC 6749, 5.1: then the requested scopes were granted
		issued.scopes = Narrow(l.Scopes)
	}
	if !slices.ContainsFunc(l.Scopes, func(scope string) bool { return Covers(issued.scopes, scope) }) {
		return Account{}, ErrNothingGranted
	}
	r := record{
		Version: recordVersion, ClientID: client.ID, TokenURI: client.TokenURI,
		Scopes: issued.scopes, SignedIn: a.now(), Ends: issued.ends,
	}
	if r.Name, r.Address, err = a.identify(ctx, l, issued.Access); err != nil {
		return Account{}, err
	}
	return a.storeAccount(ctx, r, issued.grant, r.Address != "", l.Say)
}

// addressTimeout is the time limit of the request for the address of the new account.
const addressTimeout = 30 * time.Second

// identify returns the name under which to store the account, and the account's address or ""
// if unknown.
func (a *Accounts) identify(ctx context.Context, l Login, access string) (name, address string, err error) {
	if l.FindAddress == nil {
		return l.Account, "", nil
	}
	address, err = l.address(ctx, a.transport, access)
	known, unknown := a.Find(cmp.Or(l.Account, address))
	switch {
	case err == nil && l.Account != "":
		return l.Account, address, nil
	case err == nil && unknown == nil:
		return known.Name, address, nil
	case err == nil:
		name, err = accountName(address)
		return name, address, err
	case l.Account == "":
		return "", "", fmt.Errorf("find the address of the account: %w; sign in again and name it with --account", err)
	case unknown == nil && known.Address != "": // somebody else may have signed in
		return "", "", fmt.Errorf("check whether %s signed in: %w", known.Address, err)
	}
	l.Say("The address of the account could not be determined.")
	return l.Account, "", nil
}

// address calls FindAddress with a client that has the new token.
func (l *Login) address(ctx context.Context, base http.RoundTripper, access string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, addressTimeout)
	defer cancel()
	const account = "the new account"
	token := func(_ context.Context, rejected string) (string, error) {
		if rejected != "" {
			return "", &ExpiredError{Account: account, Cause: Refused}
		}
		return access, nil
	}
	address, err := l.FindAddress(ctx, &http.Client{Transport: &transport{account: account, base: base, token: token}})
	if err == nil && (address == "" || !isPrintable(address)) {
		err = ErrBadName
	}
	return address, err
}

// storeAccount stores the account, and replaces the stored account with the same name. If
// addressKnown is true, r.Address is the address of the user who has just signed in.
func (a *Accounts) storeAccount(ctx context.Context, r record, g grant, addressKnown bool, say func(string)) (Account, error) {
	unlock, err := a.tokens.lock(ctx, r.Name)
	if err != nil {
		return Account{}, fmt.Errorf("store the account %s: %w", r.Name, err)
	}
	defer unlock()
	before, held, _, err := a.load(r.Name)
	if isStoreProblem(err) { // the sign-in may be fine
		return Account{}, fmt.Errorf("read the account %s: %w", r.Name, err)
	}
	damaged := before.Name == "" && !isLoggedOut(err)
	if before.Address != "" && addressKnown && !strings.EqualFold(before.Address, r.Address) {
		return Account{}, &OtherAddressError{Account: r.Name, Want: before.Address, Got: r.Address}
	}
	if g.Refresh == "" && addressKnown && before.Address != "" && before.ClientID == r.ClientID && before.TokenURI == r.TokenURI {
		g.Refresh = held.Refresh
	}
	if g.Refresh == "" {
		return Account{}, ErrNoRefreshToken
	}
	if !addressKnown {
		r.Address = before.Address
	}
	if damaged {
		aside, err := a.tokens.setAside(r.Name, a.now())
		if err != nil {
			return Account{}, fmt.Errorf("save a copy of the damaged account %s: %w", r.Name, err)
		}
		say(fmt.Sprintf("The stored sign-in of %s could not be used; it was kept as %s.", r.Name, aside))
	}
	r.Keyring = r.Name + " " + random(hex.EncodeToString, 4) // a new item: the old item stays until the file is written
	if _, err := a.save(&r, g, nil); err != nil {
		return Account{}, fmt.Errorf("store the account %s: %w", r.Name, err)
	}
	if before.Keyring != "" {
		a.deleteFromKeyring(r.Name, before.Keyring)
	}
	a.recordDefault()
	return a.Find(r.Name)
}

// isLoggedOut reports whether the error says that the account does not exist.
func isLoggedOut(err error) bool {
	ended, ok := errors.AsType[*ExpiredError](err)
	return ok && ended.Cause == LoggedOut
}
