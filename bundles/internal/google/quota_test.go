package google

import (
	"context"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakegmail"
	"kota/metadata"
)

// This is Google's own rule: no minute, wherever it starts, exceeds the limit.
func TestQuotaIsNeverExceededInAnyMinute(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := &slidingWindow{limit: 100 + random.IntN(200)}
		now := time.Unix(0, 0)
		var spent []grant
		for range 200 {
			now = now.Add(time.Duration(random.Int64N(int64(10 * time.Second))))
			units := 1 + random.IntN(60)
			wait, ok := w.reserve(now, units, time.Duration(random.Int64N(int64(2*time.Minute))))
			if wait < 0 || !ok && wait == 0 {
				t.Fatalf("seed %d: wait %v, granted %v", seed, wait, ok)
			}
			if ok {
				spent = append(spent, grant{now.Add(wait), units})
			}
		}
		for i := range spent {
			sum := 0
			for _, g := range spent[i:] {
				if g.at.Before(spent[i].at) {
					t.Fatalf("seed %d: a later call was served earlier", seed)
				}
				if g.at.Before(spent[i].at.Add(minute)) {
					sum += g.units
				}
			}
			if sum > w.limit {
				t.Fatalf("seed %d: %d units in a minute, want at most %d", seed, sum, w.limit)
			}
		}
	}
}

func TestReserveWaitsAsShortAsPossible(t *testing.T) {
	start := time.Unix(0, 0)
	w := &slidingWindow{limit: 100}
	for i, c := range []struct {
		at    time.Duration
		units int
		most  time.Duration
		wait  time.Duration
		ok    bool
	}{
		{0, 100, 0, 0, true},
		{time.Second, 20, time.Second, 59 * time.Second, false},
		{time.Second, 20, time.Minute, 59 * time.Second, true},
		{2 * time.Second, 80, time.Minute, 58 * time.Second, true},
		{2 * time.Second, 1, time.Hour, 118 * time.Second, true},
		{time.Hour, 1000, 0, 0, true}, // more than the limit counts as the limit
	} {
		if wait, ok := w.reserve(start.Add(c.at), c.units, c.most); wait != c.wait || ok != c.ok {
			t.Errorf("call %d: got %v, %v, want %v, %v", i, wait, ok, c.wait, c.ok)
		}
	}
}

func TestCallsWaitForQuota(t *testing.T) {
	for _, method := range []string{"GET", "POST"} {
		s := serve(t, ok)
		client, clock := s.client(t, func(o *Options) { o.Quota.Gmail = 100 })
		send := s.URL + "/gmail/v1/users/me/messages/send"
		if err := do(t, client, "POST", send, "{}"); err != nil {
			t.Fatal(err)
		}
		e := codeOf(t, do(t, client, method, send, ""))
		if e.Code != metadata.RateLimited || !e.Retryable || !strings.Contains(e.Hint, "60 seconds") || len(s.requests()) != 1 {
			t.Errorf("%s: got %+v after %d requests, want RATE_LIMITED for 60 seconds and no request", method, e, len(s.requests()))
		}
		clock.Sleep(t.Context(), 10*time.Second)
		if err := do(t, client, method, send, ""); err != nil && method == "GET" || len(s.requests()) != 2 {
			t.Errorf("%s: got %v after %d requests, want a wait and a second", method, err, len(s.requests()))
		}
		if pauses := clock.slept(); pauses[len(pauses)-1] != 50*time.Second {
			t.Errorf("%s: it paused %v, want 50 s", method, pauses)
		}
	}
}

func TestGmailAndCalendarQuotasAreSeparate(t *testing.T) {
	s := serve(t, ok)
	client, _ := s.client(t, func(o *Options) { o.Quota = Quota{Gmail: 1, Calendar: 1} })
	for url, want := range map[string]metadata.Code{
		"/gmail/v1/users/me/profile": "", "/calendar/v3/calendars/primary/events": "",
	} {
		if got := metadata.CodeOf(do(t, client, "GET", s.URL+url, "")); got != want {
			t.Errorf("%s: got %q, want success", url, got)
		}
	}
	if got := metadata.CodeOf(do(t, client, "GET", s.URL+"/calendar/v3/calendars/primary/events", "")); got != metadata.RateLimited {
		t.Errorf("a second one: got %q, want RATE_LIMITED", got)
	}
}

