package gmail_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type thread struct {
	ID       string `json:"thread_id"`
	Subject  string
	Total    int `json:"total_messages"`
	Messages []threadMessage
	Next     string `json:"next_cursor"`
}

type threadMessage struct {
	ID, Date, From, To, Cc, Subject, Body, Note string
	Unread, Draft, Trash                        bool
	Attachments                                 []file
}

// deliverThread delivers a conversation of n messages to Ann's mailbox and returns the
// first. Each message quotes the previous one.
func deliverThread(d *fixture, n int) fakegmail.Message {
	first := d.ann.Deliver(fakegmail.Mail{From: "Bob <bob@example.org>", Subject: "Garden", Text: "Message 0.", Date: noon.Add(-time.Hour)})
	last := first
	for i := 1; i < n; i++ {
		last = d.ann.Deliver(fakegmail.Mail{
			From: "Bob <bob@example.org>", ThreadWith: last.ID, Date: noon.Add(time.Duration(i-60) * time.Minute),
			Text: fmt.Sprintf("Message %d.\n\nOn Sat, Nov 21, 2026 at 11:00 AM Bob <bob@example.org> wrote:\n> Message %d.\n", i, i-1),
		})
	}
	return first
}

func TestGetThreadReturnsOldestFirst(t *testing.T) {
	d := newFixture(t)
	first := deliverThread(d, 4)
	got := bundletest.Must[thread](t, d.bundle, "gmail_get_thread", args{"thread_id": first.ThreadID})
	if got.ID != first.ThreadID || got.Subject != "Garden" || got.Total != 4 || len(got.Messages) != 4 || got.Next != "" {
		t.Fatalf("got %+v", got)
	}
	for i, m := range got.Messages {
		if !strings.HasPrefix(withoutFence(m.Body), fmt.Sprintf("Message %d.", i)) || m.Subject != "" || m.From != "Bob <bob@example.org>" || !m.Unread {
			t.Errorf("message %d: %+v", i, m)
		}
	}
	if n := len(d.google.Requests()); n != 1 {
		t.Errorf("it took %d requests", n)
	}
}

func TestGetThreadPages(t *testing.T) {
	d := newFixture(t)
	first := deliverThread(d, 12)
	var seen []string
	cursor := ""
	for range 3 {
		got := bundletest.Must[thread](t, d.bundle, "gmail_get_thread", args{"thread_id": first.ThreadID, "limit": 5, "cursor": cursor})
		for _, m := range got.Messages {
			seen = append(seen, strings.TrimSpace(strings.SplitAfter(withoutFence(m.Body), ".")[0]))
		}
		cursor = got.Next
	}
	if len(seen) != 12 || cursor != "" || seen[0] != "Message 0." || seen[11] != "Message 11." {
		t.Errorf("got %q, then %q", seen, cursor)
	}
	for _, bad := range []string{"x", "-1", "1e3"} {
		_, err := bundletest.Answer[thread](t, d.bundle, "gmail_get_thread", args{"thread_id": first.ThreadID, "cursor": bad})
		if path := bundletest.ProblemPath(t, err); path != "cursor" {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

func TestLongThreadFitsTheBudget(t *testing.T) {
	d := newFixture(t)
	first := deliverThread(d, 100)
	got := bundletest.Must[thread](t, d.bundle, "gmail_get_thread", args{"thread_id": first.ThreadID, "limit": 100})
	if size := len(jsonOf(t, got)); got.Total != 100 || len(got.Messages) < 25 || got.Next != fmt.Sprint(len(got.Messages)) || size > 35_000 {
		t.Errorf("%d messages take %d bytes, then %q", len(got.Messages), size, got.Next)
	}
}

func TestGetThreadMarksDrafts(t *testing.T) {
	d := newFixture(t)
	first := deliverThread(d, 2)
	d.ann.Deliver(fakegmail.Mail{From: ann, To: bob, ThreadWith: first.ID, Text: "Not yet", Labels: []string{"DRAFT"}})
	got := bundletest.Must[thread](t, d.bundle, "gmail_get_thread", args{"thread_id": first.ThreadID})
	if n := len(got.Messages); n != 3 || !got.Messages[2].Draft || got.Messages[1].Draft {
		t.Errorf("got %+v", got.Messages)
	}
}

func TestTooLargeThreadIsReadMessageByMessage(t *testing.T) {
	d := newFixture(t)
	first := deliverThread(d, 3)
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.threads.get", Nth: 1, Answer: fakeapi.Huge, Size: 20 << 20})
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.messages.get", Nth: 1, Answer: fakeapi.Huge, Size: 20 << 20})
	got := bundletest.Must[thread](t, d.bundle, "gmail_get_thread", args{"thread_id": first.ThreadID})
	noted := slices.ContainsFunc(got.Messages, func(m threadMessage) bool { return m.Note != "" && m.Body == "" && m.From != "" })
	if len(got.Messages) != 3 || !noted {
		t.Errorf("got %+v", got)
	}
}

func TestGetThreadSearchesAllAccounts(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, gmail.Account{Name: "work", Address: "ann@work.example"})
	one := d.google.User("ann@work.example").Deliver(fakegmail.Mail{Subject: "Payroll"})
	if got := bundletest.Must[thread](t, d.bundle, "gmail_get_thread", args{"thread_id": one.ThreadID, "account": "*"}); got.Subject != "Payroll" {
		t.Errorf("got %+v", got)
	}
	_, err := bundletest.Answer[thread](t, d.bundle, "gmail_get_thread", args{"thread_id": one.ThreadID})
	if metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("in the default account: %v", err)
	}
}
