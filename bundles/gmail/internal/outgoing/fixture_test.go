package outgoing

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/gmail/internal/mailboxtest"
	"kota/bundles/internal/google"
	"kota/bundles/internal/google/googletest"
	"kota/store"
	"kota/store/enginetest"
)

const (
	ada          = "ada@example.com"
	draftsCreate = "gmail.users.drafts.create"
	draftsSend   = "gmail.users.drafts.send"
)

// shortTimeouts returns time limits for tests: the same order of events, in milliseconds.
func shortTimeouts() *timeouts {
	return &timeouts{
		prepare: 10 * time.Second, send: 10 * time.Second,
		lease: 5 * time.Second, renew: 500 * time.Millisecond, resolveAfter: 20 * time.Millisecond,
		lookPauses: []time.Duration{0, 5 * time.Millisecond}, poll: 2 * time.Millisecond, waitForOther: 20 * time.Second, repeatWindow: 10 * time.Minute,
	}
}

// newSender returns the sender of Ada's mailbox at the fake Google, with its outbox in the
// at place. Each call opens its own database handle, like a separate process.
func newSender(t testing.TB, s *googletest.Server, place enginetest.Place) *Sender {
	t.Helper()
	return newSenderWith(t, s.URL(), s.HTTPClient(ada, mailbox.ScopeModify), place, 300*time.Millisecond)
}

// newSenderWith returns a sender whose client waits at most timeout for an answer.
func newSenderWith(t testing.TB, url string, authorized *http.Client, place enginetest.Place, timeout time.Duration) *Sender {
	t.Helper()
	db := place.Open(t, mailboxtest.Tenant, nil)
	box, err := mailbox.New(mailbox.Source{
		Accounts: func() ([]google.Account, error) { return []google.Account{{Name: "home", Address: ada}}, nil },
		Client:   func(context.Context, string) (*http.Client, error) { return authorized, nil },
		Endpoint: func() string { return url },
		Stores:   mailboxtest.StoresIn(db),
		Now:      time.Now,
	}).Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	*box.Client = *google.Client(authorized, google.Options{
		Endpoint: url, Timeout: timeout, Quota: google.Quota{Gmail: 1e9},
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	return &Sender{Mailbox: box, Options: Options{timeouts: shortTimeouts()}}
}

// openOutbox returns the outbox of a sender.
func openOutbox(m *Sender) *Outbox { return OpenOutbox(m.Mailboxes, m.Options) }

// testMail returns a mail with that subject. Its date and boundary differ each time.
func testMail(key, subject string) Mail {
	boundary := fmt.Sprintf("=_%d", time.Now().UnixNano())
	raw := strings.ReplaceAll("From: Ada <ada@example.com>\nTo: bob@example.com\nSubject: "+subject+"\nDate: "+time.Now().Format(time.RFC1123Z)+`
Message-ID: <`+boundary+`@kota>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="`+boundary+`"

--`+boundary+`
Content-Type: text/plain; charset=utf-8

See you at noon.
--`+boundary+`
Content-Type: text/html; charset=utf-8

<p>See you at noon.</p>
--`+boundary+"--\n", "\n", "\r\n")
	return Mail{Key: key, Kind: "send", Raw: []byte(raw), Envelope: Envelope{To: []string{"bob@example.com"}, Subject: subject}}
}

// countSent returns the number of Ada's sent mails with that subject.
func countSent(s *googletest.Server, subject string) int {
	n := 0
	for _, m := range s.User(ada).Sent() {
		if m.Header("Subject") == subject {
			n++
		}
	}
	return n
}

func onlyStoredItem(t testing.TB, m *Sender) store.OutboxItem {
	t.Helper()
	list := storedItems(t, m)
	if len(list) != 1 {
		t.Fatalf("%d items, want 1", len(list))
	}
	return list[0]
}

func storedItems(t testing.TB, m *Sender) []store.OutboxItem {
	t.Helper()
	box, err := m.Stores.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := box.List(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
