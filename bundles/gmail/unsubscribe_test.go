package gmail_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

type unsubscribeAnswer struct {
	Method, Host, Link, To, Subject, Note string
	Done                                  bool
	DraftID                               string `json:"draft_id"`
	UndoID                                string `json:"undo_id"`
}

const unsubscribeTool = "gmail_unsubscribe"

// A mailingList is a mailing list with its own server.
type mailingList struct {
	*fixture
	server   *httptest.Server
	requests atomic.Int32
	status   int
}

func newMailingList(t *testing.T) *mailingList {
	l := &mailingList{fixture: newFixture(t), status: http.StatusOK}
	l.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		l.requests.Add(1)
		if l.status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(l.status)
	}))
	t.Cleanup(l.server.Close)
	l.deps.PostOnlyTo(l.server)
	l.bundle = gmail.New(l.deps)
	return l
}

// deliverMail delivers a mail of the list. URL in offer is replaced with the address of
// the list's server.
func (l *mailingList) deliverMail(offer string, isSigned bool, labels ...string) string {
	headers := []string{
		"List-Unsubscribe: " + strings.ReplaceAll(offer, "URL", l.server.URL), "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
		"DKIM-Signature: v=1; d=list.example; s=s1; h=from:list-unsubscribe:list-unsubscribe-post; b=AbCd",
	}
	if isSigned {
		headers = append(headers, "Authentication-Results: mx.google.com; dkim=pass header.i=@list.example header.s=s1 header.b=AbCd")
	}
	return l.ann.Deliver(fakegmail.Mail{From: "News <news@list.example>", Subject: "News", Headers: headers, Labels: labels}).ID
}

func TestUnsubscribePreviewSendsNothing(t *testing.T) {
	l := newMailingList(t)
	for name, c := range map[string]struct {
		id           string
		method, note string
	}{
		"one click":        {l.deliverMail("<mailto:leave@list.example>, <URL/u>", true), "one_click", "signed by list.example"},
		"not signed":       {l.deliverMail("<mailto:leave@list.example>, <URL/u>", false), "draft", "one-click is not possible"},
		"a page":           {l.deliverMail("<http://list.example/u>", true), "link", "no https"},
		"an unsigned page": {l.deliverMail("<URL/u>", false), "link", "one-click is not possible"},
		"no way":           {l.ann.Deliver(fakegmail.Mail{Subject: "x"}).ID, "none", "does not say"},
		"nonsense":         {l.deliverMail("<javascript:alert(1)>", true), "none", "does not say"},
		"spam":             {l.deliverMail("<URL/u>", true, "SPAM"), "none", "spam"},
	} {
		t.Run(name, func(t *testing.T) {
			out := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": c.id})
			if out.Method != c.method || out.Done || !strings.Contains(out.Note, c.note) {
				t.Errorf("got %+v", out)
			}
		})
	}
	if l.requests.Load() != 0 || len(l.ann.Drafts()) != 0 {
		t.Errorf("%d requests and %d drafts", l.requests.Load(), len(l.ann.Drafts()))
	}
}

func TestOneClickUnsubscribes(t *testing.T) {
	l := newMailingList(t)
	id := l.deliverMail("<mailto:leave@list.example>, <URL/u?id=1>", true)
	out := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true})
	if out.Method != "one_click" || !out.Done || out.Host != "127.0.0.1" || l.requests.Load() != 1 || len(l.ann.Drafts()) != 0 {
		t.Errorf("got %+v after %d requests", out, l.requests.Load())
	}
	if again := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true}); !again.Done || again.Note == "" || l.requests.Load() != 1 {
		t.Errorf("again: got %+v after %d requests", again, l.requests.Load())
	}
}

func TestOneClickIsRepeatedOnlyAfterARefusal(t *testing.T) {
	l := newMailingList(t)
	outbox := gmail.OpenOutbox(l.deps)
	for name, c := range map[string]struct {
		status int // 0 means no answer
		code   metadata.Code
		stands string
		asked  int32 // by two calls
	}{
		"no":     {http.StatusInternalServerError, metadata.Unavailable, "failed", 2},
		"silent": {0, metadata.OutcomeUnknown, "unknown", 1},
	} {
		l.status = c.status
		l.requests.Store(0)
		id := l.deliverMail("<URL/"+name+">", true)
		for range 2 {
			if _, err := bundletest.Answer[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true}); metadata.CodeOf(err) != c.code {
				t.Errorf("%s: got %v", name, err)
			}
		}
		items, err := outbox.List(t.Context())
		if err != nil || len(items) == 0 || items[0].Status != c.stands || items[0].Kind != "unsubscribe" || l.requests.Load() != c.asked {
			t.Fatalf("%s: asked %d times; the outbox has %+v, %v", name, l.requests.Load(), items, err)
		}
		if _, err := outbox.Retry(bundletest.WithUserConsent(t.Context()), items[0].ID); metadata.CodeOf(err) != c.code {
			t.Errorf("%s: retry answers %v", name, err)
		}
		l.status = http.StatusOK
		if _, err := outbox.Drop(t.Context(), items[0].ID); err != nil {
			t.Fatal(err)
		}
		if out := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true}); !out.Done {
			t.Errorf("%s: after it was given up: %+v", name, out)
		}
	}
}

