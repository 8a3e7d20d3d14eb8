package auth

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// HTTPClient returns a client whose requests carry the authorization of the
// account of that name or address; "" is the default one. There is one client
// per account, safe for concurrent use. It returns ErrSignedOut,
// *UnknownAccountError, *NoDefaultError or the account's Problem; it uses the network only with
// the first request.
//
// The token is renewed a minute before it ends. When an API answers 401 it is
// renewed once, and a GET or HEAD repeated once; any other request is not, and
// ends in *RenewedError. A second 401 is *ExpiredError. Requests also end in
// *ExpiredError, *UnreachableError, *RefusedError or *KeyringError when there is
// no token to be had. All are found by errors.As through http.Client's
// *url.Error.
//
// Authorization goes to https://*.googleapis.com and to this machine's loopback,
// where tests have their Google, and never along with a redirect to another
// host, port or scheme: that request goes out without it. A request that is
// meant for any other host from the start ends in *HostError.
func (a *Accounts) HTTPClient(_ context.Context, name string) (*http.Client, Account, error) {
	account, err := a.Find(name)
	if err != nil {
		return nil, Account{}, err
	}
	if account.Problem != nil {
		return nil, account, account.Problem
	}
	return a.session(account.Name).client, account, nil
}

// A transport adds a token to requests.
type transport struct {
	account string
	token   func(ctx context.Context, rejected string) (string, error)
	base    http.RoundTripper
}

// RoundTrip sends the request with the account's authorization.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Response != nil && !sameOrigin(req) {
		bare := req.Clone(req.Context())
		bare.Header.Del("Authorization")
		return t.base.RoundTrip(bare)
	}
	if !isAPI(req.URL) {
		closeBody(req)
		return nil, &HostError{Host: req.URL.Host}
	}
	token, err := t.token(req.Context(), "")
	if err != nil {
		closeBody(req)
		return nil, err
	}
	resp, err := t.send(req, token)
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	discard(resp)
	token, err = t.token(req.Context(), token)
	if err != nil {
		return nil, err
	}
	if !repeatable(req) {
		return nil, &RenewedError{Account: t.account}
	}
	resp, err = t.send(req, token)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		discard(resp)
		return nil, &ExpiredError{Account: t.account, Cause: Refused}
	}
	return resp, err
}

// send sends a copy of the request with the token. The answer refers to the request without it.
func (t *transport) send(req *http.Request, token string) (*http.Response, error) {
	authorized := req.Clone(req.Context())
	authorized.Header.Set("Authorization", "Bearer "+token)
	resp, err := t.base.RoundTrip(authorized)
	if resp != nil {
		resp.Request = req
	}
	return resp, err
}

// isAPI reports whether the account's token may go there.
func isAPI(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	if isLoopback(host) {
		return u.Scheme == "http" || u.Scheme == "https"
	}
	return u.Scheme == "https" && strings.HasSuffix(host, ".googleapis.com")
}

// sameOrigin reports whether a redirected request goes where the first one went.
func sameOrigin(req *http.Request) bool {
	first := req
	for first.Response != nil {
		first = first.Response.Request
		if first == nil {
			return false
		}
	}
	return first.URL.Scheme == req.URL.Scheme && strings.EqualFold(first.URL.Host, req.URL.Host)
}

func repeatable(req *http.Request) bool {
	return (req.Method == http.MethodGet || req.Method == http.MethodHead || req.Method == "") &&
		(req.Body == nil || req.Body == http.NoBody)
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// discard reads the rest of an answer, so that its connection can be used again.
func discard(resp *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	resp.Body.Close()
}
