package access

import (
	"encoding/hex"
	"net/http"
	"sync"
	"time"
)

// The lifetimes of a link and of a session.
const (
	linkLife    = time.Minute
	sessionLife = 12 * time.Hour
)

const cookieName = "kota_console"

// Link returns the address of a person's console, which works once and for a minute. Origin is
// the scheme and host that the person's browser reaches, such as "http://127.0.0.1:8321".
func (g *Gate) Link(origin, person string) string {
	token, _ := g.issue(linkUse, person, linkLife)
	return origin + g.Base + "in?k=" + token
}

// signIn shows a button, or starts a session when it is pressed. Programs that only look at
// the link, such as a preview, thus do not use it up.
func (g *Gate) signIn(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("k")
	if !isSafe(r.Method) {
		if !g.readForm(w, r) {
			return
		}
		token = r.PostForm.Get("k")
	}
	link, ok := g.read(linkUse, token)
	switch {
	case g.Stranger != nil && g.Stranger(r):
		g.refuse(w, http.StatusForbidden, "Another user of this machine runs this console")
	case !ok:
		g.refuse(w, http.StatusUnauthorized, "This link does not work any more: it is valid for a minute")
	case isSafe(r.Method):
		g.writeSignIn(w, token)
	case !g.used.add(link, g.now()) || g.Spend != nil && g.Spend(r.Context(), linkUse+hex.EncodeToString(link.id[:]), link.expires) != nil:
		g.refuse(w, http.StatusUnauthorized, "This link was used before: it works once")
	default:
		token, session := g.issue(sessionUse, link.person, sessionLife)
		g.setCookie(w, r, token, session.expires)
		http.Redirect(w, r, g.Base, http.StatusSeeOther)
	}
}

// signOut ends the session in this process, and removes the cookie.
func (g *Gate) signOut(w http.ResponseWriter, r *http.Request, s claims) {
	g.used.add(s, g.now())
	g.setCookie(w, r, "", time.Unix(1, 0))
	g.refuse(w, http.StatusOK, "You are signed out")
}

// setCookie sets the cookie of a session. If the browser uses HTTPS, it never sends the cookie
// without.
func (g *Gate) setCookie(w http.ResponseWriter, r *http.Request, value string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: value, Path: g.Base, Expires: expires, HttpOnly: true, Secure: isSecure(r), SameSite: http.SameSiteStrictMode,
	})
}

// isSecure reports whether the browser uses HTTPS, perhaps with a proxy in between.
func isSecure(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// session returns the session of a request.
func (g *Gate) session(r *http.Request) (claims, bool) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return claims{}, false
	}
	session, ok := g.read(sessionUse, cookie.Value)
	return session, ok && !g.used.has(session)
}

// usedIDs are the links that were used and the sessions that were ended, until they expire.
type usedIDs struct {
	mu  sync.Mutex
	ids map[[16]byte]time.Time
}

// add reports whether the id was not used before.
func (u *usedIDs) add(c claims, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for id, expires := range u.ids {
		if expires.Before(now) {
			delete(u.ids, id)
		}
	}
	if _, used := u.ids[c.id]; used {
		return false
	}
	if u.ids == nil {
		u.ids = map[[16]byte]time.Time{}
	}
	u.ids[c.id] = c.expires
	return true
}

func (u *usedIDs) has(c claims) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, used := u.ids[c.id]
	return used
}
