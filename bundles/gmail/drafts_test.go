package gmail_test

import (
	"bytes"
	"context"
	"net/http"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/bundles/internal/mailmsg"
	"kota/metadata"
)

type draftList struct {
	Drafts []struct {
		DraftID   string `json:"draft_id"`
		MessageID string `json:"message_id"`
		ThreadID  string `json:"thread_id"`
		To, Cc    []string
		Subject   string
		Snippet   string
		Changed   string
	}
	Next string `json:"next_cursor"`
}

// parseOnlyDraft parses the only draft.
func (d *fixture) parseOnlyDraft(t *testing.T) *mailmsg.Message {
	t.Helper()
	m, lost, err := mailmsg.Parse(d.onlyDraft(t).Message.Raw)
	if err != nil || len(lost) > 0 {
		t.Fatal(lost, err)
	}
	return m
}

// draftReply saves a draft of a signed answer to Bob, with a file.
func (d *fixture) draftReply(t *testing.T) (sendAnswer, fakegmail.Message) {
	t.Helper()
	d.createFiles(t)
	d.ann.SendAs(fakegmail.SendAs{Email: ann, Name: "Ann", Signature: "Ann of Example"})
	received := d.ann.Deliver(fakegmail.Mail{From: "Bob <" + bob + ">", To: ann + ", carl@example.net", Subject: "Lunch", Text: "Noon?", Headers: []string{"Message-ID: <one@example.org>"}})
	return bundletest.Must[sendAnswer](t, d.bundle, "gmail_reply_message", args{
		"message_id": received.ID, "reply_all": true, "body": "Noon is **fine**.", "attachments": []string{"report.pdf"}, "as_draft": true,
	}), received
}

func TestUpdateDraftKeepsOtherFields(t *testing.T) {
	for name, c := range map[string]struct {
		given  args
		expect func(*mailmsg.Message) // changes the previous state to the expected one
	}{
		"nothing":    {args{}, func(m *mailmsg.Message) {}},
		"recipients": {args{"to": []string{"Eve <eve@example.net>"}, "cc": []string{}}, func(m *mailmsg.Message) { m.To, m.Cc = parseAddresses("Eve <eve@example.net>"), nil }},
		"text": {args{"body": "One is *better*."}, func(m *mailmsg.Message) {
			m.Text = strings.Replace(m.Text, "Noon is **fine**.", "One is *better*.", 1)
			m.HTML = strings.Replace(m.HTML, "Noon is <strong>fine</strong>.", "One is <em>better</em>.", 1)
		}},
		"files": {args{"add_attachments": []string{"cat.png"}, "remove_attachments": []string{"report.pdf"}}, func(m *mailmsg.Message) {
			m.Attachments = []mailmsg.File{{Name: "cat.png", Type: "image/png", Content: []byte("content of cat.png")}}
		}},
		"a subject on the same topic": {args{"subject": "RE: LUNCH"}, func(m *mailmsg.Message) { m.Subject = "RE: LUNCH" }},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			draft, received := d.draftReply(t)
			want := d.parseOnlyDraft(t)
			c.expect(want)
			d.now = d.now.Add(time.Minute)
			c.given["draft_id"] = draft.DraftID
			got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", c.given)
			if got.Status != "draft" || got.DraftID != draft.DraftID || got.ThreadID != received.ThreadID || got.UndoID == "" || len(got.Warnings) != 0 {
				t.Errorf("got %+v", got)
			}
			now := d.parseOnlyDraft(t)
			want.Date = now.Date // the date of the change
			if !bytes.Equal(bytesOf(t, now), bytesOf(t, want)) {
				t.Errorf("it is now\n%s\nwant\n%s", bytesOf(t, now), bytesOf(t, want))
			}
			if thread := d.onlyDraft(t).Message.ThreadID; thread != received.ThreadID {
				t.Errorf("it is in the thread %s", thread)
			}
		})
	}
}

