// Package view renders the pages of the console as HTML. Its templates escape all text, so a
// mail or a memory cannot add elements to a page. Begin with Layout.
package view

import (
	"fmt"
	"strings"
	"time"

	"kota/bundles"
	"kota/cmd/kota/internal/console/access"
	"kota/cmd/kota/internal/console/static"
)

// A Page is what every page needs.
type Page struct {
	Title   string // of the browser's window and the main heading
	Current string // the entry of the navigation: "approvals"
	Base    string // the path of the console, with a slash at its end
	Form    string // the value of access.FormField
	Nonce   string
	Person  string // "" for the user who runs KOTA
	Waiting int    // calls that wait for an approval
	Path    string // of the page itself, for forms that come back to it
	Again   string // how to open the console again: "run `kota console`"
	Undo    string // what undoes the change that was just made; "" for none
	Now     time.Time
	Zone    *time.Location
}

// A Link is an entry of the navigation.
type link struct{ Path, Name string }

var navigation = []link{{"", "Today"}, {"approvals", "Approvals"}, {"memory", "Memory"}, {"diary", "Diary"}, {"sent", "Sent"}, {"use", "Use"}, {"try", "Try it"}}

// Time returns a time as people write it, in the user's zone.
func (p Page) Time(t time.Time) string {
	t, now := t.In(p.Zone), p.Now.In(p.Zone)
	switch {
	case t.IsZero():
		return ""
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return "today " + t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("2 January 15:04")
	}
	return t.Format("2 January 2006 15:04")
}

// Stamp returns the time of an RFC 3339 text as Time does, and other text unchanged.
func (p Page) Stamp(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return p.Time(t)
}

func (p Page) static(name string) string { return p.Base + access.StaticPath + static.Path(name) }

// visible returns text of others without characters that hide or reorder what it says.
func visible(text string) string { return bundles.Visible(text) }

// count returns "1 call", "2 calls".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "ry"); ok {
		return fmt.Sprintf("%d %sries", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
