package outgoing

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

func TestKeyIdentifiesOneMail(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	first, err := m.Deliver(bundletest.WithUserConsent(t.Context()), note("k", "lunch"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.Deliver(bundletest.WithUserConsent(t.Context()), note("k", "lunch"))
	want := first
	want.Repeated = true
	if diff := cmp.Diff(want, again); err != nil || diff != "" || first.Envelope.Subject != "lunch" {
		t.Errorf("got %v, %s", err, diff)
	}
	_, err = m.Deliver(bundletest.WithUserConsent(t.Context()), note("k", "dinner"))
	if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), `"lunch" to bob@example.com`) {
		t.Errorf("another mail under the key: %v", err)
	}
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), note("k2", "lunch")); err != nil || sentWith(s, "lunch") != 2 {
		t.Errorf("the same mail on purpose: %v, %d sent", err, sentWith(s, "lunch"))
	}
}

func TestContentIdentifiesRepeatWithoutKey(t *testing.T) {
	s := googletest.New(t)
	m := mailboxOn(t, s, newOutbox(t))
	now := time.Now()
	m.Now = func() time.Time { return now }
	send := func(out Mail) Delivery {
		t.Helper()
		d, err := m.Deliver(bundletest.WithUserConsent(t.Context()), out)
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
	for what, out := range map[string]Mail{"another subject": note("", "dinner"), "another recipient": copied, "another thread": {
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

func TestConcurrentCallsWithOneKeySendOneMail(t *testing.T) {
	s := googletest.New(t)
	path := newOutbox(t)
	s.Fault(fakeapi.Fault{Method: draftsSend, Delay: 20 * time.Millisecond})
	var all sync.WaitGroup
	ids := make(chan string, 12)
	for range 2 {
		m := mailboxOn(t, s, path)
		for range cap(ids) / 2 {
			all.Go(func() {
				d, err := m.Deliver(bundletest.WithUserConsent(t.Context()), note("k", "at once"))
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
	})); len(got) != 1 || s.Calls(draftsSend) != 1 || sentWith(s, "at once") != 1 {
		t.Errorf("answers %q after %d requests to send", got, s.Calls(draftsSend))
	}
}
