package gmail_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type row struct {
	Account, ID, Date, From, To, Subject, Snippet string
	Thread                                        string `json:"thread_id"`
	Labels                                        []string
	Unread, Attachments                           bool
}

type searchAnswer struct {
	Messages []row
	Total    int    `json:"total_estimate"`
	Next     string `json:"next_cursor"`
	Hint     string
	Errors   []struct{ Account, Error, Hint string } `json:"account_errors"`
}

func (s searchAnswer) subjects() []string {
	subjects := []string{}
	for _, m := range s.Messages {
		subjects = append(subjects, m.Subject)
	}
	return subjects
}

// deliverReports puts n messages into a mailbox, one minute apart.
func deliverReports(u *googletest.User, n int) {
	for i := range n {
		u.Deliver(fakegmail.Mail{From: "Bob <" + bob + ">", Subject: fmt.Sprint("Report ", i), Text: "All is well.", Date: noon.Add(-time.Duration(n-i) * time.Minute)})
	}
}

func TestSearchCostsFewRoundTrips(t *testing.T) {
	d := newFixture(t)
	d.lockstep = &fakeapi.Lockstep{TB: t, Name: requestName}
	deliverReports(d.ann, 50)
	inbox := args{"query": "in:inbox", "limit": 50}
	search := func(units int, rounds ...[]string) {
		t.Helper()
		d.google.ClearLog()
		d.lockstep.Expect(rounds...)
		got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", inbox)
		d.lockstep.Done()
		if len(got.Messages) != 50 || d.google.Units() != units {
			t.Errorf("got %d messages for %d units, want 50 for %d", len(got.Messages), d.google.Units(), units)
		}
	}
	pair := []string{"batch", "batch"}

	t.Log("cold: three")
	search(1007, []string{"messages", "profile", "labels"}, pair, pair)
	t.Log("warm: one")
	search(7, []string{"messages", "history"})
	t.Log("with 20 new ones: two")
	deliverReports(d.ann, 20)
	search(407, []string{"messages", "history"}, pair)
	t.Log("with the history gone: four, once")
	d.ann.ForgetHistory()
	search(1008, []string{"messages", "history"}, []string{"profile"}, pair, pair)
	t.Log("in another process: one, with the labels")
	d.bundle = d.newProcess()
	search(8, []string{"messages", "history", "labels"})
}

func TestSearchRowFields(t *testing.T) {
	d := newFixture(t)
	work := d.ann.Label("Work/Ünder way")
	sent := d.ann.Deliver(fakegmail.Mail{
		From: "Jürgen \u202eGroß <jg@example.org>", To: "Ann <ann@example.com>, b@example.org, c@example.org, d@example.org, e@example.org",
		Subject: "Angebot für\u200b Köln", Text: "Liebe Ann, Fish & Chips <b>", Date: time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC),
		Labels: []string{"INBOX", "UNREAD", work}, Attachments: []fakegmail.Attachment{{Name: "offer.pdf", Type: "application/pdf", Data: []byte("%PDF")}},
	})
	got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"from": "jg@example.org"})
	if len(got.Messages) != 1 || got.Total != 1 || got.Next != "" || got.Hint != "" {
		t.Fatalf("got %+v", got)
	}
	m := got.Messages[0]
	for what, is := range map[string]struct{ got, want any }{
		"id":          {m.ID, sent.ID},
		"thread":      {m.Thread, sent.ThreadID},
		"date":        {m.Date, "2026-11-21T00:30:00+01:00"},
		"from":        {m.From, "Jürgen Groß <jg@example.org>"},
		"to":          {m.To, "Ann <ann@example.com>, b@example.org, c@example.org and 2 more"},
		"subject":     {m.Subject, "Angebot für Köln"},
		"snippet":     {m.Snippet, "Liebe Ann, Fish & Chips <b>"},
		"labels":      {fmt.Sprint(m.Labels), "[INBOX Work/Ünder way]"},
		"unread":      {m.Unread, true},
		"attachments": {m.Attachments, true},
		"account":     {m.Account, ""},
	} {
		if is.got != is.want {
			t.Errorf("%s: got %q, want %q", what, is.got, is.want)
		}
	}
}

