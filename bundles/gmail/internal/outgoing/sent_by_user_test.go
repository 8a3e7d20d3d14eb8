package outgoing

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
)

// A gmailUser is the user who sends, edits and deletes drafts in Gmail itself.
type gmailUser struct {
	testing.TB
	m *Sender
}

func (h gmailUser) send(draft fakegmail.Draft) {
	h.Helper()
	if _, err := h.m.API.Users.Drafts.Send(mailbox.Me, &gmailapi.Draft{Id: draft.ID}).Context(bundletest.WithUserConsent(h.Context())).Do(); err != nil {
		h.Fatal(err)
	}
}

func (h gmailUser) remove(draft fakegmail.Draft) {
	h.Helper()
	if err := h.m.API.Users.Drafts.Delete(mailbox.Me, draft.ID).Do(); err != nil {
		h.Fatal(err)
	}
}

// edit changes the text of a draft. Gmail's editor may drop a header that it does not
// know.
func (h gmailUser) edit(draft fakegmail.Draft, keepHeader bool) {
	h.Helper()
	raw := bytes.Replace(draft.Message.Raw, []byte("at noon"), []byte("at one"), 1)
	if !keepHeader && bytes.HasPrefix(raw, []byte(outboxHeader)) {
		raw = raw[bytes.IndexByte(raw, '\n')+1:]
	}
	if _, err := ReplaceDraft(h.Context(), h.m.Mailbox, draft.ID, draft.Message.ThreadID, raw); err != nil {
		h.Fatal(err)
	}
}

// changeRandomly makes a random change to the draft with that subject, if it exists. It
// reports whether it edited the draft.
func (h gmailUser) changeRandomly(r *rand.Rand, s *googletest.Server, subject string) (edited bool) {
	h.Helper()
	drafts := s.User(ada).Drafts()
	at := slices.IndexFunc(drafts, func(d fakegmail.Draft) bool { return d.Message.Header("Subject") == subject })
	if at < 0 {
		return false
	}
	draft := drafts[at]
	if edited = r.IntN(2) == 0; edited {
		h.edit(draft, r.IntN(2) == 0)
	}
	switch r.IntN(3) {
	case 0:
		h.send(draft)
	case 1:
		h.remove(draft)
	}
	return edited
}

func TestDraftSentByHandIsNotSentAgain(t *testing.T) {
	for name, c := range map[string]struct {
		faults []fakeapi.Fault // of the first call
		edit   func(gmailUser, fakegmail.Draft)
		code   metadata.Code // of the later calls
	}{
		"refused, header lost": {
			[]fakeapi.Fault{{Method: draftsSend, Status: 429}},
			func(h gmailUser, d fakegmail.Draft) { h.edit(d, false) }, metadata.OutcomeUnknown,
		},
		"refused, header kept": {
			[]fakeapi.Fault{{Method: draftsSend, Status: 429}},
			func(h gmailUser, d fakegmail.Draft) { h.edit(d, true) }, "",
		},
		"refused, as it stands": {
			[]fakeapi.Fault{{Method: draftsSend, Status: 429}},
			func(gmailUser, fakegmail.Draft) {}, "",
		},
		"refused for good, and its draft stayed": {
			[]fakeapi.Fault{{Method: draftsSend, Status: 400}, {Method: "gmail.users.drafts.delete", Status: 503}},
			func(h gmailUser, d fakegmail.Draft) { h.edit(d, false) }, metadata.OutcomeUnknown,
		},
		"said to be gone": {
			[]fakeapi.Fault{{Method: draftsSend, Status: 404}},
			func(h gmailUser, d fakegmail.Draft) { h.edit(d, false) }, metadata.OutcomeUnknown,
		},
		"its making was not answered, header lost": {
			[]fakeapi.Fault{{Method: draftsCreate, Status: 503, AfterEffect: true}, {Method: "gmail.users.drafts.list", Status: 400}},
			func(h gmailUser, d fakegmail.Draft) { h.edit(d, false) }, metadata.OutcomeUnknown,
		},
		"its making was not answered, header kept": {
			[]fakeapi.Fault{{Method: draftsCreate, Status: 503, AfterEffect: true}, {Method: "gmail.users.drafts.list", Status: 400}},
			func(h gmailUser, d fakegmail.Draft) { h.edit(d, true) }, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			var withdraw []func()
			for _, f := range c.faults {
				withdraw = append(withdraw, s.Fault(f))
			}
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "by hand")); err == nil || metadata.CodeOf(err) == metadata.OutcomeUnknown {
				t.Fatalf("the first call answers %v", err)
			}
			for _, undo := range withdraw {
				undo()
			}
			user, draft := gmailUser{t, m}, s.User(ada).Drafts()[0]
			c.edit(user, draft)
			user.send(draft)
			for range 3 {
				got, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "by hand"))
				if metadata.CodeOf(err) != c.code || err == nil && got.MessageID != s.User(ada).Sent()[0].ID {
					t.Errorf("got %+v, %v; want %q", got, err, c.code)
				}
			}
			if c.code != "" {
				checkUnknownForGood(t, m)
			}
			if got := countSent(s, "by hand"); got != 1 {
				t.Errorf("%d sent", got)
			}
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k2", "by hand")); err != nil || countSent(s, "by hand") != 2 {
				t.Errorf("on purpose, with another key: %v", err)
			}
		})
	}
}

