package issuer

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	maxAnswer  = 512 << 10 // maximum bytes of an issuer's metadata or keys
	maxKeys    = 64        // maximum keys of an issuer; further keys are ignored
	minRSABits = 2048      // minimum bits of an RSA key (RFC 7518, section 3.3)
)

// newClient returns a client that follows no redirect.
func newClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		transport = &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			ForceAttemptHTTP2:      true,
			IdleConnTimeout:        30 * time.Second,
			TLSHandshakeTimeout:    5 * time.Second,
			ResponseHeaderTimeout:  fetchTimeout,
			MaxResponseHeaderBytes: 64 << 10,
		}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// fetchKeys returns the public keys for the issuer's signatures, from the URL in the issuer's
// metadata.
func fetchKeys(ctx context.Context, client *http.Client, issuer string) ([]jose.JSONWebKey, error) {
	about, err := fetchMetadata(ctx, client, issuer)
	if err != nil {
		return nil, err
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := fetch(ctx, client, about.Keys, &set); err != nil {
		return nil, err
	}
	var keys []jose.JSONWebKey
	for _, raw := range set.Keys[:min(len(set.Keys), maxKeys)] {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) == nil && canVerify(key) { // an unknown kind of key must not affect the other keys
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s has no public key for signatures", about.Keys)
	}
	return keys, nil
}

// canVerify reports whether the key may verify tokens.
func canVerify(key jose.JSONWebKey) bool {
	if key.Use != "" && key.Use != "sig" || !key.Valid() || !key.IsPublic() {
		return false
	}
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		return public.N.BitLen() >= minRSABits
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return true
	}
	return false
}

// published is what KOTA needs of an issuer's metadata (RFC 8414).
type published struct {
	Issuer    string `json:"issuer"`
	Keys      string `json:"jwks_uri"`
	Authorize string `json:"authorization_endpoint"`
	Token     string `json:"token_endpoint"`
}

// fetchMetadata returns the issuer's metadata. It tries the URLs of metadataURLs in their order,
// as MCP's authorization requires.
func fetchMetadata(ctx context.Context, client *http.Client, issuer string) (published, error) {
	urls, err := metadataURLs(issuer)
	if err != nil {
		return published{}, err
	}
	var failed []error
	for _, at := range urls {
		var about published
		err := fetch(ctx, client, at, &about)
		switch {
		case err != nil:
		case about.Issuer != issuer: // RFC 8414, section 3.3
			err = fmt.Errorf("%s belongs to another issuer, %.200q", at, about.Issuer)
		case !isAllowedURL(about.Keys, issuer):
			err = fmt.Errorf("%s has no jwks_uri with https", at)
		default:
			return about, nil
		}
		failed = append(failed, err)
	}
	return published{}, errors.Join(failed...)
}

// metadataURLs returns the possible URLs of an issuer's metadata. RFC 8414, section 3.1,
// puts the well-known part before the path. OpenID Connect Discovery puts its own well-known
// part after the path, but some issuers put that part before the path too.
func metadataURLs(issuer string) ([]string, error) {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil, err
	}
	base, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	urls := []string{
		base + "/.well-known/oauth-authorization-server" + path,
		base + "/.well-known/openid-configuration" + path,
	}
	if path != "" {
		urls = append(urls, base+path+"/.well-known/openid-configuration")
	}
	return urls, nil
}

// isAllowedURL reports whether KOTA may fetch keys from a URL. It allows https. If the issuer's
// URL is http, it also allows http from this machine's loopback.
func isAllowedURL(at, issuer string) bool {
	u, err := url.Parse(at)
	if err != nil || u.Hostname() == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname()) && strings.HasPrefix(issuer, "http://")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// fetch gets JSON from a URL and decodes it into target.
func fetch(ctx context.Context, client *http.Client, at string, target any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %d", at, answer.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("read %s: %w", at, err)
	case len(raw) > maxAnswer:
		return fmt.Errorf("%s is longer than %d bytes", at, maxAnswer)
	case json.Unmarshal(raw, target) != nil:
		return fmt.Errorf("%s is not the expected JSON", at)
	}
	return nil
}
