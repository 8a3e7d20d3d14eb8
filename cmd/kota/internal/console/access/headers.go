package access

import "net/http"

// setHeaders sets the headers of every answer, also of refusals.
//
// The policy allows only KOTA's own files, and the scripts that carry the nonce. Text in a
// page thus runs nothing and loads nothing. Trusted Types keeps scripts from making
// elements out of text, except htmx, whose extension hx-csp checks the nonce of what it
// inserts. The Referrer-Policy is same-origin, because with no-referrer the Origin of
// KOTA's own forms would be null.
func setHeaders(h http.Header, nonce string) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-"+nonce+"'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types htmx")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cache-Control", "no-store")
}
