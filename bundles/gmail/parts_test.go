package gmail

import (
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"
)

func TestAMessageInAMessageIsAFileNamedByItsSubject(t *testing.T) {
	for subject, want := range map[string]string{
		"Minutes of =?utf-8?q?M=C3=A4rz?=": "Minutes of März.eml",
		"":                                 "message.eml",
		"\u202egpj.exe":                    "gpj.exe.eml",
	} {
		inner := aPart("text/plain", "inner")
		inner.Headers = append(inner.Headers, &gmailapi.MessagePartHeader{Name: "Subject", Value: subject})
		files := attachments(partsIn("multipart/mixed", aPart("text/plain", "See below"), partsIn("message/rfc822", inner)))
		if len(files) != 1 || files[0].Name != want {
			t.Errorf("%q: got %+v, want one file named %q", subject, files, want)
		}
	}
}

func TestAFileIsTakenWholeOrNotAtAll(t *testing.T) {
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
		if got := isWhole(attachment{Type: c.kind, Size: c.size}, c.bytes); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestAnImageIsShownByItsWholeID(t *testing.T) {
	const document = `<img src="cid:img10@x"><img src="cid:a&amp;b@x"><img src="cid:c%20d@x">`
	for id, want := range map[string]bool{"img10@x": true, "img1": false, "img10": false, "a&b@x": true, "c d@x": true, "x": false} {
		if got := shows(document, id); got != want {
			t.Errorf("%s: got %v, want %v", id, got, want)
		}
	}
}
