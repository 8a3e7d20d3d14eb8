package outgoing

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
)

func onlyItem(t *testing.T, o *Outbox) bundles.OutboxItem {
	t.Helper()
	items, err := o.List(t.Context())
	if err != nil || len(items) != 1 {
		t.Fatalf("listed %+v, %v", items, err)
	}
	return items[0]
}

func TestOutboxListsSentMail(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	sent, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch"))
	if err != nil {
		t.Fatal(err)
	}
	got := onlyItem(t, openOutbox(m))
	if got.ID != sent.OutboxID || got.Status != "sent" || got.Message != sent.MessageID || got.Draft != "" || got.Next != "" ||
		got.Account != ada || got.Subject != "lunch" || !slices.Equal(got.To, []string{"bob@example.com"}) || got.Key != "k" {
		t.Errorf("got %+v", got)
	}
	for what, act := range map[string]func(*Outbox) error{
		"retry": func(o *Outbox) error {
			_, err := o.Retry(bundletest.WithUserConsent(t.Context()), sent.OutboxID)
			return err
		},
		"drop": func(o *Outbox) error { _, err := o.Drop(t.Context(), sent.OutboxID); return err },
	} {
		if err := act(openOutbox(m)); metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), "sent at") {
			t.Errorf("%s of what was sent: %v", what, err)
		}
	}
	if s.Calls(draftsSend) != 1 {
		t.Error("it was sent again")
	}
}

func TestRetryLooksFirst(t *testing.T) {
	for name, c := range map[string]struct {
		faults []fakeapi.Fault
		posts  int
	}{
		"sent, and its answer and Sent were lost": {[]fakeapi.Fault{
			{Method: draftsSend, Nth: 1, Answer: fakeapi.Reset, AfterEffect: true},
			{Method: "gmail.users.messages.list", Status: 503},
		}, 1},
		"not sent": {[]fakeapi.Fault{{Method: draftsSend, Nth: 1, Status: 503}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			var undo []func()
			for _, f := range c.faults {
				undo = append(undo, s.Fault(f))
			}
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("", "lunch")); metadata.CodeOf(err) != metadata.OutcomeUnknown {
				t.Fatal(err)
			}
			for _, withdraw := range undo {
				withdraw()
			}
			o := openOutbox(m)
			unknown := onlyItem(t, o)
			if unknown.Status != "unknown" || !strings.Contains(unknown.Next, "kota outbox retry "+unknown.ID) {
				t.Errorf("listed %+v", unknown)
			}
			got, err := o.Retry(bundletest.WithUserConsent(t.Context()), unknown.ID)
			if err != nil || got.Status != "sent" || got.Message != s.User(ada).Sent()[0].ID {
				t.Errorf("got %+v, %v", got, err)
			}
			if s.Calls(draftsSend) != c.posts || countSent(s, "lunch") != 1 {
				t.Errorf("asked %d times to send, %d sent", s.Calls(draftsSend), countSent(s, "lunch"))
			}
		})
	}
}

func TestDropDeletesTheCreatedDraft(t *testing.T) {
	for name, faults := range map[string][]fakeapi.Fault{
		"not sent": {{Method: draftsSend, Nth: 1, Status: 429}},
		"unknown":  {{Method: draftsSend, Nth: 1, Status: 503}},
		"a stray":  {{Method: draftsCreate, Nth: 1, Status: 503, AfterEffect: true}, {Method: "gmail.users.drafts.list", Nth: 1, Status: 400}},
	} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			for _, f := range faults {
				s.Fault(f)
			}
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); err == nil {
				t.Fatal("nothing went wrong")
			}
			o := openOutbox(m)
			shown, err := o.Show(t.Context(), onlyItem(t, o).ID)
			if err != nil || strings.TrimSpace(shown.Text) != "See you at noon." || len(s.User(ada).Drafts()) != 1 {
				t.Errorf("shown %+v, %v", shown, err)
			}
			withdraw := s.Fault(fakeapi.Fault{Method: "gmail.users.drafts.delete", Status: 503})
			if _, err := o.Drop(t.Context(), shown.ID); err == nil || onlyItem(t, o).Status != shown.Status {
				t.Errorf("dropped with its draft there: %v, then %+v", err, onlyItem(t, o))
			}
			withdraw()
			got, err := o.Drop(t.Context(), shown.ID)
			if err != nil || got.Status != "dropped" || got.Text != "" || len(s.User(ada).Drafts()) != 0 {
				t.Errorf("got %+v, %v, %d drafts", got, err, len(s.User(ada).Drafts()))
			}
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); err != nil || countSent(s, "lunch") != 1 {
				t.Errorf("its key, anew: %v, %d sent", err, countSent(s, "lunch"))
			}
		})
	}
}

