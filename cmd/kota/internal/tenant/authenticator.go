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

// An authenticator lets in who has the server's own token, as the one who runs it,
// and whom the issuer has given a token, as themselves.
type authenticator struct {
	registry Registry
	bearer   *auth.Bearer
	issuer   *issuer.Verifier // nil: there is none
	problem  func() string    // why no call could be served; "" when one can
	log      *slog.Logger
}

// IdentityOf returns whose request it is, false for that of who runs the server.
func IdentityOf(ctx context.Context) (Identity, bool) {
	who, ok := transport.PrincipalOf(ctx).Identity.(Identity)
	return who, ok
}

// serverOwner is the principal of who runs the server.
const serverOwner = "local"

// An Identity is somebody whom the issuer has named. Requests with the server's own
// token have none.
type Identity struct {
	Folder Folder
	Person issuer.Person
}

// NewAuthenticator returns one for the people of the registry. The problem is why no
// call could be served, "" when one can.
func NewAuthenticator(people Registry, bearer *auth.Bearer, problem func() string, now func() time.Time, log *slog.Logger) *authenticator {
	d := &authenticator{registry: people, bearer: bearer, problem: problem, log: log}
	if o := people.config.HTTP.OAuth; o.Issuer != "" {
		d.issuer = issuer.New(issuer.Options{Issuer: o.Issuer, Audience: o.Audience, Scopes: o.Scopes, Now: now, Log: log})
	}
	return d
}

// Ready returns why no call could be served.
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

// Admit is web.Server.Admit. While the server's own token cannot be compared with,
// whoever is refused may have a good one, and is not told to find another; unless there
// is an issuer, whose people are told what is wrong with theirs.
func (d *authenticator) Admit(ctx context.Context, token string) (context.Context, error) {
	good, err := d.bearer.Is(token)
	if good {
		still := func() bool { good, _ := d.bearer.Is(token); return good }
		return transport.Principal{Name: serverOwner, Still: still}.In(ctx), nil
	}
	if err != nil {
		d.log.Error("read the token of the HTTP server", "error", err)
	}
	switch {
	case d.issuer != nil:
		return d.admitIdentity(ctx, token)
	case err != nil:
		return nil, &web.Refusal{Status: http.StatusServiceUnavailable, Reason: "no token can be checked now; the server's log says why, and `kota doctor` what to do"}
	}
	return nil, errors.New("this is not the token that `kota http token` prints")
}

// admitIdentity lets in who has a token of the issuer's.
func (d *authenticator) admitIdentity(ctx context.Context, token string) (context.Context, error) {
	person, err := d.issuer.Verify(ctx, token)
	scope, unreachable := (*issuer.ScopeError)(nil), (*issuer.UnreachableError)(nil)
	switch {
	case errors.Is(err, issuer.ErrWait):
		return nil, &web.Refusal{Status: http.StatusServiceUnavailable, Reason: "this token cannot be checked for some seconds: this server asks for keys only so often, and it does not know this one's yet"}
	case errors.As(err, &scope):
		return nil, &web.Refusal{Status: http.StatusForbidden, Scopes: scope.Lacks, Reason: scope.Error()}
	case errors.As(err, &unreachable):
		return nil, &web.Refusal{Status: http.StatusServiceUnavailable, Reason: "tokens cannot be checked now: the issuer " + unreachable.Issuer + " does not give its keys"}
	case err != nil:
		return nil, err
	}
	folder, ok := d.registry.FolderOf(person)
	if !ok {
		d.log.Info("somebody was not let in: http.oauth.owners does not name them", "subject", person.Subject)
		return nil, &web.Refusal{Status: http.StatusForbidden, Reason: "you are signed in, and not among those whom this server serves: who runs it can add you"}
	}
	return transport.Principal{Name: folder.Name, Until: time.Now().Add(person.Left), Identity: Identity{folder, person}}.In(ctx), nil
}
