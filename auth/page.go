package auth

import (
	"fmt"
	"net/http"
)

// A page is what the browser shows at the end. It contains nothing from the request.
type page struct{ title, text string }

var (
	pageDone        = page{"You are signed in", "KOTA can use your Google account now. You may close this page."}
	pageDuplicate   = page{"Already received", "KOTA has received this answer. You may close this page and go back to where you started the sign-in."}
	pageDenied      = page{"You are not signed in", "You declined at Google, and nothing was stored. You may close this page."}
	pageFailed      = page{"You are not signed in", "The sign-in did not work. The terminal where you started it shows why. You may close this page."}
	pageOtherSignIn = page{"KOTA is not waiting for this sign-in", "Use the newest sign-in address that KOTA has shown. You may close this page."}
	pageWrongHost   = page{"Wrong address", "This address only receives the browser after signing in at Google."}
	pageNotFound    = page{"Page not found", "This address only receives the browser after signing in at Google."}
)

// layout is the HTML of a page. It has no style: color-scheme lets the browser choose dark or
// light.
const layout = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>KOTA: %[1]s</title>
<h1>%[1]s</h1>
<p>%[2]s</p>
</html>
`

// writePage sends the page. The browser loads nothing, runs nothing and does not cache the page.
// It sends the page's address, which contains the code, to no other site.
func writePage(w http.ResponseWriter, status int, p page) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	fmt.Fprintf(w, layout, p.title, p.text)
}
