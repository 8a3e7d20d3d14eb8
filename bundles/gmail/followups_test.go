package gmail_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakegmail"
)

type followupsAnswer struct {
	Waiting []struct {
		Days              int
		ID, Subject, From string
		Answered          []string
		NotAnswered       []string `json:"not_answered"`
	}
	AsksNothing []struct{ ID, From, Subject string } `json:"asks_nothing"`
	From, To    string
	Note        string
}

func (f followupsAnswer) String() string {
	all := []string{}
	for _, w := range f.Waiting {
		all = append(all, fmt.Sprintf("%s %dd", w.Subject, w.Days))
	}
	return fmt.Sprint(all)
}

// daysAgo returns the time n days and one hour before noon.
func daysAgo(n int) time.Time { return noon.AddDate(0, 0, -n).Add(-time.Hour) }

// exchange delivers a conversation with a message on each of the days. A negative day
// means that Ann writes.
func exchange(d *fixture, subject, with string, days ...int) {
	last := ""
	for _, day := range days {
		mail := fakegmail.Mail{From: with, To: ann, Subject: subject, ThreadWith: last, Date: daysAgo(max(day, -day)), Text: "Well?"}
		if day < 0 {
			mail.From, mail.To, mail.Labels = ann, with, []string{"SENT"}
		}
		last = d.ann.Deliver(mail).ID
	}
}

func TestFindFollowups(t *testing.T) {
	d := newFixture(t)
	exchange(d, "They have not answered", bob, -6)
	exchange(d, "Nor after my reminder", bob, 20, -15, -9)
	exchange(d, "They have", bob, -6, 5)
	exchange(d, "It is too early", bob, -2)
	exchange(d, "It is too long ago", bob, -40)
	exchange(d, "A note to myself", ann, -5)
	exchange(d, "To a machine", "no-reply@example.net", -5)
	exchange(d, "I have not answered", bob, 4)
	exchange(d, "I have", bob, 6, -2)

	theyOwe := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me"})
	if want := "[They have not answered 6d Nor after my reminder 9d]"; theyOwe.String() != want {
		t.Errorf("they owe: got %s, want %s", theyOwe, want)
	}
	iOwe := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "i_owe_them"})
	if want := "[I have not answered 4d They have 5d]"; iOwe.String() != want {
		t.Errorf("I owe: got %s, want %s", iOwe, want)
	}
	wider := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me", "older_than": "1d", "within": "2m", "limit": 2})
	if want := "[I have 2d It is too early 2d]"; wider.String() != want {
		t.Errorf("wider: got %s, want %s", wider, want)
	}
}

func TestFollowupsSkipAutomaticMail(t *testing.T) {
	d := newFixture(t)
	for i, mail := range []fakegmail.Mail{
		{From: "No Reply <no-reply@example.com>"}, {From: "donotreply@example.com"}, {From: "MAILER-DAEMON@example.com"}, {From: "notifications@github.example"},
		{From: "bank-noreply@example.com"}, {From: "x@bounces.example.com"}, {From: bob, Headers: []string{"List-Id: <dev.example.com>"}},
		{From: bob, Headers: []string{"List-Unsubscribe: <mailto:u@example.com>"}}, {From: bob, Headers: []string{"Precedence: bulk"}},
		{From: bob, Headers: []string{"Auto-Submitted: auto-replied"}}, {From: bob, Labels: []string{"INBOX", "CATEGORY_PROMOTIONS"}},
		{From: bob, Labels: []string{"INBOX", "CATEGORY_SOCIAL"}}, {From: bob, Labels: []string{"SPAM"}}, {From: bob, Labels: []string{"TRASH"}}, {From: bob, To: "team@example.com"},
	} {
		mail.Subject, mail.Date, mail.Text = fmt.Sprint("Machine ", i), daysAgo(4), "Can you come?"
		d.ann.Deliver(mail)
	}
	for _, from := range []string{"Ruth Newson <newson@example.com>", "updike@example.com", "Norm <norman@nonreplying.example>"} {
		d.ann.Deliver(fakegmail.Mail{From: from, Subject: from, Text: "Can you come?", Date: daysAgo(5), Headers: []string{"Auto-Submitted: no"}})
	}
	got := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "i_owe_them"})
	if len(got.Waiting) != 3 {
		t.Errorf("got %s", got)
	}
}

func TestFollowupsCostFewUnits(t *testing.T) {
	d := newFixture(t)
	deliverReports(d.ann, 40)
	for i := range 10 {
		exchange(d, fmt.Sprint("Waiting ", i), bob, -4-i)
	}
	bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me"})
	if got := d.google.Units(); got > 5+5+10*20+5 {
		t.Errorf("the first took %d units", got)
	}
	d.google.ClearLog()
	bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me"})
	if got := d.google.Units(); got > 12 {
		t.Errorf("the second took %d units", got)
	}
}

