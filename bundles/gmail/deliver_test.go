package gmail

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/internal/google"
	"kota/bundles/internal/google/googletest"
	"kota/metadata"
	"kota/store"
)

const (
	ada         = "ada@example.com"
	createDraft = "gmail.users.drafts.create"
	sendDraft   = "gmail.users.drafts.send"
)

// hurried is a pace for tests: the same order of events, in milliseconds.
func hurried() *pace {
	return &pace{
		prepare: 10 * time.Second, send: 10 * time.Second,
		hold: 5 * time.Second, renew: 500 * time.Millisecond, settle: 20 * time.Millisecond,
		looks: []time.Duration{0, 5 * time.Millisecond}, poll: 2 * time.Millisecond, patience: 20 * time.Second, same: 10 * time.Minute,
	}
}

// mailboxOn is the mailbox of Ada's at the fake Google, whose outbox is in the
// file at path. Each has a database handle of its own, as a process has.
func mailboxOn(t testing.TB, s *googletest.Server, path string) *mailbox {
	t.Helper()
	return mailboxWith(t, s.URL(), s.HTTPClient(ada, scopeModify), path, 300*time.Millisecond)
}

// mailboxWith is a mailbox whose client waits so long for an answer.
func mailboxWith(t testing.TB, url string, authorized *http.Client, path string, patience time.Duration) *mailbox {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	g := &gmail{mailboxes: map[string]*mailbox{}, pace: hurried(), Deps: Deps{
		Accounts: func() ([]Account, error) { return []Account{{Name: "home", Address: ada}}, nil },
		Client:   func(context.Context, string) (*http.Client, error) { return authorized, nil },
		Endpoint: func() string { return url },
		DB:       func(context.Context) (*store.DB, error) { return db, nil },
		Now:      time.Now,
	}}
	m, err := g.open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	*m.client = *google.Client(authorized, google.Options{
		Endpoint: url, Timeout: patience, Quota: google.Quota{Gmail: 1e9},
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	return m
}

func newOutbox(t testing.TB) string { return filepath.Join(t.TempDir(), "kota.db") }

// note is a mail with that subject. Its date and boundary are others each time.
func note(key, subject string) outgoing {
	boundary := fmt.Sprintf("=_%d", time.Now().UnixNano())
	raw := strings.ReplaceAll("From: Ada <ada@example.com>\nTo: bob@example.com\nSubject: "+subject+"\nDate: "+time.Now().Format(time.RFC1123Z)+`
Message-ID: <`+boundary+`@kota>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="`+boundary+`"

--`+boundary+`
Content-Type: text/plain; charset=utf-8

See you at noon.
--`+boundary+`
Content-Type: text/html; charset=utf-8

<p>See you at noon.</p>
--`+boundary+"--\n", "\n", "\r\n")
	return outgoing{Key: key, Kind: "send", Raw: []byte(raw), To: []string{"bob@example.com"}, Subject: subject}
}

// sentWith counts Ada's sent mails of that subject.
func sentWith(s *googletest.Server, subject string) int {
	n := 0
	for _, m := range s.User(ada).Sent() {
		if m.Header("Subject") == subject {
			n++
		}
	}
	return n
}

func theLetter(t testing.TB, m *mailbox) store.Letter {
	t.Helper()
	list := theLetters(t, m)
	if len(list) != 1 {
		t.Fatalf("%d letters, want 1", len(list))
	}
	return list[0]
}

func theLetters(t testing.TB, m *mailbox) []store.Letter {
	t.Helper()
	db, err := m.DB(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := db.Outbox(owner).List(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAMailIsSentOnceHoweverTheAnswerIsSpoilt(t *testing.T) {
	const lost = metadata.OutcomeUnknown
	for name, c := range map[string]struct {
		fault googletest.Fault
		code  metadata.Code // of the first call; "" when it knows that the mail was sent
		sent  int           // mails in Sent after the first call
		posts int           // requests to send, after the second call
	}{
		"503 before":          {googletest.Fault{Status: 503}, lost, 0, 2},
		"503 after":           {googletest.Fault{Status: 503, AfterEffect: true}, "", 1, 1},
		"500 after":           {googletest.Fault{Status: 500, AfterEffect: true}, "", 1, 1},
		"reset before":        {googletest.Fault{Answer: googletest.Reset}, lost, 0, 2},
		"reset after":         {googletest.Fault{Answer: googletest.Reset, AfterEffect: true}, "", 1, 1},
		"hang before":         {googletest.Fault{Answer: googletest.Hang}, lost, 0, 2},
		"hang after":          {googletest.Fault{Answer: googletest.Hang, AfterEffect: true}, "", 1, 1},
		"cut off":             {googletest.Fault{Answer: googletest.Truncated}, "", 1, 1},
		"garbage before":      {googletest.Fault{Answer: googletest.Garbage}, lost, 0, 2},
		"garbage after":       {googletest.Fault{Answer: googletest.Garbage, AfterEffect: true}, "", 1, 1},
		"HTML before":         {googletest.Fault{Answer: googletest.HTML}, lost, 0, 2},
		"an HTML 502 after":   {googletest.Fault{Answer: googletest.HTML, Status: 502, AfterEffect: true}, "", 1, 1},
		"a redirect":          {googletest.Fault{Answer: googletest.Redirect, Location: "http://127.0.0.1:1"}, lost, 0, 2},
		"a byte a second":     {googletest.Fault{Answer: googletest.Slow}, "", 1, 1},
		"429 is certain":      {googletest.Fault{Status: 429}, metadata.RateLimited, 0, 2},
		"403 is certain":      {googletest.Fault{Status: 403}, metadata.Refused, 0, 2},
		"401 is certain":      {googletest.Fault{Status: 401}, metadata.SignInRequired, 0, 2},
		"400 is certain":      {googletest.Fault{Status: 400}, metadata.ValidationError, 0, 2},
		"404 at first is too": {googletest.Fault{Status: 404}, metadata.NotFound, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := googletest.New(t)
			m := mailboxOn(t, s, newOutbox(t))
			c.fault.Method, c.fault.Nth = sendDraft, 1
			s.Fault(c.fault)
			first, err := m.deliver(t.Context(), note("k", name))
			if metadata.CodeOf(err) != c.code || (err == nil) != (first.MessageID != "") {
				t.Errorf("the first call answers %+v, %v; want %q", first, err, c.code)
			}
			if got := s.Calls(sendDraft); got != 1 {
				t.Errorf("the first call asked %d times to send", got)
			}
			if got := sentWith(s, name); got != c.sent {
				t.Errorf("%d in Sent after the first call, want %d", got, c.sent)
			}
			second, err := m.deliver(t.Context(), note("k", name))
			if err != nil || second.MessageID == "" || second.Repeated != (c.sent == 1) {
				t.Errorf("the second call answers %+v, %v", second, err)
			}
			if got := s.Calls(sendDraft); got != c.posts {
				t.Errorf("asked %d times to send, want %d", got, c.posts)
			}
			if got := sentWith(s, name); got != 1 {
				t.Errorf("%d in Sent", got)
			}
			if got := s.User(ada).Drafts(); len(got) != 0 {
				t.Errorf("%d drafts are left", len(got))
			}
		})
	}
}

func TestAFaultBeforeSendingReachesNobodyAndLeavesOneMail(t *testing.T) {
	for name, fault := range map[string]googletest.Fault{
		"503 before":   {Status: 503},
		"503 after":    {Status: 503, AfterEffect: true},
		"reset before": {Answer: googletest.Reset},
		"reset after":  {Answer: googletest.Reset, AfterEffect: true},
		"cut off":      {Answer: googletest.Truncated},
		"garbage":      {Answer: googletest.Garbage, AfterEffect: true},
		"hang":         {Answer: googletest.Hang, AfterEffect: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := googletest.New(t)
			m := mailboxOn(t, s, newOutbox(t))
			fault.Method, fault.Nth = createDraft, 1
			s.Fault(fault)
			_, err := m.deliver(t.Context(), note("k", name))
			if metadata.CodeOf(err) != metadata.Unavailable || s.Calls(sendDraft) != 0 {
				t.Errorf("got %v after %d requests to send", err, s.Calls(sendDraft))
			}
			if got := theLetter(t, m).Status; got != store.LetterFailed {
				t.Errorf("the letter is %s", got)
			}
			if _, err := m.deliver(t.Context(), note("k", name)); err != nil {
				t.Error(err)
			}
			if sent, drafts := sentWith(s, name), len(s.User(ada).Drafts()); sent != 1 || drafts != 0 {
				t.Errorf("%d sent and %d drafts, want one mail alone", sent, drafts)
			}
		})
	}
}

func TestWhatIsNowhereStaysUnknown(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	s.Fault(googletest.Fault{Method: sendDraft, Nth: 1, Status: 503})
	_, err := m.deliver(t.Context(), note("k", "gone"))
	if metadata.CodeOf(err) != metadata.OutcomeUnknown {
		t.Fatal(err)
	}
	if err := m.api.Users.Drafts.Delete(me, s.User(ada).Drafts()[0].ID).Do(); err != nil { // as its user may, by hand
		t.Fatal(err)
	}
	for range 2 {
		_, err := m.deliver(t.Context(), note("k", "gone"))
		if metadata.CodeOf(err) != metadata.OutcomeUnknown || s.Calls(sendDraft) != 1 {
			t.Errorf("got %v after %d requests to send", err, s.Calls(sendDraft))
		}
	}
	if got := theLetter(t, m); got.Status != store.LetterUnknown || !strings.Contains(got.Error, "not in Sent") {
		t.Errorf("the letter is %s: %s", got.Status, got.Error)
	}
}

func TestADraftThatIsGoneProvesNothingAfterAnEarlierRequest(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	s.Fault(googletest.Fault{Method: sendDraft, Nth: 1, Status: 503})
	s.Fault(googletest.Fault{Method: sendDraft, Nth: 2, Status: 404})
	for range 2 {
		if _, err := m.deliver(t.Context(), note("k", "late")); metadata.CodeOf(err) != metadata.OutcomeUnknown {
			t.Errorf("got %v", err)
		}
	}
	if got, err := m.deliver(t.Context(), note("k", "late")); err != nil || sentWith(s, "late") != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestADraftSentByHandIsNotSentAgain(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	s.Fault(googletest.Fault{Method: sendDraft, Nth: 1, Status: 429})
	if _, err := m.deliver(t.Context(), note("k", "by hand")); metadata.CodeOf(err) != metadata.RateLimited {
		t.Fatal(err)
	}
	draft := s.User(ada).Drafts()[0].ID
	if _, err := m.api.Users.Drafts.Send(me, &gmailapi.Draft{Id: draft}).Do(); err != nil {
		t.Fatal(err)
	}
	got, err := m.deliver(t.Context(), note("k", "by hand"))
	if err != nil || got.MessageID != s.User(ada).Sent()[0].ID || sentWith(s, "by hand") != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAKeyNamesOneMail(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	first, err := m.deliver(t.Context(), note("k", "lunch"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.deliver(t.Context(), note("k", "lunch"))
	if want := (delivery{MessageID: first.MessageID, ThreadID: first.ThreadID, OutboxID: first.OutboxID, Repeated: true}); err != nil || again != want {
		t.Errorf("got %+v, %v; want %+v", again, err, want)
	}
	_, err = m.deliver(t.Context(), note("k", "dinner"))
	if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), `"lunch" to bob@example.com`) {
		t.Errorf("another mail under the key: %v", err)
	}
	if _, err := m.deliver(t.Context(), note("k2", "lunch")); err != nil || sentWith(s, "lunch") != 2 {
		t.Errorf("the same mail on purpose: %v, %d sent", err, sentWith(s, "lunch"))
	}
}

func TestWithoutAKeyTheContentTellsARepeat(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	now := time.Now()
	m.Now = func() time.Time { return now }
	send := func(out outgoing) delivery {
		t.Helper()
		d, err := m.deliver(t.Context(), out)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := send(note("", "lunch"))
	if again := send(note("", "lunch")); !again.Repeated || again.MessageID != first.MessageID {
		t.Errorf("the same mail: %+v", again)
	}
	copied := note("", "lunch")
	copied.Raw = []byte(strings.Replace(string(copied.Raw), "To: bob@", "To: eve@", 1))
	for what, out := range map[string]outgoing{"another subject": note("", "dinner"), "another recipient": copied, "another thread": {
		Raw: note("", "lunch").Raw, ThreadID: first.ThreadID,
	}} {
		if d := send(out); d.Repeated {
			t.Errorf("%s is taken for a repeat", what)
		}
	}
	now = now.Add(11 * time.Minute)
	if later := send(note("", "lunch")); later.Repeated {
		t.Errorf("eleven minutes later: %+v", later)
	}
}

// A gate stops the requests that send until it is opened.
type gate struct {
	next    http.RoundTripper
	reached chan struct{} // one for each request that stands at it
	open    chan struct{}
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/drafts/send") {
		g.reached <- struct{}{}
		<-g.open
	}
	return g.next.RoundTrip(r)
}

// gated is a mailbox with a gate.
func gated(t *testing.T, s *googletest.Server) (*mailbox, *gate) {
	client := s.HTTPClient(ada, scopeModify)
	g := &gate{next: client.Transport, reached: make(chan struct{}, 1), open: make(chan struct{})}
	client.Transport = g
	return mailboxWith(t, s.URL(), client, newOutbox(t), time.Minute), g
}

func TestACallThatIsCancelledSendsAllTheSame(t *testing.T) {
	s := googletest.New(t)
	m, gate := gated(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-gate.reached
		cancel()
		close(gate.open)
	}()
	got, err := m.deliver(ctx, note("k", "cancelled"))
	if err != nil || ctx.Err() == nil || theLetter(t, m).Status != store.LetterSent || sentWith(s, "cancelled") != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := m.deliver(ctx, note("k2", "never begun")); err == nil || len(theLetters(t, m)) != 1 {
		t.Error("a call that was cancelled before was begun")
	}
}

func TestALetterIsHeldForAsLongAsItIsBeingSent(t *testing.T) {
	s := googletest.New(t)
	m, gate := gated(t, s)
	m.pace.renew = 2 * time.Millisecond
	go func() {
		<-gate.reached
		defer close(gate.open)
		lease, renewed := theLetter(t, m).Lease, 0
		for deadline := time.Now().Add(20 * time.Second); renewed < 2; {
			if now := theLetter(t, m).Lease; now.After(lease) {
				lease = now
				renewed++
			}
			if time.Now().After(deadline) {
				t.Error("the lease is not renewed")
				return
			}
		}
	}()
	if _, err := m.deliver(t.Context(), note("k", "long")); err != nil {
		t.Error(err)
	}
	if after := theLetter(t, m); after.Held() {
		t.Error("it is held afterwards")
	}
}

func TestCallsAtOnceWithOneKeySendOneMail(t *testing.T) {
	s := googletest.New(t)
	path := newOutbox(t)
	s.Fault(googletest.Fault{Method: sendDraft, Delay: 20 * time.Millisecond})
	var all sync.WaitGroup
	ids := make(chan string, 12)
	for range 2 {
		m := mailboxOn(t, s, path)
		for range cap(ids) / 2 {
			all.Go(func() {
				d, err := m.deliver(t.Context(), note("k", "at once"))
				if err != nil {
					t.Error(err)
				}
				ids <- d.MessageID
			})
		}
	}
	all.Wait()
	close(ids)
	if got := slices.Compact(slices.Collect(func(yield func(string) bool) {
		for id := range ids {
			yield(id)
		}
	})); len(got) != 1 || s.Calls(sendDraft) != 1 || sentWith(s, "at once") != 1 {
		t.Errorf("answers %q after %d requests to send", got, s.Calls(sendDraft))
	}
}

func TestADraftOfTheUsersIsSentAsItStands(t *testing.T) {
	for name, fault := range map[string]googletest.Fault{"well": {}, "answer lost": {Method: sendDraft, Nth: 1, Answer: googletest.Reset, AfterEffect: true}} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			m := mailboxOn(t, s, newOutbox(t))
			raw := note("", "mine").Raw
			draft, err := m.createDraft(t.Context(), raw, "")
			if err != nil {
				t.Fatal(err)
			}
			if fault.Method != "" {
				s.Fault(fault)
			}
			ask := outgoing{Kind: "draft", DraftID: draft.Id}
			first, err := m.deliver(t.Context(), ask)
			if err != nil || first.MessageID == "" || first.ThreadID != s.User(ada).Sent()[0].ThreadID {
				t.Fatalf("got %+v, %v", first, err)
			}
			sent := s.User(ada).Sent()[0]
			if sent.Header("X-Kota-Outbox") != first.OutboxID || sent.Header("Subject") != "mine" || !strings.Contains(sent.Text(), "See you at noon.") {
				t.Errorf("sent %+v", sent)
			}
			again, err := m.deliver(t.Context(), ask)
			if err != nil || !again.Repeated || again.MessageID != first.MessageID || s.Calls(sendDraft) != 1 {
				t.Errorf("again: %+v, %v", again, err)
			}
			if e := envelopeOf(theLetter(t, m)); e.Subject != "mine" || !slices.Equal(e.To, []string{"bob@example.com"}) {
				t.Errorf("the letter is about %+v", e)
			}
		})
	}
}

func TestADraftThatIsNotThereIsNotSent(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	for range 2 {
		_, err := m.deliver(t.Context(), outgoing{Kind: "draft", DraftID: "r-1"})
		if metadata.CodeOf(err) != metadata.NotFound || s.Calls(sendDraft) != 0 {
			t.Errorf("got %v", err)
		}
	}
}

func TestAKeyMakesOneDraftAndThatIsNotSent(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	save := note("k", "later")
	save.AsDraft = true
	s.Fault(googletest.Fault{Method: createDraft, Nth: 1, Status: 503, AfterEffect: true})
	if _, err := m.deliver(t.Context(), save); metadata.CodeOf(err) != metadata.Unavailable {
		t.Fatal(err)
	}
	first, err := m.deliver(t.Context(), save)
	if err != nil || first.DraftID == "" || first.MessageID != "" {
		t.Fatalf("got %+v, %v", first, err)
	}
	if again, err := m.deliver(t.Context(), save); err != nil || !again.Repeated || again.DraftID != first.DraftID {
		t.Errorf("again: %+v, %v", again, err)
	}
	if drafts := s.User(ada).Drafts(); len(drafts) != 1 || drafts[0].ID != first.DraftID {
		t.Errorf("%d drafts", len(drafts))
	}
	_, err = m.deliver(t.Context(), note("k", "later"))
	if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), first.DraftID) {
		t.Errorf("sent under the key of a draft: %v", err)
	}
	keyless := note("", "later")
	keyless.AsDraft = true
	if got, err := m.deliver(t.Context(), keyless); err != nil || got.OutboxID != "" || len(theLetters(t, m)) != 1 {
		t.Errorf("without a key: %+v, %v", got, err)
	}
	if s.Calls(sendDraft) != 0 {
		t.Error("a draft was sent")
	}
}

