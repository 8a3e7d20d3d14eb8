package gmail_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

func TestForwardContainsTheMail(t *testing.T) {
	d := newFixture(t)
	big := bytes.Repeat([]byte("%PDF-\x00\xff"), 40_000)
	received := d.ann.Deliver(fakegmail.Mail{
		From: "Bob <" + bob + ">", To: ann, Cc: "eve@example.net", Subject: "Rechnung", Date: noon.Add(-time.Hour), Headers: []string{"Message-ID: <inv@example.org>"},
		Text: "See the logo.", HTML: `<html><head><style>p{color:red}</style></head><body><p onclick="x()">See the <img src="cid:logo@x" alt="logo">.</p><script>alert(1)</script></body></html>`,
		Attachments: []fakegmail.Attachment{
			{Name: "Rechnung März.pdf", Type: "application/pdf", Data: big}, {Name: "logo.png", Type: "image/png", Data: []byte("PNG"), ID: "logo@x"},
		},
	})
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": received.ID, "to": []string{"tax@example.net"}, "body": "For the files."})
	if got.Subject != "Fwd: Rechnung" || strings.Join(got.Attachments, "|") != "Rechnung März.pdf" || len(got.Warnings) != 0 {
		t.Errorf("got %+v", got)
	}
	m, lost, err := mailmsg.Parse(d.ann.Sent()[0].Raw)
	if err != nil || len(lost) > 0 {
		t.Fatal(lost, err)
	}
	if len(m.Attachments) != 1 || !bytes.Equal(m.Attachments[0].Content, big) || m.Attachments[0].Type != "application/pdf" {
		t.Errorf("attached are %d files", len(m.Attachments))
	}
	if len(m.Inline) != 1 || m.Inline[0].ContentID != "logo@x" || string(m.Inline[0].Content) != "PNG" {
		t.Errorf("inline are %+v", m.Inline)
	}
	for _, want := range []string{"For the files.\n\n---------- Forwarded message ---------\nFrom: Bob <" + bob + ">\nDate: Sat, 21 Nov 2026 at 11:00\nSubject: Rechnung\nTo: " + ann + "\nCc: eve@example.net\n\nSee the logo."} {
		if !strings.Contains(m.Text, want) {
			t.Errorf("the text is %q", m.Text)
		}
	}
	if !strings.Contains(m.HTML, `<img src="cid:logo@x" alt="logo">`) || !strings.Contains(m.HTML, "p{color:red}") || strings.Contains(m.HTML, "alert") || strings.Contains(m.HTML, "onclick") {
		t.Errorf("the HTML is %s", m.HTML)
	}
	if m.InReplyTo != "<inv@example.org>" || strings.Join(m.References, " ") != "<inv@example.org>" {
		t.Errorf("it refers to %q, %q", m.InReplyTo, m.References)
	}
}

func TestForwardWithoutAttachmentsWarns(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Fwd: x", Text: "y", Attachments: []fakegmail.Attachment{{Name: "a.pdf", Data: []byte("x")}}})
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": received.ID, "to": []string{"tax@example.net"}, "include_attachments": false})
	if got.Subject != "Fwd: x" || len(got.Attachments) != 0 || !strings.Contains(strings.Join(got.Warnings, ";"), "1 attachment of the mail is left out") {
		t.Errorf("got %+v", got)
	}
}

func TestForwardCountsOmittedAttachments(t *testing.T) {
	for name, c := range map[string]struct {
		chosen  []string
		warning string
	}{
		"none":      {nil, "3 attachments of the mail are left out"},
		"one":       {[]string{"a.pdf"}, "2 attachments of the mail are left out"},
		"one twice": {[]string{"a.pdf", "#1"}, "2 attachments of the mail are left out"},
		"two":       {[]string{"a.pdf", "#3"}, "1 attachment of the mail is left out"},
		"all":       {[]string{"a.pdf", "b.pdf", "c.pdf"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			files := []fakegmail.Attachment{{Name: "a.pdf", Data: []byte("a")}, {Name: "b.pdf", Data: []byte("b")}, {Name: "c.pdf", Data: []byte("c")}}
			received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "x", Text: "y", Attachments: files})
			other := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "x", Text: "y", Attachments: files})
			chosen := []string{"mail:" + other.ID + "/b.pdf"}
			for _, part := range c.chosen {
				chosen = append(chosen, "mail:"+received.ID+"/"+part)
			}
			got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": received.ID, "to": []string{bob}, "include_attachments": false, "attachments": chosen})
			if strings.Join(got.Warnings, "; ") != c.warning || len(got.Attachments) != len(chosen) {
				t.Errorf("attached %q, warned %q, want %q", got.Attachments, got.Warnings, c.warning)
			}
		})
	}
}

