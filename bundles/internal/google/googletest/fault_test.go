package googletest_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
)

func TestFaultOccursAtMatchingCall(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada)
	list := func() error { _, err := mail.Users.Labels.List("me").Do(); return err }
	withdraw := s.Fault(fakeapi.Fault{Method: "gmail.users.labels.list", Nth: 2, Times: 2, Status: 429, RetryAfter: "7"})
	for call, want := range []int{0, 429, 429, 0} {
		err := list()
		if want == 0 {
			if err != nil {
				t.Errorf("call %d: %v", call+1, err)
			}
			continue
		}
		refused := googleError(t, err)
		if refused.Code != want || reasonOf(refused) != "rateLimitExceeded" || refused.Header.Get("Retry-After") != "7" {
			t.Errorf("call %d: %+v", call+1, refused)
		}
		if !strings.Contains(refused.Body, `"usageLimits"`) || !strings.Contains(refused.Body, `"RESOURCE_EXHAUSTED"`) {
			t.Errorf("call %d: the envelope is %s", call+1, refused.Body)
		}
	}
	withdraw()
	s.Fault(fakeapi.Fault{User: bob, Status: 500})
	if err := list(); err != nil {
		t.Errorf("another's fault: %v", err)
	}
	if _, err := gmailOf(t, s, bob).Users.Labels.List("me").Do(); googleError(t, err).Code != 500 {
		t.Errorf("his own: %v", err)
	}
	withdraw = s.Fault(fakeapi.Fault{Status: 403, Reason: "domainPolicy", Message: "Not here."})
	if refused := googleError(t, list()); refused.Code != 403 || reasonOf(refused) != "domainPolicy" || refused.Message != "Not here." {
		t.Errorf("got %+v", refused)
	}
	withdraw()
	withdraw = s.Fault(fakeapi.Fault{Method: "gmail.users.labels.list", Status: 403, Reason: "insufficientPermissions"})
	if refused := googleError(t, list()); !strings.Contains(refused.Header.Get("WWW-Authenticate"), "insufficient_scope") || !strings.Contains(refused.Body, "ACCESS_TOKEN_SCOPE_INSUFFICIENT") {
		t.Errorf("got %+v", refused)
	}
	withdraw()
	if err := list(); err != nil {
		t.Errorf("withdrawn: %v", err)
	}
}

func TestFaultAnswers(t *testing.T) {
	elsewhere := googletest.New(t)
	for name, c := range map[string]struct {
		fault fakeapi.Fault
		check func(*http.Response, []byte, error) bool
	}{
		"reset":     {fakeapi.Fault{Answer: fakeapi.Reset}, func(r *http.Response, _ []byte, err error) bool { return r == nil && err != nil }},
		"truncated": {fakeapi.Fault{Answer: fakeapi.Truncated}, func(r *http.Response, body []byte, err error) bool { return r.StatusCode == 200 && err != nil }},
		"garbage": {fakeapi.Fault{Answer: fakeapi.Garbage}, func(r *http.Response, body []byte, err error) bool {
			return r.StatusCode == 200 && err == nil && strings.Contains(string(body), "\x00")
		}},
		"html": {fakeapi.Fault{Answer: fakeapi.HTML, Status: 502}, func(r *http.Response, body []byte, err error) bool {
			return r.StatusCode == 502 && strings.HasPrefix(string(body), "<!DOCTYPE html>")
		}},
		"gzip": {fakeapi.Fault{Answer: fakeapi.BadGzip}, func(r *http.Response, _ []byte, err error) bool { return err != nil }},
		"huge": {fakeapi.Fault{Answer: fakeapi.Huge, Size: 100_000}, func(r *http.Response, body []byte, err error) bool { return len(body) > 100_000 && err == nil }},
		"redirect": {fakeapi.Fault{Answer: fakeapi.Redirect, Location: elsewhere.URL()}, func(r *http.Response, _ []byte, err error) bool {
			return r.StatusCode == 401 && r.Request.URL.Host == strings.TrimPrefix(elsewhere.URL(), "http://")
		}},
		"delay": {fakeapi.Fault{Delay: time.Millisecond}, func(r *http.Response, body []byte, err error) bool { return r.StatusCode == 200 && err == nil }},
	} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			s.Fault(c.fault)
			client := s.HTTPClient(ada)
			defer client.CloseIdleConnections()
			answer, err := client.Get(s.URL() + "/gmail/v1/users/me/labels")
			var body []byte
			if err == nil {
				body, err = io.ReadAll(answer.Body)
				answer.Body.Close()
			}
			if !c.check(answer, body, err) {
				t.Errorf("got %v, %d bytes, %v", answer, len(body), err)
			}
		})
	}
}

