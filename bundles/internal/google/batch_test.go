package google

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

func paths(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("/gmail/v1/users/me/messages/%d?format=metadata", i)
	}
	return all
}

// checkAnswers checks that every path has its own answer, in order.
func checkAnswers(t *testing.T, answers []BatchAnswer, paths []string) {
	t.Helper()
	if len(answers) != len(paths) {
		t.Fatalf("got %d answers, want %d", len(answers), len(paths))
	}
	for i, a := range answers {
		var got struct{ Path string }
		if a.Err != nil || json.Unmarshal(a.Body, &got) != nil || got.Path != paths[i] || a.Path != paths[i] {
			t.Errorf("answer %d: %s, %v, want that of %s", i, a.Body, a.Err, paths[i])
		}
	}
}

func emptyPart(string, int) partAnswer { return partAnswer{} }

func TestBatchReturnsAnswersInOrder(t *testing.T) {
	s := serveBatches(t, true, emptyPart)
	client, _ := s.client(t, nil)
	answers, err := Batch(t.Context(), client, GmailBatch(s.URL), paths(50))
	if err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, answers, paths(50))
	slices.Sort(s.batches)
	if !slices.Equal(s.batches, []int{11, 13, 13, 13}) || s.max > maxConcurrentBatches {
		t.Errorf("it was asked by batches of %v, %d at once; want four of at most 13, two at once", s.batches, s.max)
	}
	if got := spentBy(client.Transport.(*transport).gmail); got != 50*20 {
		t.Errorf("it spent %d units, want what 50 gets cost", got)
	}
	for _, header := range s.headers {
		if header.Get("Authorization") != "" || header.Get("Content-Type") != "application/http" {
			t.Errorf("a part has the headers %v", header)
		}
	}
}

func TestBatchesShrinkAfterRateLimit(t *testing.T) {
	s := serveBatches(t, false, func(path string, before int) partAnswer {
		if path == paths(1)[0] && before == 0 {
			return partAnswer{status: 429, body: `{"error":{"code":429,"message":"Too many concurrent requests for user","errors":[{"reason":"rateLimitExceeded"}]}}`}
		}
		return partAnswer{}
	})
	client, _ := s.client(t, nil)
	for _, want := range [][]int{{13, 1}, {5, 5, 3}} {
		s.batches = nil
		answers, err := Batch(t.Context(), client, GmailBatch(s.URL), paths(13))
		if err != nil {
			t.Fatal(err)
		}
		checkAnswers(t, answers, paths(13))
		slices.SortFunc(s.batches, func(a, b int) int { return b - a })
		if !slices.Equal(s.batches, want) {
			t.Errorf("it was asked by batches of %v, want %v", s.batches, want)
		}
	}
}

func TestBatchOfNoPathsSendsNothing(t *testing.T) {
	s := serveBatches(t, false, emptyPart)
	client, _ := s.client(t, nil)
	if answers, err := Batch(t.Context(), client, GmailBatch(s.URL), nil); err != nil || len(answers) != 0 || len(s.requests()) != 0 {
		t.Errorf("got %v, %v after %q", answers, err, s.requests())
	}
}

func TestBatchRepeatsOnlyFailedParts(t *testing.T) {
	error := func(status int, reason string) partAnswer {
		return partAnswer{status: status, body: fmt.Sprintf(`{"error":{"code":%d,"message":"m","errors":[{"reason":%q}]}}`, status, reason)}
	}
	for name, c := range map[string]struct {
		fault partAnswer
		times int // the fault occurs that often; then the part is answered
		code  metadata.Code
		asked int
	}{
		"429 once":             {error(429, "rateLimitExceeded"), 1, "", 2},
		"403 for its rate":     {error(403, "userRateLimitExceeded"), 3, "", 4},
		"503 for ever":         {error(503, "backendError"), 99, metadata.Unavailable, 4},
		"429 for ever":         {error(429, "rateLimitExceeded"), 99, metadata.RateLimited, 4},
		"429 for an hour":      {partAnswer{status: 429, headers: "Retry-After: 3600\r\n"}, 99, metadata.RateLimited, 1},
		"half a JSON once":     {partAnswer{body: `{"id":`}, 1, "", 2},
		"no answer once":       {partAnswer{missing: true}, 1, "", 2},
		"no answer for ever":   {partAnswer{missing: true}, 99, metadata.Unavailable, 4},
		"not found":            {error(404, "notFound"), 99, metadata.NotFound, 1},
		"the day's quota":      {error(403, "dailyLimitExceeded"), 99, metadata.RateLimited, 1},
		"a redirect":           {partAnswer{status: 302, headers: "Location: /elsewhere\r\n"}, 99, metadata.Unavailable, 1},
		"nonsense for status":  {partAnswer{status: 9999}, 1, "", 2},
		"an id of another":     {partAnswer{id: "<response-item-99>"}, 1, "", 2},
		"an id that is none":   {partAnswer{id: "<response-item--1>"}, 1, "", 2},
		"not authorized, once": {error(401, "authError"), 1, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			const bad = "/gmail/v1/users/me/messages/7?format=metadata"
			s := serveBatches(t, true, func(path string, before int) partAnswer {
				if path == bad && before < c.times {
					return c.fault
				}
				return partAnswer{}
			})
			client, _ := s.client(t, nil)
			all := paths(20)
			answers, err := Batch(t.Context(), client, GmailBatch(s.URL), all)
			if err != nil {
				t.Fatal(err)
			}
			if got := metadata.CodeOf(answers[7].Err); got != c.code {
				t.Errorf("got %v, want code %q", answers[7].Err, c.code)
			}
			if (answers[7].Err == nil) == (answers[7].Body == nil) {
				t.Errorf("got body %q and error %v, want one of them", answers[7].Body, answers[7].Err)
			}
			checkAnswers(t, slices.Delete(answers, 7, 8), slices.Delete(slices.Clone(all), 7, 8))
			for path, asked := range s.parts {
				if want := map[bool]int{true: c.asked, false: 1}[path == bad]; asked != want {
					t.Errorf("%s was asked %d times, want %d", path, asked, want)
				}
			}
		})
	}
}