func TestForwardCopiesTheLargestAttachment(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	big := bytes.Repeat([]byte("0123456789abcdef"), 25<<20/16-4096)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "x", Text: "y", Attachments: []fakegmail.Attachment{{Name: "big.bin", Data: big}}})
	draft := bundletest.Must[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": received.ID, "to": []string{"tax@example.net"}, "as_draft": true})
	changed := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": draft.DraftID, "remove_attachments": []string{"big.bin"}})
	if len(draft.Attachments) != 1 || len(changed.Attachments) != 0 {
		t.Errorf("got %+v, then %+v", draft, changed)
	}
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": received.ID, "to": []string{"tax@example.net"}, "attachments": []string{"mail:" + received.ID + "/big.bin"}})
	if metadata.CodeOf(err) != metadata.TooLarge {
		t.Errorf("twice the largest: %v", err)
	}
}

func TestForwardFailsWithoutAnAttachment(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "x", Text: "y", Attachments: []fakegmail.Attachment{{Name: "a.pdf", Data: bytes.Repeat([]byte("x"), 100_000)}, {Name: "b.pdf", Data: []byte("x")}}})
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.messages.attachments.get", Status: 404})
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": received.ID, "to": []string{"tax@example.net"}})
	if metadata.CodeOf(err) != metadata.NotFound || d.countWrites() != 0 {
		t.Errorf("got %v after %d writes", err, d.countWrites())
	}
}

func TestSendAttachesPartsOfOtherMails(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "x", Text: "y", Attachments: []fakegmail.Attachment{
		{Name: "a.pdf", Type: "application/pdf", Data: []byte("one")}, {Name: "b.txt", Type: "text/plain", Data: []byte("two")}, {Name: "b.txt", Data: []byte("three")},
	}})
	write := func(parts ...string) (sendAnswer, error) {
		list := []string{}
		for _, part := range parts {
			list = append(list, "mail:"+received.ID+"/"+part)
		}
		return bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "z", "body": "w", "attachments": list, "as_draft": true})
	}
	got, err := write("a.pdf", "2")
	if err != nil || strings.Join(got.Attachments, "|") != "a.pdf|b.txt" {
		t.Fatalf("got %+v, %v", got, err)
	}
	m, _, err := mailmsg.Parse(d.onlyDraft(t).Message.Raw)
	if err != nil || string(m.Attachments[0].Content) != "one" || string(m.Attachments[1].Content) != "two" {
		t.Errorf("got %+v, %v", m, err)
	}
	for _, part := range []string{"b.txt", "c.pdf", "9"} { // two files have the first name; no file has the others
		_, err := write("a.pdf", part)
		if got := bundletest.ProblemPath(t, err); got != "attachments[1]" {
			t.Errorf("%s: %v", part, err)
		}
	}
}

// The same rules find hidden text, whether a mail is read or forwarded.
func TestForwardDropsHiddenContent(t *testing.T) {
	d := newFixture(t)
	hidden := `<img src="https://t.example/p.gif" style="width:1px;height:1px"><div style="max-height:0;overflow:hidden">SECRET</div>` +
		`<div style="color:#fff;background:#fff">SECRET</div><div style="background-image:url(https://t.example/bg)">shown</div>`
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "n", HTML: "<p>hi</p>" + hidden})
	long := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "n", HTML: "<p>hi</p>" + strings.Repeat("<p>and so on</p>", 200_000)})
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": received.ID, "to": []string{bob}})
	m, _, err := mailmsg.Parse(d.onlySent(t).Raw)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(m.HTML, "SECRET") || strings.Contains(m.Text, "SECRET") || strings.Contains(m.HTML, "t.example") || !strings.Contains(m.HTML, ">shown</div>") {
		t.Errorf("passed on: %s", m.HTML)
	}
	if len(got.Warnings) != 0 {
		t.Errorf("it warns of %q", got.Warnings)
	}
	got = bundletest.Must[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": long.ID, "to": []string{bob}})
	if !strings.Contains(strings.Join(got.Warnings, ";"), "not all of its text is forwarded") {
		t.Errorf("of half a mail it warns of %q", got.Warnings)
	}
}

func TestForwardedAttachmentNamesAreSafe(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "x", Text: "y", Attachments: []fakegmail.Attachment{
		{Name: "../../x.sh", Data: []byte("1")}, {Name: `C:\\autoexec.bat`, Data: []byte("2")}, {Name: "CON.txt", Data: []byte("3")}, {Name: "fdp\u202Eexe.pdf", Data: []byte("4")},
	}})
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_forward_message", args{"message_id": received.ID, "to": []string{bob}})
	m, _, err := mailmsg.Parse(d.onlySent(t).Raw)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"x.sh", "autoexec.bat", "_CON.txt", "fdpexe.pdf"} {
		if m.Attachments[i].Name != want || got.Attachments[i] != want {
			t.Errorf("%q is forwarded, %q is in the answer; want %q", m.Attachments[i].Name, got.Attachments[i], want)
		}
	}
}
