package issuer

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/oauth2"
)

// A Browser signs people in by their browser: by an authorization code with PKCE (RFC 6749,
// section 4.1, and RFC 7636).
type Browser struct {
	ClientID string // of a public client that is registered at the issuer
	Redirect string // the URL at which the browser returns, as registered

	verifier *Verifier
}

// Browser returns what signs people in for the tokens that v accepts.
func (v *Verifier) Browser(clientID, redirect string) *Browser {
	return &Browser{ClientID: clientID, Redirect: redirect, verifier: v}
}

// SignInURL returns the page of the issuer on which a person signs in. The state comes back in
// the redirect; the secret is for Exchange and stays in the browser that began.
func (b *Browser) SignInURL(ctx context.Context, state, secret string) (string, error) {
	config, err := b.config(ctx)
	if err != nil {
		return "", err
	}
	return config.AuthCodeURL(state, oauth2.S256ChallengeOption(secret), oauth2.SetAuthURLParam("resource", b.verifier.audience)), nil
}

// Exchange returns the person who has signed in, given the code of the redirect. Its errors are
// those of Verify, or say that the issuer gave no token.
func (b *Browser) Exchange(ctx context.Context, code, secret string) (Person, error) {
	config, err := b.config(ctx)
	if err != nil {
		return Person{}, err
	}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, b.verifier.keys.client), fetchTimeout)
	defer cancel()
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(secret), oauth2.SetAuthURLParam("resource", b.verifier.audience))
	if err != nil {
		refused := (*oauth2.RetrieveError)(nil)
		if errors.As(err, &refused) { // its text has the whole answer
			return Person{}, fmt.Errorf("the issuer gave no token: %s", http.StatusText(refused.Response.StatusCode))
		}
		return Person{}, fmt.Errorf("the issuer gave no token: %w", err)
	}
	return b.verifier.Verify(ctx, token.AccessToken)
}

func (b *Browser) config(ctx context.Context) (*oauth2.Config, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	issuer := b.verifier.issuer
	about, err := fetchMetadata(ctx, b.verifier.keys.client, issuer)
	switch {
	case err != nil:
		return nil, &UnreachableError{issuer, err}
	case !isAllowedURL(about.Authorize, issuer) || !isAllowedURL(about.Token, issuer):
		return nil, &UnreachableError{issuer, errors.New("its metadata has no authorization_endpoint and token_endpoint with https")}
	}
	return &oauth2.Config{
		ClientID: b.ClientID, RedirectURL: b.Redirect, Scopes: b.verifier.scopes,
		Endpoint: oauth2.Endpoint{AuthURL: about.Authorize, TokenURL: about.Token, AuthStyle: oauth2.AuthStyleInParams},
	}, nil
}