// draftInGmail saves a draft directly in Gmail, as another mail program would.
func (d *fixture) draftInGmail(t *testing.T, raw string) string {
	t.Helper()
	api, err := gmailapi.NewService(t.Context(), option.WithHTTPClient(d.google.HTTPClient(ann)), option.WithEndpoint(d.google.URL()))
	if err != nil {
		t.Fatal(err)
	}
	draft, err := api.Users.Drafts.Create("me", &gmailapi.Draft{}).Media(strings.NewReader(raw), googleapi.ContentType("message/rfc822")).Do()
	if err != nil {
		t.Fatal(err)
	}
	return draft.Id
}

func bytesOf(t *testing.T, m *mailmsg.Message) []byte {
	t.Helper()
	raw, err := m.Bytes(bytes.NewReader(make([]byte, 100)))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func parseAddresses(value string) (read []*mail.Address) {
	read, _ = mailmsg.ParseAddressList(value)
	return read
}

func TestUpdateDraftKeepsGmailSignatureAndQuote(t *testing.T) {
	d := newFixture(t)
	raw := strings.ReplaceAll(`From: Ann <ann@example.com>
To: Bob <bob@example.org>, half
Subject: =?UTF-8?B?TMO8bmNo?=
X-Unsent: 1
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="000000000000abc"

--000000000000abc
Content-Type: text/plain; charset="UTF-8"

Old words.

-- 
Ann of Example

On Fri, Nov 20, 2026 at 2:03 PM Bob <bob@example.org> wrote:

> Noon?
>

--000000000000abc
Content-Type: text/html; charset="UTF-8"

<div dir="ltr">Old words.<div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">Ann of Example</div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Fri</div><blockquote>Noon?</blockquote></div>

--000000000000abc--
`, "\n", "\r\n")
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": d.draftInGmail(t, raw), "body": "New words."})
	m := d.parseOnlyDraft(t)
	if want := "New words.\n\n-- \nAnn of Example\n\nOn Fri, Nov 20, 2026 at 2:03 PM Bob <bob@example.org> wrote:\n\n> Noon?"; !strings.HasPrefix(m.Text, want) {
		t.Errorf("the text is %q", m.Text)
	}
	if !strings.HasPrefix(m.HTML, "<p>New words.</p>\n<span class=\"gmail_signature_prefix\">") || !strings.Contains(m.HTML, "gmail_quote_container") || strings.Contains(m.HTML, "Old") {
		t.Errorf("the HTML is %q", m.HTML)
	}
	if m.Subject != "Lünch" || !slices.Contains(m.Headers, mailmsg.Field{Name: "X-Unsent", Value: "1"}) || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "half") {
		t.Errorf("got %+v, headers %v", got, m.Headers)
	}
}

func TestUpdateDraftOfOneFormKeepsTheQuote(t *testing.T) {
	for name, raw := range map[string]string{
		"text": "Subject: x\r\n\r\nOld.\r\n\r\nOn Friday, Bob wrote:\r\n> Noon?\r\n",
		"html": "Subject: x\r\nContent-Type: text/html\r\n\r\n<p>Old.</p><div class=\"gmail_quote\">On Friday, Bob wrote:<blockquote>Noon?</blockquote></div>",
	} {
		d := newFixture(t)
		bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": d.draftInGmail(t, raw), "body": "New."})
		m := d.parseOnlyDraft(t)
		for form, content := range map[string]string{"text": m.Text, "html": m.HTML} {
			if !strings.Contains(content, "New.") || !strings.Contains(content, "Noon?") || strings.Contains(content, "Old.") {
				t.Errorf("a draft of %s: its %s is now %q", name, form, content)
			}
		}
	}
}

func TestUpdateDraftWithNewSubjectLeavesTheThread(t *testing.T) {
	d := newFixture(t)
	draft, received := d.draftReply(t)
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": draft.DraftID, "subject": "Dinner"})
	if got.ThreadID == received.ThreadID || d.onlyDraft(t).Message.ThreadID == received.ThreadID {
		t.Errorf("it is still in %s", got.ThreadID)
	}
}

