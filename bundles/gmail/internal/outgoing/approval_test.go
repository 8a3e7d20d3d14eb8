package outgoing

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
	"kota/store/enginetest"
)

// An approvalRecorder records the questions whether mail may be sent. It answers with
// refusal if that is set, and otherwise allows the mail.
type approvalRecorder struct {
	questions    []bundles.Outgoing
	refusal      error
	beforeAnswer func() // runs before it answers
}

// context returns a context whose calls ask the recorder.
func (a *approvalRecorder) context(ctx context.Context) context.Context {
	return bundletest.WithSendPolicy(ctx, bundles.SendPolicy{Confirm: func(_ context.Context, out bundles.Outgoing) error {
		a.questions = append(a.questions, out)
		if a.beforeAnswer != nil {
			a.beforeAnswer()
			a.beforeAnswer = nil
		}
		return a.refusal
	}})
}

// line returns the text of the line with that name in the last question, or "".
func (a *approvalRecorder) line(name string) string {
	for _, l := range a.questions[len(a.questions)-1].Lines {
		if l.Name == name {
			return l.Text
		}
	}
	return ""
}

var errRefused = metadata.Errorf(metadata.Refused, "no")

func TestApprovalShowsAllOfAMail(t *testing.T) {
	const whole = "From: Ada <ada@example.com>\r\nTo: Bob <bob@example.com>, carl@example.com\r\nCc: \"Eve, the\" <eve@example.org>\r\nTo: second@example.com\r\n" +
		"Bcc: mallory@evil.example, half an address\r\nReply-To: drop@evil.example\r\nSubject: =?utf-8?q?L=C3=BCnch?=\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n" +
		"--y\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nSee you **at noon**.\r\n--y\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" +
		"<p>See you <b>at noon</b>.</p><p style=\"display:none\">the code is 4711</p>\r\n--y--\r\n" +
		"--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\r\nPDF\r\n--x--\r\n"
	out := approvalOf([]byte(whole))
	people := slices.Sorted(slices.Values(out.People))
	want := []string{"bob@example.com", "carl@example.com", "eve@example.org", "half an address", "mallory@evil.example", "second@example.com"}
	if !slices.Equal(people, want) {
		t.Errorf("it reaches %q, want %q", people, want)
	}
	a := &approvalRecorder{questions: []bundles.Outgoing{out}}
	for name, says := range map[string]string{
		"From": "Ada <ada@example.com>", "To": "second@example.com", "Cc": "Eve, the <eve@example.org>", "Bcc": "half an address", "Reply to": "drop@evil.example",
		"Subject": "Lünch", "Text": "See you **at noon**.", "Attached": "plan.pdf (application/pdf, 3 bytes)", "HTML source": "the code is 4711",
	} {
		if !strings.Contains(a.line(name), says) {
			t.Errorf("%s: shows %q, want %q", name, a.line(name), says)
		}
	}
	if a.line("As HTML") != "" {
		t.Errorf("the same words are shown twice: %q", a.line("As HTML"))
	}
	other := approvalOf([]byte(strings.Replace(whole, "<b>at noon</b>", "never", 1)))
	if a.questions[0] = other; !strings.Contains(a.line("As HTML"), "never") {
		t.Errorf("other words in HTML are not shown: %+v", other.Lines)
	}
}

