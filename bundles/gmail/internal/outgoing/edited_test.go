package outgoing

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
)

func TestEditedDraftIsNotSentForTheMail(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string // of the draft's bytes
		same     bool
	}{
		"as it stands":             {"", "", true},
		"header lost":              {outboxHeader, "X-Lost", true},
		"a name added, and folded": {"To: bob@example.com", "To: Bob\r\n <Bob@example.com>", true},
		"a date":                   {"Date: ", "Date: Mon, 2 Jan 2006 15:04:05 +0000\r\nX-Date: ", true},
		"another recipient":        {"To: bob@", "To: carol@", false},
		"one more":                 {"To: bob@example.com", "To: bob@example.com\r\nBcc: carol@example.com", false},
		"answers elsewhere":        {"Subject: ", "Reply-To: eve@example.com\r\nSubject: ", false},
		"another subject":          {"Subject: ", "Subject: Re: ", false},
		"another text":             {"See you at noon.\r\n", "See you at one.\r\n", false},
		"another text in HTML":     {"<p>See you at noon.", "<p>See you at one.", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429})
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("", "lunch")); metadata.CodeOf(err) != metadata.RateLimited {
				t.Fatal(err)
			}
			draft := s.User(ada).Drafts()[0]
			if raw := string(draft.Message.Raw); !strings.Contains(raw, c.old) {
				t.Fatalf("there is no %q in %s", c.old, raw)
			}
			raw := strings.Replace(string(draft.Message.Raw), c.old, c.new, 1)
			if _, err := ReplaceDraft(t.Context(), m.Mailbox, draft.ID, draft.Message.ThreadID, []byte(raw)); err != nil {
				t.Fatal(err)
			}
			if c.same {
				if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("", "lunch")); err != nil || countSent(s, "lunch") != 1 {
					t.Errorf("got %v", err)
				}
				return
			}
			_, repeated := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("", "lunch"))
			_, retried := openOutbox(m).Retry(bundletest.WithUserConsent(t.Context()), onlyStoredItem(t, m).ID)
			for _, err := range []error{repeated, retried} {
				if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), draft.ID) {
					t.Errorf("got %v", err)
				}
			}
			if s.Calls(draftsSend) != 1 || len(s.User(ada).Drafts()) != 1 || onlyStoredItem(t, m).Status != store.OutboxFailed {
				t.Errorf("%d requests to send, the item is %+v", s.Calls(draftsSend), onlyStoredItem(t, m))
			}
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), Mail{Kind: "draft", DraftID: draft.ID}); err != nil || len(s.User(ada).Sent()) != 1 {
				t.Errorf("sent on purpose: %v", err)
			}
		})
	}
}

func TestDraftMissingBetweenTwoReadsIsUnknown(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 429})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); metadata.CodeOf(err) != metadata.RateLimited {
		t.Fatal(err)
	}
	s.Fault(fakeapi.Fault{Method: "gmail.users.drafts.get", Nth: s.Calls("gmail.users.drafts.get") + 2, Status: 404})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); metadata.CodeOf(err) != metadata.OutcomeUnknown || s.Calls(draftsSend) != 1 {
		t.Errorf("got %v", err)
	}
}