func TestFollowupsRejectInvalidTimes(t *testing.T) {
	d := newFixture(t)
	for path, a := range map[string]args{
		"older_than": {"direction": "i_owe_them", "older_than": "a while"},
		"within":     {"direction": "i_owe_them", "older_than": "3w", "within": "2w"},
		"direction":  {"direction": "both"},
	} {
		_, err := bundletest.Answer[followupsAnswer](t, d.bundle, "gmail_find_followups", a)
		if got := bundletest.ProblemPath(t, err); got != path {
			t.Errorf("got %v about %q, want %q", err, got, path)
		}
	}
	if len(d.google.Requests()) != 0 {
		t.Error("something was asked")
	}
}

const sixRecipients = "Carl <carl@example.net>, dora@example.net, eve@example.net, Finn <finn@example.net>, gus@example.net, hal@example.net"

func TestFollowupsTrackEachRecipient(t *testing.T) {
	for name, c := range map[string]struct {
		first    fakegmail.Mail   // Ann's first mail, six days ago
		later    []fakegmail.Mail // from four days ago on; a mail without a sender is Ann's
		answered []string
		not      []string // nil: no answer is expected
	}{
		"three of six": {
			fakegmail.Mail{To: sixRecipients}, []fakegmail.Mail{{From: "Carl <carl@example.net>"}, {From: "DORA@example.net"}, {From: "Finn F. <finn@example.net>"}},
			[]string{"carl@example.net", "dora@example.net", "finn@example.net"}, []string{"eve@example.net", "gus@example.net", "hal@example.net"},
		},
		"all": {fakegmail.Mail{To: "dora@example.net, eve@example.net"}, []fakegmail.Mail{{From: "dora@example.net"}, {From: "eve@example.net"}}, nil, nil},
		"none of a dozen": {
			fakegmail.Mail{To: "p1@b.c, p2@b.c, p3@b.c, p4@b.c, p5@b.c, p6@b.c, p7@b.c, p8@b.c, p9@b.c, p10@b.c, p11@b.c, p12@b.c"}, nil, nil,
			[]string{"p1@b.c", "p2@b.c", "p3@b.c", "p4@b.c", "p5@b.c", "p6@b.c", "p7@b.c", "p8@b.c", "p9@b.c", "p10@b.c", "and 2 more"},
		},
		"none": {fakegmail.Mail{To: "dora@example.net, eve@example.net"}, nil, nil, []string{"dora@example.net", "eve@example.net"}},
		"an absence is no answer": {
			fakegmail.Mail{To: "dora@example.net"}, []fakegmail.Mail{{From: "dora@example.net", Headers: []string{"Auto-Submitted: auto-replied"}}}, nil, []string{"dora@example.net"},
		},
		"thanks to one are no answer of the others": {
			fakegmail.Mail{To: "dora@example.net, eve@example.net"}, []fakegmail.Mail{{From: "dora@example.net"}, {To: "dora@example.net", Text: "Thanks, that helps."}},
			[]string{"dora@example.net"}, []string{"eve@example.net"},
		},
		"who was asked again":         {fakegmail.Mail{To: bob}, []fakegmail.Mail{{From: bob}, {To: bob, Text: "And on Friday?"}}, nil, []string{bob}},
		"somebody else for the one":   {fakegmail.Mail{To: "office@example.net"}, []fakegmail.Mail{{From: "dora@example.net"}}, nil, nil},
		"in another name":             {fakegmail.Mail{To: "Dora Lee <dora@example.net>, eve@example.net"}, []fakegmail.Mail{{From: "Dora Lee <dl@example.org>"}, {From: "eve@example.net"}}, nil, nil},
		"copies are for information":  {fakegmail.Mail{To: "dora@example.net", Cc: "eve@example.net"}, []fakegmail.Mail{{From: "dora@example.net"}}, nil, nil},
		"machines and oneself do not": {fakegmail.Mail{To: "no-reply@example.net, dora@example.net, " + ann}, []fakegmail.Mail{{From: "dora@example.net"}}, nil, nil},
		"an answer in the trash is one": {
			fakegmail.Mail{To: "dora@example.net"}, []fakegmail.Mail{{From: "dora@example.net", Labels: []string{"TRASH"}}}, nil, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			c.first.From, c.first.Subject, c.first.Text, c.first.Labels, c.first.Date = ann, "Dinner", "Who comes?", []string{"SENT"}, daysAgo(6)
			first := d.ann.Deliver(c.first)
			for i, mail := range c.later {
				mail.ThreadWith, mail.Date = first.ID, daysAgo(4).Add(time.Duration(i)*time.Minute)
				if mail.Text == "" {
					mail.Text = "I do."
				}
				if mail.From == "" {
					mail.From, mail.Labels = ann, []string{"SENT"}
				}
				d.ann.Deliver(mail)
			}
			got := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me"})
			if c.not == nil {
				if len(got.Waiting) != 0 {
					t.Errorf("got %+v", got.Waiting)
				}
				return
			}
			if len(got.Waiting) != 1 || !slices.Equal(got.Waiting[0].Answered, c.answered) || !slices.Equal(got.Waiting[0].NotAnswered, c.not) {
				t.Errorf("got %+v, want %v, not %v", got.Waiting, c.answered, c.not)
			}
		})
	}
}

