package googletest_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
)

const ada = "ada@example.com"

// gmailOf returns the real client for a user of the fake.
func gmailOf(t *testing.T, s *googletest.Server, user string, scopes ...string) *gmail.Service {
	t.Helper()
	client := s.HTTPClient(user, scopes...)
	t.Cleanup(client.CloseIdleConnections)
	svc, err := gmail.NewService(t.Context(), option.WithEndpoint(s.URL()+"/"), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	return svc
}

// newRecorded starts a fake whose violations are recorded and are not errors of
// the test.
func newRecorded(t *testing.T, options ...fakeapi.Option) (*googletest.Server, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	s, err := googletest.Start("127.0.0.1:0", func(violation string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, violation)
	}, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, func() []string {
		mu.Lock()
		defer mu.Unlock()
		defer func() { seen = nil }()
		return seen
	}
}

// googleError returns the error as a Google error, which it must be.
func googleError(t *testing.T, err error) *googleapi.Error {
	t.Helper()
	refused, ok := errors.AsType[*googleapi.Error](err)
	if !ok {
		t.Fatalf("got %v, want an error of the API", err)
	}
	return refused
}

func reasonOf(e *googleapi.Error) string {
	if len(e.Errors) == 0 {
		return ""
	}
	return e.Errors[0].Reason
}

func TestUndocumentedRequestIsAViolation(t *testing.T) {
	s, violations := newRecorded(t)
	client := s.HTTPClient(ada)
	defer client.CloseIdleConnections()
	for name, c := range map[string]struct{ verb, path, body, says string }{
		"a path":                {"GET", "/gmail/v1/users/me/mails", "", "no method"},
		"a verb":                {"PATCH", "/gmail/v1/users/me/messages", "", "no method"},
		"a parameter":           {"GET", "/gmail/v1/users/me/messages?limit=5", "", `no parameter "limit"`},
		"a parameter's type":    {"GET", "/gmail/v1/users/me/messages?maxResults=many", "", "maxResults is not of format integer/uint32"},
		"a boolean in words":    {"GET", "/gmail/v1/users/me/messages?includeSpamTrash=yes", "", "not true or false"},
		"a repeated parameter":  {"GET", "/gmail/v1/users/me/messages?q=a&q=b", "", "given 2 times"},
		"a value of an enum":    {"GET", "/gmail/v1/users/me/messages/18f?format=FULL", "", "not one of"},
		"a field of the body":   {"POST", "/gmail/v1/users/me/labels", `{"title": "x"}`, `no field "title"`},
		"a type in the body":    {"POST", "/gmail/v1/users/me/labels", `{"name": 7}`, "name is not a string"},
		"an enum in the body":   {"POST", "/gmail/v1/users/me/labels", `{"name": "x", "labelListVisibility": "hide"}`, "not one of"},
		"a number as a string":  {"POST", "/gmail/v1/users/me/settings/filters", `{"criteria": {"size": "7"}}`, "size is not a number"},
		"no array":              {"POST", "/gmail/v1/users/me/messages/batchModify", `{"ids": "18f"}`, "ids is not an array"},
		"base64 that is not":    {"POST", "/gmail/v1/users/me/messages/send", `{"raw": "a+b/"}`, "raw is not of format"},
		"a body that is none":   {"POST", "/gmail/v1/users/me/labels", `{"name": `, "not JSON"},
		"a body with a get":     {"GET", "/gmail/v1/users/me/labels", `{}`, "a body is not accepted"},
		"a selection of fields": {"GET", "/gmail/v1/users/me/labels?fields=labels(id,title)", "", "invalid field selection title"},
		"an upload of no mail":  {"POST", "/upload/gmail/v1/users/me/messages/send?uploadType=multipart", `{}`, "not multipart/related"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequest(c.verb, s.URL()+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if c.body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			answer, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			seen := violations()
			if answer.StatusCode != http.StatusBadRequest || len(seen) != 1 || !strings.Contains(seen[0], c.says) {
				t.Errorf("got %d and violations %q, want 400 and one that says %q", answer.StatusCode, seen, c.says)
			}
		})
	}
}

func TestScopesOfDocumentAreRequired(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada, "gmail.readonly")
	if _, err := mail.Users.Messages.List("me").Do(); err != nil {
		t.Errorf("reading: %v", err)
	}
	_, err := mail.Users.Messages.Send("me", &gmail.Message{Raw: "eA"}).Do()
	refused := googleError(t, err)
	if refused.Code != 403 || reasonOf(refused) != "insufficientPermissions" || !strings.Contains(refused.Header.Get("WWW-Authenticate"), "insufficient_scope") {
		t.Errorf("got %+v", refused)
	}
	if !strings.Contains(refused.Body, "ACCESS_TOKEN_SCOPE_INSUFFICIENT") {
		t.Errorf("no ErrorInfo in %s", refused.Body)
	}
	s.ExpireTokens()
	_, err = mail.Users.Messages.List("me").Do()
	if refused := googleError(t, err); refused.Code != 401 || reasonOf(refused) != "authError" {
		t.Errorf("an old token: got %+v", refused)
	}
}

func TestDraftIsSentOnce(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada)
	bob := s.User("bob@example.com")
	raw := "To: bob@example.com\r\nBcc: eve@example.com\r\nSubject: Lunch?\r\nMessage-ID: <mine@kota>\r\n\r\nAt noon.\r\n"
	made, err := mail.Users.Drafts.Create("me", &gmail.Draft{Message: &gmail.Message{}}).Media(strings.NewReader(raw), googleapi.ContentType("message/rfc822")).Do()
	if err != nil {
		t.Fatal(err)
	}
	sent, err := mail.Users.Drafts.Send("me", &gmail.Draft{Id: made.Id}).Do()
	if err != nil {
		t.Fatal(err)
	}
	if sent.Id == made.Message.Id || len(sent.LabelIds) != 1 || sent.LabelIds[0] != "SENT" {
		t.Errorf("sent is %+v", sent)
	}
	_, err = mail.Users.Drafts.Send("me", &gmail.Draft{Id: made.Id}).Do()
	if refused := googleError(t, err); refused.Code != 404 {
		t.Errorf("sent again: %v", err)
	}
	got := bob.Messages("in:inbox subject:lunch from:ada")
	if len(got) != 1 || got[0].Header("Bcc") != "" || got[0].Header("Message-ID") == "<mine@kota>" || strings.TrimSpace(got[0].Text()) != "At noon." {
		t.Errorf("bob got %v", got)
	}
}

func TestFaultAfterEffectSendsMail(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada)
	s.Fault(fakeapi.Fault{Method: "gmail.users.messages.send", Nth: 1, Answer: fakeapi.Reset, AfterEffect: true})
	s.Fault(fakeapi.Fault{Method: "gmail.users.messages.send", Nth: 2, Answer: fakeapi.Reset})
	for range 2 {
		_, err := mail.Users.Messages.Send("me", &gmail.Message{}).
			Media(strings.NewReader("To: bob@example.com\r\nSubject: Hi\r\n\r\nHi"), googleapi.ContentType("message/rfc822")).
			Context(context.Background()).Do()
		if err == nil {
			t.Error("the answer was not lost")
		}
	}
	if got := len(s.User(ada).Sent()); got != 1 {
		t.Errorf("sent %d, want 1", got)
	}
	if got := s.Calls("gmail.users.messages.send"); got != 2 {
		t.Errorf("asked %d times, want 2", got)
	}
}
