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
	f := Finding{Check: "issuer", OK: true, Saw: fmt.Sprintf("%s serves its keys; tokens must have the audience %s", o.Issuer, o.Audience)}
	if err := issuer.New(issuer.Options{Issuer: o.Issuer, Audience: o.Audience}).Ready(ctx); err != nil {
		f.OK, f.Saw = false, err.Error()
		f.Remedy = "Check that the issuer runs, and that http.oauth.issuer is exactly as in its tokens, including the last slash. Until this is fixed, nobody can connect with its tokens."
	}
	return []Finding{f}
}
