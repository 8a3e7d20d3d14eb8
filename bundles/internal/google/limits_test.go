package google

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"kota/metadata"
)

// answerOfSize answers with a JSON object of that many bytes.
func answerOfSize(bytes int, announced bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if announced {
			w.Header().Set("Content-Length", fmt.Sprint(bytes))
		}
		fmt.Fprint(w, `{"a":"`)
		chunk := strings.Repeat("x", 1<<10)
		for left := bytes - 8; left > 0; left -= len(chunk) {
			if _, err := w.Write([]byte(chunk[:min(left, len(chunk))])); err != nil {
				return
			}
		}
		fmt.Fprint(w, `"}`)
	}
}

// compressedAnswer answers with a small body that decompresses to a large one.
func compressedAnswer() http.HandlerFunc {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(`{"a":"`))
	z.Write(bytes.Repeat([]byte("x"), defaultLimit))
	z.Close()
	return reply(200, packed.String(), "Content-Encoding", "gzip")
}

func TestAnswerSizeIsLimited(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		limit  int64 // 0 is the default
		fits   bool
	}{
		"just small enough":          {answerOfSize(4000, false), 4000, true},
		"a byte too large":           {answerOfSize(4001, false), 4000, false},
		"and announced so":           {answerOfSize(4001, true), 4000, false},
		"raised":                     {answerOfSize(5000, false), 5000, true},
		"the default":                {answerOfSize(defaultLimit+1, false), 0, false},
		"an endless one":             {answerOfSize(1<<40, false), 0, false},
		"one that unpacks to more":   {compressedAnswer(), 0, false},
		"one that claims a terabyte": {answerOfSize(1<<40, true), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			client, _ := s.client(t, nil)
			if c.limit > 0 {
				client = WithLimit(client, c.limit)
			}
			_, err := get(t.Context(), client, s.URL+"/gmail/v1/users/me/messages/1")
			if c.fits && err != nil {
				t.Errorf("got %v, want the answer", err)
			}
			if !c.fits && (codeOf(t, err).Code != metadata.TooLarge || len(s.requests()) != 1) {
				t.Errorf("got %v after %d requests, want TOO_LARGE after one", err, len(s.requests()))
			}
		})
	}
}

func TestConcurrentRequestsAreLimited(t *testing.T) {
	for path, atOnce := range map[string]int{"/gmail/v1/users/me/messages/1": maxConcurrent, "/calendar/v3/calendars/primary/events": maxCalendarConcurrent} {
		t.Run(path, func(t *testing.T) {
			if most := maxConcurrentRequests(t, path, atOnce); most != atOnce {
				t.Errorf("there were up to %d at once, want %d", most, atOnce)
			}
		})
	}
}

// maxConcurrentRequests requests the path often, and returns the maximum number of
// concurrent requests. The first requests wait until the permitted number has
// arrived.
func maxConcurrentRequests(t *testing.T, path string, atOnce int) (most int) {
	var mu sync.Mutex
	now := 0
	full := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now++
		if most = max(most, now); now == atOnce && full != nil {
			close(full)
			full = nil
		}
		wait := full
		mu.Unlock()
		if wait != nil {
			<-wait
		}
		for range 100 {
			runtime.Gosched()
		}
		mu.Lock()
		now--
		mu.Unlock()
		ok(w, r)
	})
	client, _ := s.client(t, nil)
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if _, err := get(t.Context(), client, s.URL+path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return most
}

func TestUserAgent(t *testing.T) {
	var agent string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { agent = r.UserAgent(); ok(w, r) })
	client, _ := s.client(t, func(o *Options) { o.UserAgent = "kota/1.2.0" })
	if _, err := s.mail(t, client).Users.GetProfile("me").Context(t.Context()).Do(); err != nil {
		t.Fatal(err)
	}
	if agent != "kota/1.2.0 (gzip)" {
		t.Errorf("got user agent %q", agent)
	}
}
