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
	"kota/store/enginetest"
)

func TestKeyIdentifiesOneMail(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
	first, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "lunch"))
	want := first
	want.Repeated = true
	if diff := cmp.Diff(want, again); err != nil || diff != "" || first.Envelope.Subject != "lunch" {
		t.Errorf("got %v, %s", err, diff)
	}
	_, err = m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "dinner"))
	if metadata.CodeOf(err) != metadata.Conflict || !strings.Contains(err.Error(), `"lunch" to bob@example.com`) {
		t.Errorf("another mail under the key: %v", err)
	}
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k2", "lunch")); err != nil || countSent(s, "lunch") != 2 {
		t.Errorf("the same mail on purpose: %v, %d sent", err, countSent(s, "lunch"))
	}
}

func TestContentIdentifiesRepeatWithoutKey(t *testing.T) {
	s := googletest.New(t)
	m := newSender(t, s, enginetest.New(t))
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
	first := send(testMail("", "lunch"))
	if again := send(testMail("", "lunch")); !again.Repeated || again.MessageID != first.MessageID {
		t.Errorf("the same mail: %+v", again)
	}
	copied := testMail("", "lunch")
	copied.Raw = []byte(strings.Replace(string(copied.Raw), "To: bob@", "To: eve@", 1))
	for what, out := range map[string]Mail{"another subject": testMail("", "dinner"), "another recipient": copied, "another thread": {
		Raw: testMail("", "lunch").Raw, ThreadID: first.ThreadID,
	}} {
		if d := send(out); d.Repeated {
			t.Errorf("%s is taken for a repeat", what)
		}
	}
	now = now.Add(11 * time.Minute)
	if later := send(testMail("", "lunch")); later.Repeated {
		t.Errorf("eleven minutes later: %+v", later)
	}
}

func TestConcurrentCallsWithOneKeySendOneMail(t *testing.T) {
	s := googletest.New(t)
	place := enginetest.New(t)
	s.Fault(fakeapi.Fault{Method: draftsSend, Delay: 20 * time.Millisecond})
	var all sync.WaitGroup
	ids := make(chan string, 12)
	for range 2 {
		m := newSender(t, s, place)
		for range cap(ids) / 2 {
			all.Go(func() {
				d, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "at once"))
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
	})); len(got) != 1 || s.Calls(draftsSend) != 1 || countSent(s, "at once") != 1 {
		t.Errorf("answers %q after %d requests to send", got, s.Calls(draftsSend))
	}
}
