package mailbody

import (
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"
)

func TestAttachedMessageIsNamedByItsSubject(t *testing.T) {
	for subject, want := range map[string]string{
		"Minutes of =?utf-8?q?M=C3=A4rz?=": "Minutes of März.eml",
		"":                                 "message.eml",
		"\u202egpj.exe":                    "gpj.exe.eml",
	} {
		inner := newPart("text/plain", "inner")
		inner.Headers = append(inner.Headers, &gmailapi.MessagePartHeader{Name: "Subject", Value: subject})
		files := Attachments(newMultipart("multipart/mixed", newPart("text/plain", "See below"), newMultipart("message/rfc822", inner)))
		if len(files) != 1 || files[0].Name != want {
			t.Errorf("%q: got %+v, want one file named %q", subject, files, want)
		}
	}
}
