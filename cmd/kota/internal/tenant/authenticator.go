package tenant

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"kota/auth"
	"kota/auth/issuer"
	"kota/entrypoint/transport"
	"kota/entrypoint/web"
)

// authenticator checks bearer tokens. The server's own token identifies
// the user who runs the server. A token from the issuer identifies the person
// that it names.
type authenticator struct {
	registry Registry
	bearer   *auth.Bearer
	issuer   *issuer.Verifier // nil if the configuration has no issuer
	problem  func() string    // why no call can be served; "" if calls can be served
	log      *slog.Logger
}

// IdentityOf returns the person who made the request. It returns false for the
// user who runs the server.
func IdentityOf(ctx context.Context) (Identity, bool) {
	who, ok := transport.PrincipalOf(ctx).Identity.(Identity)
	return who, ok
}

// serverOwner is the principal name of the user who runs the server.
const serverOwner = "local"

// Identity is a person named by the issuer. Requests with the server's
// own token have no Identity.
type Identity struct {
	Folder Folder
	Person issuer.Person
}

// NewAuthenticator returns an authenticator for the people of the registry.
// problem returns why no call can be served, or "" if calls can be served.
func NewAuthenticator(people Registry, bearer *auth.Bearer, problem func() string, now func() time.Time, log *slog.Logger) *authenticator {
	d := &authenticator{registry: people, bearer: bearer, problem: problem, log: log}
	if o := people.config.HTTP.OAuth; o.Issuer != "" {
		d.issuer = issuer.New(issuer.Options{Issuer: o.Issuer, Audience: o.Audience, Scopes: o.Scopes, Now: now, Log: log})
	}
	return d
}

// Ready returns an error that says why no call can be served, or nil.
func (d *authenticator) Ready(ctx context.Context) error {
	if why := d.problem(); why != "" {
		return errors.New(why)
	}
	if d.issuer != nil {
		return d.issuer.Ready(ctx)
	}
	if err := d.bearer.Check(); err != nil {
		return fmt.Errorf("the token of the HTTP server: %w", err)
	}
	return nil
}

// Admit implements web.Server.Admit. While the server's own token cannot be
// read, it answers 503 if there is no issuer, because the client's token may be
// valid. With an issuer, it says what is wrong with the token.
func (d *authenticator) Admit(ctx context.Context, token string) (context.Context, error) {
	good, err := d.bearer.Matches(token)
	if good {
		stillValid := func() bool { good, _ := d.bearer.Matches(token); return good }
		return transport.Principal{Name: serverOwner, Valid: stillValid}.NewContext(ctx), nil
	}
	if err != nil {
		d.log.Error("read the token of the HTTP server", "error", err)
	}
	switch {
	case d.issuer != nil:
		return d.admitIdentity(ctx, token)
	case err != nil:
		return nil, &web.Refusal{Status: http.StatusServiceUnavailable, Reason: "tokens cannot be checked now; the server's log says why, and `kota doctor` says what to do"}
	}
	return nil, errors.New("this is not the token that `kota http token` prints")
}

// admitIdentity admits a person who has a token from the issuer.
func (d *authenticator) admitIdentity(ctx context.Context, token string) (context.Context, error) {
	person, err := d.issuer.Verify(ctx, token)
	scope, unreachable := (*issuer.ScopeError)(nil), (*issuer.UnreachableError)(nil)
	switch {
	case errors.Is(err, issuer.ErrTooManyFetches):
		return nil, &web.Refusal{Status: http.StatusServiceUnavailable, Reason: "this token cannot be checked yet, because its key is unknown and the server limits how often it asks the issuer for keys; try again in a few seconds"}
	case errors.As(err, &scope):
		return nil, &web.Refusal{Status: http.StatusForbidden, Scopes: scope.Missing, Reason: scope.Error()}
	case errors.As(err, &unreachable):
		return nil, &web.Refusal{Status: http.StatusServiceUnavailable, Reason: "tokens cannot be checked now: the issuer " + unreachable.Issuer + " does not serve its keys"}
	case err != nil:
		return nil, err
	}
	folder, ok := d.registry.FolderOf(person)
	if !ok {
		d.log.Info("a person was refused: http.oauth.owners does not name them", "subject", person.Subject)
		return nil, &web.Refusal{Status: http.StatusForbidden, Reason: "you are signed in, but this server does not serve you: its operator can add you"}
	}
	return transport.Principal{Name: folder.Name, Expires: time.Now().Add(person.ValidFor), Identity: Identity{folder, person}}.NewContext(ctx), nil
}
