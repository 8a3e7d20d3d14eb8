package gmail_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/mailboxtest"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/store/enginetest"
)

// newGmailClient returns a Gmail client for Ann's mailbox. A test uses it to
// change the mailbox as another program would.
func newGmailClient(t *testing.T, d *fixture) *gmailapi.Service {
	t.Helper()
	client := d.google.HTTPClient(ann)
	t.Cleanup(client.CloseIdleConnections)
	api, err := gmailapi.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(d.google.URL()+"/"))
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// changeRandomly makes a random change in Ann's mailbox, like another program.
func changeRandomly(t *testing.T, d *fixture, api *gmailapi.Service, r *rand.Rand, label string) {
	t.Helper()
	all := d.ann.Messages("in:anywhere")
	if len(all) == 0 || r.IntN(6) == 0 {
		d.ann.Deliver(fakegmail.Mail{Subject: fmt.Sprint("Mail ", r.IntN(100)), Date: d.now.Add(-time.Duration(r.IntN(1000)) * time.Minute)})
		return
	}
	id := all[r.IntN(len(all))].ID
	users := api.Users.Messages
	var err error
	switch r.IntN(6) {
	case 0:
		_, err = users.Modify("me", id, &gmailapi.ModifyMessageRequest{RemoveLabelIds: []string{"UNREAD", "INBOX"}}).Do()
	case 1:
		_, err = users.Modify("me", id, &gmailapi.ModifyMessageRequest{AddLabelIds: []string{label, "UNREAD"}}).Do()
	case 2:
		_, err = users.Modify("me", id, &gmailapi.ModifyMessageRequest{AddLabelIds: []string{"STARRED"}, RemoveLabelIds: []string{label}}).Do()
	case 3:
		_, err = users.Trash("me", id).Do()
	case 4:
		_, err = users.Untrash("me", id).Do()
	case 5:
		err = users.Delete("me", id).Do()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// checkRows compares the rows of a search with the mailbox itself.
func checkRows(t *testing.T, d *fixture, b bundles.Bundle, q string) {
	t.Helper()
	names := map[string]string{}
	for _, l := range d.ann.Labels() {
		names[l.ID] = l.Name
	}
	var want, got []string
	for _, m := range d.ann.Messages(q) {
		labels := []string{}
		for _, id := range m.Labels {
			if name := names[id]; name != "" {
				id = name
			}
			labels = append(labels, id)
		}
		want = append(want, describe(m.ID, m.Header("Subject"), labels))
	}
	for _, m := range bundletest.Must[searchAnswer](t, b, "gmail_search_messages", args{"query": q, "limit": 50}).Messages {
		if m.Unread {
			m.Labels = append(m.Labels, "UNREAD")
		}
		got = append(got, describe(m.ID, m.Subject, m.Labels))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q shows\n%s\nand the mailbox has\n%s", q, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func describe(id, subject string, labels []string) string {
	slices.Sort(labels)
	return fmt.Sprint(id, subject, labels)
}

// TestSearchAlwaysMatchesTheMailbox changes a mailbox at random while several processes
// search it. The results must match the mailbox.
func TestSearchAlwaysMatchesTheMailbox(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			d := newFixture(t)
			api, r := newGmailClient(t, d), rand.New(rand.NewPCG(seed, 7))
			label := d.ann.Label("Project")
			processes := []bundles.Bundle{d.bundle, d.newProcess(), d.newProcess()}
			for range 60 {
				for range r.IntN(4) {
					changeRandomly(t, d, api, r, label)
				}
				if r.IntN(15) == 0 {
					d.ann.ForgetHistory()
				}
				q := []string{"in:anywhere", "", "label:project", "is:unread", "in:trash"}[r.IntN(5)]
				checkRows(t, d, processes[r.IntN(len(processes))], q)
			}
		})
	}
}

// TestConcurrentSearchesKeepTheCacheRight runs several searches while the mailbox changes.
// Their results may be older than the final state, but the cache must match it at the
// end.
func TestConcurrentSearchesKeepTheCacheRight(t *testing.T) {
	d := newFixture(t)
	deliverReports(d.ann, 20)
	api, label := newGmailClient(t, d), d.ann.Label("Project")
	processes := []bundles.Bundle{d.bundle, d.newProcess(), d.newProcess()}
	for round := range uint64(6) {
		var all sync.WaitGroup
		for _, b := range processes {
			all.Go(func() {
				if _, err := bundletest.Answer[searchAnswer](t, b, "gmail_search_messages", args{"query": "in:anywhere", "limit": 50}); err != nil {
					t.Error(err)
				}
			})
		}
		r := rand.New(rand.NewPCG(round, 9))
		for range 5 {
			changeRandomly(t, d, api, r, label)
		}
		all.Wait()
		for _, b := range processes {
			checkRows(t, d, b, "in:anywhere")
		}
	}
}

