// Package htmltext makes untrusted text fit for a model to read: mail bodies,
// subjects, names, event descriptions.
//
// It returns what a person would see. Invisible characters and hidden HTML are
// dropped and counted. Markdown contains no images, so that nothing is fetched.
// Links keep their exact target. Only Sanitize returns HTML, for use in another
// mail.
//
// This is hygiene, not a security boundary: plain visible text can lie too. The
// boundary is that nothing is sent or destroyed only because such text says so.
//
// Every function accepts any input, takes time linear in its length and never
// panics. If a limit of the package cuts something off, the result says so.
package htmltext
