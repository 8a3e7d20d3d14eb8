package tenant

import (
	"context"
	"errors"
	"net/url"

	"kota/auth/issuer"
)

// A BrowserSignIn signs people in to the console at the issuer.
type BrowserSignIn struct {
	authenticator *authenticator
	browser       *issuer.Browser
}

// BrowserSignIn returns what signs people in who come back to that path of this server. It returns nil
// if the configuration names no client for it.
func (d *authenticator) BrowserSignIn(path string) *BrowserSignIn {
	o := d.registry.config.HTTP.OAuth
	at, err := url.Parse(o.Audience)
	if d.issuer == nil || o.Console == "" || err != nil { // the configuration has parsed it already
		return nil
	}
	return &BrowserSignIn{d, d.issuer.Browser(o.Console, at.Scheme+"://"+at.Host+path)}
}

// SignInURL implements access.SignIn.
func (b *BrowserSignIn) SignInURL(ctx context.Context, state, secret string) (string, error) {
	address, err := b.browser.SignInURL(ctx, state, secret)
	if err != nil {
		b.authenticator.log.Warn("nobody can sign in to the console", "error", err)
		return "", errors.New("the issuer " + b.authenticator.registry.config.HTTP.OAuth.Issuer + " cannot be reached")
	}
	return address, nil
}

// Exchange implements access.SignIn. The person is the subject at the issuer.
func (b *BrowserSignIn) Exchange(ctx context.Context, code, secret string) (string, error) {
	person, err := b.browser.Exchange(ctx, code, secret)
	if err != nil {
		b.authenticator.log.Warn("a sign-in to the console failed", "error", err)
		return "", errors.New("the issuer gave no valid token for this server; its operator finds the reason in the log")
	}
	if _, ok := b.authenticator.Identity(person.Subject); !ok {
		return "", errors.New("this server does not serve you; its operator can add you")
	}
	return person.Subject, nil
}

// Identity returns the person with that subject at the issuer. It returns false for people whom
// the server does not serve.
func (d *authenticator) Identity(subject string) (Identity, bool) {
	person := issuer.Person{Issuer: d.registry.config.HTTP.OAuth.Issuer, Subject: subject}
	folder, ok := d.registry.FolderOf(person)
	return Identity{folder, person}, ok && d.issuer != nil
}
