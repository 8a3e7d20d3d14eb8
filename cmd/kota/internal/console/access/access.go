// Package access admits people to the console. A link that works once starts a
// session, and a cookie continues it. The package refuses requests that another
// web page or another program makes in the name of a person. Begin with Gate.
package access

import (
	"cmp"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Prefix begins the path of every console.
const Prefix = "/console"

// A Gate stands before the pages of a console. All processes that serve the same people
// need Gates with the same secret. A session that one of them starts then works at all.
type Gate struct {
	// Base is the path of the console, "/console/" followed by a name that nobody can
	// guess. Cookies ignore ports: with a path that another program on this machine does
	// not know, the browser never sends that program the cookie.
	Base string

	// Spend uses up a link in all processes that serve the same people. It returns
	// an error if the link was used before. Without Spend, only this
	// process knows which links were used.
	Spend func(ctx context.Context, link string, expires time.Time) error

	// Again says how to get another link, in a clause such as "run `kota console`".
	Again string

	// Stranger reports whether somebody else than the user made a request with a link; nil for
	// never. Other users of a machine can see the link, because a browser is started with it.
	Stranger func(*http.Request) bool

	// SignIn signs people in who have no link; nil for none. They begin at Prefix.
	SignIn SignIn

	pages func(http.ResponseWriter, *http.Request, Visit)
	key   []byte
	used  usedIDs
	now   func() time.Time
	cross http.CrossOriginProtection
}

// A Visit is a request that the Gate has admitted.
type Visit struct {
	Person string // whose console it is; "" is the user who runs KOTA
	Form   string // the value of the field FormField in every form of the page
	Nonce  string // allows the scripts of this answer, and the hx-nonce of its elements
}

// New returns a Gate before the pages. The secret has at least 32 bytes and is used
// for nothing else.
func New(secret []byte, now func() time.Time, pages func(http.ResponseWriter, *http.Request, Visit)) (*Gate, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "kota console 1", sha256.Size)
	if err != nil {
		return nil, err
	}
	g := &Gate{Again: "run `kota console`", pages: pages, key: key, now: now}
	g.Base = Prefix + "/" + hex.EncodeToString(g.mac("path", nil)[:10]) + "/"
	return g, nil
}

// mac returns the code that proves that the text was made with the key, for one use.
func (g *Gate) mac(use string, text []byte) []byte {
	h := hmac.New(sha256.New, g.key)
	h.Write([]byte(use + "\x00"))
	h.Write(text)
	return h.Sum(nil)
}

// ServeHTTP admits, refuses or signs in. The caller has checked the headers Host and
// Origin.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	nonce := rand.Text()
	setHeaders(w.Header(), nonce)
	page, below := strings.CutPrefix(r.URL.Path, g.Base)
	switch {
	case g.SignIn != nil && strings.TrimSuffix(r.URL.Path, "/") == Prefix && isSafe(r.Method):
		g.beginSignIn(w, r)
		return
	case g.SignIn != nil && r.URL.Path == CallbackPath && isSafe(r.Method):
		g.endSignIn(w, r)
		return
	case !below:
		g.refuse(w, http.StatusNotFound, "There is no console at this address")
		return
	case g.cross.Check(r) != nil:
		g.refuse(w, http.StatusForbidden, "Another web page made this request, so KOTA refused it")
		return
	case page == "in":
		g.signIn(w, r)
		return
	}
	if strings.HasPrefix(page, StaticPath) {
		g.pages(w, r, Visit{})
		return
	}
	session, ok := g.session(r)
	if !ok {
		g.refuse(w, http.StatusUnauthorized, "You are not signed in here, or your session has ended")
		return
	}
	visit := Visit{Person: session.person, Form: g.formToken(session), Nonce: nonce}
	if !isSafe(r.Method) {
		if !g.readForm(w, r) {
			return
		}
		if !hmac.Equal([]byte(cmp.Or(r.Header.Get(formHeader), r.PostForm.Get(FormField))), []byte(visit.Form)) {
			g.refuse(w, http.StatusForbidden, "This form belongs to an earlier session, so nothing was done; open the page again")
			return
		}
	}
	if page == "out" && r.Method == http.MethodPost {
		g.signOut(w, r, session)
		return
	}
	g.pages(w, r, visit)
}

// StaticPath begins the paths, below Base, of files that need no session: they are the
// same for everybody.
const StaticPath = "static/"

// FormField is the field that every form needs. Its value proves that the form is from a page
// of this session.
const (
	FormField  = "form"
	formHeader = "X-Kota-Form" // instead of the field, for uploads
)

// maxForm is the maximum size of a form in bytes. A long mail has some hundred kilobytes.
const maxForm = 2 << 20

// maxUpload is the maximum size of a form with files. A hundred thousand memories have about 30
// million bytes.
const maxUpload = 32 << 20

// maxIgnored is how much of a form that is too large the Gate reads and ignores. Many browsers show
// an answer only after they have sent the form.
const maxIgnored = 64 << 20

// readForm reads a form. It reports false after it has refused a form that is too large
// or broken.
func (g *Gate) readForm(w http.ResponseWriter, r *http.Request) bool {
	most, parse := int64(maxForm), r.ParseForm
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		most, parse = maxUpload, func() error { return r.ParseMultipartForm(maxUpload) } // it never writes to the disk
	}
	sent := r.Body
	r.Body = http.MaxBytesReader(w, sent, most)
	if err := parse(); err != nil {
		tooLarge := (*http.MaxBytesError)(nil)
		if errors.As(err, &tooLarge) {
			io.CopyN(io.Discard, sent, maxIgnored)
			g.refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("The form is larger than %d MB, so nothing was done", most>>20))
		} else {
			g.refuse(w, http.StatusBadRequest, "The form cannot be read, so nothing was done")
		}
		return false
	}
	return true
}

func isSafe(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// formToken returns the value of FormField in a session.
func (g *Gate) formToken(s claims) string {
	return base64.RawURLEncoding.EncodeToString(g.mac("form", s.id[:]))
}