func TestUpdateDraftRejectsInvalidArguments(t *testing.T) {
	d := newFixture(t)
	draft, _ := d.draftReply(t)
	before := d.onlyDraft(t).Message.Raw
	for path, given := range map[string]args{
		"to[0]": {"to": []string{"a@b.c, d@e.f"}}, "bcc[1]": {"bcc": []string{bob, ""}}, "subject": {"subject": "a\r\nBcc: x@y.z"}, "body": {"body": "a\x00"}, "html": {"html": "\x1b"}, "from": {"from": "boss@example.org"},
		"add_attachments[0]": {"add_attachments": []string{"/etc/passwd"}}, "remove_attachments[0]": {"remove_attachments": []string{"other.pdf"}}, "draft_id": {"draft_id": "../messages/1"},
	} {
		if given["draft_id"] == nil {
			given["draft_id"] = draft.DraftID
		}
		_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_update_draft", given)
		if got := bundletest.ProblemPath(t, err); got != path {
			t.Errorf("%s: %v", path, err)
		}
	}
	bare := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "x", "body": "y", "as_draft": true})
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": bare.DraftID, "remove_attachments": []string{"a.pdf"}})
	if !strings.Contains(bundletest.AsError(t, err).Message, "it has none") {
		t.Errorf("of a draft without attachments: %v", err)
	}
	bundletest.Must[sendAnswer](t, d.bundle, "gmail_delete_draft", args{"draft_id": bare.DraftID})
	if !bytes.Equal(d.onlyDraft(t).Message.Raw, before) {
		t.Error("the draft has changed")
	}
	for _, tool := range []string{"gmail_update_draft", "gmail_delete_draft", "gmail_send_draft"} {
		if _, err := bundletest.Answer[sendAnswer](t, d.bundle, tool, args{"draft_id": "r-404"}); metadata.CodeOf(err) != metadata.NotFound {
			t.Errorf("%s of one that is not there: %v", tool, err)
		}
	}
}

func TestUndoRestoresDeletedDraft(t *testing.T) {
	d := newFixture(t)
	draft, received := d.draftReply(t)
	before := d.onlyDraft(t).Message.Raw
	deleted := bundletest.Must[struct {
		Deleted string
		UndoID  string `json:"undo_id"`
	}](t, d.bundle, "gmail_delete_draft", args{"draft_id": draft.DraftID})
	if deleted.Deleted != "Re: Lunch" || len(d.ann.Drafts()) != 0 {
		t.Fatalf("deleted %+v", deleted)
	}
	undone := bundletest.Must[struct{ Undone, Note string }](t, d.bundle, "gmail_undo", args{"undo_id": deleted.UndoID})
	back := d.onlyDraft(t)
	if !bytes.Equal(back.Message.Raw, before) || back.Message.ThreadID != received.ThreadID || !strings.Contains(undone.Note, back.ID) {
		t.Errorf("it is back as %+v, and the answer is %+v", back, undone)
	}
}

func TestUndoRestoresUpdatedDraft(t *testing.T) {
	d := newFixture(t)
	draft, received := d.draftReply(t)
	before := d.onlyDraft(t).Message.Raw
	changed := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": draft.DraftID, "subject": "Dinner", "to": []string{}, "remove_attachments": []string{"report.pdf"}})
	bundletest.Must[struct{}](t, d.bundle, "gmail_undo", args{"undo_id": changed.UndoID})
	back := d.onlyDraft(t)
	if back.ID != draft.DraftID || back.Message.ThreadID != received.ThreadID || !bytes.Equal(back.Message.Raw, before) {
		t.Errorf("it is\n%s\nwant\n%s", back.Message.Raw, before)
	}
}

func TestUndoKeepsDraftEditedInGmail(t *testing.T) {
	d := newFixture(t)
	draft, _ := d.draftReply(t)
	before := d.onlyDraft(t).Message.Raw
	changed := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": draft.DraftID, "body": "At noon."})
	d.editDraft(t, draft.DraftID, "Bring wine.")
	edited := d.onlyDraft(t).Message.Raw
	_, err := bundletest.Answer[args](t, d.bundle, undoTool, args{"undo_id": changed.UndoID})
	if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || !strings.Contains(jsonOf(t, e.Problems), "Bring wine.") || !bytes.Equal(d.onlyDraft(t).Message.Raw, edited) {
		t.Errorf("answered %+v; it is %s", e, d.onlyDraft(t).Message.Raw)
	}
	back := bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": changed.UndoID, "overwrite": true})
	if !bytes.Equal(d.onlyDraft(t).Message.Raw, before) {
		t.Errorf("overwritten it is %s", d.onlyDraft(t).Message.Raw)
	}
	_, undo, _ := strings.Cut(back.Note, "undo_id ")
	bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": undo})
	if !bytes.Equal(d.onlyDraft(t).Message.Raw, edited) {
		t.Errorf("it came back as %s", d.onlyDraft(t).Message.Raw)
	}
}

