package gmail_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

// reply drafts an answer, and returns the call's answer and the saved draft.
func (d *fixture) reply(t *testing.T, given args) (sendAnswer, fakegmail.Message) {
	t.Helper()
	if given["body"] == nil {
		given["body"] = "Noon is fine."
	}
	return bundletest.Must[sendAnswer](t, d.bundle, "gmail_reply_message", given), d.ann.Sent()[0]
}

// plainText returns the text of a mail with LF line ends.
func plainText(m fakegmail.Message) string { return strings.ReplaceAll(m.Text(), "\r\n", "\n") }

func TestReplyStaysInItsThread(t *testing.T) {
	d := newFixture(t)
	first := d.ann.Deliver(fakegmail.Mail{From: "Bob <" + bob + ">", Subject: "Lunch", Text: "Noon?", Headers: []string{"Message-ID: <one@example.org>"}})
	second := d.ann.Deliver(fakegmail.Mail{
		From: "Bob <" + bob + ">", Subject: "Re: Lunch", Text: "Or one?", Date: noon.Add(-time.Hour),
		Headers: []string{"Message-ID: <two@example.org>", "In-Reply-To: <one@example.org>", "References: <zero@example.org>\r\n <one@example.org>"},
	})
	got, sent := d.reply(t, args{"message_id": second.ID})
	if got.ThreadID != first.ThreadID || sent.ThreadID != first.ThreadID {
		t.Errorf("it is in the thread %s, want %s", sent.ThreadID, first.ThreadID)
	}
	for header, want := range map[string]string{
		"Subject": "Re: Lunch", "In-Reply-To": "<two@example.org>", "References": "<zero@example.org> <one@example.org> <two@example.org>", "To": "Bob <" + bob + ">", "Cc": "",
	} {
		if got := sent.Header(header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	if text := plainText(sent); !strings.Contains(text, "Noon is fine.\n\nOn Sat, 21 Nov 2026 at 11:00, Bob <"+bob+"> wrote:\n\n> Or one?") {
		t.Errorf("it says %q", text)
	}
	if !strings.Contains(string(sent.Raw), `<blockquote class=3D"gmail_quote"`) {
		t.Error("nothing is quoted in the HTML")
	}
}

func TestReplyToThreadAnswersItsNewestMail(t *testing.T) {
	d := newFixture(t)
	first := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch", Date: noon.Add(-3 * time.Hour), Headers: []string{"Message-ID: <one@example.org>"}})
	d.ann.Deliver(fakegmail.Mail{From: bob, ThreadWith: first.ID, Date: noon.Add(-2 * time.Hour), Headers: []string{"Message-ID: <two@example.org>"}})
	d.ann.Deliver(fakegmail.Mail{From: bob, ThreadWith: first.ID, Date: noon.Add(-time.Hour), Labels: []string{"TRASH"}, Headers: []string{"Message-ID: <gone@example.org>"}})
	draft := bundletest.Must[sendAnswer](t, d.bundle, "gmail_reply_message", args{"thread_id": first.ThreadID, "body": "first try", "as_draft": true})
	if draft.ThreadID != first.ThreadID || draft.Status != "draft" {
		t.Fatalf("the draft is %+v", draft)
	}
	_, sent := d.reply(t, args{"thread_id": first.ThreadID})
	if got := sent.Header("In-Reply-To"); got != "<two@example.org>" {
		t.Errorf("it answers %s", got)
	}
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_reply_message", args{"message_id": d.onlyDraft(t).Message.ID, "body": "x"})
	if metadata.CodeOf(err) != metadata.ValidationError {
		t.Errorf("answering a draft: %v", err)
	}
	lone := bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"subject": "x", "body": "y", "as_draft": true})
	if _, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_reply_message", args{"thread_id": lone.ThreadID, "body": "x"}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("answering a thread that is a draft alone: %v", err)
	}
}

// Without protection, a repeated reply to the thread would answer the reply itself, which
// is then the newest mail.
func TestRepeatedReplyToThreadSendsOnce(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch"})
	for _, key := range []string{"k", ""} {
		given := args{"thread_id": received.ThreadID, "body": "Fine by me " + key, "idempotency_key": key}
		d.now = d.now.Add(time.Minute)
		first := bundletest.Must[sendAnswer](t, d.bundle, "gmail_reply_message", given)
		d.now = d.now.Add(time.Minute)
		again := bundletest.Must[sendAnswer](t, d.newProcess(), "gmail_reply_message", given)
		if !again.Repeated || again.MessageID != first.MessageID {
			t.Errorf("key %q: got %+v, then %+v", key, first, again)
		}
	}
	if sent := len(d.ann.Sent()); sent != 2 {
		t.Errorf("%d were sent", sent)
	}
}

