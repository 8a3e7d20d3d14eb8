package static

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// vendor/SUMS has the sums of the published files: htmx.org 4.0.1 from npm.
func TestVendoredFilesAreAsPublished(t *testing.T) {
	sums, err := os.ReadFile("vendor/SUMS")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		content, err := os.ReadFile("vendor/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s has changed", name)
		}
		checked++
	}
	entries, err := os.ReadDir("vendor")
	if err != nil || checked != len(entries)-1 {
		t.Errorf("%d of %d files have a sum (%v)", checked, len(entries)-1, err)
	}
}

func TestServe(t *testing.T) {
	for name, kind := range map[string]string{"style.css": "text/css", "app.js": "text/javascript", "icon.svg": "image/svg+xml", "vendor/htmx.min.js": "text/javascript"} {
		for _, encoding := range []string{"", "gzip"} {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("Accept-Encoding", encoding)
			w := httptest.NewRecorder()
			Serve(w, r, Path(name))
			h := w.Header()
			if w.Code != http.StatusOK || !strings.HasPrefix(h.Get("Content-Type"), kind) || h.Get("Content-Encoding") != encoding || !strings.Contains(h.Get("Cache-Control"), "immutable") {
				t.Errorf("%s, encoding %q: %d %v", name, encoding, w.Code, h)
			}
		}
	}
	for _, at := range []string{"", "/", "../static.go", "000000000000/style.css", Path("app.js") + "x"} {
		w := httptest.NewRecorder()
		Serve(w, httptest.NewRequest(http.MethodGet, "/", nil), at)
		if w.Code != http.StatusNotFound {
			t.Errorf("%q: %d", at, w.Code)
		}
	}
}
