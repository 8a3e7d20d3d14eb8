package gmail_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/mail"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

// sendAnswer is the answer of the actions that write a mail.
type sendAnswer struct {
	Status, Note  string
	MessageID     string `json:"message_id"`
	ThreadID      string `json:"thread_id"`
	DraftID       string `json:"draft_id"`
	UndoID        string `json:"undo_id"`
	From, Subject string
	To, Cc, Bcc   []string
	Attachments   []string
	Repeated      bool
	Warnings      []string
}

// onlySent returns the only sent mail.
func (d *fixture) onlySent(t *testing.T) fakegmail.Message {
	t.Helper()
	sent := d.ann.Sent()
	if len(sent) != 1 {
		t.Fatalf("%d mails were sent, want 1", len(sent))
	}
	return sent[0]
}

// onlyDraft returns the only draft.
func (d *fixture) onlyDraft(t *testing.T) fakegmail.Draft {
	t.Helper()
	drafts := d.ann.Drafts()
	if len(drafts) != 1 {
		t.Fatalf("there are %d drafts, want 1", len(drafts))
	}
	return drafts[0]
}

// countWrites returns the number of requests that change something at Google.
func (d *fixture) countWrites() (n int) {
	for _, r := range d.google.Requests() {
		if r.Verb != "GET" {
			n++
		}
	}
	return n
}

func TestSendMessageContent(t *testing.T) {
	d := newFixture(t)
	d.ann.SendAs(fakegmail.SendAs{Email: ann, Name: "Ann Lee", Signature: "<b>Ann</b> of <i>Example</i>"})
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{
		"to": []string{"Zoë <zoe@bücher.example>"}, "cc": []string{bob}, "bcc": []string{"archive@example.net"}, "reply_to": "desk@example.com",
		"subject": "Übersicht", "body": "Hi **Zoë**,\n\nsee https://example.com/?a=b&c=d.",
	})
	sent := d.onlySent(t)
	if got.Status != "sent" || got.MessageID != sent.ID || got.ThreadID != sent.ThreadID || got.DraftID != "" || !strings.Contains(got.Note, "accepted by Gmail") {
		t.Errorf("got %+v", got)
	}
	if want := []string{"Zoë <zoe@xn--bcher-kva.example>"}; !slices.Equal(got.To, want) || !slices.Equal(got.Cc, []string{bob}) || !slices.Equal(got.Bcc, []string{"archive@example.net"}) {
		t.Errorf("addressed to %q, %q, %q", got.To, got.Cc, got.Bcc)
	}
	for header, want := range map[string]string{
		"From": "Ann Lee <ann@example.com>", "Subject": "Übersicht", "Cc": bob, "Bcc": "archive@example.net", "Reply-To": "desk@example.com", "Date": "Sat, 21 Nov 2026 12:00:00 +0100",
	} {
		if got := sent.Header(header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	raw := string(sent.Raw)
	for _, want := range []string{
		"Hi **Zo=C3=AB**,", "https://example.com/?a=3Db&c=3Dd", "\r\n--=20\r\n**Ann** of", "<strong>Zo=C3=AB</strong>", "<b>Ann</b> of <i>Example</i>", "multipart/alternative",
	} {
		if !strings.Contains(strings.ReplaceAll(raw, "=\r\n", ""), want) && !strings.Contains(raw, want) {
			t.Errorf("there is no %q in\n%s", want, raw)
		}
	}
}

// Every byte that is sent is in testdata/sent.eml, except a random boundary and the ids of
// the outbox and of Gmail. An additional recipient or header therefore needs a change of
// that file.
func TestSentBytesMatchTheGoldenFile(t *testing.T) {
	d := newFixture(t)
	d.ann.SendAs(fakegmail.SendAs{Email: ann, Name: "Ann Lee", Signature: "<b>Ann</b>"})
	d.createFiles(t)
	received := d.ann.Deliver(fakegmail.Mail{
		From: "Bob <" + bob + ">", To: "Ann <" + ann + ">, Zoë <zoe@example.net>", Subject: "Müsli & Kaffee", Text: "At noon?\n", Headers: []string{"Message-ID: <one@example.org>"},
	})
	bundletest.Must[sendAnswer](t, d.bundle, "gmail_reply_message", args{"message_id": received.ID, "reply_all": true, "body": "**Yes**, see https://example.com/?a=1&b=2.", "attachments": []string{"report.pdf"}})
	got := regexp.MustCompile(`=_[0-9a-f]{32}`).ReplaceAllString(string(d.onlySent(t).Raw), "=_BOUNDARY")
	got = regexp.MustCompile(`(?m)^(X-Kota-Outbox|Message-ID): \S+`).ReplaceAllString(got, "$1: ID")
	const file = "testdata/sent.eml"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: %s", file, cmp.Diff(string(want), got))
	}
}

