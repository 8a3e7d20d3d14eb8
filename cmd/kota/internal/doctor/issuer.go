package doctor

import (
	"context"
	"fmt"

	"kota/auth/issuer"
	"kota/cmd/kota/internal/app"
)

// examineIssuer asks the issuer of the HTTP server's tokens for its keys, if
// there is an issuer.
func examineIssuer(a *app.App, ctx context.Context) []Finding {
	o := a.Config.HTTP.OAuth
	if o.Issuer == "" {
		return nil
	}
	f := Finding{Check: "issuer", OK: true, Saw: fmt.Sprintf("%s gives its keys; tokens have to be for %s", o.Issuer, o.Audience)}
	if err := issuer.New(issuer.Options{Issuer: o.Issuer, Audience: o.Audience}).Ready(ctx); err != nil {
		f.OK, f.Saw = false, err.Error()
		f.Remedy = "See that the issuer runs, and that http.oauth.issuer is written as in its tokens, to the last slash. Until then it lets nobody in over HTTP."
	}
	return []Finding{f}
}