func TestUndoDoesNotRecreateSentDraft(t *testing.T) {
	d := newFixture(t)
	draft, _ := d.draftReply(t)
	changed := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": draft.DraftID, "body": "At noon."})
	if _, err := d.otherClient(t).Users.Drafts.Send("me", &gmailapi.Draft{Id: draft.DraftID}).Do(); err != nil {
		t.Fatal(err)
	}
	_, err := bundletest.Answer[args](t, d.bundle, undoTool, args{"undo_id": changed.UndoID})
	if metadata.CodeOf(err) != metadata.Conflict || len(d.ann.Drafts()) != 0 {
		t.Errorf("answered %v; there are %d drafts", err, len(d.ann.Drafts()))
	}
}

func TestUndoFollowsRestoredDraft(t *testing.T) {
	d := newFixture(t)
	draft, _ := d.draftReply(t)
	before := d.onlyDraft(t).Message.Raw
	changed := bundletest.Must[sendAnswer](t, d.bundle, "gmail_update_draft", args{"draft_id": draft.DraftID, "body": "At noon."})
	deleted := bundletest.Must[sendAnswer](t, d.bundle, "gmail_delete_draft", args{"draft_id": draft.DraftID})
	for _, undo := range []string{deleted.UndoID, changed.UndoID, draft.UndoID} {
		if undo == draft.UndoID && !bytes.Equal(d.onlyDraft(t).Message.Raw, before) {
			t.Errorf("it is %s", d.onlyDraft(t).Message.Raw)
		}
		bundletest.Must[undoAnswer](t, d.bundle, undoTool, args{"undo_id": undo})
	}
	if len(d.ann.Drafts()) != 0 {
		t.Error("there still is a draft")
	}
}

func TestSendDraftSendsItUnchanged(t *testing.T) {
	d := newFixture(t)
	draft, received := d.draftReply(t)
	got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_draft", args{"draft_id": draft.DraftID, "idempotency_key": "k"})
	sent := d.onlySent(t)
	if got.Status != "sent" || got.MessageID != sent.ID || sent.ThreadID != received.ThreadID || got.DraftID != "" || len(d.ann.Drafts()) != 0 {
		t.Errorf("got %+v", got)
	}
	if !slices.Equal(got.To, []string{"Bob <" + bob + ">"}) || !slices.Equal(got.Cc, []string{"carl@example.net"}) || got.Subject != "Re: Lunch" || got.From != "Ann <ann@example.com>" {
		t.Errorf("answered %+v", got)
	}
	again := bundletest.Must[sendAnswer](t, d.newProcess(), "gmail_send_draft", args{"draft_id": draft.DraftID, "idempotency_key": "k"})
	if again.MessageID != sent.ID || !again.Repeated || again.Subject != got.Subject || !slices.Equal(again.To, got.To) || !slices.Equal(again.Cc, got.Cc) || again.From != got.From {
		t.Errorf("again: %+v", again)
	}
	d.onlySent(t)
}

func TestSendDraftRejectsDraftWithoutRecipients(t *testing.T) {
	d := newFixture(t)
	draft := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"subject": "x", "body": "y", "as_draft": true})
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_draft", args{"draft_id": draft.DraftID})
	if got := bundletest.ProblemPath(t, err); got != "to" || len(d.ann.Sent()) != 0 {
		t.Errorf("got %v", err)
	}
}

