package tenant

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// mostLegend is how many bytes of the subject a name shows, for people to read.
const mostLegend = 20

// madeName returns the folder name of a person without a name in bundles.yaml.
// It differs for every issuer and subject (SHA-256), even on file systems that
// ignore case: it has only lower-case letters, digits and dashes.
func madeName(issuer, subject string) string {
	sum := sha256.Sum256([]byte(issuer + "\x00" + subject)) // no URL has a zero byte
	digest := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:20]))
	return "p-" + legend(subject) + digest
}

// legend returns the part of a subject that a name can show, with a dash after
// it, or "" without any.
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