func TestAMailTooLargeForGmailIsNotKept(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	_, err := m.deliver(t.Context(), outgoing{Raw: make([]byte, mostRaw)})
	if metadata.CodeOf(err) != metadata.TooLarge || len(theLetters(t, m)) != 0 || len(s.Requests()) != 0 {
		t.Errorf("got %v", err)
	}
}

func TestWithoutTheRightToReadSentItStaysUnknown(t *testing.T) {
	s := googletest.New(t)
	m := mailboxWith(t, s.URL(), s.HTTPClient(ada, scopeCompose), newOutbox(t), time.Minute)
	s.Fault(googletest.Fault{Method: sendDraft, Nth: 1, Answer: googletest.Reset, AfterEffect: true})
	for range 2 { // Sent may not be read
		if _, err := m.deliver(t.Context(), note("k", "narrow")); metadata.CodeOf(err) != metadata.OutcomeUnknown {
			t.Error(err)
		}
	}
	if got := theLetter(t, m).Error; !strings.Contains(got, "Sent could not be read") || s.Calls(sendDraft) != 1 {
		t.Errorf("the letter says %q", got)
	}
	m.api = mailboxOn(t, s, newOutbox(t)).api // the user has granted it
	if got, err := m.deliver(t.Context(), note("k", "narrow")); err != nil || !got.Repeated || s.Calls(sendDraft) != 1 {
		t.Errorf("once it may: %+v, %v", got, err)
	}
}
