package transport

import (
	"kota/entrypoint/wiretest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLargeBodyCountsUntilAccepted(t *testing.T) {
	runWithClient(t, "more calls run than may arrive at once", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		long := `{"text":"` + strings.Repeat("x", 2*smallBody) + `"}`
		var waiting []*wiretest.Response
		for id := range 2 * maxLarge {
			waiting = append(waiting, v.CallModern(id, "stubborn", long))
		}
		v.CallModern(99, "echo", long).Expect(t, 200, "result")
		close(toy.release)
		for _, one := range waiting {
			one.Expect(t, 200, "at last")
		}
	})
}

func TestWaitForQueueIsLimited(t *testing.T) {
	// crowded fills a session's limit on messages with a first call.
	crowded := func(v *wiretest.Client) (first, next *wiretest.Response) {
		whole := `{"text":"` + strings.Repeat("x", MaxMessage*3/4) + `"}`
		return v.CallLegacy(1, "stubborn", whole), v.CallLegacy(2, "echo", whole)
	}
	runWithClient(t, "it is to come again", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		defer close(toy.release)
		_, next := crowded(v.BeginSession())
		if next.Complete() {
			t.Fatalf("it is answered at once: %d", next.Code)
		}
		time.Sleep(queueTimeout)
		synctest.Wait()
		if next.Expect(t, 503, overloaded); next.Header().Get("Retry-After") == "" {
			t.Errorf("it is answered with %v", next.Header())
		}
	})
	runWithClient(t, "whose client is gone", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		defer close(toy.release)
		_, next := crowded(v.BeginSession())
		next.Disconnect()
		if synctest.Wait(); !next.Complete() {
			t.Error("it waits on")
		}
	})
	runWithClient(t, "who comes in when there is some", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		first, next := crowded(v.BeginSession())
		close(toy.release)
		synctest.Wait()
		first.Expect(t, 200, "at last")
		next.Expect(t, 200, "result")
	})
}