func TestFollowupsSkipStatements(t *testing.T) {
	long := strings.Repeat("The board met on Monday and talked about the garden at length. ", 10)
	for name, c := range map[string]struct {
		subject, text string
		asks          bool
	}{
		"thanks":                 {"Lunch", "Thanks, see you on Friday.", false},
		"for information":        {"Figures", "FYI, please find attached the figures. Let me know if you have any questions.", false},
		"no answer wanted":       {"Figures", "Here they are, no need to reply.", false},
		"a question":             {"Lunch", "Does noon suit you?", true},
		"a link is none":         {"Lunch", "The place is https://example.org/?q=noon", false},
		"a request":              {"Contract", "Please sign and return it.", true},
		"a deadline":             {"Budget", "Approve by today.", true},
		"in the subject":         {"Approve the budget today", "See the attached file.", true},
		"the one answered":       {"Re: Can you come?", "I will be there.", false},
		"at the end":             {"Board", long + "Can you chair the next one?", true},
		"a long one":             {"Board", long, false},
		"in what it quotes":      {"Re: Lunch", "Noon it is.\n\nOn Sat, 14 Nov 2026 at 11:00, Bob <bob@example.org> wrote:\n> Does noon suit you?", false},
		"in a long quote":        {"Re: Board", long + "\n\nOn Sat, 14 Nov 2026 at 11:00, Bob <bob@example.org> wrote:\n> Does noon suit you?", false},
		"auf Deutsch":            {"Vertrag", "Kannst du ihn bis Freitag unterschreiben.", true},
		"eine Feststellung":      {"Vertrag", "Vielen Dank, ich habe ihn unterschrieben.", false},
		"en français":            {"Contrat", "Merci de me confirmer la date.", true},
		"in het Nederlands":      {"Contract", "Laat me weten of het lukt.", true},
		"по-русски":              {"Хлеб", "Напишите, когда забрать хлеб.", true},
		"check-in":               {"Booking", "Check-in is from 15:00.", false},
		"an invitation":          {"Invitation: site visit", "Monday at noon.", true},
		"en español":             {"Contrato", "Necesito tu respuesta.", true},
		"nothing but a greeting": {"Hi", "Good night!", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.ann.Deliver(fakegmail.Mail{From: ann, To: bob, Subject: c.subject, Text: c.text, Date: daysAgo(5), Labels: []string{"SENT"}})
			received := d.ann.Deliver(fakegmail.Mail{From: "Carl <carl@example.net>", Subject: c.subject, Text: c.text, Date: daysAgo(5)})
			theyOwe := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "they_owe_me"})
			iOwe := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "i_owe_them"})
			if (len(theyOwe.Waiting) == 1) != c.asks || (len(iOwe.Waiting) == 1) != c.asks {
				t.Errorf("they owe %s, I owe %s, want one each: %v", theyOwe, iOwe, c.asks)
			}
			if !c.asks && (len(iOwe.AsksNothing) != 1 || iOwe.AsksNothing[0].ID != received.ID || iOwe.AsksNothing[0].Subject == "" || !strings.Contains(theyOwe.Note, "ask")) {
				t.Errorf("left out without saying so: %+v, %+v", theyOwe, iOwe)
			}
		})
	}
}

func TestFollowupsIncludeRecentMail(t *testing.T) {
	d := newFixture(t)
	d.ann.Deliver(fakegmail.Mail{From: bob, Subject: "Budget", Text: "Approve by today.", Date: noon.Add(-time.Hour)})
	exchange(d, "Lunch", "carl@example.net", 5)
	got := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "i_owe_them"})
	if want := "[Budget 0d Lunch 5d]"; got.String() != want || got.From != "2026-10-22T12:00:00+01:00" || got.To != "2026-11-21T12:00:00+01:00" {
		t.Errorf("got %s from %s to %s, want %s", got, got.From, got.To, want)
	}
	older := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "i_owe_them", "older_than": "3d"})
	if older.String() != "[Lunch 5d]" || !strings.Contains(older.Note, `1 newer mail waits too; older_than "0d"`) || older.To != "2026-11-18T12:00:00+01:00" {
		t.Errorf("got %s to %s with the note %q", older, older.To, older.Note)
	}
	few := bundletest.Must[followupsAnswer](t, d.bundle, "gmail_find_followups", args{"direction": "i_owe_them", "limit": 1})
	if few.String() != "[Budget 0d]" || !strings.Contains(few.Note, "limit") {
		t.Errorf("got %s with the note %q", few, few.Note)
	}
}

func TestFollowupsSayHowToLookFurther(t *testing.T) {
	d := newFixture(t)
	const further = `looked 30 days back; use "within" to look further`
	for within, want := range map[string]bool{"": true, "60d": false} {
		asked := args{"direction": "they_owe_me"}
		if within != "" {
			asked["within"] = within
		}
		got := bundletest.Must[struct{ Note string }](t, d.bundle, "gmail_find_followups", asked)
		if strings.Contains(got.Note, further) != want {
			t.Errorf("within %q: note %q", within, got.Note)
		}
	}
}
