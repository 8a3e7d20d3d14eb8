package access

import (
	"context"
	"crypto/hmac"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// SignIn signs people in elsewhere, such as at an issuer.
type SignIn interface {
	// SignInURL returns the page on which a person signs in. It comes back to CallbackPath with
	// the state and a code.
	SignInURL(ctx context.Context, state, secret string) (string, error)
	// Exchange returns the person for a code. The text of its error is a clause for that person.
	Exchange(ctx context.Context, code, secret string) (person string, err error)
}

// CallbackPath is where SignIn comes back.
const CallbackPath = Prefix + "/callback"

const (
	stateUse    = "state"
	stateLife   = 10 * time.Minute // to sign in
	stateCookie = "kota_sign_in"
)

// beginSignIn sends the browser away to sign in. The cookie proves later that the same browser
// comes back. It is SameSite=Lax, because a Strict cookie is not sent when another site leads
// here.
func (g *Gate) beginSignIn(w http.ResponseWriter, r *http.Request) {
	secret := oauth2.GenerateVerifier()
	state, claims := g.issue(stateUse, "", stateLife)
	address, err := g.SignIn.SignInURL(r.Context(), state, secret)
	if err != nil {
		g.refuse(w, http.StatusServiceUnavailable, "Nobody can sign in now: "+err.Error())
		return
	}
	g.setStateCookie(w, r, state+"."+secret, claims.expires)
	http.Redirect(w, r, address, http.StatusFound)
}

// endSignIn starts the session of a person who has signed in. It shows a link instead of a
// redirect: the browser sends the strict cookie only from KOTA's own pages.
func (g *Gate) endSignIn(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	cookie, err := r.Cookie(stateCookie)
	if err != nil {
		g.refuse(w, http.StatusUnauthorized, "This browser has not begun to sign in here, or it took longer than ten minutes")
		return
	}
	state, secret, _ := strings.Cut(cookie.Value, ".")
	g.setStateCookie(w, r, "", time.Unix(1, 0))
	claims, ok := g.read(stateUse, state)
	switch {
	case !ok || !hmac.Equal([]byte(state), []byte(query.Get("state"))) || !g.used.add(claims, g.now()):
		g.refuse(w, http.StatusUnauthorized, "This sign-in was not begun here, was used before, or took longer than ten minutes")
		return
	case query.Get("code") == "":
		g.refuse(w, http.StatusForbidden, "You were not signed in")
		return
	}
	person, err := g.SignIn.Exchange(r.Context(), query.Get("code"), secret)
	if err != nil || person == "" {
		g.refuse(w, http.StatusForbidden, "You were not signed in: "+err.Error())
		return
	}
	token, session := g.issue(sessionUse, person, sessionLife)
	g.setCookie(w, r, token, session.expires)
	write(w, http.StatusOK, signedInPage(g))
}

func (g *Gate) setStateCookie(w http.ResponseWriter, r *http.Request, value string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: stateCookie, Value: value, Path: Prefix, Expires: expires, HttpOnly: true, Secure: isSecure(r), SameSite: http.SameSiteLaxMode,
	})
}
