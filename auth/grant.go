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

// tokenTimeout limits one request to the token endpoint.
const tokenTimeout = 30 * time.Second

// A response is the content of an answer of the token endpoint.
type response struct {
	grant
	scopes []string  // nil: not stated
	ends   time.Time // of the refresh token; zero: not stated
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

// renew gets a new access token. If the answer has no refresh token, the old one stays
// (oauth2 does this); Google's answers never have one. It returns *RefusedError with the code
// invalid_grant if the refresh token is no longer valid.
func (a *Accounts) renew(ctx context.Context, client Client, refresh string) (response, error) {
	ctx, cancel := a.tokenContext(ctx)
	defer cancel()
	token, err := client.config("").TokenSource(ctx, &oauth2.Token{RefreshToken: refresh}).Token()
	if err != nil {
		return response{}, tokenError(ctx, err)
	}
	return a.response(token)
}

// config returns the client for oauth2. It states how the secret is sent: guessing would ask
// twice whenever Google refuses.
func (c Client) config(redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: c.ID, ClientSecret: c.secret, RedirectURL: redirect,
		Endpoint: oauth2.Endpoint{AuthURL: c.AuthURI, TokenURL: c.TokenURI, AuthStyle: oauth2.AuthStyleInParams},
	}
}

// tokenContext makes oauth2 use the accounts' transport. It follows no redirects: the body has
// secrets, which are meant for one address.
func (a *Accounts) tokenContext(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, a.plainClient())
	return context.WithTimeout(ctx, a.tokenTimeout)
}

// plainClient returns a client without authorization that follows no redirects.
func (a *Accounts) plainClient() *http.Client {
	return &http.Client{
		Transport:     a.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// response checks the issued token. It computes times with the accounts' clock.
func (a *Accounts) response(token *oauth2.Token) (response, error) {
	got := response{grant: grant{Access: token.AccessToken, Refresh: token.RefreshToken}}
	if !isToken(got.Access) || got.Refresh != "" && !isToken(got.Refresh) {
		return response{}, &UnreachableError{Why: "the answer has no usable token"}
	}
	if token.ExpiresIn > 0 {
		got.Expiry = a.now().Add(time.Duration(token.ExpiresIn) * time.Second)
	}
	if seconds := parseSeconds(token.Extra("refresh_token_expires_in")); seconds > 0 {
		got.ends = a.now().Add(time.Duration(seconds) * time.Second)
	}
	if scope, ok := token.Extra("scope").(string); ok {
		got.scopes = normalizeScopes(strings.Fields(scope))
	}
	return got, nil
}

// maxSeconds is a hundred years. A longer time is a mistake.
const maxSeconds = 100 * 365 * 24 * 3600

// parseSeconds reads a number of seconds from JSON or a form; 0 if it is not valid.
func parseSeconds(value any) int64 {
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

// normalizeScopes sorts scopes and removes duplicates and empty ones.
func normalizeScopes(scopes []string) []string {
	kept := slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool { return !isToken(scope) })
	slices.Sort(kept)
	return slices.Compact(kept)
}

var codeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_]{1,40}$`) })

// tokenError says why a request for a token failed. Its text has nothing of the request or
// the answer except OAuth's error code.
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
	return unreachableError(ctx, err)
}

// unreachableError says why a request got no answer. It passes on only texts of the operating
// system and of this package's own time limits.
func unreachableError(ctx context.Context, err error) *UnreachableError {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &UnreachableError{Why: "the request was cancelled", cause: context.Canceled}
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil: // the limit is this package's own, not the caller's
		return &UnreachableError{Why: "it did not answer in time"}
	}
	return &UnreachableError{Why: describeNetworkError(err)}
}

// revokeURI returns the URL at which tokens of the token_uri are revoked: Google's own URL for
// Google's, otherwise ".../revoke" next to the token_uri.
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
