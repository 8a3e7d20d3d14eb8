package googletest_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
)

// batch posts the parts, written as in Google's guide, and returns the answers
// by their Content-ID.
func batch(t *testing.T, s *googletest.Server, client *http.Client, parts ...string) map[string]*http.Response {
	t.Helper()
	var body bytes.Buffer
	for i, p := range parts {
		fmt.Fprintf(&body, "--batch_x\r\nContent-Type: application/http\r\nContent-ID: <item%d:7@kota>\r\n\r\n%s\r\n\r\n", i, p)
	}
	body.WriteString("--batch_x--\r\n")
	answer, err := client.Post(s.URL()+"/batch/gmail/v1", "multipart/mixed; boundary=batch_x", &body)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return map[string]*http.Response{"": answer}
	}
	_, params, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*http.Response{}
	reader := multipart.NewReader(answer.Body, params["boundary"])
	for {
		p, err := reader.NextPart()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		inner, err := http.ReadResponse(bufio.NewReader(p), nil)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(inner.Body)
		if err != nil {
			t.Fatal(err)
		}
		inner.Body = io.NopCloser(bytes.NewReader(content))
		all[p.Header.Get("Content-ID")] = inner
	}
}

func TestBatchCountsAsItsParts(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	one, two := u.Deliver(fakegmail.Mail{Subject: "one"}), u.Deliver(fakegmail.Mail{Subject: "two"})
	s.SetLatency(10 * time.Millisecond)
	s.Fault(fakeapi.Fault{Method: "gmail.users.messages.get", Nth: 2, Status: 429})
	client := s.HTTPClient(ada, "gmail.readonly")
	defer client.CloseIdleConnections()
	got := batch(t, s, client,
		"GET /gmail/v1/users/me/messages/"+one.ID+"?format=metadata HTTP/1.1",
		"GET /gmail/v1/users/me/messages/"+two.ID,
		"GET /gmail/v1/users/me/messages/18f0",
		"POST /gmail/v1/users/me/messages/"+two.ID+"/trash\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
	)
	for id, want := range map[string]int{"<response-item0:7@kota>": 200, "<response-item1:7@kota>": 429, "<response-item2:7@kota>": 404, "<response-item3:7@kota>": 403} {
		if got[id] == nil || got[id].StatusCode != want {
			t.Errorf("%s is %+v, want %d", id, got[id], want)
		}
	}
	body, err := io.ReadAll(got["<response-item0:7@kota>"].Body)
	if err != nil || !strings.Contains(string(body), one.ID) {
		t.Errorf("the first part's body is %s, %v", body, err)
	}
	log := s.Requests()
	if len(log) != 5 || log[0].Method != "batch" || !log[1].InBatch || s.Calls("gmail.users.messages.get") != 3 {
		t.Errorf("logged %+v", log)
	}
	if took := log[0].End.Sub(log[0].Start); took < 10*time.Millisecond {
		t.Errorf("the batch took %v", took)
	}
}

func TestBatchLimits(t *testing.T) {
	s, violations := newRecorded(t)
	client := s.HTTPClient(ada)
	defer client.CloseIdleConnections()
	parts := make([]string, 101)
	for i := range parts {
		parts[i] = "GET /gmail/v1/users/me/profile"
	}
	if got := batch(t, s, client, parts...); got[""] == nil || got[""].StatusCode != 400 {
		t.Errorf("101 parts: %+v", got)
	}
	if got := batch(t, s, client, parts[:100]...); len(got) != 100 {
		t.Errorf("100 parts: %d answers", len(got))
	}
	if seen := violations(); len(seen) != 0 {
		t.Errorf("violations %q", seen)
	}
	for _, part := range []string{"GET " + s.URL() + "/gmail/v1/users/me/profile", "POST /batch/gmail/v1", "nonsense"} {
		batch(t, s, client, part)
		if seen := violations(); len(seen) != 1 {
			t.Errorf("%q: violations %q", part, seen)
		}
	}
}