func TestDropKeepsTheUsersDraft(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	draft, err := CreateDraft(t.Context(), m.Mailbox, testMail("", "mine").Raw, "")
	if err != nil {
		t.Fatal(err)
	}
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 400})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), Mail{Kind: "draft", DraftID: draft.Id}); metadata.CodeOf(err) != metadata.ValidationError {
		t.Fatal(err)
	}
	o := openOutbox(m)
	if _, err := o.Drop(t.Context(), onlyItem(t, o).ID); err != nil || len(s.User(ada).Drafts()) != 1 {
		t.Errorf("%v, %d drafts", err, len(s.User(ada).Drafts()))
	}
}

// leasedItem saves an outbox item with that status and returns it. Another
// process holds its lease for the duration hold. With hold 0 the lease has
// already ended.
func leasedItem(t *testing.T, m *Sender, status store.OutboxStatus, hold time.Duration) store.OutboxItem {
	t.Helper()
	item, err := m.newItem(testMail("k", "lunch"))
	if err != nil {
		t.Fatal(err)
	}
	box, err := m.Stores.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	leased, _, err := box.ClaimOrCreate(t.Context(), item, time.Time{}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	leased.Status = status
	if err := box.Save(t.Context(), &leased, hold); err != nil {
		t.Fatal(err)
	}
	return leased
}

func TestItemHeldByAnotherCallIsNotChanged(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	m.timeouts.waitForOther = 20 * time.Millisecond
	item, o := leasedItem(t, m, store.OutboxSending, time.Minute), openOutbox(m)
	if item := onlyItem(t, o); item.Status != "sending" {
		t.Errorf("listed %+v", item)
	}
	_, retry := o.Retry(bundletest.WithUserConsent(t.Context()), item.ID)
	_, drop := o.Drop(t.Context(), item.ID)
	for _, err := range []error{retry, drop} {
		if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), "being sent") {
			t.Errorf("got %v", err)
		}
	}
	_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch"))
	changing := slices.DeleteFunc(s.Requests(), func(r fakeapi.Request) bool { return r.Verb == http.MethodGet })
	if metadata.CodeOf(err) != metadata.OutcomeUnknown || len(changing) != 0 {
		t.Errorf("a repeated call answers %v after the requests %v", err, changing)
	}
}

func TestOutboxShowsItemsOfAKilledProcess(t *testing.T) {
	for status, want := range map[store.OutboxStatus]string{store.OutboxPending: "failed", store.OutboxSending: "unknown"} {
		m := newSender(t, googletest.New(t), enginetest.New(t))
		leasedItem(t, m, status, 0)
		if got := onlyItem(t, openOutbox(m)); got.Status != want || !strings.Contains(got.Error, "KOTA stopped") || got.Next == "" {
			t.Errorf("%s is shown as %+v", status, got)
		}
	}
}

func TestUnknownIDSuggestsTheNearest(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	sent, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch"))
	if err != nil {
		t.Fatal(err)
	}
	o, near := openOutbox(m), sent.OutboxID[:len(sent.OutboxID)-1]
	_, show := o.Show(t.Context(), near)
	_, retry := o.Retry(bundletest.WithUserConsent(t.Context()), near)
	_, drop := o.Drop(t.Context(), near)
	for _, err := range []error{show, retry, drop} {
		if e := asError(err); e == nil || e.Code != metadata.NotFound || !strings.Contains(e.Hint, sent.OutboxID) {
			t.Errorf("got %v", err)
		}
	}
}

