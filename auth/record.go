package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// maxRecord is the maximum size of an account's file in bytes. Even with every scope, a file has
// only about 4 KB.
const maxRecord = 256 << 10

// recordVersion is the version of the file format that this code writes.
const recordVersion = 1

// A record is the content of an account's file.
type record struct {
	Version   int       `json:"version"`
	Name      string    `json:"name"`
	Address   string    `json:"address,omitempty"` // "" if unknown
	ClientID  string    `json:"client_id"`         // the OAuth client to which the token belongs
	TokenURI  string    `json:"token_uri"`         // where KOTA renews the token
	Scopes    []string  `json:"scopes"`            // the granted scopes, sorted
	SignedIn  time.Time `json:"signed_in"`
	Refreshed time.Time `json:"refreshed,omitzero"`
	Ends      time.Time `json:"ends,omitzero"`     // when the refresh token expires, if Google stated it
	Ended     time.Time `json:"ended,omitzero"`    // when Google first refused to renew the access token
	Keyring   string    `json:"keyring,omitempty"` // the name of the token in the keyring; "": the token is in Token
	Token     *grant    `json:"token,omitempty"`
}

// A grant is the secret part of an account.
type grant struct {
	Access  string    `json:"access_token,omitempty"`
	Expiry  time.Time `json:"expiry,omitzero"` // when Access expires; zero: not stated
	Refresh string    `json:"refresh_token"`
}

// Format writes "[token]" for every verb.
func (grant) Format(to fmt.State, _ rune) { io.WriteString(to, "[token]") }

// expiryMargin is how long before the expiry of an access token KOTA renews the token. The token
// must not expire during a request.
const expiryMargin = time.Minute

// usable reports whether KOTA may still send the access token. The parameter rejected is a token
// that an API has just refused, or "".
func (g grant) usable(now time.Time, rejected string) bool {
	return g.Access != "" && g.Access != rejected && (g.Expiry.IsZero() || now.Add(expiryMargin).Before(g.Expiry))
}

// parseRecord reads the content of the account's file. Its errors quote nothing from the file.
func parseRecord(name string, raw []byte) (record, error) {
	var r record
	if len(raw) == 0 {
		return record{}, errors.New("it is empty")
	}
	if json.Unmarshal(raw, &r) != nil {
		return record{}, errors.New("it is not complete JSON")
	}
	switch {
	case r.Version > recordVersion:
		return record{}, errors.New("a newer version of KOTA wrote it")
	case r.Version < 1 || r.Name != name || !isToken(r.ClientID) || !isEndpoint(r.TokenURI) || r.SignedIn.IsZero():
		return record{}, errors.New("a field is missing or wrong")
	case !isPrintable(r.Address) || slices.ContainsFunc(r.Scopes, func(scope string) bool { return !isToken(scope) }):
		return record{}, errors.New("its address or a scope is damaged")
	case r.Keyring == "" && r.Token == nil || r.Keyring != "" && r.Token != nil:
		return record{}, errors.New("its token is missing or stored twice")
	case r.Token != nil && !r.Token.isValid():
		return record{}, errors.New("its token is damaged")
	}
	return r, nil
}

// isValid reports whether the grant has a refresh token and only tokens of printable ASCII.
func (g grant) isValid() bool {
	return isToken(g.Refresh) && (g.Access == "" || isToken(g.Access))
}
