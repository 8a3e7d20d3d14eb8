package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// tokenTimeout bounds one request to the token endpoint.
const tokenTimeout = 30 * time.Second

// A response is what the token endpoint gave.
type response struct {
	grant
	scopes []string  // nil: not said
	ends   time.Time // of the refresh token; zero: not said
}

// exchange turns the code of a sign-in into tokens.
func (a *Accounts) exchange(ctx context.Context, client Client, redirect, code, verifier string) (response, error) {
	ctx, cancel := a.tokenContext(ctx)
	defer cancel()
	config := client.config(redirect)
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return response{}, tokenError(ctx, err)
	}
	return a.response(token)
}

// renew gets a new access token. Its refresh token is the old one where the
// answer has none (oauth2 sees to that), as Google's never have. It returns
// *RefusedError with the code invalid_grant when the refresh token is not valid
// any more.
func (a *Accounts) renew(ctx context.Context, client Client, refresh string) (response, error) {
	ctx, cancel := a.tokenContext(ctx)
	defer cancel()
	token, err := client.config("").TokenSource(ctx, &oauth2.Token{RefreshToken: refresh}).Token()
	if err != nil {
		return response{}, tokenError(ctx, err)
	}
	return a.response(token)
}

// config is the client for oauth2. The style of its secret is named: guessing
// would ask twice whenever Google refuses.
func (c Client) config(redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: c.ID, ClientSecret: c.secret, RedirectURL: redirect,
		Endpoint: oauth2.Endpoint{AuthURL: c.AuthURI, TokenURL: c.TokenURI, AuthStyle: oauth2.AuthStyleInParams},
	}
}

// tokenContext lets oauth2 ask over the accounts' transport. Redirects are not
// followed: the secrets are in the body, and meant for one address.
func (a *Accounts) tokenContext(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, a.direct())
	return context.WithTimeout(ctx, a.tokenPatience)
}

// direct is a client without authorization that follows no redirect.
func (a *Accounts) direct() *http.Client {
	return &http.Client{
		Transport:     a.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// response checks what was given. It reckons with the accounts' clock.
func (a *Accounts) response(token *oauth2.Token) (response, error) {
	got := response{grant: grant{Access: token.AccessToken, Refresh: token.RefreshToken}}
	if !isToken(got.Access) || got.Refresh != "" && !isToken(got.Refresh) {
		return response{}, &UnreachableError{Why: "the answer holds no usable token"}
	}
	if token.ExpiresIn > 0 {
		got.Expiry = a.now().Add(time.Duration(token.ExpiresIn) * time.Second)
	}
	if seconds := number(token.Extra("refresh_token_expires_in")); seconds > 0 {
		got.ends = a.now().Add(time.Duration(seconds) * time.Second)
	}
	if said, ok := token.Extra("scope").(string); ok {
		got.scopes = tidy(strings.Fields(said))
	}
	return got, nil
}

// maxSeconds is a hundred years: what is longer is no time but a fault.
const maxSeconds = 100 * 365 * 24 * 3600

// number reads a count of seconds from JSON or a form; 0 if it is not a number.
func number(value any) int64 {
	n := int64(0)
	switch v := value.(type) {
	case float64:
		if v <= maxSeconds {
			n = int64(v)
		}
	case int64:
		n = v
	case string:
		n, _ = strconv.ParseInt(v, 10, 64)
	}
	if n < 0 || n > maxSeconds {
		return 0
	}
	return n
}

// tidy sorts scopes and drops duplicates and empty ones.
func tidy(scopes []string) []string {
	kept := slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool { return !isToken(scope) })
	slices.Sort(kept)
	return slices.Compact(kept)
}

var codeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_]{1,40}$`) })

// tokenError says what became of a request for a token without a word of what
// was sent or answered, apart from OAuth's error code.
func tokenError(ctx context.Context, err error) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		status := refused.Response.StatusCode
		switch {
		case status >= 500 || status == http.StatusTooManyRequests:
			return &UnreachableError{Why: fmt.Sprintf("it answered %d %s", status, http.StatusText(status))}
		case codeForm().MatchString(refused.ErrorCode):
			return &RefusedError{Code: refused.ErrorCode}
		}
		return &UnreachableError{Why: fmt.Sprintf("it answered %d %s and no token", status, http.StatusText(status))}
	}
	return unreachable(ctx, err)
}

// unreachable says why a request got no answer: only what the operating system
// and this package's own time limits say is passed on.
func unreachable(ctx context.Context, err error) *UnreachableError {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &UnreachableError{Why: "the request was cancelled", cause: context.Canceled}
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil: // of this package's own, not of the caller
		return &UnreachableError{Why: "it did not answer in time"}
	}
	return &UnreachableError{Why: networkFault(err)}
}

// revokeURI returns where tokens of the token_uri are revoked: at Google's own address for
// Google's, otherwise at its sibling ".../revoke".
func revokeURI(tokenURI string) string {
	u, err := url.Parse(tokenURI)
	if err != nil {
		return ""
	}
	if host := u.Hostname(); host == "accounts.google.com" || strings.HasSuffix(host, ".googleapis.com") {
		return "https://oauth2.googleapis.com/revoke"
	}
	u.Path, u.RawPath, u.RawQuery = path.Join(path.Dir("/"+u.Path), "revoke"), "", ""
	return u.String()
}