func TestRetryAfterSignOutKeepsTheItem(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); err == nil {
		t.Fatal("it was sent")
	}
	client := m.Mailboxes.Client
	m.Mailboxes.Client = func(_ context.Context, _ string) (*http.Client, error) {
		return nil, metadata.Errorf(metadata.SignInRequired, "nobody is signed in")
	}
	o := openOutbox(m)
	item := onlyItem(t, o)
	for range 2 { // the first call must release the item
		if _, err := o.Retry(bundletest.WithUserConsent(t.Context()), item.ID); metadata.CodeOf(err) != metadata.SignInRequired {
			t.Error(err)
		}
	}
	m.Mailboxes.Client = client
	if got, err := o.Retry(bundletest.WithUserConsent(t.Context()), item.ID); err != nil || got.Status != "sent" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRetryUsesTheItemsMailbox(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); err == nil {
		t.Fatal("it was sent")
	}
	const eve = "eve@example.com"
	eveClient := s.HTTPClient(eve, mailbox.ScopeModify)
	m.Mailboxes.Accounts = func() ([]google.Account, error) { return []google.Account{{Name: "home", Address: eve}}, nil }
	m.Mailboxes.Client = func(context.Context, string) (*http.Client, error) { return eveClient, nil }
	o := openOutbox(m)
	item := onlyItem(t, o)
	_, err := o.Retry(bundletest.WithUserConsent(t.Context()), item.ID)
	if metadata.CodeOf(err) != metadata.SignInRequired || !strings.Contains(err.Error(), ada) || len(s.User(eve).Sent()) != 0 {
		t.Errorf("got %v, and Eve sent %d", err, len(s.User(eve).Sent()))
	}
	box, err := m.Mailboxes.Open(t.Context(), "home")
	if err != nil {
		t.Fatal(err)
	}
	eveSender := &Sender{Mailbox: box, Options: m.Options}
	if sent, err := eveSender.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); err != nil || sent.Repeated || len(s.User(eve).Sent()) != 1 {
		t.Errorf("the same from Eve's: %+v, %v", sent, err)
	}
	got, err := o.Drop(t.Context(), item.ID)
	if err != nil || got.Status != "dropped" || got.Draft != s.User(ada).Drafts()[0].ID {
		t.Errorf("dropped %+v, %v", got, err)
	}
}

func TestDroppedItemCannotBeRetried(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); err == nil {
		t.Fatal("it was sent")
	}
	o := openOutbox(m)
	item, err := o.Drop(t.Context(), onlyItem(t, o).ID)
	if err != nil || item.Draft != "" {
		t.Fatalf("got %+v, %v", item, err)
	}
	for _, act := range []func(context.Context, string) (bundles.OutboxItem, error){o.Retry, o.Drop} {
		_, err := act(t.Context(), item.ID)
		if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), "the mail was already dropped at 2") || strings.Contains(err.Error(), "not known") {
			t.Errorf("got %v", err)
		}
	}
}

func asError(err error) *metadata.Error {
	e, _ := err.(*metadata.Error)
	return e
}

func TestDropFailsIfTheDraftStays(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); err == nil {
		t.Fatal("it was sent")
	}
	client := m.Mailboxes.Client
	m.Mailboxes.Client = func(context.Context, string) (*http.Client, error) {
		return nil, metadata.Errorf(metadata.SignInRequired, "the sign-in has ended")
	}
	o := openOutbox(m)
	id := onlyItem(t, o).ID
	if _, err := o.Drop(t.Context(), id); metadata.CodeOf(err) != metadata.SignInRequired || onlyItem(t, o).Status == "dropped" {
		t.Errorf("got %v, and the mail is %s", err, onlyItem(t, o).Status)
	}
	m.Mailboxes.Client = client
	if got, err := o.Drop(t.Context(), id); err != nil || got.Status != "dropped" || len(s.User(ada).Drafts()) != 0 {
		t.Errorf("got %+v, %v, and %d drafts are left", got, err, len(s.User(ada).Drafts()))
	}
}