// lastQuery returns the query of the last search request.
func lastQuery(d *fixture) string {
	for _, r := range slices.Backward(d.google.Requests()) {
		if r.Method == "gmail.users.messages.list" {
			return r.Query.Get("q")
		}
	}
	return "nothing was asked"
}

func TestSearchArgumentsBecomeAQuery(t *testing.T) {
	d := newFixture(t)
	d.ann.Label("Work/To do")
	day := func(month time.Month, day, hour int) int64 {
		return time.Date(2026, month, day, hour, 0, 0, 0, zone).Unix()
	}
	for name, c := range map[string]struct {
		args args
		want string
	}{
		"nothing":                            {args{}, ""},
		"the query as it is":                 {args{"query": ` from:(a OR b) "x y" -{c d}  larger:5M `}, `from:(a OR b) "x y" -{c d}  larger:5M`},
		"words":                              {args{"from": "bob@example.org", "subject": "invoice"}, "from:bob@example.org subject:invoice"},
		"a phrase":                           {args{"subject": "year  end\treport"}, `subject:"year end report"`},
		"an argument that is an operator":    {args{"from": `a" OR in:trash`}, `from:"a OR in:trash"`},
		"brackets":                           {args{"subject": "(x) {y}"}, `subject:"(x) {y}"`},
		"a minus":                            {args{"from": "-bob"}, `from:"-bob"`},
		"an OR":                              {args{"subject": "OR"}, `subject:"OR"`},
		"alternatives keep together":         {args{"query": "a OR b", "from": "bob"}, "from:bob (a OR b)"},
		"a bracket too many closes nothing":  {args{"query": "a) OR (in:trash)}", "from": "bob"}, "from:bob (a OR (in:trash))"},
		"a quote left open swallows nothing": {args{"query": `"a`, "from": "bob"}, `from:bob "a`},
		"an own label":                       {args{"label": "work/to DO"}, "label:work-to-do"},
		"a label of Gmail's":                 {args{"label": "Starred"}, "is:starred"},
		"a category":                         {args{"label": "promotions"}, "category:promotions"},
		"read and without attachments":       {args{"unread": false, "has_attachment": false}, "is:read -has:attachment"},
		"a day in the user's zone":           {args{"after": "2026-03-01", "before": "2026-03-02"}, fmt.Sprintf("after:%d before:%d", day(3, 1, 0), day(3, 2, 0))},
		"a day in the query too":             {args{"query": "(after:2026/3/1) before:2026-03-02 x"}, fmt.Sprintf("(after:%d) before:%d x", day(3, 1, 0), day(3, 2, 0))},
		"but no such day":                    {args{"query": "after:2026/02/30"}, "after:2026/02/30"},
		"yesterday":                          {args{"after": "Yesterday"}, fmt.Sprintf("after:%d", day(11, 20, 0))},
		"a span":                             {args{"after": "7d"}, fmt.Sprintf("after:%d", day(11, 14, 12))},
		"last week":                          {args{"after": "last week"}, fmt.Sprintf("after:%d", day(11, 9, 0))},
		"a month":                            {args{"after": "2026-03"}, fmt.Sprintf("after:%d", day(3, 1, 0))},
		"a time":                             {args{"after": "2026-03-01T14:00"}, fmt.Sprintf("after:%d", day(3, 1, 14))},
		"a time with its offset":             {args{"after": "2026-03-01T14:00:00Z"}, fmt.Sprintf("after:%d", day(3, 1, 15))},
	} {
		t.Run(name, func(t *testing.T) {
			d.google.ClearLog()
			bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", c.args)
			if got := lastQuery(d); got != c.want {
				t.Errorf("asked for %q, want %q", got, c.want)
			}
		})
	}
	for name, c := range map[string]struct {
		args args
		path string
	}{
		"a date that is none":   {args{"after": "2026-02-30"}, "after"},
		"a date of a kind":      {args{"before": "soonish"}, "before"},
		"a label nobody has":    {args{"label": "Wrk/To do"}, "label"},
		"a cursor of no search": {args{"cursor": "abc"}, "cursor"},
		"an account of nobody":  {args{"account": "office"}, "account"},
		"no limit":              {args{"limit": 0}, "limit"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bundletest.Answer[searchAnswer](t, d.bundle, "gmail_search_messages", c.args)
			if got := bundletest.ProblemPath(t, err); got != c.path {
				t.Errorf("got %v about %q", err, got)
			}
		})
	}
}

