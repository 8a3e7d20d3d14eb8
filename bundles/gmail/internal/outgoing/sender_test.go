package outgoing

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
)

func TestMailIsSentOnceForEveryAnswer(t *testing.T) {
	const lost = metadata.OutcomeUnknown
	for name, c := range map[string]struct {
		fault fakeapi.Fault
		code  metadata.Code // of the first call; "" if it knows that the mail was sent
		sent  int           // mails in Sent after the first call
		posts int           // requests to send, after the second call
	}{
		"503 before":          {fakeapi.Fault{Status: 503}, lost, 0, 2},
		"503 after":           {fakeapi.Fault{Status: 503, AfterEffect: true}, "", 1, 1},
		"500 after":           {fakeapi.Fault{Status: 500, AfterEffect: true}, "", 1, 1},
		"reset before":        {fakeapi.Fault{Answer: fakeapi.Reset}, lost, 0, 2},
		"reset after":         {fakeapi.Fault{Answer: fakeapi.Reset, AfterEffect: true}, "", 1, 1},
		"hang before":         {fakeapi.Fault{Answer: fakeapi.Hang}, lost, 0, 2},
		"hang after":          {fakeapi.Fault{Answer: fakeapi.Hang, AfterEffect: true}, "", 1, 1},
		"cut off":             {fakeapi.Fault{Answer: fakeapi.Truncated}, "", 1, 1},
		"garbage before":      {fakeapi.Fault{Answer: fakeapi.Garbage}, lost, 0, 2},
		"garbage after":       {fakeapi.Fault{Answer: fakeapi.Garbage, AfterEffect: true}, "", 1, 1},
		"HTML before":         {fakeapi.Fault{Answer: fakeapi.HTML}, lost, 0, 2},
		"an HTML 502 after":   {fakeapi.Fault{Answer: fakeapi.HTML, Status: 502, AfterEffect: true}, "", 1, 1},
		"a redirect":          {fakeapi.Fault{Answer: fakeapi.Redirect, Location: "http://127.0.0.1:1"}, lost, 0, 2},
		"a byte a second":     {fakeapi.Fault{Answer: fakeapi.Slow}, "", 1, 1},
		"429 is certain":      {fakeapi.Fault{Status: 429}, metadata.RateLimited, 0, 2},
		"403 is certain":      {fakeapi.Fault{Status: 403}, metadata.Refused, 0, 2},
		"401 is certain":      {fakeapi.Fault{Status: 401}, metadata.SignInRequired, 0, 2},
		"400 is certain":      {fakeapi.Fault{Status: 400}, metadata.ValidationError, 0, 2},
		"404 at first is too": {fakeapi.Fault{Status: 404}, metadata.NotFound, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			c.fault.Method, c.fault.Nth = draftsSend, 1
			s.Fault(c.fault)
			first, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", name))
			if metadata.CodeOf(err) != c.code || (err == nil) != (first.MessageID != "") {
				t.Errorf("the first call answers %+v, %v; want %q", first, err, c.code)
			}
			if got := s.Calls(draftsSend); got != 1 {
				t.Errorf("the first call asked %d times to send", got)
			}
			if got := countSent(s, name); got != c.sent {
				t.Errorf("%d in Sent after the first call, want %d", got, c.sent)
			}
			second, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", name))
			if err != nil || second.MessageID == "" || second.Repeated != (c.sent == 1) {
				t.Errorf("the second call answers %+v, %v", second, err)
			}
			if got := s.Calls(draftsSend); got != c.posts {
				t.Errorf("asked %d times to send, want %d", got, c.posts)
			}
			if got := countSent(s, name); got != 1 {
				t.Errorf("%d in Sent", got)
			}
			if got := s.User(ada).Drafts(); len(got) != 0 {
				t.Errorf("%d drafts are left", len(got))
			}
		})
	}
}

func TestFailedDraftCreationLeavesOneMail(t *testing.T) {
	for name, c := range map[string]struct {
		fault fakeapi.Fault
		made  bool // the draft was made, so the first call finds and sends it
	}{
		"503 before":   {fakeapi.Fault{Status: 503}, false},
		"503 after":    {fakeapi.Fault{Status: 503, AfterEffect: true}, true},
		"reset before": {fakeapi.Fault{Answer: fakeapi.Reset}, false},
		"reset after":  {fakeapi.Fault{Answer: fakeapi.Reset, AfterEffect: true}, true},
		"cut off":      {fakeapi.Fault{Answer: fakeapi.Truncated}, true},
		"garbage":      {fakeapi.Fault{Answer: fakeapi.Garbage, AfterEffect: true}, true},
		"hang":         {fakeapi.Fault{Answer: fakeapi.Hang, AfterEffect: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			c.fault.Method, c.fault.Nth = draftsCreate, 1
			s.Fault(c.fault)
			_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", name))
			switch status := onlyStoredItem(t, m).Status; {
			case c.made && (err != nil || status != store.OutboxSent):
				t.Errorf("got %v, and the item is %s", err, status)
			case !c.made && (metadata.CodeOf(err) != metadata.Unavailable || s.Calls(draftsSend) != 0 || status != store.OutboxFailed):
				t.Errorf("got %v after %d requests to send, and the item is %s", err, s.Calls(draftsSend), status)
			}
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", name)); err != nil {
				t.Error(err)
			}
			if sent, drafts := countSent(s, name), len(s.User(ada).Drafts()); sent != 1 || drafts != 0 {
				t.Errorf("%d sent and %d drafts, want one mail alone", sent, drafts)
			}
		})
	}
}

