package gmail_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

// addWorkAccount signs in to a second account and returns its user.
func (d *fixture) addWorkAccount() *googletest.User {
	d.accounts = append(d.accounts, gmail.Account{Name: "work", Address: "ann@work.example"})
	return d.google.User("ann@work.example")
}

// saveDraft saves a draft, one minute after the previous one.
func (d *fixture) saveDraft(t *testing.T, account, subject string) {
	t.Helper()
	d.now = d.now.Add(time.Minute)
	bundletest.Must[sendAnswer](t, d.bundle, "gmail_send_message", args{"subject": subject, "as_draft": true, "account": account, "idempotency_key": d.now.String()})
}

func TestCursorRejectsAnotherAccount(t *testing.T) {
	for tool, given := range map[string]args{
		"gmail_search_messages": {"query": "in:inbox", "limit": 1},
		"gmail_list_drafts":     {"limit": 1},
		"gmail_list_changes":    {},
	} {
		t.Run(tool, func(t *testing.T) {
			d := newFixture(t)
			work := d.addWorkAccount()
			for range 2 {
				d.ann.Deliver(fakegmail.Mail{Subject: "Lunch"})
				work.Deliver(fakegmail.Mail{Subject: "Lunch"})
				d.saveDraft(t, "home", "Dinner")
				d.saveDraft(t, "work", "Dinner")
			}
			type answer struct {
				Next     string `json:"next_cursor"`
				Cursor   string
				Messages []any
			}
			merge := func(more args) args {
				all := args{}
				for _, a := range []args{given, more} {
					for name, value := range a {
						all[name] = value
					}
				}
				return all
			}
			for account, others := range map[string][]string{"": {"work", "*"}, "home": {"work", "ann@work.example", "*"}, "work": {"home", ann, "*"}, "*": {"home", "work"}} {
				first := bundletest.Must[answer](t, d.bundle, tool, merge(args{"account": account}))
				cursor := first.Next + first.Cursor
				if cursor == "" {
					t.Fatalf("in %q there is no cursor", account)
				}
				for _, other := range others {
					_, err := bundletest.Answer[answer](t, d.bundle, tool, merge(args{"cursor": cursor, "account": other}))
					if path := bundletest.ProblemPath(t, err); path != "cursor" {
						t.Errorf("begun in %q, gone on in %q: %v", account, other, err)
					}
				}
				for _, same := range []string{"", account} {
					bundletest.Must[answer](t, d.bundle, tool, merge(args{"cursor": cursor, "account": same}))
				}
			}
			_, err := bundletest.Answer[answer](t, d.bundle, tool, merge(args{"cursor": "bm8"}))
			if path := bundletest.ProblemPath(t, err); path != "cursor" {
				t.Errorf("a cursor of nobody's: %v", err)
			}
		})
	}
}

func TestChangesCursorKeepsItsAccount(t *testing.T) {
	d := newFixture(t)
	work := d.addWorkAccount()
	begun := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{})
	named := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"account": "home"})
	d.ann.Deliver(fakegmail.Mail{Subject: "At home"})
	work.Deliver(fakegmail.Mail{Subject: "At work"})
	slices.Reverse(d.accounts)

	got := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": begun.Cursor})
	if len(got.Added) != 1 || got.Added[0].Subject != "At home" || !strings.Contains(got.Note, `default account is now "work"`) {
		t.Errorf("got %+v", got)
	}
	if got := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": named.Cursor}); len(got.Added) != 1 || got.Note != "" {
		t.Errorf("of a named account: %+v", got)
	}
}

func TestListDraftsOfAllAccounts(t *testing.T) {
	d := newFixture(t)
	d.addWorkAccount()
	for i, account := range []string{"home", "work", "home"} {
		d.saveDraft(t, account, fmt.Sprint("Draft ", i))
	}
	type page struct {
		Drafts []struct{ Account, Subject string }
		Next   string `json:"next_cursor"`
		Errors []any  `json:"account_errors"`
	}
	got := bundletest.Must[page](t, d.bundle, "gmail_list_drafts", args{"account": "*"})
	if want := "[{home Draft 2} {work Draft 1} {home Draft 0}]"; fmt.Sprint(got.Drafts) != want || got.Next != "" {
		t.Errorf("got %v, want %s", got.Drafts, want)
	}
	if got := bundletest.Must[page](t, d.bundle, "gmail_list_drafts", args{}); fmt.Sprint(got.Drafts) != "[{ Draft 2} { Draft 0}]" {
		t.Errorf("of one account: %v", got.Drafts)
	}
	first := bundletest.Must[page](t, d.bundle, "gmail_list_drafts", args{"account": "*", "limit": 1})
	second := bundletest.Must[page](t, d.bundle, "gmail_list_drafts", args{"cursor": first.Next, "limit": 1})
	if fmt.Sprint(first.Drafts, second.Drafts, second.Next) != "[{home Draft 2} {work Draft 1}] [{home Draft 0}]" {
		t.Errorf("page by page: %v, then %v, then %q", first.Drafts, second.Drafts, second.Next)
	}
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.drafts.list", Nth: 1, Status: 400})
	if got := bundletest.Must[page](t, d.bundle, "gmail_list_drafts", args{"account": "*"}); len(got.Errors) != 1 || len(got.Drafts) == 0 {
		t.Errorf("with one account refused: %+v", got)
	}
}

