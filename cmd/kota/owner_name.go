package main

import (
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"strings"
)

// The name of an owner is the name of their folder too. One that is given by hand
// is at most mostGiven bytes long; one that is made of the issuer and the subject
// is longer than that, so that the two are never one.
const (
	mostGiven  = 24
	mostLegend = 20 // bytes of what is left of the subject, for people to read
)

var (
	givenForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	// deviceName is what Windows takes for a device.
	deviceName = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
)

// isGivenName reports whether a name may be given to an owner: a folder's on every
// file system, and not that of who runs the server.
func isGivenName(name string) bool {
	return len(name) <= mostGiven && givenForm.MatchString(name) && !deviceName.MatchString(name) && name != owner
}

// madeName returns the name of an owner who was given none. It is another one for
// every issuer and subject (SHA-256), also where file systems take upper and lower
// case for one: it has lower-case letters, digits and dashes alone.
func madeName(issuer, subject string) string {
	sum := sha256.Sum256([]byte(issuer + "\x00" + subject)) // no URL has a zero byte
	digest := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:20]))
	return "p-" + legend(subject) + digest
}

// legend is what of a subject can stand in a name, with a dash behind it; "" where
// nothing can.
func legend(subject string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(subject) {
		switch {
		case b.Len() == mostLegend:
			return strings.TrimRight(b.String(), "-") + "-"
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return strings.TrimRight(b.String(), "-") + "-"
}