// checkUnknownForGood checks what the outbox offers for its only mail, if only the user
// can know whether it was sent.
func checkUnknownForGood(t *testing.T, m *Sender) {
	t.Helper()
	o := openOutbox(m)
	item := onlyItem(t, o)
	if item.Status != "unknown" || !strings.Contains(item.Error, "deleted it in Gmail") {
		t.Errorf("the outbox has %+v", item)
	}
	if _, err := o.Retry(bundletest.WithUserConsent(t.Context()), item.ID); metadata.CodeOf(err) != metadata.OutcomeUnknown || !strings.Contains(err.Error(), "deleted it in Gmail") {
		t.Errorf("retry answers %v", err)
	}
	if _, err := o.Drop(t.Context(), item.ID); err != nil {
		t.Errorf("drop answers %v", err)
	}
}

func TestUsersDraftSentByHandIsUnknown(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	if _, err := CreateDraft(t.Context(), m.Mailbox, testMail("", "mine").Raw, ""); err != nil {
		t.Fatal(err)
	}
	user, draft := gmailUser{t, m}, s.User(ada).Drafts()[0]
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429})
	ask := Mail{Kind: "draft", DraftID: draft.ID}
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), ask); metadata.CodeOf(err) != metadata.RateLimited {
		t.Fatal(err)
	}
	user.edit(s.User(ada).Drafts()[0], false)
	user.send(draft)
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), ask); metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Errorf("got %v", err)
	}
	checkUnknownForGood(t, m)
}

func TestMailFoundNowhereStaysUnknown(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 503})
	_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "gone"))
	if metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Fatal(err)
	}
	if err := m.API.Users.Drafts.Delete(mailbox.Me, s.User(ada).Drafts()[0].ID).Do(); err != nil { // the user may delete it by hand
		t.Fatal(err)
	}
	for range 2 {
		_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "gone"))
		if metadata.CodeOf(err) != metadata.OutcomeUnknown || s.Calls(draftsSend) != 1 {
			t.Errorf("got %v after %d requests to send", err, s.Calls(draftsSend))
		}
	}
	if got := onlyStoredItem(t, m); got.Status != store.OutboxUnknown || !strings.Contains(got.Error, "somebody may have sent or deleted it in Gmail") {
		t.Errorf("the item is %s: %s", got.Status, got.Error)
	}
}

func TestMissingDraftAfterEarlierRequestIsUnknown(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 503})
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 2, Status: 404})
	for range 2 {
		if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "late")); metadata.CodeOf(err) != metadata.OutcomeUnknown {
			t.Errorf("got %v", err)
		}
	}
	if got, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "late")); err != nil || countSent(s, "late") != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// The first request was never answered. A later refusal, even of a new draft, therefore
// does not prove that nothing was sent.
func TestNewDraftAfterEarlierRequestIsUnknown(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	for i, answer := range []struct {
		status int
		code   metadata.Code
	}{{503, metadata.OutcomeUnknown}, {400, metadata.ValidationError}, {404, metadata.OutcomeUnknown}} {
		s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: answer.status})
		_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "late"))
		if metadata.CodeOf(err) != answer.code || s.Calls(draftsSend) != i+1 {
			t.Errorf("request %d is answered %d: got %v after %d requests", i+1, answer.status, err, s.Calls(draftsSend))
		}
	}
	if item := onlyStoredItem(t, m); item.Status != store.OutboxUnknown {
		t.Errorf("the item is %s: %s", item.Status, item.Error)
	}
}

func TestDraftSentByHandWhileSendingIsUnknown(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "meanwhile")); metadata.CodeOf(err) != metadata.RateLimited {
		t.Fatal(err)
	}
	user, draft := gmailUser{t, m}, s.User(ada).Drafts()[0]
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 404, OnFault: func() {
		user.edit(draft, false)
		user.send(draft)
	}})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "meanwhile")); metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Errorf("got %v", err)
	}
	if got := countSent(s, "meanwhile"); got != 1 {
		t.Errorf("%d sent", got)
	}
}