func TestContentDigestDiffersForOtherContent(t *testing.T) {
	base := string(testMail("", "lunch").Raw)
	for name, c := range map[string]struct {
		old, new string
		same     bool
	}{
		"as it stands":         {"", "", true},
		"marked by the outbox": {"From: ", outboxHeader + ": abcdefgh234567ij\r\nFrom: ", true},
		"another date and id":  {"Message-ID: <", "Message-ID: <other", true},
		"another header":       {"Date: ", "X-Date: ", false},
		"a recipient folded":   {"To: bob@example.com", "To: Bob\r\n <BOB@example.com>", true},
		"another recipient":    {"To: bob@", "To: carol@", false},
		"one more":             {"To: bob@example.com", "To: bob@example.com\r\nBcc: carol@example.com", false},
		"in another field":     {"To: bob@example.com", "Bcc: bob@example.com", false},
		"answers elsewhere":    {"Subject: ", "Reply-To: eve@example.com\r\nSubject: ", false},
		"another subject":      {"Subject: ", "Subject: Re: ", false},
		"another text":         {"See you at noon.\r\n", "See you at one.\r\n", false},
		"another text in HTML": {"<p>See you at noon.", "<p>See you at one.", false},
	} {
		if !strings.Contains(base, c.old) {
			t.Fatalf("%s: there is no %q in %s", name, c.old, base)
		}
		if got := contentDigest([]byte(base)) == contentDigest([]byte(strings.Replace(base, c.old, c.new, 1))); got != c.same {
			t.Errorf("%s: the digests are equal: %v, want %v", name, got, c.same)
		}
	}
}

// A draft of another program may contain more than KOTA writes. The approval shows all of
// it, and the digest differs from that of a draft without it.
func TestApprovalShowsUnknownHeadersAndText(t *testing.T) {
	const draft = "From: ada@example.com\r\nTo: bob@example.com\r\nSubject: Lunch\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" +
		"--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nNoon?\r\n--x--\r\n"
	known := approvalOf([]byte(draft), "ada@example.com")
	for _, line := range known.Lines {
		if !slices.Contains([]string{"From", "To", "Subject", "Text"}, line.Name) {
			t.Errorf("of a plain draft it shows %+v", line)
		}
	}
	if bare := approvalOf([]byte(strings.Replace(draft, "Subject: Lunch\r\n", "", 1))); !slices.Contains(bare.Lines, bundles.Line{Name: "Subject", Text: "(no subject)"}) {
		t.Errorf("without a subject it shows %+v", bare.Lines)
	}
	for name, c := range map[string]struct{ old, new, line, people, answers string }{
		"a header of another program": {"Subject:", "X-Spy: 4711\r\nSubject:", "Header X-Spy", "", ""},
		"resent to":                   {"Subject:", "Resent-To: Eve <eve@evil.example>\r\nSubject:", "Header Resent-To", "eve@evil.example", ""},
		"resent in secret":            {"Subject:", "Resent-Bcc: eve@evil.example\r\nSubject:", "Header Resent-Bcc", "eve@evil.example", ""},
		"a receipt":                   {"Subject:", "Disposition-Notification-To: eve@evil.example\r\nSubject:", "Header Disposition-Notification-To", "", "eve@evil.example"},
		"a receipt of the delivery":   {"Subject:", "Return-Receipt-To: eve@evil.example\r\nSubject:", "Header Return-Receipt-To", "", "eve@evil.example"},
		"where answers go":            {"Subject:", "Mail-Reply-To: eve@evil.example\r\nSubject:", "Header Mail-Reply-To", "", "eve@evil.example"},
		"where answers of all go":     {"Subject:", "Mail-Followup-To: eve@evil.example\r\nSubject:", "Header Mail-Followup-To", "", "eve@evil.example"},
		"another sender":              {"Subject:", "Sender: eve@evil.example\r\nSubject:", "Header Sender", "", "eve@evil.example"},
		"a sender of the user's":      {"Subject:", "Sender: ada@example.com\r\nSubject:", "Header Sender", "", ""},
		"a comment on an address":     {"bob@example.com", "bob@example.com (4711)", "Header To", "", ""},
		"text before the parts":       {"\r\n\r\n--x", "\r\n\r\n4711\r\n--x", "Text before the first part", "", ""},
		"text after the parts":        {"--x--\r\n", "--x--\r\n4711\r\n", "Text after the last part", "", ""},
		"a header of a part":          {"charset=utf-8", "charset=utf-8\r\nContent-Description: 4711", "Content-Description of a part", "", ""},
		"a mark that is none":         {"Subject:", outboxHeader + ": 4711\r\nSubject:", "Header X-Kota-Outbox", "", ""},
		"a mail within":               {"--x--", "--x\r\nContent-Type: message/rfc822\r\n\r\nSubject: 4711\r\n\r\n4711\r\n--x--", "Source of an included mail", "", ""},
	} {
		out := approvalOf([]byte(strings.Replace(draft, c.old, c.new, 1)), "ada@example.com")
		shown := (&approvalRecorder{questions: []bundles.Outgoing{out}}).line(c.line)
		if !strings.Contains(shown, "4711") && !strings.Contains(shown, "example") {
			t.Errorf("%s: it shows %+v", name, out.Lines)
		}
		if out.Digest == known.Digest {
			t.Errorf("%s: its digest is that of the draft without it", name)
		}
		if got := strings.Join(out.ReplyTo, ","); got != c.answers {
			t.Errorf("%s: answers go to %q, want %q", name, got, c.answers)
		}
		if got := slices.Contains(out.People, c.people); got != (c.people != "") {
			t.Errorf("%s: it reaches %q", name, out.People)
		}
	}
}