// TestSearchArgumentsStayIndependent passes arguments in Gmail's query language together
// with a sender who wrote nothing. The search must find nothing.
func TestSearchArgumentsStayIndependent(t *testing.T) {
	d := newFixture(t)
	deliverReports(d.ann, 2)
	pieces := []string{`"`, "(", ")", "{", "}", "-", " ", " OR ", "|", "AND", ":", "report", "from:bob", "in:inbox", "is:unread", "\\", "'", "*", "\u201d"}
	r := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		text := ""
		for range r.IntN(7) {
			text += pieces[r.IntN(len(pieces))]
		}
		return text
	}
	for range 300 {
		a := args{"from": "nobody@example.net", "subject": random(), "to": random(), "query": random()}
		if got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", a); len(got.Messages) != 0 {
			t.Fatalf("%q is asked as %q, which finds %q", a, lastQuery(d), got.subjects())
		}
	}
}

func TestLongRowsFitTheBudget(t *testing.T) {
	d := newFixture(t)
	for i := range 50 {
		d.ann.Deliver(fakegmail.Mail{
			From: strings.Repeat("Long ", 50) + fmt.Sprintf("<%s%d@example.org>", strings.Repeat("x", 40), i), To: strings.Repeat("somebody.with.a.long.name@example.net, ", 9) + ann,
			Subject: strings.Repeat("Very long ", 40), Text: strings.Repeat("And so on. ", 60),
		})
	}
	got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"limit": 50})
	if size := len(jsonOf(t, got)); len(got.Messages) != 50 || size > 32_000 || got.Messages[0].From == "" {
		t.Errorf("%d rows take %d bytes", len(got.Messages), size)
	}
}

func TestSearchPages(t *testing.T) {
	d := newFixture(t)
	deliverReports(d.ann, 25)
	var seen []string
	next := args{"query": "report", "after": "1d", "limit": 10}
	for range 3 {
		got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", next)
		seen = append(seen, got.subjects()...)
		d.now = d.now.Add(20 * time.Minute) // the meaning of "1d" must not change
		next = args{"cursor": got.Next, "limit": 10}
	}
	if len(seen) != 25 || seen[0] != "Report 24" || seen[24] != "Report 0" || next["cursor"] != "" {
		t.Errorf("got %d: %v, then %q", len(seen), seen, next["cursor"])
	}
}

