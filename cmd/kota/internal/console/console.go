// Package console serves KOTA's pages for a browser. Package access admits people to
// them. Every call of an action goes through the person's router as the channel
// console: the policy, the audit log and undo are the same as for an assistant.
// Begin with Console and routes.go.
package console

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/console/access"
	"kota/cmd/kota/internal/console/static"
	"kota/cmd/kota/internal/console/view"
	"kota/entrypoint"
)

//go:generate go run github.com/a-h/templ/cmd/templ@v0.3.977 generate -path .

// A Console serves the pages of one or several people. Handler needs all fields.
type Console struct {
	// Open returns the app and the router that serve a person, and what the caller must call
	// when it needs them no more. The person "" is the user who runs KOTA.
	Open func(ctx context.Context, person string) (*app.App, *entrypoint.Router, func(), error)

	Gate *access.Gate

	ctx    context.Context // ends with the program
	prices prices
	jobs   jobs
}

// New returns a console behind a gate with that secret. Its streams end with ctx.
func New(ctx context.Context, secret []byte, now func() time.Time, open func(context.Context, string) (*app.App, *entrypoint.Router, func(), error)) (*Console, error) {
	c := &Console{Open: open, ctx: ctx}
	gate, err := access.New(secret, now, c.serve)
	c.Gate = gate
	return c, err
}

// A request is a request for a page of one person.
type request struct {
	access.Visit
	app    *app.App
	router *entrypoint.Router
	base   string
	again  string
	path   []string // "approvals", "a_k3v9q2m7xw"
	end    context.Context
	prices *prices
	jobs   *jobs
	open   func(context.Context, string) (*app.App, *entrypoint.Router, func(), error)

	w http.ResponseWriter
	r *http.Request
}

// longestCall is how long a call may take: a write may wait for the database, and a mail for Google.
const longestCall = 5 * time.Minute

// serve answers a request that the gate has admitted.
func (c *Console) serve(w http.ResponseWriter, r *http.Request, visit access.Visit) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(longestCall)) // ignores writers without deadlines
	path := strings.TrimPrefix(r.URL.EscapedPath(), c.Gate.Base)
	if name, ok := strings.CutPrefix(path, access.StaticPath); ok {
		static.Serve(w, r, name)
		return
	}
	elements := strings.Split(path, "/")
	for i, element := range elements {
		elements[i], _ = url.PathUnescape(element) // net/http has refused invalid escapes
	}
	a, router, done, err := c.Open(r.Context(), visit.Person)
	if err != nil {
		http.Error(w, "KOTA cannot open your data now: "+err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer done()
	q := &request{Visit: visit, app: a, router: router, base: c.Gate.Base, again: c.Gate.Again, path: elements, end: c.ctx, prices: &c.prices, jobs: &c.jobs, open: c.Open, w: w, r: r}
	if err := q.route(); err != nil {
		q.showError(err)
	}
}

// content makes the content of a page.
type content func(view.Page) templ.Component

// show answers with a page. The parameter current is the entry of the navigation.
func (q *request) show(status int, title, current string, make content) error {
	page := view.Page{
		Title: title, Current: current, Base: q.base, Form: q.Form, Nonce: q.Nonce, Person: q.Person, Now: q.app.Now(), Zone: q.app.Zone(),
		Path: q.escapedPath(), Again: q.again, Undo: q.r.URL.Query().Get("undo"),
	}
	if waiting, err := q.app.Pending(q.r.Context()); err == nil {
		page.Waiting = len(waiting)
	}
	var text bytes.Buffer
	if err := view.Layout(page, make(page)).Render(q.r.Context(), &text); err != nil {
		return err
	}
	q.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	q.w.WriteHeader(status)
	q.w.Write(text.Bytes()) // if this fails, the browser is gone
	return nil
}

// escapedPath returns the path of the page below the console's.
func (q *request) escapedPath() string {
	var elements []string
	for _, element := range q.path {
		elements = append(elements, escape(element))
	}
	return strings.Join(elements, "/")
}

// redirect answers a form with the page to show next. The browser's button Back then never
// sends the form again.
func (q *request) redirect(path string) error {
	http.Redirect(q.w, q.r, q.base+path, http.StatusSeeOther)
	return nil
}
