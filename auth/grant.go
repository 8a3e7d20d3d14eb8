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

// tokenTimeout is the time limit of one request to the token endpoint.
const tokenTimeout = 30 * time.Second

// A response is the content of an answer of the token endpoint.
type response struct {
	grant
	scopes []string  // the granted scopes; nil: not stated
	ends   time.Time // when the refresh token expires; zero: not stated
}

// exchange returns the tokens for the authorization code of a sign-in.
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

// renew gets a new access token. If the answer has no refresh token, as is usual for Google,
// the response has the old refresh token (oauth2 does this). It returns *RefusedError with the
// code invalid_grant if the refresh token is no longer valid.
func (a *Accounts) renew(ctx context.Context, client Client, refresh string) (response, error) {
	ctx, cancel := a.tokenContext(ctx)
	defer cancel()
	token, err := client.config("").TokenSource(ctx, &oauth2.Token{RefreshToken: refresh}).Token()
	if err != nil {
		return response{}, tokenError(ctx, err)
	}
	return a.response(token)
}

// config returns the client for oauth2. It sets AuthStyle, because otherwise oauth2 would send
// each refused request twice.
func (c Client) config(redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: c.ID, ClientSecret: c.secret, RedirectURL: redirect,
		Endpoint: oauth2.Endpoint{AuthURL: c.AuthURI, TokenURL: c.TokenURI, AuthStyle: oauth2.AuthStyleInParams},
	}
}

// tokenContext returns a context for oauth2, with a time limit and with plainClient. plainClient
// follows no redirects, because the body has secrets for only one address.
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

// response checks the issued token and returns it as a response. It computes times with a.now.
func (a *Accounts) response(token *oauth2.Token) (response, error) {
	issued := response{grant: grant{Access: token.AccessToken, Refresh: token.RefreshToken}}
	if !isToken(issued.Access) || issued.Refresh != "" && !isToken(issued.Refresh) {
		return response{}, &UnreachableError{Why: "the answer has no usable token"}
	}
	if token.ExpiresIn > 0 {
		issued.Expiry = a.now().Add(time.Duration(token.ExpiresIn) * time.Second)
	}
	if seconds := parseSeconds(token.Extra("refresh_token_expires_in")); seconds > 0 {
		issued.ends = a.now().Add(time.Duration(seconds) * time.Second)
	}
	if scope, ok := token.Extra("scope").(string); ok {
		issued.scopes = normalizeScopes(strings.Fields(scope))
	}
	return issued, nil
}

// maxSeconds is a hundred years. A longer time is a mistake.
const maxSeconds = 100 * 365 * 24 * 3600

// parseSeconds returns a number of seconds from JSON or a form, or 0 if value is not valid.
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

// normalizeScopes returns the scopes sorted, without duplicates and invalid scopes.
func normalizeScopes(scopes []string) []string {
	kept := slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool { return !isToken(scope) })
	slices.Sort(kept)
	return slices.Compact(kept)
}

var codeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_]{1,40}$`) })

// tokenError returns why a request for a token failed. Its text has nothing of the request or
// the answer except the host name, the HTTP status and OAuth's error code.
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

// unreachableError returns why a request got no usable answer. Its text has only host names and
// texts of the operating system and of this package.
func unreachableError(ctx context.Context, err error) *UnreachableError {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &UnreachableError{Why: "the request was cancelled", cause: context.Canceled}
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil: // the error is not wrapped: callers would take this package's time limit for their own
		return &UnreachableError{Why: "it did not answer in time"}
	}
	return &UnreachableError{Why: describeNetworkError(err)}
}

// revokeURI returns the URL that revokes tokens of the token_uri. For Google's token_uri it is
// Google's URL, and otherwise ".../revoke" next to the token_uri. For an invalid URL it is "".
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
