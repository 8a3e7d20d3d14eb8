package gmail

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/google/googletest"
	"kota/store"
)

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