// A header that KOTA cannot read may name any recipient.
func TestApprovalOfUnreadableHeaderNamesRecipients(t *testing.T) {
	for _, raw := range []string{"To: bob@example.com\r\nno header\r\n\r\nhi", " To: bob@example.com\r\n\r\nhi"} {
		if out := approvalOf([]byte(raw)); len(out.People) == 0 || len(out.Lines) == 0 {
			t.Errorf("of %q it is asked about %+v", raw, out)
		}
	}
}

func TestRepeatedDeliverAsksOnce(t *testing.T) {
	for name, c := range map[string]struct {
		fault fakeapi.Fault // of the first request to send
		asked []bool        // for each question in two calls: whether the send had already begun
	}{
		"it was sent":             {fakeapi.Fault{}, []bool{false}},
		"it was sent, unanswered": {fakeapi.Fault{Method: draftsSend, Nth: 1, Answer: fakeapi.Reset, AfterEffect: true}, []bool{false}},
		"it was certainly not":    {fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429}, []bool{false, false}},
		"nobody knows":            {fakeapi.Fault{Method: draftsSend, Nth: 1, Answer: fakeapi.Reset}, []bool{false, true}},
	} {
		for _, key := range []string{"", "k"} {
			t.Run(name+" "+key, func(t *testing.T) {
				t.Parallel()
				s := googletest.New(t)
				m := newSender(t, s, enginetest.New(t))
				if c.fault.Method != "" {
					s.Fault(c.fault)
				}
				a := &approvalRecorder{}
				for range 2 {
					_, _ = m.Deliver(a.context(t.Context()), testMail(key, "lunch"))
				}
				begun := []bool{}
				for _, out := range a.questions {
					begun = append(begun, out.AllowedBefore)
					if out.Digest != a.questions[0].Digest {
						t.Error("the same mail has another digest")
					}
				}
				if !slices.Equal(begun, c.asked) {
					t.Errorf("asked about things begun %v, want %v", begun, c.asked)
				}
				if sent := countSent(s, "lunch"); sent > 1 {
					t.Errorf("sent %d times", sent)
				}
			})
		}
	}
}

func TestRefusedMailIsNotStored(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	draft, err := CreateDraft(t.Context(), m.Mailbox, testMail("", "mine").Raw, "")
	if err != nil {
		t.Fatal(err)
	}
	s.ClearLog()
	a := &approvalRecorder{refusal: errRefused}
	for _, out := range []Mail{testMail("", "lunch"), testMail("k", "dinner"), {Kind: "draft", DraftID: draft.Id}} {
		if _, err := m.Deliver(a.context(t.Context()), out); metadata.CodeOf(err) != metadata.Refused {
			t.Errorf("answered %v", err)
		}
	}
	if left := storedItems(t, m); len(a.questions) != 3 || len(left) != 0 || s.Calls(draftsCreate)+s.Calls(draftsSend)+s.Calls("gmail.users.drafts.update") != 0 {
		t.Errorf("asked %d times; the outbox keeps %+v", len(a.questions), left)
	}
}