func TestQuotaCostsMatchFakeGoogle(t *testing.T) {
	s := googletest.New(t)
	mail := s.User("ada@example.com").Deliver(fakegmail.Mail{From: "bob@example.com", Subject: "hello", Text: "hello"})
	id, thread := mail.ID, mail.ThreadID
	client := Client(s.HTTPClient("ada@example.com"), Options{Endpoint: s.URL()})
	budget := client.Transport.(*transport).gmail
	users, hands := NewGmail(client, s.URL()).Users, bundletest.WithUserConsent(t.Context())
	raw := base64.URLEncoding.EncodeToString([]byte("To: bob@example.com\r\nSubject: x\r\n\r\nx"))
	for name, call := range map[string]func() error{
		"profile":  func() error { _, err := users.GetProfile("me").Do(); return err },
		"list":     func() error { _, err := users.Messages.List("me").Do(); return err },
		"get":      func() error { _, err := users.Messages.Get("me", id).Do(); return err },
		"thread":   func() error { _, err := users.Threads.Get("me", thread).Do(); return err },
		"vacation": func() error { _, err := users.Settings.GetVacation("me").Do(); return err },
		"filters":  func() error { _, err := users.Settings.Filters.List("me").Do(); return err },
		"send as":  func() error { _, err := users.Settings.SendAs.List("me").Do(); return err },
		"history":  func() error { _, err := users.History.List("me").StartHistoryId(1).Do(); return err },
		"labels":   func() error { _, err := users.Labels.List("me").Do(); return err },
		"modify": func() error {
			_, err := users.Messages.Modify("me", id, &gmail.ModifyMessageRequest{AddLabelIds: []string{"STARRED"}}).Do()
			return err
		},
		"modify all": func() error {
			return users.Messages.BatchModify("me", &gmail.BatchModifyMessagesRequest{Ids: []string{id}, AddLabelIds: []string{"STARRED"}}).Do()
		},
		"trash":   func() error { _, err := users.Messages.Trash("me", id).Do(); return err },
		"untrash": func() error { _, err := users.Messages.Untrash("me", id).Do(); return err },
		"send": func() error {
			_, err := users.Messages.Send("me", &gmail.Message{Raw: raw}).Context(hands).Do()
			return err
		},
		"upload": func() error {
			_, err := users.Messages.Send("me", &gmail.Message{}).Media(strings.NewReader("To: bob@example.com\r\n\r\nx"), googleapi.ContentType("message/rfc822"), googleapi.ChunkSize(0)).Context(hands).Do()
			return err
		},
		"draft": func() error {
			_, err := users.Drafts.Create("me", &gmail.Draft{Message: &gmail.Message{Raw: raw}}).Do()
			return err
		},
		"drafts": func() error { _, err := users.Drafts.List("me").Do(); return err },
	} {
		t.Run(name, func(t *testing.T) {
			before, charged := spentBy(budget), s.Units()
			if err := call(); err != nil {
				t.Fatal(err)
			}
			if got, want := spentBy(budget)-before, s.Units()-charged; got != want || want == 0 {
				t.Errorf("it spent %d units, and was charged %d", got, want)
			}
		})
	}
}

func spentBy(w *slidingWindow) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := 0
	for _, g := range w.spent {
		sum += g.units
	}
	return sum
}

func TestEveryMethodHasACost(t *testing.T) {
	for _, c := range []struct {
		method, path string
		units        int
		calendar     bool
	}{
		{"GET", "/gmail/v1/users/me/messages/18f/attachments/A-B_c", 20, false},
		{"GET", "/prefix/gmail/v1/users/ada%40example.com/messages", 5, false},
		{"POST", "/upload/gmail/v1/users/me/drafts", 10, false},
		{"PUT", "/upload/gmail/v1/users/me/drafts/r1", 15, false},
		{"POST", "/resumable/upload/gmail/v1/users/me/drafts/send", 100, false},
		{"PUT", "/gmail/v1/users/me/settings/vacation", 5, false},
		{"POST", "/gmail/v1/users/me/stop", defaultCost, false},
		{"HEAD", "/gmail/v1/users/me/labels", 1, false},
		{"PATCH", "/calendar/v3/calendars/primary/events/1", 1, true},
		{"GET", "/", 1, false},
	} {
		if units, calendar := cost(c.method, c.path); units != c.units || calendar != c.calendar {
			t.Errorf("%s %s costs %d, of the calendar %v, want %d and %v", c.method, c.path, units, calendar, c.units, c.calendar)
		}
	}
}

func TestResumableUploadIsRefused(t *testing.T) {
	s := serve(t, ok)
	client, _ := s.client(t, nil)
	// Larger than one chunk of the Go client, which would make the upload
	// resumable.
	mail := strings.NewReader(strings.Repeat("x", 17<<20))
	_, err := s.mail(t, client).Users.Messages.Send("me", &gmail.Message{}).Media(mail, googleapi.ContentType("message/rfc822")).Context(bundletest.WithUserConsent(t.Context())).Do()
	if e := codeOf(t, err); e.Code != metadata.Internal || !strings.Contains(e.Message, "ChunkSize(0)") || len(s.requests()) != 0 {
		t.Errorf("got %v after %q, want INTERNAL and no request", err, s.requests())
	}
}

func TestSleepEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if err := sleep(t.Context(), 0); err != nil {
		t.Error(err)
	}
}

// A request whose time is up is not an error of quota: its caller would wait
// for a minute in vain.
func TestExpiredContextIsNotQuotaExceeded(t *testing.T) {
	s := serve(t, reply(200, `{}`))
	client, _ := s.client(t, nil)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/gmail/v1/users/me/profile", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Transport.RoundTrip(request)
	if err == nil {
		answer.Body.Close()
	}
	if metadata.CodeOf(err) != metadata.Unavailable || len(s.requests()) != 0 {
		t.Errorf("got %v after %d requests, want UNAVAILABLE before any", err, len(s.requests()))
	}
}