func TestCursorRetriesFailedAccount(t *testing.T) {
	for tool, method := range map[string]string{
		"gmail_search_messages": "gmail.users.messages.list",
		"gmail_list_drafts":     "gmail.users.drafts.list",
	} {
		t.Run(tool, func(t *testing.T) {
			d := newFixture(t)
			work := d.addWorkAccount()
			for range 2 {
				d.ann.Deliver(fakegmail.Mail{Subject: "home"})
				work.Deliver(fakegmail.Mail{Subject: "work"})
				d.saveDraft(t, "home", "home")
				d.saveDraft(t, "work", "work")
			}
			type page struct {
				Messages, Drafts []struct{ Subject string }
				Next             string `json:"next_cursor"`
				Errors           []any  `json:"account_errors"`
			}
			for _, limit := range []int{1, 50} { // with and without a next page of the account that answers
				withdraw := d.google.Fault(fakeapi.Fault{Method: method, User: "ann@work.example", Status: 403, Reason: "domainPolicy"})
				ask := args{"account": "*", "limit": limit}
				if tool == "gmail_search_messages" {
					ask["query"] = "-in:draft"
				}
				first := bundletest.Must[page](t, d.bundle, tool, ask)
				withdraw()
				if len(first.Errors) != 1 || first.Next == "" {
					t.Fatalf("limit %d: got %+v", limit, first)
				}
				found := map[string]int{}
				for at := first; ; {
					for _, row := range append(at.Messages, at.Drafts...) {
						found[row.Subject]++
					}
					if at.Next == "" {
						break
					}
					at = bundletest.Must[page](t, d.bundle, tool, args{"cursor": at.Next, "limit": limit})
				}
				if found["home"] != 2 || found["work"] != 2 {
					t.Errorf("limit %d: found %v", limit, found)
				}
			}
		})
	}
}

func TestPageFailsIfAllRemainingAccountsFail(t *testing.T) {
	d := newFixture(t)
	work := d.addWorkAccount()
	d.ann.Deliver(fakegmail.Mail{Subject: "Lunch"})
	work.Deliver(fakegmail.Mail{Subject: "Lunch"})
	d.google.Fault(fakeapi.Fault{Method: "gmail.users.messages.list", User: "ann@work.example", Status: 403, Reason: "domainPolicy"})
	first := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"account": "*"})
	if len(first.Messages) != 1 || first.Next == "" {
		t.Fatalf("got %+v", first)
	}
	if next, err := bundletest.Answer[searchAnswer](t, d.bundle, "gmail_search_messages", args{"cursor": first.Next}); metadata.CodeOf(err) != metadata.Refused {
		t.Errorf("got %+v, %v", next, err)
	}
}

func TestSendRejectsAllAccounts(t *testing.T) {
	d := newFixture(t)
	d.addWorkAccount()
	_, err := bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{bob}, "subject": "Hi", "account": "*"})
	if path := bundletest.ProblemPath(t, err); path != "account" || !strings.Contains(bundletest.AsError(t, err).Hint, "only works for reading") {
		t.Errorf("got %v with the hint %q", err, bundletest.AsError(t, err).Hint)
	}
}

// deadlineRecorder records how much time each request has.
type deadlineRecorder struct {
	http.RoundTripper
	mu   sync.Mutex
	left []time.Duration // -1 if there is no deadline
}

func (d *deadlineRecorder) RoundTrip(r *http.Request) (*http.Response, error) {
	left := time.Duration(-1)
	if deadline, ok := r.Context().Deadline(); ok {
		left = time.Until(deadline)
	}
	d.mu.Lock()
	d.left = append(d.left, left)
	d.mu.Unlock()
	return d.RoundTripper.RoundTrip(r)
}

func TestEachReadRequestHasADeadline(t *testing.T) {
	d := newFixture(t)
	seen := &deadlineRecorder{}
	d.wrapTransport = func(next http.RoundTripper) http.RoundTripper { seen.RoundTripper = next; return seen }
	one := d.ann.Deliver(fakegmail.Mail{Subject: "Lunch", Text: "Friday?"})
	for tool, a := range map[string]args{
		"gmail_search_messages": {"query": "x"}, "gmail_get_message": {"id": one.ID}, "gmail_get_thread": {"thread_id": one.ThreadID},
		"gmail_list_changes": {}, "gmail_list_labels": {"counts": true}, "gmail_list_drafts": {}, "gmail_list_accounts": {},
		"gmail_find_followups": {"direction": "i_owe_them"},
	} {
		seen.left = nil
		bundletest.Must[any](t, d.bundle, tool, a)
		for _, left := range seen.left {
			if left < 0 || left > 30*time.Second {
				t.Errorf("%s: a request has %v", tool, left)
			}
		}
	}
}

func TestErrorHintsFitTheAction(t *testing.T) {
	d := newFixture(t)
	_, err := bundletest.Answer[searchAnswer](t, d.bundle, "gmail_search_messages", args{"label": "Nowhere"})
	if e := bundletest.AsError(t, err); e.Code != metadata.ValidationError || strings.Contains(e.Hint, "changed") {
		t.Errorf("of a search: got %v with the hint %q", err, e.Hint)
	}
	_, err = bundletest.Answer[sendAnswer](t, d.bundle, "gmail_send_message", args{"to": []string{"mailto:" + bob}, "subject": "Hi"})
	if e := bundletest.AsError(t, err); !strings.Contains(e.Message, "not a mailto link") {
		t.Errorf("of an address: got %v", err)
	}
}