func TestReplyToNewMailIsNoRepeat(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch", Text: "Friday?"})
	answer := func(b bundles.Bundle, key string) sendAnswer {
		d.now = d.now.Add(time.Minute)
		return bundletest.Must[sendAnswer](t, b, "gmail_reply_message", args{"thread_id": received.ThreadID, "body": "Yes", "idempotency_key": key})
	}
	first, withKey := answer(d.bundle, ""), answer(d.bundle, "k")
	d.now = d.now.Add(time.Minute)
	d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Re: Lunch", Text: "Shall I bring Carl?", ThreadWith: received.ID})
	second := answer(d.bundle, "")
	if second.Repeated || second.MessageID == first.MessageID {
		t.Errorf("the new mail was not answered: %+v", second)
	}
	if again := answer(d.newProcess(), ""); !again.Repeated || again.MessageID != second.MessageID {
		t.Errorf("the repeat is %+v, want that of %+v", again, second)
	}
	if again := answer(d.newProcess(), "k"); !again.Repeated || again.MessageID != withKey.MessageID {
		t.Errorf("a key stands for one answer: got %+v, want that of %+v", again, withKey)
	}
	if sent := len(d.ann.Sent()); sent != 3 {
		t.Errorf("%d were sent", sent)
	}
}

// Carol writes in the thread before the call is repeated.
func TestRepeatedReplyNamesTheOriginalRecipients(t *testing.T) {
	for name, c := range map[string]struct {
		more  args
		fault fakeapi.Fault // of the first call
		code  metadata.Code
	}{
		"a draft":        {args{"as_draft": true}, fakeapi.Fault{}, ""},
		"a mail":         {nil, fakeapi.Fault{}, ""},
		"at a later try": {nil, fakeapi.Fault{Method: "gmail.users.drafts.send", Status: 429}, metadata.RateLimited},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch", Text: "Noon?", Date: noon.Add(-time.Hour)})
			given := args{"thread_id": received.ThreadID, "body": "Yes", "idempotency_key": "k", "reply_all": true, "add": []string{"dan@example.net"}}
			maps.Copy(given, c.more)
			withdraw := func() {}
			if c.fault.Method != "" {
				withdraw = d.google.Fault(c.fault)
			}
			if _, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_reply_message", given); metadata.CodeOf(err) != c.code {
				t.Fatal(err)
			}
			withdraw()
			d.now = d.now.Add(time.Minute)
			d.ann.Deliver(fakegmail.Mail{From: "carol@example.net", Subject: "Re: Lunch", Text: "One?", ThreadWith: received.ID})
			got := bundletest.Must[sendAnswer](t, d.newProcess(), "gmail_reply_message", given)
			mail := slices.Concat(d.ann.Sent(), draftsOf(d))[0]
			if got.Repeated != (c.code == "") || !slices.Equal(got.To, []string{bob}) || mail.Header("To") != bob ||
				!slices.Equal(got.Cc, []string{"dan@example.net"}) || got.From == "" || got.Subject != "Re: Lunch" {
				t.Errorf("got %+v of a mail to %s", got, mail.Header("To"))
			}
		})
	}
}

func draftsOf(d *fixture) (drafts []fakegmail.Message) {
	for _, draft := range d.ann.Drafts() {
		drafts = append(drafts, draft.Message)
	}
	return drafts
}