func TestMailtoUnsubscribeSavesADraft(t *testing.T) {
	l := newMailingList(t)
	id := l.deliverMail("<mailto:leave@list.example?subject=stop&bcc=victim@example.org>", false)
	out := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true})
	if out.Method != "draft" || !out.Done || out.DraftID == "" || len(l.ann.Drafts()) != 1 || len(l.ann.Sent()) != 0 {
		t.Fatalf("got %+v", out)
	}
	for _, m := range l.ann.Messages("in:drafts") {
		if m.Header("To") != "<leave@list.example>" && m.Header("To") != "leave@list.example" || m.Header("Subject") != "stop" || m.Header("Bcc") != "" {
			t.Errorf("drafted %s", m.Raw)
		}
	}
	for range 2 {
		again := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true})
		if again.DraftID != out.DraftID || !again.Done || !strings.Contains(again.Note, "earlier call") || len(l.ann.Drafts()) != 1 {
			t.Errorf("again: %+v, and there are %d drafts", again, len(l.ann.Drafts()))
		}
	}
	bundletest.Must[map[string]any](t, l.bundle, "gmail_undo", args{"undo_id": out.UndoID})
	if drafts := len(l.ann.Drafts()); drafts != 0 {
		t.Errorf("undone there are %d drafts", drafts)
	}
	for range 2 {
		next := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true})
		if next.DraftID == "" || next.DraftID == out.DraftID || len(l.ann.Drafts()) != 1 {
			t.Errorf("after it was undone: %+v, and there are %d drafts", next, len(l.ann.Drafts()))
		}
	}
}

func TestUnsubscribeOpensNoLink(t *testing.T) {
	l := newMailingList(t)
	id := l.deliverMail("<URL/leave>", false)
	out := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true})
	if out.Method != "link" || out.Done || !strings.Contains(out.Note, "nothing was done") || !strings.Contains(out.Note, "the user has to open "+out.Link) || l.requests.Load() != 0 {
		t.Errorf("got %+v", out)
	}
}

func TestUnsubscribeSkipsSpamAndPages(t *testing.T) {
	l := newMailingList(t)
	for name, id := range map[string]string{"spam": l.deliverMail("<URL/u>", true, "SPAM"), "a page": l.deliverMail("<URL/u>", false)} {
		if out := bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true}); out.Done {
			t.Errorf("%s: %+v", name, out)
		}
	}
	if _, err := bundletest.Answer[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": "18ffffffffffffff"}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("an unknown message: %v", err)
	}
	_, err := bundletest.Answer[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": "a/b"})
	if bundletest.ProblemPath(t, err) != "message_id" || l.requests.Load() != 0 {
		t.Errorf("a path: %v", err)
	}
}

func TestUnsubscribeDraftUsesTheSubscribedAddress(t *testing.T) {
	l := newMailingList(t)
	l.ann.SendAs(fakegmail.SendAs{Email: "ann@work.example", Name: "Ann at work"})
	id := l.ann.Deliver(fakegmail.Mail{
		From: "news@list.example", To: "Somebody <ann@work.example>", Subject: "News", Headers: []string{"List-Unsubscribe: <mailto:leave@list.example>"},
	}).ID
	bundletest.Must[unsubscribeAnswer](t, l.bundle, unsubscribeTool, args{"message_id": id, "confirm": true})
	for _, m := range l.ann.Messages("in:drafts") {
		if !strings.Contains(m.Header("From"), "ann@work.example") {
			t.Errorf("it comes from %s", m.Header("From"))
		}
	}
}

// If the policy forbids sending, the call's draft runs instead.
func TestUnsubscribeDraftSendsNoRequest(t *testing.T) {
	l := newMailingList(t)
	both, page := l.deliverMail("<mailto:leave@list.example>, <URL/u>", true), l.deliverMail("<URL/u>", true)
	for _, a := range l.bundle.Actions {
		if a.Tool != unsubscribeTool {
			continue
		}
		for id, want := range map[string]metadata.Code{both: "", page: metadata.ApprovalNeeded} {
			sends, err := a.Prepare(json.RawMessage(`{"message_id": "` + id + `", "confirm": true}`))
			if err != nil || sends.Effect != metadata.Sends || sends.Draft == nil || sends.Draft.Effect != metadata.Writes {
				t.Fatalf("got %+v, %v", sends, err)
			}
			if _, err := sends.Draft.Do(bundletest.WithUserConsent(t.Context())); metadata.CodeOf(err) != want {
				t.Errorf("got %v, want %q", err, want)
			}
		}
	}
	if l.requests.Load() != 0 || len(l.ann.Drafts()) != 1 {
		t.Errorf("%d requests and %d drafts", l.requests.Load(), len(l.ann.Drafts()))
	}
}