func TestTooLargeMailIsNotStored(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), Mail{Raw: make([]byte, mailbox.MaxRaw)})
	if metadata.CodeOf(err) != metadata.TooLarge || len(storedItems(t, m)) != 0 || len(s.Requests()) != 0 {
		t.Errorf("got %v", err)
	}
}

func TestOutcomeIsUnknownWithoutReadScope(t *testing.T) {
	s := googletest.New(t)
	m := newSenderWith(t, s.URL(), s.HTTPClient(ada, mailbox.ScopeCompose), enginetest.New(t), time.Minute)
	s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Answer: fakeapi.Reset, AfterEffect: true})
	for range 2 { // the scopes do not allow reading Sent
		if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "narrow")); metadata.CodeOf(err) != metadata.OutcomeUnknown {
			t.Error(err)
		}
	}
	if got := onlyStoredItem(t, m).Error; !strings.Contains(got, "Sent could not be read") || s.Calls(draftsSend) != 1 {
		t.Errorf("the item says %q", got)
	}
	m.API = newSender(t, s, enginetest.New(t)).API // the user has granted the scope
	if got, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "narrow")); err != nil || !got.Repeated || s.Calls(draftsSend) != 1 {
		t.Errorf("once it may: %+v, %v", got, err)
	}
}

func TestRefusalAfterEarlierRequestIsLookedUp(t *testing.T) {
	for _, status := range []int{400, 403, 410} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			s := googletest.New(t)
			m := newSender(t, s, enginetest.New(t))
			s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 1, Status: 503})
			if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "twice")); metadata.CodeOf(err) != metadata.OutcomeUnknown {
				t.Fatal(err)
			}
			s.Fault(fakeapi.Fault{Method: draftsSend, Nth: 2, Status: status, AfterEffect: true}) // as if the first request had arrived late
			got, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "twice"))
			if err != nil || got.MessageID != s.User(ada).Sent()[0].ID || onlyStoredItem(t, m).Status != store.OutboxSent {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// wrongFormatTransport answers a request to send with a message in another format.
type wrongFormatTransport struct{ http.RoundTripper }

func (m wrongFormatTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := m.RoundTripper.RoundTrip(req)
	if err == nil && strings.HasSuffix(req.URL.Path, "/drafts/send") {
		resp.Body.Close()
		resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader(`{"id": 7}`)), -1
		resp.Header.Del("Content-Length")
		resp.Header.Del("Content-Encoding")
	}
	return resp, err
}

func TestUnreadableAnswerIsLookedUp(t *testing.T) {
	s := googletest.New(t)
	client := s.HTTPClient(ada, mailbox.ScopeModify)
	client.Transport = wrongFormatTransport{client.Transport}
	m := newSenderWith(t, s.URL(), client, enginetest.New(t), 300*time.Millisecond)
	if got, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); err != nil || got.MessageID == "" || onlyStoredItem(t, m).Status != store.OutboxSent {
		t.Errorf("got %+v, %v, and the item is %s", got, err, onlyStoredItem(t, m).Status)
	}
	if calls, sent := s.Calls(draftsSend), countSent(s, "lunch"); calls != 1 || sent != 1 {
		t.Errorf("asked %d times to send, and %d are in Sent", calls, sent)
	}
}

func TestDraftDeletedWhileSearchingStaysPending(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	if _, err := CreateDraft(t.Context(), m.Mailbox, testMail("", "another").Raw, ""); err != nil {
		t.Fatal(err)
	}
	s.Fault(fakeapi.Fault{Method: draftsCreate, Nth: 1, Status: 503})
	s.Fault(fakeapi.Fault{Method: "gmail.users.drafts.get", Status: 404})
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch")); metadata.CodeOf(err) != metadata.Unavailable {
		t.Errorf("got %v", err)
	}
	if got := onlyStoredItem(t, m); got.Status != store.OutboxPending {
		t.Errorf("the item is %s, and its draft may be sent by hand", got.Status)
	}
}