var update = flag.Bool("update", false, "write testdata/sent.eml anew")

func TestSendRejectsInvalidArguments(t *testing.T) {
	tooMany := make([]string, 101)
	for i := range tooMany {
		tooMany[i] = fmt.Sprintf("p%d@example.com", i)
	}
	for name, c := range map[string]struct {
		change args
		path   string
	}{
		"nobody to send to":        {args{"to": nil}, "to"},
		"an empty address":         {args{"to": []string{""}}, "to[0]"},
		"two in one":               {args{"to": []string{bob, "a@b.c, x@evil.example"}}, "to[1]"},
		"two with a semicolon":     {args{"to": []string{"a@b.c; x@evil.example"}}, "to[0]"},
		"a group":                  {args{"cc": []string{"team: a@b.c;"}}, "cc[0]"},
		"a route":                  {args{"bcc": []string{"<@x.example:a@b.c>"}}, "bcc[0]"},
		"a line end in an address": {args{"to": []string{"a@b.c\r\nBcc: x@evil.example"}}, "to[0]"},
		"a line end in a name":     {args{"to": []string{"A\nBcc: x@evil.example <a@b.c>"}}, "to[0]"},
		"an encoded line end":      {args{"to": []string{"=?utf-8?q?a=0D=0ABcc:_x?= <a@b.c>"}}, "to[0]"},
		"CR LF in the subject":     {args{"subject": "x\r\nBcc: x@evil.example"}, "subject"},
		"NUL in the subject":       {args{"subject": "x\x00"}, "subject"},
		"U+0085 in the subject":    {args{"subject": "x\u0085Bcc: x@evil.example"}, "subject"},
		"U+2028 in the subject":    {args{"subject": "x\u2028"}, "subject"},
		"U+2029 in the subject":    {args{"subject": "x\u2029"}, "subject"},
		"U+202E in the subject":    {args{"subject": "invoice_\u202Efdp.exe"}, "subject"},
		"U+202E in a name":         {args{"to": []string{"A\u202EnnB <a@b.cd>"}}, "to[0]"},
		"an isolate in a name":     {args{"cc": []string{"A\u2066nn <a@b.cd>"}}, "cc[0]"},
		"a domain of one label":    {args{"to": []string{bob, "root@localhost"}}, "to[1]"},
		"NUL in the body":          {args{"body": "a\x00b"}, "body"},
		"an escape in the body":    {args{"body": "a\x1b[2Jb"}, "body"},
		"U+0085 in the HTML":       {args{"html": "<p>a\u0085b"}, "html"},
		"a subject without end":    {args{"subject": strings.Repeat("x", 2001)}, "subject"},
		"a line end in reply_to":   {args{"reply_to": "a@b.c\n"}, "reply_to"},
		"a line end in from":       {args{"from": ann + "\n"}, "from"},
		"a line end in the key":    {args{"idempotency_key": "a\nb"}, "idempotency_key"},
		"a hundred and one":        {args{"to": tooMany}, "to"},
		"a local part of 65":       {args{"to": []string{strings.Repeat("a", 65) + "@example.com"}}, "to[0]"},
		"an address of 5,000":      {args{"to": []string{strings.Repeat("a", 5000) + "@example.com"}}, "to[0]"},
		"accents before the @":     {args{"to": []string{"müller@example.com"}}, "to[0]"},
		"no folder is configured":  {args{"attachments": []string{"/etc/passwd"}}, "attachments[0]"},
		"an id with slashes":       {args{"attachments": []string{"mail:../drafts/1"}}, "attachments[0]"},
		"a mail without a part":    {args{"attachments": []string{"mail:18f2a9c0d1e2f3a4"}}, "attachments[0]"},
		"an unknown argument":      {args{"headers": "Bcc: x@evil.example"}, "headers"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			given := args{"to": []string{bob}, "subject": "Lunch", "body": "Noon?"}
			for key, value := range c.change {
				given[key] = value
			}
			_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", given)
			if got := bundletest.ProblemPath(t, err); got != c.path {
				t.Errorf("the problem is at %q, want %q", got, c.path)
			}
			if n := len(d.google.Requests()); n != 0 {
				t.Errorf("%d requests left", n)
			}
		})
	}
}

