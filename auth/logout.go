package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Logout removes the account and ends its sign-in at Google. If only the second part failed,
// it returns *RevokeError. After any other error nothing has changed, here or at Google. It
// renames a damaged file. The name "" means the default account. If Logout removes the default
// account, the account that has been signed in longest becomes the default.
//
// Google ends every sign-in of the user with this OAuth client, also on other machines.
func (a *Accounts) Logout(ctx context.Context, name string) error {
	account, err := a.Find(name)
	if err != nil {
		return err
	}
	if unsafe, ok := errors.AsType[*UnsafeError](account.Problem); ok {
		return unsafe
	}
	unlock, err := a.tokens.lock(ctx, account.Name)
	if err != nil {
		return fmt.Errorf("sign out %s: %w", account.Name, err)
	}
	defer unlock()
	defer a.tokens.removeLock(account.Name)
	r, held, _, err := a.load(account.Name)
	if isLoggedOut(err) { // signed out meanwhile
		return nil
	}
	if _, ok := errors.AsType[*CorruptError](err); ok {
		if _, err := a.tokens.setAside(account.Name, a.now()); err != nil {
			return fmt.Errorf("sign out %s: %w", account.Name, err)
		}
		a.reassignDefault(account)
		return &RevokeError{Account: account.Name, Why: "its token cannot be read"}
	}
	if r.Name == "" {
		return fmt.Errorf("sign out %s: %w", account.Name, err)
	}
	// Remove the file first: if that fails, the token still works.
	if err := a.tokens.remove(r.Name); err != nil {
		return fmt.Errorf("sign out %s: nothing was changed: %w", r.Name, err)
	}
	if r.Keyring != "" {
		a.deleteFromKeyring(r.Name, r.Keyring)
	}
	a.reassignDefault(account)
	if why := a.revoke(ctx, r, held, err); why != "" {
		return &RevokeError{Account: r.Name, Why: why}
	}
	return nil
}

// revoke ends the sign-in at Google (RFC 7009). It returns why it could not, or "". If the token
// could not be read, loadErr is the reason.
func (a *Accounts) revoke(ctx context.Context, r record, held grant, loadErr error) string {
	if ended, ok := errors.AsType[*ExpiredError](loadErr); ok && ended.Cause == Lost {
		return "its token is no longer in the keyring"
	}
	if loadErr != nil {
		return "its token cannot be read from the keyring"
	}
	ctx, cancel := context.WithTimeout(ctx, a.tokenTimeout)
	defer cancel()
	form := url.Values{"token": {held.Refresh}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, revokeURI(r.TokenURI), strings.NewReader(form))
	if err != nil {
		return "the OAuth client has no address to revoke tokens"
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := a.plainClient().Do(req)
	if err != nil {
		return unreachableError(ctx, err).Why
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	switch {
	case resp.StatusCode == http.StatusOK:
		return ""
	case resp.StatusCode == http.StatusBadRequest && strings.Contains(string(body), "invalid_token"):
		return "" // the sign-in had already ended
	}
	return fmt.Sprintf("it answered %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
}
