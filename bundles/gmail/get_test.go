package gmail_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type message struct {
	Account, ID, Date, From, Subject, Body, Note string
	To, Cc, Labels                               []string
	Thread                                       string   `json:"thread_id"`
	ReplyTo                                      []string `json:"reply_to"`
	MessageID                                    string   `json:"message_id"`
	Unread, Draft, Unsubscribe                   bool
	Total                                        int `json:"total_chars"`
	Next                                         int `json:"next_offset"`
	Attachments                                  []file
	MoreFiles                                    int `json:"more_attachments"`
}

type file struct {
	Part, Name, Type string
	Size             int
	Inline           bool
}

type messagesAnswer struct {
	Messages []message
	Missing  []struct{ ID, Error, Message, Hint string } `json:"errors"`
	Errors   []struct{ Account, Error string }           `json:"account_errors"`
}

func TestGetMessageReturnsAllFields(t *testing.T) {
	d := newFixture(t)
	work := d.ann.Label("Work")
	sent := d.ann.Deliver(fakegmail.Mail{
		From: "Bob Müller <bob@example.org>", To: "ann@example.com, \"Doe, Jane\" <jane@example.net>", Cc: "team@example.net",
		Subject: "Plans\u202e for Köln", Text: "Dear Ann,\n\nsee you\u200b.\n", HTML: "<p>Dear Ann,</p><p>see you.</p>", Date: noon,
		Headers: []string{"Reply-To: office@example.org", "Message-ID: <1@example.org>", "List-Unsubscribe: <https://example.org/u>"},
		Labels:  []string{"INBOX", "UNREAD", work},
		Attachments: []fakegmail.Attachment{
			{Name: "plan\u202efdp.exe", Type: "application/pdf", Data: []byte("%PDF-1.7")}, {Name: "logo.png", Type: "image/png", Data: []byte("png"), ID: "logo"},
		},
	})
	got := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"id": sent.ID})
	if len(got.Messages) != 1 {
		t.Fatalf("got %+v", got)
	}
	m := got.Messages[0]
	for what, is := range map[string]struct{ got, want any }{
		"id":          {m.ID, sent.ID},
		"thread":      {m.Thread, sent.ThreadID},
		"account":     {m.Account, ""},
		"date":        {m.Date, "2026-11-21T12:00:00+01:00"},
		"from":        {m.From, "Bob Müller <bob@example.org>"},
		"to":          {strings.Join(m.To, "; "), "ann@example.com; Doe, Jane <jane@example.net>"},
		"cc":          {strings.Join(m.Cc, "; "), "team@example.net"},
		"reply to":    {strings.Join(m.ReplyTo, "; "), "office@example.org"},
		"subject":     {m.Subject, "Plans for Köln"},
		"labels":      {strings.Join(m.Labels, "; "), "INBOX; Work"},
		"unread":      {m.Unread, true},
		"unsubscribe": {m.Unsubscribe, true},
		"message id":  {m.MessageID, "<1@example.org>"},
		"body":        {strings.TrimSpace(withoutFence(m.Body)), "Dear Ann,\n\nsee you."},
		"all of it":   {m.Next, 0},
		"files":       {fmt.Sprint(m.Attachments), "[{1 planfdp.exe application/pdf 8 false} {2 logo.png image/png 3 true}]"},
	} {
		if is.got != is.want {
			t.Errorf("%s: got %q, want %q", what, is.got, is.want)
		}
	}
}

func TestGetMessageCostsFourRoundTripsFor25(t *testing.T) {
	d := newFixture(t)
	d.lockstep = &fakeapi.Lockstep{TB: t, Name: requestName}
	deliverReports(d.ann, 25)
	var ids []string
	for _, m := range d.ann.Messages("") {
		ids = append(ids, m.ID)
	}
	eight := slices.Repeat([]string{"message"}, 8)
	d.lockstep.Expect(append(slices.Clone(eight[:7]), "labels"), eight, slices.Clone(eight), eight[:2:2])
	got := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"ids": ids})
	d.lockstep.Done()
	if len(got.Messages) != 25 || got.Messages[24].ID != ids[24] || d.google.Units() != 501 {
		t.Errorf("got %d messages for %d units", len(got.Messages), d.google.Units())
	}
}

func TestGetMessageReportsMissingIDs(t *testing.T) {
	d := newFixture(t)
	one := d.ann.Deliver(fakegmail.Mail{Subject: "One", Text: "1"})
	got := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"ids": []string{"18f000000000dead", one.ID, one.ID}})
	if len(got.Messages) != 1 || got.Messages[0].ID != one.ID || len(got.Missing) != 1 || got.Missing[0].Error != string(metadata.NotFound) || got.Missing[0].Hint == "" {
		t.Errorf("got %+v", got)
	}
	_, err := bundletest.Answer[messagesAnswer](t, d.bundle, "gmail_get_message", args{"ids": []string{"18f000000000dead"}})
	if metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("alone: got %v", err)
	}
}

func TestInvalidIDsAreNotSent(t *testing.T) {
	d := newFixture(t)
	for _, id := range []string{"../drafts", "a/b", "x?alt=media", "", "a b", "ä", strings.Repeat("a", 129), "1\n"} {
		_, err := bundletest.Answer[messagesAnswer](t, d.bundle, "gmail_get_message", args{"ids": []string{"18f000000000dead", id}})
		if path := bundletest.ProblemPath(t, err); path != "ids[1]" {
			t.Errorf("%q: got %v about %q", id, err, path)
		}
	}
	if n := len(d.google.Requests()); n != 0 {
		t.Errorf("%d requests left", n)
	}
}