func TestSendReportsAllProblemsInOneError(t *testing.T) {
	d := newFixture(t)
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{"a", bob, "b"}, "subject": "\n", "attachments": []string{"/x"}})
	raw, marshalErr := json.Marshal(err)
	if marshalErr != nil {
		t.Fatal(marshalErr)
	}
	for _, path := range []string{`"to[0]"`, `"to[2]"`, `"subject"`, `"attachments[0]"`} {
		if !strings.Contains(string(raw), path) {
			t.Errorf("nothing is said of %s: %s", path, raw)
		}
	}
}

func TestSendListsEachRecipientOnce(t *testing.T) {
	d := newFixture(t)
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{
		"to": []string{"Bob <" + bob + ">", "BOB@Example.org", "a+x@example.net"}, "cc": []string{bob, "a+y@example.net"}, "bcc": []string{"A+Y@example.net", "c@bücher.example", "c@xn--bcher-kva.example"},
		"subject": "x", "body": "y",
	})
	all := slices.Concat(got.To, got.Cc, got.Bcc)
	if want := []string{"Bob <" + bob + ">", "a+x@example.net", "a+y@example.net", "c@xn--bcher-kva.example"}; !slices.Equal(all, want) {
		t.Errorf("got %q, want %q", all, want)
	}
}

func TestSendUsesOnlyTheUsersAddresses(t *testing.T) {
	d := newFixture(t)
	d.ann.SendAs(fakegmail.SendAs{Email: "sales@example.com", Name: "Sales", Signature: "Sales team", Default: true})
	d.ann.SendAs(fakegmail.SendAs{Email: "new@example.com", Pending: true})
	write := func(from string) (sendAnswer, error) {
		given := args{"to": []string{bob}, "subject": from, "body": "x", "as_draft": true}
		if from != "" {
			given["from"] = from
		}
		return bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", given)
	}
	for from, want := range map[string]string{
		"": "Sales <sales@example.com>", "ann@example.com": "ann@example.com", "ANN@example.com": "ann@example.com", "Dr Ann <ann@example.com>": "Dr Ann <ann@example.com>",
	} {
		if got, err := write(from); err != nil || got.From != want {
			t.Errorf("from %q: got %q, %v; want %q", from, got.From, err, want)
		}
	}
	for _, from := range []string{"boss@example.org", "new@example.com", "ann+x@example.com"} {
		_, err := write(from)
		if got := bundletest.ProblemPath(t, err); got != "from" {
			t.Errorf("from %q: %v", from, err)
		}
	}
	for _, draft := range d.ann.Drafts() {
		has := strings.Contains(draft.Message.Text(), "Sales team")
		if want := strings.HasPrefix(draft.Message.Header("From"), "Sales"); has != want {
			t.Errorf("from %s: signature %t", draft.Message.Header("From"), has)
		}
	}
}

func TestAsDraftSendsNothing(t *testing.T) {
	d := newFixture(t)
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"subject": "Later", "body": "Not yet.", "as_draft": true})
	draft := d.onlyDraft(t)
	if got.Status != "draft" || got.DraftID != draft.ID || got.Note == "" || len(d.ann.Sent()) != 0 || draft.Message.Header("Subject") != "Later" {
		t.Errorf("got %+v, and %d were sent", got, len(d.ann.Sent()))
	}
}