// Bob's automatic answer replies to the mail whose outcome is unknown.
func TestReplyResolvesUnknownOutcomeFirst(t *testing.T) {
	t.Parallel() // the repeated call waits until Gmail must have finished
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch", Text: "Noon?"})
	given := args{"thread_id": received.ThreadID, "body": "Yes"}
	var withdraw []func()
	for _, f := range []fakeapi.Fault{{Method: "gmail.users.drafts.send", Status: 503, AfterEffect: true}, {Method: "gmail.users.drafts.get", Status: 400}} {
		withdraw = append(withdraw, d.google.Fault(f))
	}
	if _, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_reply_message", given); metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Fatal(err)
	}
	for _, undo := range withdraw {
		undo()
	}
	d.now = d.now.Add(time.Minute)
	d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Re: Lunch", Text: "I am away.", ThreadWith: received.ID})
	again := bundletest.Must[sendAnswer](t, d.newProcess(), "gmail_reply_message", given)
	if sent := d.onlySent(t); !again.Repeated || again.MessageID != sent.ID {
		t.Errorf("got %+v", again)
	}
	if next := bundletest.Must[sendAnswer](t, d.bundle, "gmail_reply_message", given); next.Repeated {
		t.Errorf("once it is settled the new mail is not answered: %+v", next)
	}
}

func TestReplyToHostileMailIsBounded(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{Raw: []byte("From: " + strings.Repeat("x", 100_000) + " <" + bob + ">\r\nSubject: " + strings.Repeat("a ", 100_000) + "\r\nMessage-ID: <" + strings.Repeat("m", 5000) + "@x>\r\nReferences: " + strings.Repeat("<r@x> ", 20_000) + "\r\n\r\nbody")})
	got, sent := d.reply(t, args{"message_id": received.ID})
	if !slices.Equal(got.To, []string{bob}) || len(sent.Raw) > 50_000 {
		t.Errorf("to %q, %d bytes", got.To, len(sent.Raw))
	}
}