func TestCacheBelongsToOneAddress(t *testing.T) {
	d := newFixture(t)
	deliverReports(d.ann, 3)
	checkRows(t, d, d.bundle, "")
	d.google.User("new@example.com").Deliver(fakegmail.Mail{Subject: "Hers"})
	d.accounts[0].Address = "new@example.com" // another person has signed in as "home"
	d.deps.Client = d.clients(t)
	got := bundletest.Must[searchAnswer](t, d.newProcess(), "gmail_search_messages", args{})
	if s := got.subjects(); !slices.Equal(s, []string{"Hers"}) {
		t.Errorf("got %q", s)
	}
}

func TestAccountWithoutAddressUsesTheProfile(t *testing.T) {
	d := newFixture(t)
	d.accounts[0].Address, d.users = "", map[string]string{"home": ann}
	deliverReports(d.ann, 3)
	checkRows(t, d, d.bundle, "")
	d.google.ClearLog()
	checkRows(t, d, d.bundle, "")
	if got := d.google.Calls("gmail.users.getProfile"); got != 0 {
		t.Errorf("asked %d times who it is", got)
	}
	checkRows(t, d, d.newProcess(), "")
	if got := d.google.Calls("gmail.users.messages.get"); got != 0 {
		t.Errorf("fetched %d messages that are kept", got)
	}
}

func TestSearchWorksWithoutDatabase(t *testing.T) {
	d := newFixture(t)
	deliverReports(d.ann, 3)
	db := enginetest.New(t).Open(t, mailboxtest.Tenant, nil)
	d.deps.Stores = mailboxtest.StoresIn(db)
	b := d.newProcess()
	checkRows(t, d, b, "")
	db.Close()
	checkRows(t, d, b, "")
}

func TestUnreadableMessageHidesNoOther(t *testing.T) {
	for name, spoil := range map[string]func(http.ResponseWriter){
		"too large": func(w http.ResponseWriter) { writeRepeated(w, "x", 40<<20) },
		"nonsense":  func(w http.ResponseWriter) { fmt.Fprint(w, `{"id": 7}`) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			deliverReports(d.ann, 30)
			hostile := d.ann.Messages("")[12].ID
			d.wrapTransport = func(next http.RoundTripper) http.RoundTripper {
				return roundTrip(func(r *http.Request) (*http.Response, error) {
					if concerns(t, r, hostile) && (name == "too large" || strings.Contains(r.URL.Path, "/messages/")) {
						return brokenResponse(spoil), nil
					}
					if name == "nonsense" && strings.HasPrefix(r.URL.Path, "/batch/") {
						return &http.Response{StatusCode: 404, Body: http.NoBody, Request: r, Header: http.Header{}}, nil // KOTA then reads them one by one
					}
					return next.RoundTrip(r)
				})
			}
			for range 2 {
				got := bundletest.Must[searchAnswer](t, d.bundle, "gmail_search_messages", args{"limit": 30})
				if len(got.Messages) != 30 || got.Messages[12].ID != hostile || got.Messages[12].Subject != "" || got.Messages[13].Subject != "Report 16" {
					t.Fatalf("got %d rows: %q", len(got.Messages), got.subjects())
				}
			}
		})
	}
}

// concerns reports whether a request, or a part of a batch, concerns the message.
func concerns(t *testing.T, r *http.Request, id string) bool {
	t.Helper()
	if r.Body == nil || r.Body == http.NoBody {
		return strings.HasSuffix(r.URL.Path, "/"+id)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return bytes.Contains(body, []byte(id))
}

// brokenResponse returns a good answer with a broken body.
func brokenResponse(write func(http.ResponseWriter)) *http.Response {
	recorder := httptest.NewRecorder()
	write(recorder)
	answer := recorder.Result()
	answer.Header.Set("Content-Type", "application/json")
	return answer
}

// writeRepeated writes a text repeatedly until the output has the given size.
func writeRepeated(w io.Writer, text string, size int) {
	chunk := strings.Repeat(text, 1+(64<<10)/len(text))
	for written := 0; written < size; written += len(chunk) {
		if _, err := io.WriteString(w, chunk); err != nil {
			return // the client has read enough
		}
	}
}

func TestDeletedLabelIsNotShown(t *testing.T) {
	d := newFixture(t)
	api, label := newGmailClient(t, d), d.ann.Label("Project")
	d.ann.Deliver(fakegmail.Mail{Subject: "Plan", Labels: []string{"INBOX", label}})
	checkRows(t, d, d.bundle, "")
	if err := api.Users.Labels.Delete("me", label).Do(); err != nil {
		t.Fatal(err)
	}
	d.now = d.now.Add(2 * time.Minute) // label names may be cached for a minute
	checkRows(t, d, d.bundle, "")
}
