package attachment

import (
	"testing"

	"kota/bundles/gmail/internal/mailbody"
)

func TestIsComplete(t *testing.T) {
	for name, c := range map[string]struct {
		kind  string
		size  int64
		bytes int
		want  bool
	}{
		"all of it":                   {"image/png", 100, 100, true},
		"the first half":              {"image/png", 100, 50, false},
		"nothing of something":        {"text/csv", 100, 0, false},
		"nothing of nothing":          {"text/csv", 0, 0, true},
		"text that became UTF-8":      {"text/csv", 100, 104, true},
		"a message that is not given": {"message/rfc822", 0, 0, false},
	} {
		if got := isComplete(mailbody.Attachment{Type: c.kind, Size: c.size}, c.bytes); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
