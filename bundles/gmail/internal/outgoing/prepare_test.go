package outgoing

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
	"kota/store/enginetest"
)

func TestDeliverSendsTheUsersDraftUnchanged(t *testing.T) {
	for name, fault := range map[string]fakeapi.Fault{"well": {}, "answer lost": {Method: draftsSend, Nth: 1, Answer: fakeapi.Reset, AfterEffect: true}} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			raw := testMail("", "mine").Raw
			draft, err := CreateDraft(t.Context(), m.Mailbox, raw, "")
			if err != nil {
				t.Fatal(err)
			}
			if fault.Method != "" {
				s.Fault(fault)
			}
			ask := Mail{Kind: "draft", DraftID: draft.Id}
			first, err := m.Deliver(bundletest.WithUserConsent(t.Context()), ask)
			if err != nil || first.MessageID == "" || first.ThreadID != s.User(ada).Sent()[0].ThreadID {
				t.Fatalf("got %+v, %v", first, err)
			}
			sent := s.User(ada).Sent()[0]
			if sent.Header("X-Kota-Outbox") != first.OutboxID || sent.Header("Subject") != "mine" || !strings.Contains(sent.Text(), "See you at noon.") {
				t.Errorf("sent %+v", sent)
			}
			again, err := m.Deliver(bundletest.WithUserConsent(t.Context()), ask)
			if err != nil || !again.Repeated || again.MessageID != first.MessageID || s.Calls(draftsSend) != 1 {
				t.Errorf("again: %+v, %v", again, err)
			}
			if e := envelopeOf(onlyStoredItem(t, m)); e.Subject != "mine" || !slices.Equal(e.To, []string{"bob@example.com"}) {
				t.Errorf("the item is about %+v", e)
			}
		})
	}
}

func TestDeliverFailsWithoutTheDraft(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	for range 2 {
		_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), Mail{Kind: "draft", DraftID: "r-1"})
		if metadata.CodeOf(err) != metadata.NotFound || s.Calls(draftsSend) != 0 {
			t.Errorf("got %v", err)
		}
		if left := storedItems(t, m); len(left) != 0 {
			t.Errorf("the outbox keeps %+v", left)
		}
	}
}

func TestKeySavesOneDraftUnsent(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	save := testMail("k", "later")
	save.AsDraft = true
	s.Fault(fakeapi.Fault{Method: draftsCreate, Nth: 1, Status: 503, AfterEffect: true})
	withdraw := s.Fault(fakeapi.Fault{Method: "gmail.users.drafts.list", Status: 400})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), save); metadata.CodeOf(err) != metadata.Unavailable {
		t.Fatal(err)
	}
	withdraw()
	first, err := m.Deliver(bundletest.WithUserConsent(t.Context()), save)
	if err != nil || first.DraftID == "" || first.MessageID != "" {
		t.Fatalf("got %+v, %v", first, err)
	}
	if again, err := m.Deliver(bundletest.WithUserConsent(t.Context()), save); err != nil || !again.Repeated || again.DraftID != first.DraftID {
		t.Errorf("again: %+v, %v", again, err)
	}
	if drafts := s.User(ada).Drafts(); len(drafts) != 1 || drafts[0].ID != first.DraftID {
		t.Errorf("%d drafts", len(drafts))
	}
	_, err = m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "later"))
	if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), first.DraftID) {
		t.Errorf("sent under the key of a draft: %v", err)
	}
	withoutKey := testMail("", "later")
	withoutKey.AsDraft = true
	if got, err := m.Deliver(bundletest.WithUserConsent(t.Context()), withoutKey); err != nil || got.OutboxID != "" || len(storedItems(t, m)) != 1 {
		t.Errorf("without a key: %+v, %v", got, err)
	}
	if s.Calls(draftsSend) != 0 {
		t.Error("a draft was sent")
	}
}

func TestDeliverSendsTheLargestDraft(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	m := newSenderWith(t, s.URL(), s.HTTPClient(ada, mailbox.ScopeModify), enginetest.New(t), time.Minute)
	raw := append(testMail("", "large").Raw, bytes.Repeat([]byte("0123456789abcd\r\n"), 26<<20/16)...)
	draft, err := CreateDraft(t.Context(), m.Mailbox, raw, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), Mail{Kind: "draft", DraftID: draft.Id}); err != nil || countSent(s, "large") != 1 {
		t.Errorf("got %v, %d sent", err, countSent(s, "large"))
	}
}
