package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"kota/auth"
	"kota/auth/issuer"
	"kota/entrypoint/transport"
	"kota/entrypoint/web"
)

// A doorkeeper lets in who has the server's own token, as the one who runs it, and
// whom the issuer has given a token, as themselves.
type doorkeeper struct {
	app    *app
	bearer *auth.Bearer
	issuer *issuer.Verifier // nil: there is none
}

// residentKey is the context's key of the resident whose request it is.
type residentKey struct{}

// A resident is somebody whom the issuer has named. Requests with the server's own
// token have none.
type resident struct {
	folder ownerFolder
	person issuer.Person
}

func (a *app) doorkeeper(bearer *auth.Bearer) *doorkeeper {
	d := &doorkeeper{app: a, bearer: bearer}
	if o := a.config.HTTP.OAuth; o.Issuer != "" {
		d.issuer = issuer.New(issuer.Options{Issuer: o.Issuer, Audience: o.Audience, Scopes: o.Scopes, Now: a.now, Log: a.log})
	}
	return d
}

// ready returns why no call could be served.
func (d *doorkeeper) ready(ctx context.Context) error {
	if why := d.app.databaseTrouble(); why != "" {
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

// admit is web.Server.Admit. While the server's own token cannot be compared with,
// whoever is refused may have a good one, and is not told to find another; unless there
// is an issuer, whose people are told what is wrong with theirs.
func (d *doorkeeper) admit(ctx context.Context, token string) (context.Context, error) {
	good, err := d.bearer.Is(token)
	if good {
		still := func() bool { good, _ := d.bearer.Is(token); return good }
		return transport.WithStill(transport.WithPrincipal(ctx, owner), still), nil
	}
	if err != nil {
		d.app.log.Error("read the token of the HTTP server", "error", err)
	}
	switch {
	case d.issuer != nil:
		return d.admitResident(ctx, token)
	case err != nil:
		return nil, &web.Refusal{Status: http.StatusServiceUnavailable, Reason: "no token can be checked now; the server's log says why, and `kota doctor` what to do"}
	}
	return nil, errors.New("this is not the token that `kota http token` prints")
}

// admitResident lets in who has a token of the issuer's.
func (d *doorkeeper) admitResident(ctx context.Context, token string) (context.Context, error) {
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
	folder, ok := d.app.folderOf(person)
	if !ok {
		d.app.log.Info("somebody was not let in: http.oauth.owners does not name them", "subject", person.Subject)
		return nil, &web.Refusal{Status: http.StatusForbidden, Reason: "you are signed in, and not among those whom this server serves: who runs it can add you"}
	}
	ctx = transport.WithUntil(transport.WithPrincipal(ctx, folder.Name), time.Now().Add(person.Left))
	return context.WithValue(ctx, residentKey{}, resident{folder, person}), nil
}

// folderOf returns the person's folder, which may not be there yet, false where
// they are not let in. Who has one keeps it under the name that it has, whatever
// http.oauth.owners calls them since: a server that runs may have it open.
func (a *app) folderOf(p issuer.Person) (ownerFolder, bool) {
	made := a.ownerFolder(madeName(p.Issuer, p.Subject))
	f := made
	if names := a.config.HTTP.OAuth.Owners; names != nil {
		given, ok := names[p.Subject]
		if !ok {
			return ownerFolder{}, false
		}
		f = a.ownerFolder(given)
	}
	if f.mayBeOf(p) {
		return f, true
	}
	if had, ok := a.folderThere(p); ok {
		return had, true
	}
	if made.mayBeOf(p) {
		return made, true
	}
	return f, true
}

// folderThere returns the folder that the person has had for the longest, false
// where they have none.
func (a *app) folderThere(p issuer.Person) (longest ownerFolder, ok bool) {
	all, err := a.owners()
	if err != nil {
		return ownerFolder{}, false // whoever opens theirs says the rest
	}
	since := time.Time{}
	for _, f := range all {
		if r, _ := f.read(); r.isOf(p) && (!ok || r.Since.Before(since)) {
			longest, since, ok = f, r.Since, true
		}
	}
	return longest, ok
}