func TestBatchWithoutContentIDsUsesOrder(t *testing.T) {
	s := serveBatches(t, false, func(string, int) partAnswer { return partAnswer{id: "-"} })
	client, _ := s.client(t, nil)
	answers, err := Batch(t.Context(), client, GmailBatch(s.URL), paths(12))
	if err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, answers, paths(12))
}

func TestBatchIsRetriedLikeARead(t *testing.T) {
	s := serveBatches(t, true, emptyPart)
	good := s.steps[0]
	for name, fault := range map[string]http.HandlerFunc{"reset": resetConnection, "truncated": truncated, "503": reply(503, ""), "429": reply(429, "")} {
		s.mu.Lock()
		s.parts = map[string]int{}
		s.mu.Unlock()
		s.scriptedServer.mu.Lock()
		s.asked, s.steps = nil, []http.HandlerFunc{fault, fault, good}
		s.scriptedServer.mu.Unlock()
		client, _ := s.client(t, nil)
		answers, err := Batch(t.Context(), client, GmailBatch(s.URL), paths(10))
		if err != nil || len(s.requests()) != 3 {
			t.Fatalf("%s: got %v after %q, want the answers to the third", name, err, s.requests())
		}
		checkAnswers(t, answers, paths(10))
	}
}

func TestBatchFallsBackToSingleReads(t *testing.T) {
	for name, missing := range map[string]http.HandlerFunc{
		"404": googleError(404, "notFound", "x"), "405": reply(405, ""), "501": reply(501, ""), "a web page": htmlPage, "a JSON": ok,
	} {
		t.Run(name, func(t *testing.T) {
			var posts int
			s := serve(t)
			s.steps = []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
				if r.Method == "POST" {
					posts++
					missing(w, r)
					return
				}
				reply(200, fmt.Sprintf(`{"path":%q}`, r.URL.RequestURI()))(w, r)
			}}
			client, _ := s.client(t, nil)
			for round := range 3 {
				answers, err := Batch(t.Context(), client, GmailBatch(s.URL), paths(10))
				if err != nil {
					t.Fatal(err)
				}
				checkAnswers(t, answers, paths(10))
				if posts != 1 {
					t.Errorf("round %d: the endpoint was tried %d times, want once for good", round, posts)
				}
			}
		})
	}
}