func TestSearchAllAccounts(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, gmail.Account{Name: "work", Address: "ann@work.example"})
	deliverReports(d.ann, 3)
	d.google.User("ann@work.example").Deliver(fakegmail.Mail{Subject: "Payroll", Date: noon.Add(-90 * time.Second)})

	t.Run("merges them by date", func(t *testing.T) {
		got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"account": "*", "limit": 2})
		if s := got.subjects(); !slices.Equal(s, []string{"Report 2", "Payroll", "Report 1"}) || got.Messages[1].Account != "work" {
			t.Errorf("got %q of %+v", s, got.Messages)
		}
		rest := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"cursor": got.Next, "limit": 2})
		if s := rest.subjects(); !slices.Equal(s, []string{"Report 0"}) || rest.Next != "" {
			t.Errorf("then %q, %q", s, rest.Next)
		}
	})
	t.Run("asks one that failed again", func(t *testing.T) {
		d.google.User("ann@work.example").Deliver(fakegmail.Mail{Subject: "Bonus", Date: noon.Add(-time.Hour)})
		first := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"account": "*", "limit": 1})
		withdraw := d.google.Fault(fakeapi.Fault{User: "ann@work.example", Status: 403, Reason: "domainPolicy"})
		then := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"cursor": first.Next, "limit": 1})
		withdraw()
		last := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"cursor": then.Next, "limit": 1})
		if s := last.subjects(); !slices.Equal(s, []string{"Report 0", "Bonus"}) {
			t.Errorf("got %q", s)
		}
	})
	t.Run("says which failed", func(t *testing.T) {
		defer d.google.Fault(fakeapi.Fault{User: "ann@work.example", Status: 403, Reason: "domainPolicy"})()
		got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"account": "*"})
		if len(got.Messages) != 3 || len(got.Errors) != 1 || got.Errors[0].Account != "work" || got.Errors[0].Error != string(metadata.Refused) {
			t.Errorf("got %+v", got)
		}
	})
}

func TestSearchWithoutResultsHints(t *testing.T) {
	d := newFixture(t)
	for q, want := range map[string]string{
		"zebra":                              "in:anywhere",
		"sender:bob":                         "use from",
		"form:bob":                           "did you mean from:",
		`"exact phrase"`:                     "Quotes",
		"in:anywhere zebra":                  "remove a condition",
		"in:anywhere zebra newer_than:2d":    "widen the dates",
		"after:03/01/2026 x":                 "2026/03/01",
		"the mail about my new garden house": "the most important ones",
	} {
		if got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"query": q}); !strings.Contains(got.Hint, want) || len(got.Messages) != 0 {
			t.Errorf("%s: got the hint %q, want %q in it", q, got.Hint, want)
		}
	}
}

func TestSearchHintsOnlyWiden(t *testing.T) {
	d := newFixture(t)
	for _, q := range []string{"in:trash", "in:spam", "in:anywhere", "in:anywhere zebra", "label:trash"} {
		got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"query": q})
		for _, word := range []string{"newer_than", "after:", "dates"} {
			if len(got.Messages) != 0 || got.Hint == "" || strings.Contains(got.Hint, word) {
				t.Errorf("%s: got the hint %q", q, got.Hint)
			}
		}
	}
	if got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"query": "in:trash"}); strings.Contains(got.Hint, "condition") {
		t.Errorf("of one condition: got the hint %q", got.Hint)
	}
}

func TestSearchExcludesSpamAndTrash(t *testing.T) {
	d := newFixture(t)
	d.ann.Deliver(fakegmail.Mail{Subject: "Spam", Labels: []string{"SPAM"}})
	d.ann.Deliver(fakegmail.Mail{Subject: "Trash", Labels: []string{"TRASH"}})
	d.ann.Deliver(fakegmail.Mail{Subject: "Inbox", Labels: []string{"INBOX"}})
	for q, want := range map[string][]string{
		"": {"Inbox"}, "in:spam": {"Spam"}, "label:trash": {"Trash"}, "in:anywhere": {"Inbox", "Spam", "Trash"}, "-in:inbox": {}, "-in:spam": {"Inbox"},
	} {
		got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"query": q}).subjects()
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", q, got, want)
		}
	}
}

// requestName returns the last element of a request's path, or "message" for a single
// message.
func requestName(r *http.Request) string {
	_, rest, ok := strings.Cut(r.URL.Path, "/users/me/")
	switch {
	case !ok:
		return "batch"
	case strings.HasPrefix(rest, "messages/"):
		return "message"
	}
	return rest
}
