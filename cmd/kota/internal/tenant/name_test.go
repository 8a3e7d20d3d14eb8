package tenant

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kota/cmd/kota/internal/config"
)

// hostileSubjects are subjects that are unsafe as folder names.
var hostileSubjects = []string{
	"", ".", "..", "../../etc/passwd", `..\..\windows`, "/", "/etc", "C:\\", "a/b", "a\x00b", "con", "NUL", "com1", "aux.txt", "-rf", "~", ".hidden",
	"ann", "Ann", "ANN", "ann ", " ann", "ann.", "a.n.n", "a-n-n", "änn", "a\u0308nn", "ＡＮＮ", "аnn" /* Cyrillic */, "\u202eann", "\u200bann", "👩‍👧", "ﬀ", "ß", "İ", "i̇",
	"auth0|5f7c8", "google-oauth2|10769150350006150715113082367", strings.Repeat("x", 255), strings.Repeat("x", 254) + "y", strings.Repeat("ü", 127),
}

// windowsDevice matches names that Windows takes for a device.
var windowsDevice = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)

func TestGeneratedNamesAreUnique(t *testing.T) {
	taken := map[string]string{}
	for _, issuer := range []string{"https://a.example", "https://a.example/", "https://b.example"} {
		for _, subject := range hostileSubjects {
			name := checkSafe(t, issuer, subject)
			folded := strings.ToLower(name)
			if other, is := taken[folded]; is {
				t.Errorf("%q of %s has the name of %s: %s", subject, issuer, other, name)
			}
			taken[folded] = subject + " of " + issuer
		}
	}
	if a, b := generatedName("https://a.example/x", "y"), generatedName("https://a.example/", "xy"); a == b {
		t.Error("issuer and subject run into each other")
	}
	if got, again := generatedName("https://a.example", "ann"), generatedName("https://a.example", "ann"); got != again || !strings.HasPrefix(got, "p-ann-") {
		t.Errorf("ann is %s, then %s", got, again)
	}
}

func FuzzNamesAreSafe(f *testing.F) {
	for _, subject := range hostileSubjects {
		f.Add("https://a.example", subject)
	}
	f.Fuzz(func(t *testing.T, issuer, subject string) { checkSafe(t, issuer, subject) })
}

// checkSafe checks that the name is safe on every system, and differs from any
// name given by hand.
func checkSafe(t *testing.T, issuer, subject string) string {
	t.Helper()
	name := generatedName(issuer, subject)
	switch {
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "", len(name) > 64, !filepath.IsLocal(name), filepath.Base(name) != name, strings.HasSuffix(name, "-"), windowsDevice.MatchString(name):
		t.Errorf("%q has the name %q", subject, name)
	case config.IsGivenName(name):
		t.Errorf("%q has the name %q, which may be given to another", subject, name)
	}
	return name
}