func TestDraftChangedAfterApprovalIsNotSent(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	if _, err := CreateDraft(t.Context(), m.Mailbox, testMail("", "mine").Raw, ""); err != nil {
		t.Fatal(err)
	}
	draft := s.User(ada).Drafts()[0]
	ask := Mail{Kind: "draft", DraftID: draft.ID}
	a := &approvalRecorder{beforeAnswer: func() { gmailUser{t, m}.edit(draft, true) }}
	if _, err := m.Deliver(a.context(t.Context()), ask); metadata.CodeOf(err) != metadata.Conflict || s.Calls(draftsSend) != 0 {
		t.Errorf("changed while the user was asked: %v", err)
	}
	if !strings.Contains(a.line("Text"), "at noon") {
		t.Errorf("shown %+v", a.questions)
	}
	if _, err := m.Deliver(a.context(t.Context()), ask); err != nil || s.Calls(draftsSend) != 1 {
		t.Errorf("the same call again: %v", err)
	}
	if len(a.questions) != 2 || a.questions[1].AllowedBefore || !strings.Contains(a.line("Text"), "at one") || !strings.Contains(s.User(ada).Sent()[0].Text(), "at one") {
		t.Errorf("asked %d times, last about %+v", len(a.questions), a.questions[len(a.questions)-1])
	}
}

// The mark is removed before the draft is sent. It is not part of the approved content,
// so a later attempt sends what the user approved.
func TestTaintedDraftHasOneDigest(t *testing.T) {
	for name, fault := range map[string]fakeapi.Fault{
		"refused": {Method: draftsSend, Nth: 1, Status: 429}, "answer lost": {Method: draftsSend, Nth: 1, Status: 503},
	} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			draft, err := CreateDraft(t.Context(), m.Mailbox, MarkTainted(testMail("", "lunch").Raw), "")
			if err != nil {
				t.Fatal(err)
			}
			s.Fault(fault)
			a := &approvalRecorder{}
			ctx := a.context(t.Context())
			send := Mail{Kind: "draft", DraftID: draft.Id}
			if _, err := m.Deliver(ctx, send); err == nil {
				t.Fatal("the first try went well")
			}
			if _, err := m.Deliver(ctx, send); err != nil || len(s.User(ada).Sent()) != 1 {
				t.Errorf("the second try: %v", err)
			}
			if len(a.questions) != 2 || a.questions[0].Digest != a.questions[1].Digest || !a.questions[0].Tainted {
				t.Errorf("asked about %+v", a.questions)
			}
			if shown := a.line("Header " + taintHeader); shown != "" {
				t.Errorf("shows the mark: %q", shown)
			}
		})
	}
}

func TestApprovalShowsForeignTaintHeader(t *testing.T) {
	raw := append([]byte(taintHeader+": the code is 4711\r\n"), testMail("", "lunch").Raw...)
	a := &approvalRecorder{questions: []bundles.Outgoing{approvalOf(raw)}}
	if shown := a.line("Header " + taintHeader); shown != "the code is 4711" {
		t.Errorf("shows %q", shown)
	}
}

// Gmail may understand more of a header than KOTA, and find a mark in it.
func TestUnreadableHeaderCountsAsTainted(t *testing.T) {
	raw := append([]byte("no header at all\r\n"), MarkTainted(testMail("", "lunch").Raw)...)
	if len(headerOf(raw)) > 0 || !IsTainted(raw) {
		t.Errorf("marked: %v, header %v", IsTainted(raw), headerOf(raw))
	}
}