func TestHangEndsWithServer(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada)
	struck := make(chan struct{})
	s.Fault(fakeapi.Fault{Answer: fakeapi.Hang, AfterEffect: true, OnFault: func() { close(struck) }})
	done := make(chan error)
	go func() {
		_, err := mail.Users.Labels.Create("me", &gmail.Label{Name: "Made"}).Do()
		done <- err
	}()
	<-struck
	if made := s.User(ada).Labels(); len(made) != 1 {
		t.Errorf("the effect is %+v", made)
	}
	s.Close()
	if err := <-done; err == nil {
		t.Error("it was answered")
	}
}

func TestSlowFaultSendsByteByByte(t *testing.T) {
	s := googletest.New(t)
	s.Fault(fakeapi.Fault{Answer: fakeapi.Slow})
	client := s.HTTPClient(ada)
	defer client.CloseIdleConnections()
	answer, err := client.Get(s.URL() + "/gmail/v1/users/me/labels")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.ContentLength < 100 {
		t.Errorf("the Content-Length is %d bytes", answer.ContentLength)
	}
	s.Close()
	if body, err := io.ReadAll(answer.Body); err == nil || len(body) > 10 {
		t.Errorf("got %d bytes, %v", len(body), err)
	}
}

func TestLogHasEachRequest(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada)
	s.SetLatency(time.Millisecond)
	for range 3 {
		if _, err := mail.Users.Labels.List("me").Do(); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range s.Requests() {
		if took := r.End.Sub(r.Start); took < time.Millisecond || !r.Authorized || r.Status != 200 || r.Header.Get("Authorization") != "" {
			t.Errorf("logged %+v", r)
		}
	}
	if s.Units() != 3 || s.Calls("gmail.users.labels.list") != 3 {
		t.Errorf("%d units for %d calls", s.Units(), s.Calls("gmail.users.labels.list"))
	}
	s.ClearLog()
	if s.Units() != 0 || len(s.Requests()) != 0 {
		t.Error("the log is not empty")
	}
}

func TestUploadSizeIsLimited(t *testing.T) {
	s := googletest.New(t)
	mail := gmailOf(t, s, ada)
	raw := "To: bob@example.org\r\nSubject: Big\r\n\r\n" + strings.Repeat("0123456789abcde\n", 1<<15) // 512 KiB
	if _, err := mail.Users.Messages.Send("me", &gmail.Message{}).Media(strings.NewReader(raw), googleapi.ChunkSize(0), googleapi.ContentType("message/rfc822")).Do(); err != nil {
		t.Fatal(err)
	}
	if got := s.User(ada).Sent()[0]; !strings.HasSuffix(string(got.Raw), raw[40:]) {
		t.Error("the message is not what was sent")
	}
	_, err := mail.Users.Messages.Send("me", &gmail.Message{}).Media(io.LimitReader(endlessReader{}, 36<<20), googleapi.ChunkSize(0), googleapi.ContentType("message/rfc822")).Do()
	if refused, ok := errors.AsType[*googleapi.Error](err); !ok || refused.Code != 413 {
		t.Errorf("36 MiB: %v", err)
	}
}

// endlessReader is a reader that never ends.
type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