// If the policy replaces a send with a draft, the answer says why.
func TestForcedDraftExplainsThePolicy(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch?"})
	for tool, given := range map[string]args{
		"gmail_send_message":    {"to": []string{bob}, "subject": "x", "body": "y"},
		"gmail_reply_message":   {"message_id": received.ID, "body": "y"},
		"gmail_forward_message": {"message_id": received.ID, "to": []string{"c@example.net"}, "body": "y"},
	} {
		action := d.bundle.Actions[slices.IndexFunc(d.bundle.Actions, func(a bundles.Action) bool { return a.Tool == tool })]
		raw, err := json.Marshal(given)
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := action.Prepare(raw)
		if err != nil || prepared.Effect != metadata.Sends || prepared.Draft == nil || prepared.Draft.Effect != metadata.Writes {
			t.Fatalf("%s: %+v, %v", tool, prepared, err)
		}
		answer, err := prepared.Draft.Do(bundletest.WithUserConsent(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `"status":"draft"`) || !strings.Contains(string(text), "bundles.yaml allows only the user to send") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if sent, drafts := len(d.ann.Sent()), len(d.ann.Drafts()); sent != 0 || drafts != 3 {
		t.Errorf("%d sent, %d drafts", sent, drafts)
	}
}

func TestRepeatedKeySendsOnce(t *testing.T) {
	d := newFixture(t)
	given := args{"to": []string{bob}, "subject": "Once", "body": "x", "idempotency_key": "k1"}
	first := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", given)
	again := bundletest.Must[sendAnswer](t, d.newProcess(), "gmail_send_message", given)
	if again.MessageID != first.MessageID || !again.Repeated || again.Status != "sent" || first.Repeated {
		t.Errorf("got %+v, then %+v", first, again)
	}
	d.onlySent(t)
	given["body"] = "another"
	if _, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", given); metadata.CodeOf(err) != metadata.Conflict {
		t.Errorf("another mail under the key: %v", err)
	}
}

func TestSendWarnsAboutForgottenParts(t *testing.T) {
	d := newFixture(t)
	for body, want := range map[string]string{
		"Please find the report attached.":  "but there is none",
		"Anbei der Bericht.":                "but there is none",
		"Regards,\n[Your Name]":             "[Your Name]",
		"See [the site](https://a.example)": "",
		"Noon?":                             "",
		"":                                  "no text",
	} {
		got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "x", "body": body, "as_draft": true})
		if text := strings.Join(got.Warnings, "; "); want == "" && text != "" || !strings.Contains(text, want) {
			t.Errorf("%q: warned %q, want %q", body, text, want)
		}
	}
}

// For any arguments, one recipient gets one mail with the intended headers.
func FuzzSendMessage(f *testing.F) {
	f.Add("Bob <bob@example.org>", "Lunch", "Noon?", "report.pdf")
	f.Add("a@b.c\r\nBcc: x@evil.example", "x\nBcc: y@evil.example", ".\r\n\r\n--=_0", "\u2028")
	f.Fuzz(func(t *testing.T, to, subject, body, key string) {
		d := newFixture(t)
		got, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{to}, "subject": subject, "body": body, "idempotency_key": key})
		if err != nil {
			if d.countWrites() != 0 {
				t.Errorf("%v, after something was written", err)
			}
			return
		}
		sent := d.onlySent(t)
		m, err := mail.ReadMessage(strings.NewReader(string(sent.Raw)))
		if err != nil {
			t.Fatal(err)
		}
		for header := range m.Header {
			switch header {
			case "From", "To", "Subject", "Date", "Mime-Version", "Content-Type", "X-Kota-Outbox", "Message-Id":
			default:
				t.Errorf("there is a header %s", header)
			}
		}
		if list, err := m.Header.AddressList("To"); err != nil || len(list) != 1 || len(got.To) != 1 {
			t.Errorf("sent to %v, %v", list, err)
		}
	})
}

func TestActionsRequireSignIn(t *testing.T) {
	d := newFixture(t)
	deps := d.deps
	deps.Accounts = func() ([]gmail.Account, error) { return nil, nil }
	deps.Client = failingClient(metadata.SignInRequired)
	b := gmail.New(deps)
	for tool, given := range map[string]args{
		"gmail_send_message": {"to": []string{bob}, "subject": "x", "body": "y"}, "gmail_reply_message": {"message_id": "m1", "body": "y"},
		"gmail_forward_message": {"message_id": "m1", "to": []string{bob}}, "gmail_list_drafts": {}, "gmail_update_draft": {"draft_id": "r-1"},
		"gmail_send_draft": {"draft_id": "r-1"}, "gmail_delete_draft": {"draft_id": "r-1"}, "gmail_list_accounts": {},
	} {
		if _, err := bundletest.Answer[sendAnswer](t, b, tool, given); metadata.CodeOf(err) != metadata.SignInRequired {
			t.Errorf("%s: got %v", tool, err)
		}
	}
}

// failingClient returns a Client that fails with the code.
func failingClient(code metadata.Code) func(context.Context, string) (*http.Client, error) {
	return func(context.Context, string) (*http.Client, error) {
		return nil, metadata.Errorf(code, "there is no account").WithHint("Sign in.")
	}
}
