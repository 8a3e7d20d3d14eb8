package googletest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// noon is the time for tests about days.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func fixedClock(now time.Time) fakeapi.Option {
	return googletest.Clock(func() time.Time { return now })
}

func TestSearchOperators(t *testing.T) {
	s := googletest.New(t, fixedClock(noon))
	u := s.User(ada)
	work := u.Label("Work/Big Client")
	for name, mail := range map[string]fakegmail.Mail{
		"invoice":  {From: "Bob Brown <bob@acme.example>", Subject: "Invoice 17 of May", Text: "Please pay the amount due.", Date: noon.Add(-2 * time.Hour), Attachments: []fakegmail.Attachment{{Name: "invoice.pdf", Type: "application/pdf", Data: make([]byte, 3000)}}},
		"lunch":    {From: "Carol <carol@example.org>", Cc: "dan@example.org", Subject: "Lunch?", Text: "At the café, round the corner", Labels: []string{"INBOX", "STARRED"}, Date: noon.AddDate(0, 0, -3)},
		"news":     {From: "news@shop.example", Subject: "Sale", HTML: "<style>p{color:red}</style><p>Everything <b>must</b> go", Headers: []string{"List-Id: Shop <offers.shop.example>"}, Labels: []string{"INBOX", "UNREAD", "CATEGORY_PROMOTIONS"}, Date: noon.AddDate(0, -2, 0)},
		"contract": {From: "eve@example.net", Subject: "Contract", Text: "Signed.", Labels: []string{work}, Date: time.Date(2026, 11, 10, 7, 30, 0, 0, time.UTC)},
		"spam":     {From: "prince@example.net", Subject: "Inheritance", Text: "Dear friend", Labels: []string{"SPAM"}, Date: noon.AddDate(0, 0, -1)},
		"old":      {From: "grandma@example.net", Subject: "Happy birthday", Text: "Kisses", Labels: []string{"TRASH"}, Date: noon.AddDate(-2, 0, 0)},
	} {
		mail.Headers = append(mail.Headers, "Message-ID: <"+name+"@test>")
		u.Deliver(mail)
	}
	all := "contract invoice lunch news"
	for q, want := range map[string]string{
		"":                                      all,
		"in:anywhere":                           all + " old spam",
		"in:spam":                               "spam",
		"label:trash":                           "old",
		"-in:trash":                             all,
		"from:bob":                              "invoice",
		"from:bob@acme.example":                 "invoice",
		"from:acme.example":                     "invoice",
		"from:bo":                               "",
		"to:ada@example.com -from:shop.example": "contract invoice lunch",
		"to:me subject:sale":                    "news",
		"cc:dan":                                "lunch",
		"subject:(invoice may)":                 "invoice",
		"subject:{sale lunch}":                  "lunch news",
		`subject:"may invoice"`:                 "",
		`"amount due"`:                          "invoice",
		"amount -due":                           "",
		"must go":                               "news",
		"color":                                 "",
		"CAFÉ":                                  "lunch",
		"from:bob OR from:carol":                "invoice lunch",
		"from:bob OR from:carol is:starred":     "lunch",
		"{from:bob from:eve} label:" + work:     "contract",
		"(from:bob subject:may) OR subject:lunch": "invoice lunch",
		"-(from:bob OR from:carol)":               "contract news",
		"label:work-big-client":                   "contract",
		"has:userlabels":                          "contract",
		"is:unread":                               "invoice news",
		"is:read":                                 "contract lunch",
		"is:starred":                              "lunch",
		"in:inbox":                                "invoice lunch news",
		"category:promotions":                     "news",
		"list:offers.shop.example":                "news",
		"has:attachment":                          "invoice",
		"filename:pdf":                            "invoice",
		"filename:invoice.pdf":                    "invoice",
		"filename:docx":                           "",
		"larger:2K":                               "invoice",
		"smaller:2000 in:inbox":                   "lunch news",
		"size:1M":                                 "",
		"rfc822msgid:<lunch@test>":                "lunch",
		"rfc822msgid:lunch@test":                  "lunch",
		"newer_than:1d":                           "invoice",
		"newer_than:7d":                           "invoice lunch",
		"older_than:1m":                           "news",
		"older_than:1y in:anywhere":               "old",
		"after:2026/11/20":                        "invoice", // 10:00 UTC is after PST's midnight
		"after:2026/11/10":                        "invoice lunch",
		"before:2026/11/10 after:2026/11/9":       "contract",               // 7:30 UTC is still the 9th in PST
		"after:1794295800":                        "contract invoice lunch", // seconds are exact
		"after:1794295801":                        "invoice lunch",
		"older:2026/10/1":                         "news",
		"nonsense:word":                           "",
		"  (  from:bob ":                          "invoice",
	} {
		var got []string
		for _, m := range u.Messages(q) {
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(m.Header("Message-ID"), "<"), "@test>"))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", q, got, want)
		}
	}
}

func TestListPagesNeitherRepeatNorLoseMessages(t *testing.T) {
	s := googletest.New(t, fixedClock(noon))
	u := s.User(ada)
	for i := range 7 {
		u.Deliver(fakegmail.Mail{Subject: "One", Date: noon.Add(-time.Duration(i) * time.Minute)})
	}
	mail := gmailOf(t, s, ada)
	seen := map[string]bool{}
	token := ""
	for pages := 0; ; pages++ {
		answer, err := mail.Users.Messages.List("me").MaxResults(3).PageToken(token).Q("subject:one").Do()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range answer.Messages {
			if seen[m.Id] {
				t.Errorf("%s came twice", m.Id)
			}
			seen[m.Id] = true
			if _, err := mail.Users.Messages.Trash("me", m.Id).Do(); err != nil {
				t.Fatal(err)
			}
		}
		u.Deliver(fakegmail.Mail{Subject: "One", Date: noon.Add(time.Hour)}) // newer than what was listed
		token = answer.NextPageToken
		if token == "" {
			if pages != 2 {
				t.Errorf("got %d pages, want 3", pages+1)
			}
			break
		}
	}
	if len(seen) != 7 {
		t.Errorf("listed %d, want 7", len(seen))
	}
	_, err := mail.Users.Messages.List("me").PageToken("never given out!").Do()
	if refused := googleError(t, err); refused.Code != 400 {
		t.Errorf("a page token of ours: %v", err)
	}
}
