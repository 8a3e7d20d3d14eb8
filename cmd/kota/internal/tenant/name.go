package tenant

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// mostLegend is how many bytes of the subject a name shows, for people to read.
const mostLegend = 20

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
