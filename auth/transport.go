package auth

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// HTTPClient returns the account with this name or address, and a client whose requests have the
// account's authorization. The name "" means the default account. Each account has one
// client, which is safe for concurrent use. The errors are those of List, ErrSignedOut,
// *UnknownAccountError, *NoDefaultError and the account's Problem. HTTPClient does not use the
// network.
//
// Before a request, the client renews a token that expires within a minute. If an API answers
// 401, the client renews the token, and repeats a GET or HEAD without a body once. Any other
// request fails with *RenewedError. A second 401 fails with *ExpiredError. If no token is
// available, requests fail, for example with *ExpiredError, *UnreachableError, *RefusedError or
// *KeyringError. Use errors.As, which finds these errors in http.Client's *url.Error.
//
// The client sends the authorization to https://*.googleapis.com and to this machine's loopback,
// where tests run a fake Google. After a redirect to another host, port or scheme, it sends the
// request without authorization. A first request to any other host fails with *HostError.
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
	drain(resp)
	token, err = t.token(req.Context(), token)
	if err != nil {
		return nil, err
	}
	if !isRepeatable(req) {
		return nil, &RenewedError{Account: t.account}
	}
	resp, err = t.send(req, token)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		drain(resp)
		return nil, &ExpiredError{Account: t.account, Cause: Refused}
	}
	return resp, err
}

// send sends a copy of the request with the token. The response refers to the original request.
func (t *transport) send(req *http.Request, token string) (*http.Response, error) {
	authorized := req.Clone(req.Context())
	authorized.Header.Set("Authorization", "Bearer "+token)
	resp, err := t.base.RoundTrip(authorized)
	if resp != nil {
		resp.Request = req
	}
	return resp, err
}

// isAPI reports whether KOTA may send an account's token to the URL.
func isAPI(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	if isLoopback(host) {
		return u.Scheme == "http" || u.Scheme == "https"
	}
	return u.Scheme == "https" && strings.HasSuffix(host, ".googleapis.com")
}

// sameOrigin reports whether a redirected request goes to the origin of the first request.
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

func isRepeatable(req *http.Request) bool {
	return (req.Method == http.MethodGet || req.Method == http.MethodHead || req.Method == "") &&
		(req.Body == nil || req.Body == http.NoBody)
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// drain closes a response. It first reads the rest, up to 64 KiB, so that the connection can
// usually be used again.
func drain(resp *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	resp.Body.Close()
}
