package gmail_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type changesAnswer struct {
	Added   []row
	Deleted []struct{ ID string }
	Labels  []struct {
		ID, From, Subject string
		Added, Removed    []string
	}
	Cursor string
	More   bool
	Note   string
	Errors []struct{ Account, Error string } `json:"account_errors"`
}

func (c changesAnswer) String() string {
	var all []string
	for _, m := range c.Added {
		all = append(all, "+"+m.Subject)
	}
	for range c.Deleted {
		all = append(all, "deleted")
	}
	for _, m := range c.Labels {
		all = append(all, fmt.Sprintf("%s +%v -%v", m.Subject, m.Added, m.Removed))
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

func relabel(t *testing.T, api *gmailapi.Service, id string, add, remove []string) {
	t.Helper()
	if _, err := api.Users.Messages.Modify("me", id, &gmailapi.ModifyMessageRequest{AddLabelIds: add, RemoveLabelIds: remove}).Do(); err != nil {
		t.Fatal(err)
	}
}

func TestChangesAreListedOnce(t *testing.T) {
	d := newFixture(t)
	api := newGmailClient(t, d)
	deliverReports(d.ann, 3)
	old := d.ann.Messages("")
	begin := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{})
	if begin.String() != "" || begin.Cursor == "" {
		t.Fatalf("at the beginning: %+v", begin)
	}
	work := d.ann.Label("Work")
	d.ann.Deliver(fakegmail.Mail{Subject: "New", Date: noon})
	deleted := d.ann.Deliver(fakegmail.Mail{Subject: "Come and gone"})
	relabel(t, api, old[0].ID, []string{work}, []string{"UNREAD"})
	relabel(t, api, old[1].ID, []string{"STARRED"}, nil)
	relabel(t, api, old[1].ID, nil, []string{"STARRED"})
	for _, id := range []string{old[2].ID, deleted.ID} {
		if err := api.Users.Messages.Delete("me", id).Do(); err != nil {
			t.Fatal(err)
		}
	}
	got := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": begin.Cursor})
	if want := "+New; Report 2 +[Work] -[UNREAD]; deleted"; got.String() != want || got.More || got.Deleted[0].ID != old[2].ID {
		t.Errorf("got %q, want %q", got, want)
	}
	if again := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": got.Cursor}); again.String() != "" {
		t.Errorf("listed again: %s", again)
	}
	if only := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": begin.Cursor, "types": []string{"added"}}); only.String() != "+New" {
		t.Errorf("of added alone: %s", only)
	}
}

func TestListChangesPages(t *testing.T) {
	for seed := range uint64(3) {
		d := newFixture(t)
		api, r, label := newGmailClient(t, d), rand.New(rand.NewPCG(seed, 3)), d.ann.Label("Project")
		deliverReports(d.ann, 5)
		begin := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{})
		for range 60 {
			changeRandomly(t, d, api, r, label)
		}
		var want, got []string
		whole := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": begin.Cursor, "limit": 50})
		for _, m := range whole.Added {
			want = append(want, m.ID)
		}
		cursor, pages := begin.Cursor, 0
		for more := true; more && pages < 100; pages++ {
			page := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": cursor, "limit": 2, "types": []string{"added"}})
			for _, m := range page.Added {
				got = append(got, m.ID)
			}
			cursor, more = page.Cursor, page.More
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(slices.Compact(got), want) || pages < 2 {
			t.Errorf("seed %d: %d pages have %v, the whole has %v", seed, pages, got, want)
		}
	}
}

func TestExpiredChangesCursorIsReplaced(t *testing.T) {
	d := newFixture(t)
	begin := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{})
	d.ann.ForgetHistory()
	got := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": begin.Cursor})
	if !strings.Contains(got.Note, "newer_than") || got.Cursor == begin.Cursor {
		t.Fatalf("got %+v", got)
	}
	d.ann.Deliver(fakegmail.Mail{Subject: "New"})
	if got = bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": got.Cursor}); got.String() != "+New" {
		t.Errorf("then %s", got)
	}
	_, err := bundletest.Answer[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": "12345"})
	if path := bundletest.ProblemPath(t, err); path != "cursor" {
		t.Errorf("no cursor at all: %v", err)
	}
}

func TestListChangesOfAllAccounts(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, gmail.Account{Name: "work", Address: "ann@work.example"})
	begin := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"account": "*"})
	d.google.User("ann@work.example").Deliver(fakegmail.Mail{Subject: "Payroll"})
	d.ann.Deliver(fakegmail.Mail{Subject: "Garden", Date: noon.Add(-time.Hour)})

	withdraw := d.google.Fault(fakeapi.Fault{User: "ann@work.example", Status: 403, Reason: "domainPolicy"})
	first := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": begin.Cursor})
	if first.String() != "+Garden" || len(first.Errors) != 1 || first.Errors[0].Error != string(metadata.Refused) {
		t.Errorf("with one that fails: %+v", first)
	}
	withdraw()
	if then := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": first.Cursor}); then.String() != "+Payroll" || then.Added[0].Account != "work" {
		t.Errorf("then: %+v", then)
	}
}

func TestListChangesContinuesAfterEmptyPages(t *testing.T) {
	for _, empty := range []int{1, 4, 9} {
		d := newFixture(t)
		begin := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{})
		d.ann.Deliver(fakegmail.Mail{Subject: "New", Date: noon})
		d.ann.EmptyHistoryPages(empty)
		cursor, got := begin.Cursor, []string{}
		for more := true; more; {
			page := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": cursor})
			if page.More && page.Cursor == cursor {
				t.Fatalf("after %d empty pages: the cursor stays %q", empty, cursor)
			}
			for _, m := range page.Added {
				got = append(got, m.Subject)
			}
			cursor, more = page.Cursor, page.More
		}
		if !slices.Equal(got, []string{"New"}) {
			t.Errorf("after %d empty pages: got %v", empty, got)
		}
		d.ann.EmptyHistoryPages(0)
		d.ann.Deliver(fakegmail.Mail{Subject: "Newer", Date: noon})
		if next := bundletest.Must[changesAnswer](t, d.bundle, "gmail_list_changes", args{"cursor": cursor}); next.String() != "+Newer" {
			t.Errorf("after %d empty pages, later: %s", empty, next)
		}
	}
}
