package outgoing

import (
	"fmt"
	"math/rand/v2"
	"sync"
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

// These are the methods that a send calls, and the faults of each.
var (
	faultyMethods = []string{
		draftsCreate, draftsSend, draftsSend, draftsSend, "gmail.users.drafts.get", "gmail.users.drafts.list",
		"gmail.users.drafts.delete", "gmail.users.messages.list", "gmail.users.messages.get",
	}
	faultyAnswers = []fakeapi.Fault{
		{Status: 503}, {Status: 500}, {Status: 429}, {Status: 403}, {Status: 400}, {Status: 404},
		{Answer: fakeapi.Reset}, {Answer: fakeapi.Hang}, {Answer: fakeapi.Truncated},
		{Answer: fakeapi.Garbage}, {Answer: fakeapi.HTML}, {Answer: fakeapi.HTML, Status: 502},
		{Delay: 10 * time.Millisecond},
	}
)

func randomFault(r *rand.Rand) fakeapi.Fault {
	f := faultyAnswers[r.IntN(len(faultyAnswers))]
	f.Method, f.Nth, f.Times = faultyMethods[r.IntN(len(faultyMethods))], 1+r.IntN(2), 1+r.IntN(2)
	f.AfterEffect = r.IntN(2) == 0
	return f
}

// withoutEffectIfRefused moves a 4xx fault before the effect, because Google does not
// carry out a refused request.
func withoutEffectIfRefused(f fakeapi.Fault) fakeapi.Fault {
	if f.Answer == 0 && f.Status >= 400 && f.Status < 500 {
		f.AfterEffect = false
	}
	return f
}

// KOTA_MODEL_RUNS sets the number of tried sequences.
func TestMailIsSentOnceUnderRandomFaults(t *testing.T) {
	s, place := googletest.New(t), enginetest.New(t)
	handles := []*Sender{}
	for range 2 {
		handles = append(handles, newSenderWith(t, s.URL(), s.HTTPClient(ada, mailbox.ScopeModify), place, 100*time.Millisecond))
	}
	runs := countFromEnv(t, "KOTA_MODEL_RUNS", 60)
	var sent, unknown, failed int
	for run := range runs {
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 0))
		key := fmt.Sprint("run", run)
		checker := &outcomeChecker{T: t, s: s, key: key, what: fmt.Sprintf("run %d, seed %d", run, seed)}
		for range 1 + r.IntN(5) {
			var withdraw []func()
			for range 1 + r.IntN(3) {
				withdraw = append(withdraw, s.Fault(withoutEffectIfRefused(randomFault(r))))
			}
			var all sync.WaitGroup
			for range 1 + r.IntN(2) {
				m := handles[r.IntN(2)]
				all.Go(func() { checker.addAnswer(m.Deliver(bundletest.WithUserConsent(t.Context()), testMail(key, key))) })
			}
			all.Wait()
			for _, undo := range withdraw {
				undo()
			}
			item := checker.check(handles[0])
			if r.IntN(3) == 0 {
				checker.edited = gmailUser{t, handles[0]}.changeRandomly(r, s, key) || checker.edited
			}
			switch item.Status {
			case store.OutboxSent:
				sent++
			case store.OutboxUnknown:
				unknown++
			case store.OutboxFailed:
				failed++
			}
		}
		if got, err := handles[0].Deliver(bundletest.WithUserConsent(t.Context()), testMail(key, key)); err == nil {
			checker.addAnswer(got, nil)
		} else if code := metadata.CodeOf(err); code != metadata.OutcomeUnknown && !(code == metadata.Conflict && checker.edited) {
			t.Errorf("%s: with all well again: %v", checker.what, err)
		}
		checker.check(handles[1])
		if t.Failed() {
			return
		}
	}
	t.Logf("%d runs: after a step %d items were sent, %d unknown, %d failed", runs, sent, unknown, failed)
}

// An outcomeChecker compares the answers with the actual state.
type outcomeChecker struct {
	*testing.T
	s         *googletest.Server
	key, what string
	edited    bool // the user edited the draft: its header may be lost

	mu       sync.Mutex
	messages []string // ids that were reported as sent
}

func (w *outcomeChecker) addAnswer(d Delivery, err error) {
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages = append(w.messages, d.MessageID)
}

func (w *outcomeChecker) check(m *Sender) store.OutboxItem {
	w.Helper()
	item := store.OutboxItem{}
	for _, l := range storedItems(w.T, m) {
		if l.Key == w.key {
			item = l
		}
	}
	sentID := ""
	for _, message := range w.s.User(ada).Sent() {
		if message.Header("Subject") != w.key {
			continue
		}
		if sentID != "" {
			w.Fatalf("%s: sent twice", w.what)
		}
		sentID = message.ID
		if got := message.Header(outboxHeader); got != item.ID && !(w.edited && got == "") {
			w.Errorf("%s: sent with the header %q", w.what, got)
		}
	}
	switch {
	case item.Status == store.OutboxSent && item.Message != sentID:
		w.Errorf("%s: the item was sent as %q, and Sent has %q", w.what, item.Message, sentID)
	case item.Status == store.OutboxFailed && sentID != "":
		w.Errorf("%s: the item failed (%s), and Sent has %q", w.what, item.Error, sentID)
	case item.Status == store.OutboxPending && (item.Error == "" || item.Draft != "" || sentID != ""), item.Status == store.OutboxSending:
		w.Errorf("%s: the item is left %s", w.what, item.Status)
	}
	for _, id := range w.messages {
		if id != sentID {
			w.Errorf("%s: answered with message %q, and Sent has %q", w.what, id, sentID)
		}
	}
	return item
}