func TestBatchReturnsErrorOfRequest(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		code   metadata.Code
	}{
		"no scope":          {googleError(403, "insufficientPermissions", "x"), metadata.ScopeMissing},
		"no authorization":  {googleError(401, "authError", "x"), metadata.SignInRequired},
		"down":              {reply(503, ""), metadata.Unavailable},
		"the day's quota":   {googleError(403, "dailyLimitExceeded", "x"), metadata.RateLimited},
		"too fast for long": {googleError(429, "rateLimitExceeded", "x", "Retry-After", "999"), metadata.RateLimited},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			client, _ := s.client(t, nil)
			answers, err := Batch(t.Context(), client, GmailBatch(s.URL)+"?q=canary", paths(10))
			if metadata.CodeOf(err) != c.code || answers != nil || strings.Contains(err.Error(), "canary") {
				t.Errorf("got %v, %v, want %s", answers, err, c.code)
			}
			if len(s.requests()) > 4 {
				t.Errorf("it was asked %d times", len(s.requests()))
			}
		})
	}
	t.Run("when its context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hang(w, r) })
		client, _ := s.client(t, nil)
		if _, err := Batch(ctx, client, GmailBatch(s.URL), paths(30)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	})
	t.Run("when a path would end its line", func(t *testing.T) {
		s := serve(t, ok)
		client, _ := s.client(t, nil)
		for _, path := range []string{"", "x", "/a b", "/a\r\nHost: evil.example", "/a\x00", "/ä", "//\x7f"} {
			if _, err := Batch(t.Context(), client, GmailBatch(s.URL), []string{"/ok", path}); metadata.CodeOf(err) != metadata.Internal {
				t.Errorf("%q: got %v, want INTERNAL", path, err)
			}
		}
		if len(s.requests()) != 0 {
			t.Errorf("it was asked %q", s.requests())
		}
	})
	t.Run("when the client is another", func(t *testing.T) {
		if _, err := Batch(t.Context(), http.DefaultClient, GmailBatch(""), paths(1)); metadata.CodeOf(err) != metadata.Internal {
			t.Errorf("got %v, want INTERNAL", err)
		}
	})
}

func TestHugePartDoesNotFailOthers(t *testing.T) {
	s := serveBatches(t, true, func(path string, _ int) partAnswer {
		if strings.Contains(path, "/3?") {
			return partAnswer{body: `{"a":"` + strings.Repeat("x", 10000) + `"}`}
		}
		return partAnswer{}
	})
	client, _ := s.client(t, nil)
	answers, err := Batch(t.Context(), WithLimit(client, 8000), GmailBatch(s.URL), paths(10))
	if err != nil {
		t.Fatal(err)
	}
	if got := metadata.CodeOf(answers[3].Err); got != metadata.TooLarge {
		t.Errorf("got %v, want TOO_LARGE", answers[3].Err)
	}
	checkAnswers(t, slices.Delete(answers, 3, 4), slices.Delete(paths(10), 3, 4))
}

func TestBatchWithFakeGoogle(t *testing.T) {
	s := googletest.New(t)
	mailbox := s.User("ada@example.com")
	var all []string
	for i := range 25 {
		id := mailbox.Deliver(fakegmail.Mail{From: "bob@example.com", Subject: fmt.Sprint(i), Text: "hello"}).ID
		all = append(all, "/gmail/v1/users/me/messages/"+id+"?format=metadata&metadataHeaders=Subject")
	}
	all = append(all, "/gmail/v1/users/me/messages/18f0000000000000")
	s.Fault(fakeapi.Fault{Method: "gmail.users.messages.get", Nth: 5, Status: 429})
	s.Fault(fakeapi.Fault{Method: "batch", Nth: 2, Answer: fakeapi.Truncated})
	c := newClock()
	client := Client(s.HTTPClient("ada@example.com"), Options{Endpoint: s.URL(), Now: c.Now, Sleep: c.Sleep})
	answers, err := Batch(t.Context(), client, GmailBatch(s.URL()), all)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers[:25] {
		var message struct {
			Payload struct{ Headers []struct{ Value string } }
		}
		if a.Err != nil || json.Unmarshal(a.Body, &message) != nil || message.Payload.Headers[0].Value != fmt.Sprint(i) {
			t.Errorf("message %d: got %s, %v", i, a.Body, a.Err)
		}
	}
	if got := metadata.CodeOf(answers[25].Err); got != metadata.NotFound {
		t.Errorf("a message that is not there: got %v, want NOT_FOUND", answers[25].Err)
	}
}

func TestEncodeBatchIsValid(t *testing.T) {
	kind, body, err := encodeBatch([]string{"/a?b=c", "/d"})
	if err != nil {
		t.Fatal(err)
	}
	media, params, err := mime.ParseMediaType(kind)
	if err != nil || media != "multipart/mixed" {
		t.Fatalf("got %q, %v", kind, err)
	}
	in := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for i, want := range []string{"GET /a?b=c HTTP/1.1\r\nAccept: application/json\r\n\r\n", "GET /d HTTP/1.1\r\nAccept: application/json\r\n\r\n"} {
		part, err := in.NextRawPart()
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(part)
		header := textproto.MIMEHeader{"Content-Type": {"application/http"}, "Content-Id": {fmt.Sprintf("<item-%d>", i)}}
		if string(text) != want || fmt.Sprint(part.Header) != fmt.Sprint(header) {
			t.Errorf("part %d: got %v %q, want %v %q", i, part.Header, text, header, want)
		}
	}
}