func TestListDraftsReturnsNewestFirst(t *testing.T) {
	d := newFixture(t)
	for _, subject := range []string{"one", "two", "three"} {
		d.now = d.now.Add(time.Minute)
		bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": subject, "body": "Words & more.", "as_draft": true})
	}
	got := bundletest.Must[draftList](t, d.bundle, "gmail_list_drafts", args{"limit": 2})
	if len(got.Drafts) != 2 || got.Drafts[0].Subject != "three" || got.Drafts[1].Subject != "two" || got.Next == "" {
		t.Fatalf("got %+v", got)
	}
	if row := got.Drafts[0]; row.DraftID == "" || row.MessageID == "" || row.Snippet != "Words & more." || row.Changed != "2026-11-21T12:03:00+01:00" || !slices.Equal(row.To, []string{bob}) {
		t.Errorf("got %+v", row)
	}
	rest := bundletest.Must[draftList](t, d.bundle, "gmail_list_drafts", args{"limit": 2, "cursor": got.Next})
	if len(rest.Drafts) != 1 || rest.Drafts[0].Subject != "one" || rest.Next != "" {
		t.Errorf("got %+v", rest)
	}
	if found := bundletest.Must[draftList](t, d.bundle, "gmail_list_drafts", args{"query": "subject:two"}); len(found.Drafts) != 1 {
		t.Errorf("found %+v", found)
	}
}

func TestListAccountsReturnsAddresses(t *testing.T) {
	d := newFixture(t)
	d.ann.SendAs(fakegmail.SendAs{Email: ann, Name: "Ann Lee"})
	d.ann.SendAs(fakegmail.SendAs{Email: "sales@example.com", Signature: "Sales", Default: true, ReplyTo: "desk@example.com"})
	d.ann.SendAs(fakegmail.SendAs{Email: "new@example.com", Pending: true})
	got := bundletest.Must[struct {
		Accounts []struct {
			Name, Address string
			Default       bool
			Addresses     []struct {
				Address, Name      string
				Default, Signature bool
				Unverified         bool
				ReplyTo            string `json:"reply_to"`
			}
		}
	}](t, d.bundle, "gmail_list_accounts", args{})
	if len(got.Accounts) != 1 || len(got.Accounts[0].Addresses) != 3 || !got.Accounts[0].Default || got.Accounts[0].Address != ann {
		t.Fatalf("got %+v", got)
	}
	a := got.Accounts[0].Addresses
	if a[0].Address != ann || a[0].Name != "Ann Lee" || a[0].Default || a[0].Signature || !a[1].Default || !a[1].Signature || a[1].ReplyTo != "desk@example.com" || !a[2].Unverified {
		t.Errorf("got %+v", a)
	}
}

// A user whose scopes allow writing and reading mail, but not changing labels, only gets
// the undo_ids of drafts.
func TestUndoNeedsOnlyTheScopesOfItsChange(t *testing.T) {
	d := newFixture(t)
	granted := []string{"https://www.googleapis.com/auth/gmail.compose", "https://www.googleapis.com/auth/gmail.readonly"}
	client := d.google.HTTPClient(ann, granted...)
	t.Cleanup(client.CloseIdleConnections)
	var requested []string
	d.deps.Client = func(ctx context.Context, _ string) (*http.Client, error) {
		requested = append(requested, bundles.ScopesOf(ctx)...)
		return client, nil
	}
	b := d.newProcess()
	for _, action := range b.Actions {
		if action.Tool == undoTool {
			requested = append(requested, action.Scopes...)
		}
	}
	draft := bundletest.Must[sendAnswer](t, b, "gmail_send_message", args{"to": []string{bob}, "subject": "x", "body": "y", "as_draft": true})
	deleted := bundletest.Must[struct {
		UndoID string `json:"undo_id"`
	}](t, b, "gmail_delete_draft", args{"draft_id": draft.DraftID})
	bundletest.Must[undoAnswer](t, b, undoTool, args{"undo_id": deleted.UndoID})
	for _, scope := range requested {
		if !slices.Contains(granted, scope) {
			t.Errorf("it asks for %s", scope)
		}
	}
	if !slices.Contains(requested, granted[0]) {
		t.Errorf("it asks for %v alone", requested)
	}
}
