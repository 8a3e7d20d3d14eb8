package outgoing

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
)

// A sendBlocker blocks each request that sends until open is closed.
type sendBlocker struct {
	next    http.RoundTripper
	reached chan struct{} // one value for each request that waits
	open    chan struct{}
}

func (g *sendBlocker) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/drafts/send") {
		g.reached <- struct{}{}
		<-g.open
	}
	return g.next.RoundTrip(r)
}

// newBlockedSender returns a sender whose requests that send are blocked.
func newBlockedSender(t *testing.T, s *googletest.Server) (*Sender, *sendBlocker) {
	client := s.HTTPClient(ada, mailbox.ScopeModify)
	blocker := &sendBlocker{next: client.Transport, reached: make(chan struct{}, 1), open: make(chan struct{})}
	client.Transport = blocker
	return newSenderWith(t, s.URL(), client, enginetest.New(t), time.Minute), blocker
}

func TestDeliverFinishesAfterCancel(t *testing.T) {
	s := googletest.New(t)
	m, blocker := newBlockedSender(t, s)
	ctx, cancel := context.WithCancel(bundletest.WithUserConsent(t.Context()))
	go func() {
		<-blocker.reached
		cancel()
		close(blocker.open)
	}()
	got, err := m.Deliver(ctx, testMail("k", "cancelled"))
	if err != nil || ctx.Err() == nil || onlyStoredItem(t, m).Status != store.OutboxSent || countSent(s, "cancelled") != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := m.Deliver(ctx, testMail("k2", "never begun")); err == nil || len(storedItems(t, m)) != 1 {
		t.Error("a call that was cancelled before was begun")
	}
}

func TestLeaseIsRenewedWhileSending(t *testing.T) {
	s := googletest.New(t)
	m, blocker := newBlockedSender(t, s)
	m.timeouts.renew = 2 * time.Millisecond
	go func() {
		<-blocker.reached
		defer close(blocker.open)
		lease, renewed := onlyStoredItem(t, m).Lease, 0
		for deadline := time.Now().Add(20 * time.Second); renewed < 2; {
			if now := onlyStoredItem(t, m).Lease; now.After(lease) {
				lease = now
				renewed++
			}
			if time.Now().After(deadline) {
				t.Error("the lease is not renewed")
				return
			}
		}
	}()
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "long")); err != nil {
		t.Error(err)
	}
	if after := onlyStoredItem(t, m); after.Held() {
		t.Error("it is held afterwards")
	}
}

func TestLostLeaseReturnsOutcomeUnknown(t *testing.T) {
	for name, fault := range map[string]fakeapi.Fault{
		"refused": {Method: draftsSend, Nth: 1, Status: 429}, "not answered": {Method: draftsSend, Nth: 1, Status: 503},
	} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			m, blocker := newBlockedSender(t, s)
			m.timeouts.lease, m.timeouts.renew = 400*time.Millisecond, time.Minute // like a process that was stopped
			s.Fault(fault)
			go func() {
				<-blocker.reached
				defer close(blocker.open)
				takeOver(t, m)
			}()
			_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "slow"))
			if metadata.CodeOf(err) != metadata.OutcomeUnknown || !strings.Contains(err.Error(), "still sending this mail") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// takeOver leases the only item as soon as its lease has ended, like another process.
func takeOver(t *testing.T, m *Sender) {
	t.Helper()
	box, err := m.Stores.Outbox(t.Context())
	if err != nil {
		t.Error(err)
		return
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err = box.Acquire(t.Context(), onlyStoredItem(t, m).ID, time.Minute); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Error(err)
			return
		}
	}
}

// A slowBox answers only after late that an item is being sent, like a database that fails over.
type slowBox struct {
	persist.OutboxStore
	late func()
}

func (b slowBox) Save(ctx context.Context, item *store.OutboxItem, hold time.Duration) error {
	err := b.OutboxStore.Save(ctx, item, hold)
	if item.Status == store.OutboxSending {
		b.late()
	}
	return err
}

func TestNothingIsSentAfterLeaseHasEnded(t *testing.T) {
	for name, taken := range map[string]bool{"another process has it": true, "nobody has it": false} {
		t.Run(name, func(t *testing.T) {
			s := googletest.New(t)
			m := newSenderWith(t, s.URL(), s.HTTPClient(ada, mailbox.ScopeModify), enginetest.New(t), time.Minute)
			m.timeouts.lease, m.timeouts.renew = 200*time.Millisecond, time.Minute
			open := m.Stores.Outbox
			m.Stores.Outbox = func(ctx context.Context) (persist.OutboxStore, error) {
				box, err := open(ctx)
				return slowBox{box, sync.OnceFunc(func() {
					if taken {
						takeOver(t, m)
					} else {
						time.Sleep(2 * m.timeouts.lease)
					}
				})}, err
			}
			_, err := m.Deliver(bundletest.WithUserConsent(t.Context()), testMail("k", "late"))
			sent := countSent(s, "late")
			if taken && (sent != 0 || metadata.CodeOf(err) != metadata.OutcomeUnknown || !strings.Contains(err.Error(), "still sending this mail")) {
				t.Errorf("sent %d times: %v", sent, err)
			}
			if !taken && (sent != 1 || err != nil) {
				t.Errorf("sent %d times: %v", sent, err)
			}
		})
	}
}

func TestLargeMailGetsMoreTime(t *testing.T) {
	t.Parallel()
	s := googletest.New(t)
	m := newSenderWith(t, s.URL(), s.HTTPClient(ada, mailbox.ScopeModify), enginetest.New(t), time.Minute)
	m.timeouts.prepare = time.Second
	s.Fault(fakeapi.Fault{Method: draftsCreate, Delay: 1500 * time.Millisecond})
	large := testMail("k", "large")
	large.Raw = append(large.Raw, bytes.Repeat([]byte("0123456789abcd\r\n"), 1<<20/16)...)
	if _, err := m.Deliver(bundletest.WithUserConsent(t.Context()), large); err != nil {
		t.Error(err)
	}
}
