package gmail_test

import (
	"fmt"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest"
)

type followedUp struct {
	Waiting []struct {
		Days              int
		ID, Subject, From string
	}
	Note string
}

func (f followedUp) String() string {
	all := []string{}
	for _, w := range f.Waiting {
		all = append(all, fmt.Sprintf("%s %dd", w.Subject, w.Days))
	}
	return fmt.Sprint(all)
}

// daysAgo is a time so long before noon, and a bit.
func daysAgo(n int) time.Time { return noon.AddDate(0, 0, -n).Add(-time.Hour) }

// exchange delivers a conversation: each day has a message, which is Ann's when
// the day is negative.
func exchange(d *desk, subject, with string, days ...int) {
	last := ""
	for _, day := range days {
		mail := googletest.Mail{From: with, To: ann, Subject: subject, ThreadWith: last, Date: daysAgo(max(day, -day)), Text: "Well."}
		if day < 0 {
			mail.From, mail.To, mail.Labels = ann, with, []string{"SENT"}
		}
		last = d.ann.Deliver(mail).ID
	}
}

func TestFollowups(t *testing.T) {
	d := newDesk(t)
	exchange(d, "They have not answered", bob, -6)
	exchange(d, "Nor after my reminder", bob, 20, -15, -9)
	exchange(d, "They have", bob, -6, 5)
	exchange(d, "It is too early", bob, -2)
	exchange(d, "It is too long ago", bob, -40)
	exchange(d, "A note to myself", ann, -5)
	exchange(d, "To a machine", "no-reply@example.net", -5)
	exchange(d, "I have not answered", bob, 4)
	exchange(d, "I have", bob, 6, -2)

	owing := bundletest.Must[followedUp](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me"})
	if want := "[They have not answered 6d Nor after my reminder 9d]"; owing.String() != want {
		t.Errorf("they owe: got %s, want %s", owing, want)
	}
	owed := bundletest.Must[followedUp](t, d.bundle, "gmail_find_followups", args{"direction": "i_owe_them"})
	if want := "[I have not answered 4d They have 5d]"; owed.String() != want {
		t.Errorf("I owe: got %s, want %s", owed, want)
	}
	wider := bundletest.Must[followedUp](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me", "older_than": "1d", "within": "2m", "limit": 2})
	if want := "[I have 2d It is too early 2d]"; wider.String() != want {
		t.Errorf("wider: got %s, want %s", wider, want)
	}
}

func TestMachinesAreOwedNothing(t *testing.T) {
	d := newDesk(t)
	for i, mail := range []googletest.Mail{
		{From: "No Reply <no-reply@example.com>"}, {From: "donotreply@example.com"}, {From: "MAILER-DAEMON@example.com"}, {From: "notifications@github.example"},
		{From: "bank-noreply@example.com"}, {From: "x@bounces.example.com"}, {From: bob, Headers: []string{"List-Id: <dev.example.com>"}},
		{From: bob, Headers: []string{"List-Unsubscribe: <mailto:u@example.com>"}}, {From: bob, Headers: []string{"Precedence: bulk"}},
		{From: bob, Headers: []string{"Auto-Submitted: auto-replied"}}, {From: bob, Labels: []string{"INBOX", "CATEGORY_PROMOTIONS"}},
		{From: bob, Labels: []string{"INBOX", "CATEGORY_SOCIAL"}}, {From: bob, Labels: []string{"SPAM"}}, {From: bob, Labels: []string{"TRASH"}}, {From: bob, To: "team@example.com"},
	} {
		mail.Subject, mail.Date = fmt.Sprint("Machine ", i), daysAgo(4)
		d.ann.Deliver(mail)
	}
	for _, from := range []string{"Ruth Newson <newson@example.com>", "updike@example.com", "Norm <norman@nonreplying.example>"} {
		d.ann.Deliver(googletest.Mail{From: from, Subject: from, Date: daysAgo(5), Headers: []string{"Auto-Submitted: no"}})
	}
	got := bundletest.Must[followedUp](t, d.bundle, "gmail_find_followups", args{"direction": "i_owe_them"})
	if len(got.Waiting) != 3 {
		t.Errorf("got %s", got)
	}
}

func TestFollowupsCostFewUnits(t *testing.T) {
	d := newDesk(t)
	deliver(d.ann, 40)
	for i := range 10 {
		exchange(d, fmt.Sprint("Waiting ", i), bob, -4-i)
	}
	bundletest.Must[followedUp](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me"})
	if got := d.google.Units(); got > 5+5+10*20+5 {
		t.Errorf("the first took %d units", got)
	}
	d.google.Forget()
	bundletest.Must[followedUp](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me"})
	if got := d.google.Units(); got > 12 {
		t.Errorf("the second took %d units", got)
	}
}

func TestFollowupsWantATime(t *testing.T) {
	d := newDesk(t)
	for path, a := range map[string]args{
		"older_than": {"direction": "i_owe_them", "older_than": "a while"},
		"within":     {"direction": "i_owe_them", "older_than": "3w", "within": "2w"},
		"direction":  {"direction": "both"},
	} {
		_, err := bundletest.Answer[followedUp](t, d.bundle, "gmail_find_followups", a)
		if got := bundletest.ProblemPath(t, err); got != path {
			t.Errorf("got %v about %q, want %q", err, got, path)
		}
	}
	if len(d.google.Requests()) != 0 {
		t.Error("something was asked")
	}
}
