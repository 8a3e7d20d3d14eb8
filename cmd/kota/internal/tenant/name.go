package tenant

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// maxSubjectBytes is the maximum length in bytes of the part of a folder name that
// comes from the subject. This part shows people whose folder it is.
const maxSubjectBytes = 20

// generatedName returns the folder name of a person without a name in bundles.yaml.
// It differs for every issuer and subject (SHA-256), even on file systems that
// ignore case: it has only lower-case letters, digits and dashes.
func generatedName(issuer, subject string) string {
	sum := sha256.Sum256([]byte(issuer + "\x00" + subject)) // no URL has a zero byte
	digest := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:20]))
	return "p-" + readableSubject(subject) + digest
}

// readableSubject returns the first letters and digits of a subject for a folder
// name, in lower case and with a dash at the end. One dash replaces the other
// characters between two of them. It returns "" if the subject has no letter or
// digit.
func readableSubject(subject string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(subject) {
		switch {
		case b.Len() == maxSubjectBytes:
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
