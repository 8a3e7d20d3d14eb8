package mailbody

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzSafeFileName checks that no name of a sender refers to a place outside the folder,
// in any file system.
func FuzzSafeFileName(f *testing.F) {
	for _, name := range []string{"", ".", "..", "../../x", `C:\x`, "CON", "con.txt", "a. ", "-rf", "a\x00b", "é\u202egpj.exe", strings.Repeat("ä", 300) + ".pdf", "\xff\xfe", "NUL .txt"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		safe := SafeFileName(name)
		switch {
		case safe == "" || len(safe) > maxFileName+1:
			t.Errorf("%q has %d bytes", safe, len(safe))
		case !utf8.ValidString(safe) || strings.ContainsFunc(safe, unicode.IsControl):
			t.Errorf("%q is no text", safe)
		case !filepath.IsLocal(safe) || strings.ContainsAny(safe, `/\:*?"<>|`):
			t.Errorf("%q leads elsewhere", safe)
		case strings.HasPrefix(safe, ".") || strings.HasPrefix(safe, "-") || strings.HasSuffix(safe, ".") || strings.HasSuffix(safe, " "):
			t.Errorf("%q begins or ends badly", safe)
		case windowsDevices().MatchString(safe):
			t.Errorf("%q is a device", safe)
		}
	})
}
