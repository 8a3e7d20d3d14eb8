package issuer

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	maxToken   = 16 << 10         // maximum bytes of a token; usual tokens have 1 to 2 KB
	maxSubject = 255              // maximum bytes of a subject (OpenID Connect Core, section 2)
	leeway     = 30 * time.Second // the accepted clock difference: an expired token stays valid for this time
)

// algorithms lists the accepted signature algorithms. It has no algorithm with a shared key,
// because the issuer's keys are public.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// A signedToken has the form of a JWT. Its signature is not verified yet.
type signedToken struct {
	parsed *jwt.JSONWebToken
	header jose.Header
}

func parse(token string) (signedToken, error) {
	if len(token) > maxToken {
		return signedToken{}, invalidError("the token is longer than %d bytes", maxToken)
	}
	parsed, err := jwt.ParseSigned(token, algorithms)
	if err != nil || len(parsed.Headers) != 1 { // the error's text may quote the token
		return signedToken{}, invalidError("this is neither the server's own token nor a JWT signed with a public-key algorithm")
	}
	t := signedToken{parsed, parsed.Headers[0]}
	if kind := t.kind(); kind != "" && kind != "jwt" && kind != "at+jwt" {
		return signedToken{}, invalidError("the token is not an access token")
	}
	return t, nil
}

// kind returns the header's typ, in lower case and without "application/" (RFC 7515, section
// 4.1.9). It is "" if absent. Access tokens have the type JWT, at+jwt (RFC 9068) or none.
func (t signedToken) kind() string {
	typ, _ := t.header.ExtraHeaders[jose.HeaderType].(string)
	return strings.TrimPrefix(strings.ToLower(typ), "application/")
}

// claims are the verified contents of a token.
type claims struct {
	jwt.Claims
	Scope    string   `json:"scope"` // scopes separated by spaces (RFC 9068)
	Scp      wordList `json:"scp"`   // scopes of issuers that use scp instead of scope
	Confirm  any      `json:"cnf"`
	FullName string   `json:"name"`
	Username string   `json:"preferred_username"`
	Email    string   `json:"email"`
}

// claims returns the token's claims if one of the keys has signed it.
func (t signedToken) claims(keys []jose.JSONWebKey) (claims, error) {
	for _, key := range keys {
		if key.Algorithm != "" && key.Algorithm != t.header.Algorithm {
			continue
		}
		var c claims
		if err := t.parsed.Claims(key.Key, &c); err == nil {
			return c, nil
		}
	}
	return claims{}, invalidError("the signature of the token is not valid, or its claims are malformed")
}

// accept returns the owner of a token with these claims, if the claims are valid here and now.
func (v *Verifier) accept(c claims) (Person, error) {
	now := v.now()
	switch {
	case c.Issuer != v.issuer:
		return Person{}, invalidError("the token is from another issuer")
	case !c.Audience.Contains(v.audience):
		return Person{}, invalidError("the token is not for the audience %s", v.audience)
	case c.Expiry == nil:
		return Person{}, invalidError("the token has no expiry time (exp)")
	case now.After(c.Expiry.Time().Add(leeway)):
		return Person{}, invalidError("the token has expired")
	case c.NotBefore != nil && now.Add(leeway).Before(c.NotBefore.Time()),
		c.IssuedAt != nil && now.Add(leeway).Before(c.IssuedAt.Time()):
		return Person{}, invalidError("the token is not valid yet; check the clocks of both machines")
	case c.Confirm != nil: // RFC 8705, 9449: if KOTA accepted it as a plain token, a thief could use it
		return Person{}, invalidError("the token is bound to a key of its client (cnf), and only plain bearer tokens are accepted")
	case c.Subject == "":
		return Person{}, invalidError("the token has no subject (sub)")
	case len(c.Subject) > maxSubject || !printable(c.Subject):
		return Person{}, invalidError("the token's sub is longer than %d bytes, or has unprintable characters", maxSubject)
	}
	granted := append(strings.Fields(c.Scope), c.Scp...)
	missing := slices.DeleteFunc(slices.Clone(v.scopes), func(scope string) bool { return slices.Contains(granted, scope) })
	if len(missing) > 0 {
		return Person{}, &ScopeError{missing}
	}
	return Person{v.issuer, c.Subject, c.displayName(), c.Expiry.Time().Add(leeway).Sub(now)}, nil
}

// displayName returns the first name that is short and printable, or "". Names do not identify a
// person.
func (c claims) displayName() string {
	for _, name := range []string{c.Username, c.Email, c.FullName} {
		if name != "" && len(name) <= maxSubject && printable(name) {
			return name
		}
	}
	return ""
}

func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}