func TestReplyRecipients(t *testing.T) {
	const others = "Carl <carl@example.net>, dora@example.net"
	for name, c := range map[string]struct {
		mail    fakegmail.Mail
		given   args
		from    string
		to, cc  []string
		warning string
	}{
		"the sender alone": {
			fakegmail.Mail{From: "Bob <" + bob + ">", To: ann + ", " + others}, nil, ann, []string{"Bob <" + bob + ">"}, nil, "",
		},
		"all but every own address, however written": {
			fakegmail.Mail{From: bob, To: "ANN@example.com, an.n.lee+shop@gmail.com, sales@example.com, " + others, Cc: "ann+news@example.com, Eve <eve@example.net>, " + bob}, args{"reply_all": true},
			ann, []string{bob}, []string{"Carl <carl@example.net>", "dora@example.net", "Eve <eve@example.net>"}, "",
		},
		"Reply-To goes before From": {
			fakegmail.Mail{From: bob, To: ann + ", " + others, Headers: []string{"Reply-To: List <list@example.net>"}}, args{"reply_all": true},
			ann, []string{"List <list@example.net>"}, []string{"Carl <carl@example.net>", "dora@example.net"}, "another address than the sender's, bob@example.org",
		},
		"a Reply-To that is the user's own does not": {
			fakegmail.Mail{From: bob, To: ann, Headers: []string{"Reply-To: sales@example.com"}}, nil, ann, []string{bob}, nil, "",
		},
		"an own mail goes to those who got it": {
			fakegmail.Mail{From: "Sales <sales@example.com>", To: others, Cc: "eve@example.net, " + ann, Labels: []string{"SENT"}}, args{"reply_all": true},
			"Sales <sales@example.com>", []string{"Carl <carl@example.net>", "dora@example.net"}, []string{"eve@example.net"}, "",
		},
		"a note to oneself comes back": {
			fakegmail.Mail{From: ann, To: ann, Labels: []string{"SENT", "INBOX"}}, nil, ann, []string{ann}, nil, "",
		},
		"from the alias it came to": {
			fakegmail.Mail{From: bob, To: "Sales <SALES@example.com>, " + ann}, nil, "Sales <sales@example.com>", []string{bob}, nil, "",
		},
		"also by a blind copy": {
			fakegmail.Mail{From: bob, To: "undisclosed-recipients:;", Headers: []string{"Delivered-To: sales@example.com"}}, nil, "Sales <sales@example.com>", []string{bob}, nil, "",
		},
		"unless the user names another": {
			fakegmail.Mail{From: bob, To: "sales@example.com"}, args{"from": ann}, ann, []string{bob}, nil, "",
		},
		"with somebody more and somebody less": {
			fakegmail.Mail{From: bob, To: ann + ", " + others}, args{"reply_all": true, "add": []string{"new@example.net", "CARL@example.net"}, "remove": []string{"Dora <DORA@example.net>", "nobody@example.net"}},
			ann, []string{bob}, []string{"Carl <carl@example.net>", "new@example.net"}, "nobody@example.net was not among",
		},
		"without the first, the others are addressed": {
			fakegmail.Mail{From: bob, To: ann + ", " + others}, args{"reply_all": true, "remove": []string{bob}}, ann, []string{"Carl <carl@example.net>", "dora@example.net"}, nil, "",
		},
		"each once": {
			fakegmail.Mail{From: bob, To: "Bob <" + strings.ToUpper(bob) + ">, dora@example.net, dora@EXAMPLE.net", Cc: "dora@example.net"}, args{"reply_all": true}, ann, []string{bob}, []string{"dora@example.net"}, "",
		},
		"recipients whose addresses are broken": {
			fakegmail.Mail{Raw: []byte("From: bob@example.org\r\nTo: ann@example.com, carl@example.net, info@b@c.de\r\nCc: \"half, dora@example.net\r\nSubject: Lunch\r\n\r\nNoon?")},
			args{"reply_all": true}, ann, []string{bob}, []string{"carl@example.net", "dora@example.net"}, `have invalid addresses and do not get the answer: info@b@c.de, "half`,
		},
		"a header that stands there twice": {
			fakegmail.Mail{Raw: []byte("From: bob@example.org\r\nTo: ann@example.com\r\nCc: carl@example.net\r\nCc: dora@example.net\r\nSubject: Lunch\r\n\r\nNoon?")},
			args{"reply_all": true}, ann, []string{bob}, []string{"carl@example.net", "dora@example.net"}, "",
		},
		"only of those who would be answered": {
			fakegmail.Mail{Raw: []byte("From: bob@example.org\r\nTo: info@b@c.de, ann@example.com\r\nSubject: Lunch\r\n\r\nNoon?")}, nil, ann, []string{bob}, nil, "",
		},
		"a Reply-To that is broken": {
			fakegmail.Mail{Raw: []byte("From: bob@example.org\r\nReply-To: bob@b@c.de\r\nTo: ann@example.com\r\nSubject: Lunch\r\n\r\nNoon?")}, nil, ann, []string{bob}, nil,
			"have invalid addresses and do not get the answer: bob@b@c.de",
		},
		"an own mail to an address that is broken": {
			fakegmail.Mail{Raw: []byte("From: ann@example.com\r\nTo: dora@example.net, info@b@c.de\r\nCc: x@y@z\r\nSubject: Lunch\r\n\r\nNoon?"), Labels: []string{"SENT"}}, nil, ann, []string{"dora@example.net"}, nil,
			"have invalid addresses and do not get the answer: info@b@c.de",
		},
		"names in any script": {
			fakegmail.Mail{From: "Zoë <zoe@example.net>", To: ann}, nil, ann, []string{"Zoë <zoe@example.net>"}, nil, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.ann.SendAs(fakegmail.SendAs{Email: "sales@example.com", Name: "Sales"})
			d.ann.SendAs(fakegmail.SendAs{Email: "annlee@googlemail.com"})
			c.mail.Subject = "Lunch"
			received := d.ann.Deliver(c.mail)
			given := args{"message_id": received.ID}
			for key, value := range c.given {
				given[key] = value
			}
			got, sent := d.reply(t, given)
			if got.From != c.from || !slices.Equal(got.To, c.to) || !slices.Equal(got.Cc, c.cc) {
				t.Errorf("from %q to %q, cc %q; want %q, %q, %q", got.From, got.To, got.Cc, c.from, c.to, c.cc)
			}
			if sent.Header("To") != strings.Join(c.to, ", ") || sent.Header("Cc") != strings.Join(c.cc, ", ") || len(got.Bcc) != 0 {
				t.Errorf("the mail is for %q, cc %q", sent.Header("To"), sent.Header("Cc"))
			}
			if warned := strings.Join(got.Warnings, "; "); c.warning == "" && warned != "" || !strings.Contains(warned, c.warning) {
				t.Errorf("warned %q", warned)
			}
		})
	}
}

func TestReplyAllSkipsOnlyTheInvalidAddress(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{Raw: []byte("From: bob@example.org\r\nTo: \"Doe, Jane\" <jane@example.net>, info@b@c.de, ann@example.com\r\nSubject: Lunch\r\n\r\nNoon?")})
	got, sent := d.reply(t, args{"message_id": received.ID, "reply_all": true})
	if want := `"Doe, Jane" <jane@example.net>`; sent.Header("Cc") != want || !strings.Contains(strings.Join(got.Warnings, "; "), "info@b@c.de") {
		t.Errorf("cc %q, want %q; warned %q", sent.Header("Cc"), want, got.Warnings)
	}
}

