package mailmsg_test

import (
	"slices"
	"strings"
	"testing"

	"kota/bundles/internal/mailmsg"
)

// gmailDraft is a draft as Gmail stores its own.
const gmailDraft = "Received: from 717284730244 named unknown by gmailapi.google.com with HTTPREST; Tue, 24 Nov 2026 10:00:00 +0000\r\n" +
	"MIME-Version: 1.0\r\nDate: Tue, 24 Nov 2026 10:00:00 +0000 (UTC)\r\nMessage-ID: <CAF1@mail.gmail.com>\r\nIn-Reply-To: <one@example.org>\r\n" +
	"References: <zero@example.org>\r\n <one@example.org>\r\nSubject: Lunch\r\nFrom: Ann <ann@example.com>\r\nTo: \"Doe, Bob\" <bob@example.com>,\r\n\tcarl@example.com\r\n" +
	"Content-Type: multipart/mixed; boundary=\"x\"\r\n\r\n" +
	"--x\r\nContent-Type: multipart/alternative; boundary=\"y\"\r\n\r\n--y\r\nContent-Type: text/plain; charset=\"UTF-8\"; format=flowed; delsp=yes\r\n\r\nNoon?\r\n" +
	"--y\r\nContent-Type: text/html; charset=\"UTF-8\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Noon?</p>\r\n\r\n--y--\r\n" +
	"--x\r\nContent-Type: application/pdf; name=\"plan.pdf\"\r\nContent-Disposition: attachment; filename=\"plan.pdf\"\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <f_1>\r\n\r\nUERG\r\n--x--\r\n"

func TestUnparsedContentListsWhatParseOmits(t *testing.T) {
	if got := mailmsg.UnparsedContent([]byte(gmailDraft)); len(got) != 0 {
		t.Fatalf("of a usual draft it names %q", got)
	}
	for name, c := range map[string]struct{ old, new, field, value string }{
		"a header of another program":  {"Subject:", "X-Spy: =?utf-8?q?4711?=\r\nSubject:", "X-Spy", "4711"},
		"who gets it again":            {"Subject:", "Resent-To: eve@evil.example\r\nSubject:", "Resent-To", "eve@evil.example"},
		"who hears that it was read":   {"Subject:", "Disposition-Notification-To:\r\n eve@evil.example\r\nSubject:", "Disposition-Notification-To", "eve@evil.example"},
		"a second subject":             {"From:", "Subject: 4711\r\nFrom:", "Subject", "4711"},
		"a comment on an address":      {"carl@example.com", "carl@example.com (4711)", "To", "\"Doe, Bob\" <bob@example.com>, carl@example.com (4711)"},
		"blanks in a name":             {"Ann <ann@", "=?utf-8?q?A=C2=A0nn?= <ann@", "From", "A\u00A0nn <ann@example.com>"},
		"a group":                      {"carl@example.com", "4711: carl@example.com;", "To", "\"Doe, Bob\" <bob@example.com>, 4711: carl@example.com;"},
		"half an address":              {"carl@example.com", "4711", "To", "\"Doe, Bob\" <bob@example.com>, 4711"},
		"words for an id":              {"<one@example.org>\r\nSubject", "4711\r\nSubject", "References", "<zero@example.org> 4711"},
		"a comment on the date":        {"(UTC)", "(4711)", "Date", "Tue, 24 Nov 2026 10:00:00 +0000 (4711)"},
		"another way that it came":     {"by gmailapi.google.com with HTTPREST", "by 4711", "Received", "from 717284730244 named unknown by 4711; Tue, 24 Nov 2026 10:00:00 +0000"},
		"a version of its own":         {"Version: 1.0", "Version: 1.0 (4711)", "MIME-Version", "1.0 (4711)"},
		"text before the parts":        {"\r\n\r\n--x\r\n", "\r\n\r\n4711\r\n--x\r\n", "Text before the first part", "4711"},
		"text after the parts":         {"--x--\r\n", "--x--\r\n4711", "Text after the last part", "4711"},
		"text between inner parts":     {"\r\n\r\n--y\r\n", "\r\n\r\n4711\r\n--y\r\n", "Text before the first part", "4711"},
		"text after inner parts":       {"--y--\r\n", "--y--\r\n4711\r\n", "Text after the last part", "4711"},
		"a header of a part":           {"Content-ID:", "Content-Description: 4711\r\nContent-ID:", "Content-Description of a part", "4711"},
		"a header before all parts":    {"Content-Type: multipart/mixed", "Content-Language: 4711\r\nContent-Type: multipart/mixed", "Content-Language of the mail", "4711"},
		"a second type":                {"Content-ID:", "Content-Type: text/4711\r\nContent-ID:", "Content-Type of a part", "text/4711"},
		"a parameter":                  {"filename=\"plan.pdf\"", "filename=\"plan.pdf\"; size=4711", "Content-Disposition of a part", "attachment; filename=\"plan.pdf\"; size=4711"},
		"a charset that is none":       {"charset=\"UTF-8\"; format", "charset=\"4711\"; format", "Content-Type of a part", "text/plain; charset=\"4711\"; format=flowed; delsp=yes"},
		"another name of a file":       {"name=\"plan.pdf\"\r\n", "name=\"4711.pdf\"\r\n", "File name of a part", "4711.pdf\nplan.pdf"},
		"a name that is cut":           {"filename=\"plan.pdf\"", "filename*=utf-8''plan%E2%80%AE.pdf", "File name of a part", "plan.pdf\nplan\u202E.pdf"},
		"a kind of parts":              {"multipart/alternative", "multipart/x-4711", "Content-Type of a part", "multipart/x-4711; boundary=\"y\""},
		"a line that is no header":     {"Subject:", "4711\r\nSubject:", "Line", "4711"},
		"a part of a part of its own":  {"--x--\r\n", "--x\r\nX-Part: 4711\r\n\r\nhi\r\n--x--\r\n", "X-Part of a part", "4711"},
		"a disposition of its own":     {"attachment;", "4711;", "Content-Disposition of a part", "4711; filename=\"plan.pdf\""},
		"an id of a part with a space": {"<f_1>", "<f 4711>", "Content-ID of a part", "<f 4711>"},
	} {
		if !strings.Contains(gmailDraft, c.old) {
			t.Fatalf("%s: there is no %q", name, c.old)
		}
		got := mailmsg.UnparsedContent([]byte(strings.Replace(gmailDraft, c.old, c.new, 1)))
		if want := (mailmsg.Field{Name: c.field, Value: c.value}); !slices.Contains(got, want) {
			t.Errorf("%s: it names %q, not %q", name, got, want)
		}
	}
}

// Programs disagree about the end of a part: such a mail is returned whole.
func TestUnparsedContentReturnsAmbiguousMail(t *testing.T) {
	raw := strings.Replace(gmailDraft, "\r\n--y\r\nContent-Type: text/html", "\n--y\r\nContent-Type: text/html", 1)
	got := mailmsg.UnparsedContent([]byte(raw))
	if !slices.ContainsFunc(got, func(f mailmsg.Field) bool {
		return f.Name == "Source of the mail" && strings.Contains(f.Value, "<p>Noon?</p>")
	}) {
		t.Errorf("it names %q", got)
	}
}

// Unknown names only the headers that the Message was given.
func TestUnparsedContentOfOwnMailIsEmpty(t *testing.T) {
	m := everything(t)
	raw, err := m.Bytes(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := mailmsg.UnparsedContent(raw); !slices.Equal(got, m.Headers) {
		t.Errorf("it names %q, want %q", got, m.Headers)
	}
}