func TestGetMessageSearchesAllAccounts(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, gmail.Account{Name: "work", Address: "ann@work.example"})
	one := d.google.User("ann@work.example").Deliver(fakegmail.Mail{Subject: "Payroll"})
	got := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"id": one.ID, "account": "*"})
	if len(got.Messages) != 1 || got.Messages[0].Account != "work" || len(got.Missing) != 0 {
		t.Errorf("got %+v", got)
	}
}

// answerSize returns the length of an answer in characters.
func answerSize(t *testing.T, d *fixture, a args) int {
	t.Helper()
	raw, err := bundletest.Call(t, d.bundle, "gmail_get_message", a)
	if err != nil {
		t.Fatal(err)
	}
	var answer any
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	if raw, err = metadata.Plain(answer); err != nil {
		t.Fatal(err)
	}
	return utf8.RuneCount(raw)
}

func TestGetMessageFitsTheBudget(t *testing.T) {
	d := newFixture(t)
	long := strings.Repeat("Zwölf \"Boxkämpfer\" jagen\nViktor quer über den <Sylter> Deich. ", 1500)
	var ids []string
	for i := range 24 {
		ids = append(ids, d.ann.Deliver(fakegmail.Mail{Subject: fmt.Sprint(i), Text: long[:3000*i/10+30]}).ID)
	}
	ids = append(ids, d.ann.Deliver(fakegmail.Mail{Subject: "long", Text: long}).ID)

	t.Run("shared by all", func(t *testing.T) {
		got := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"ids": ids})
		if short := got.Messages[0]; short.Next != 0 || !strings.HasPrefix(withoutFence(short.Body), "Zwölf") {
			t.Errorf("the short one is cut: %+v", short)
		}
		if long := got.Messages[24]; long.Next == 0 || len(long.Body) < 300 || long.Total < 90_000 {
			t.Errorf("the long one has %d of %d characters, then %d", len(long.Body), long.Total, long.Next)
		}
		if size := answerSize(t, d, args{"ids": ids}); size > 25_000 || size < 22_000 {
			t.Errorf("the answer has %d characters", size)
		}
	})
	t.Run("with recipients without end", func(t *testing.T) {
		var manyRecipients []string
		for range 25 {
			to := strings.Repeat("Somebody Else <somebody.else@example.net>, ", 500) + ann
			manyRecipients = append(manyRecipients, d.ann.Deliver(fakegmail.Mail{To: to, Cc: to, Subject: "All", Text: long[:20_000]}).ID)
		}
		if size := answerSize(t, d, args{"ids": manyRecipients}); size > 25_000 {
			t.Errorf("the answer has %d characters", size)
		}
		got := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"ids": manyRecipients}).Messages[0]
		if n := len(got.To); got.To[n-1] != fmt.Sprintf("and %d more", 501-n+1) || len(got.Body) < 150 {
			t.Errorf("got %q and %d characters", got.To, len(got.Body))
		}
	})
	t.Run("by one alone, and read on", func(t *testing.T) {
		whole, offset, parts := "", 0, 0
		for {
			got := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"id": ids[24], "offset": offset, "max_chars": 20_000}).Messages[0]
			whole, parts = whole+withoutFence(got.Body), parts+1
			if offset = got.Next; offset == 0 || parts > 20 {
				break
			}
		}
		if strings.TrimSpace(whole) != strings.TrimSpace(long) {
			t.Errorf("%d parts make up %d of %d bytes", parts, len(whole), len(long))
		}
		if size := answerSize(t, d, args{"id": ids[24], "max_chars": 5000}); size > 5000 || size < 4000 {
			t.Errorf("the answer has %d characters, not nearly 5,000", size)
		}
	})
	t.Run("past the end", func(t *testing.T) {
		if got := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"id": ids[0], "offset": 5000}).Messages[0]; got.Body != "" || got.Next != 0 || got.Total == 0 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("not for several", func(t *testing.T) {
		_, err := bundletest.Answer[messagesAnswer](t, d.bundle, "gmail_get_message", args{"ids": ids, "offset": 10})
		if path := bundletest.ProblemPath(t, err); path != "offset" {
			t.Errorf("got %v", err)
		}
	})
}

func TestGetMessageFormats(t *testing.T) {
	d := newFixture(t)
	one := d.ann.Deliver(fakegmail.Mail{Raw: []byte("From: bob@example.org\r\nX-Odd: a\u200bb\r\nSubject: =?utf-8?q?K=C3=B6ln?=\r\n\r\nHi\u202e there\r\n")})
	headers := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"id": one.ID, "format": "headers"}).Messages[0]
	if !strings.Contains(headers.Body, "X-Odd: ab\n") || strings.Contains(headers.Body, "Hi") {
		t.Errorf("got the headers %q", headers.Body)
	}
	source := bundletest.Must[messagesAnswer](t, d.bundle, "gmail_get_message", args{"id": one.ID, "format": "source"}).Messages[0]
	if !strings.HasSuffix(withoutFence(source.Body), "Subject: =?utf-8?q?K=C3=B6ln?=\n\nHi there\n") || source.Subject != "Köln" {
		t.Errorf("got the source %q of %q", source.Body, source.Subject)
	}
}