func TestReplyFailsWithoutRecipients(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch"})
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_reply_message", args{"message_id": received.ID, "body": "x", "remove": []string{bob}})
	if got := bundletest.ProblemPath(t, err); got != "to" || d.countWrites() != 0 {
		t.Errorf("got %v", err)
	}
}

func TestReplyWithNewSubjectStartsAThread(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "AW: Lunch"})
	for subject, sameThread := range map[string]bool{"": true, "RE: lunch": true, "Dinner": false} {
		given := args{"message_id": received.ID, "body": "For " + subject, "as_draft": true}
		if subject != "" {
			given["subject"] = subject
		}
		got := bundletest.Must[sendAnswer](t, d.bundle, "gmail_reply_message", given)
		want := subject
		if subject == "" {
			want = "AW: Lunch"
		}
		if (got.ThreadID == received.ThreadID) != sameThread || got.Subject != want || (len(got.Warnings) == 0) != sameThread {
			t.Errorf("%q: got %+v", subject, got)
		}
	}
}

// Text that a person could not see in a mail is not sent on in the user's name.
func TestReplyDoesNotQuoteHiddenText(t *testing.T) {
	d := newFixture(t)
	received := d.ann.Deliver(fakegmail.Mail{
		From: `"<b>Bob</b>" <` + bob + `>`, Subject: "Lunch",
		HTML: `<p>Noon?</p><div style="display:none">secret order</div><script>alert(1)</script><img src="https://tracker.example/p.gif" width="1" height="1"><a href="https://example.org/menu?a=1&amp;b=2">menu</a>`,
	})
	_, sent := d.reply(t, args{"message_id": received.ID})
	raw := strings.ReplaceAll(string(sent.Raw), "=\r\n", "")
	for _, bad := range []string{"secret order", "alert(1)", "tracker.example", "<script"} {
		if strings.Contains(raw, bad) {
			t.Errorf("it has %q", bad)
		}
	}
	for _, good := range []string{"Noon?", `href=3D"https://example.org/menu?a=3D1&amp;b=3D2"`} {
		if !strings.Contains(raw, good) {
			t.Errorf("there is no %q in %s", good, raw)
		}
	}
}

func TestReplyHasSignatureAboveTheQuote(t *testing.T) {
	d := newFixture(t)
	d.ann.SendAs(fakegmail.SendAs{Email: ann, Signature: "Ann of Example"})
	received := d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Lunch", Text: "Noon?\n\n> earlier\n"})
	_, sent := d.reply(t, args{"message_id": received.ID})
	text := plainText(sent)
	if want := "Noon is fine.\n\n-- \nAnn of Example\n\nOn "; !strings.Contains(text, want) || strings.Count(string(sent.Raw), "Ann of Example") != 2 || !strings.Contains(text, ">> earlier") {
		t.Errorf("it says %q", text)
	}
	_, sent = d.reply(t, args{"message_id": received.ID, "quote": false, "body": "Short."})
	if strings.Contains(string(sent.Raw), "Noon?") {
		t.Error("it quotes")
	}
}

func TestReplyRequiresOneMail(t *testing.T) {
	d := newFixture(t)
	for path, given := range map[string]args{
		"message_id": {}, "thread_id": {"thread_id": "a/b"}, "add[1]": {"message_id": "m1", "add": []string{bob, "a@b.c, d@e.f"}}, "remove[0]": {"message_id": "m1", "remove": []string{"x"}},
	} {
		given["body"] = "x"
		_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_reply_message", given)
		if got := bundletest.ProblemPath(t, err); got != path {
			t.Errorf("got %q, want %q", got, path)
		}
	}
	if _, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_reply_message", args{"message_id": "18f2a9c0d1e2f3a4", "body": "x"}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("an unknown mail: %v", err)
	}
	for _, id := range []string{"../drafts", "a?alt=media", "", strings.Repeat("a", 129)} {
		_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_reply_message", args{"message_id": id, "body": "x"})
		if got := bundletest.ProblemPath(t, err); got != "message_id" {
			t.Errorf("%q: %v", id, err)
		}
	}
}
