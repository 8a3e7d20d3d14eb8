package transport

import (
	"kota/entrypoint/wiretest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestALargeMessageHasItsPlaceUntilItIsAccepted(t *testing.T) {
	visit(t, "more calls run than may arrive at once", func(t *testing.T, v *wiretest.Visitor, toy *toyHandler) {
		long := `{"text":"` + strings.Repeat("x", 2*small) + `"}`
		var waiting []*wiretest.Visit
		for id := range 2 * maxLarge {
			waiting = append(waiting, v.Modern(id, "stubborn", long))
		}
		v.Modern(99, "echo", long).Says(t, 200, "result")
		close(toy.release)
		for _, one := range waiting {
			one.Says(t, 200, "at last")
		}
	})
}

func TestNobodyWaitsForRoomForEver(t *testing.T) {
	// crowded fills a session's limit on messages with a first call.
	crowded := func(v *wiretest.Visitor) (first, next *wiretest.Visit) {
		whole := `{"text":"` + strings.Repeat("x", MaxMessage*3/4) + `"}`
		return v.Legacy(1, "stubborn", whole), v.Legacy(2, "echo", whole)
	}
	visit(t, "it is to come again", func(t *testing.T, v *wiretest.Visitor, toy *toyHandler) {
		defer close(toy.release)
		_, next := crowded(v.Begin())
		if next.Over() {
			t.Fatalf("it is answered at once: %d", next.Code)
		}
		time.Sleep(placeTime)
		synctest.Wait()
		if next.Says(t, 503, tooMuch); next.Header().Get("Retry-After") == "" {
			t.Errorf("it is answered with %v", next.Header())
		}
	})
	visit(t, "whose client is gone", func(t *testing.T, v *wiretest.Visitor, toy *toyHandler) {
		defer close(toy.release)
		_, next := crowded(v.Begin())
		next.Leave()
		if synctest.Wait(); !next.Over() {
			t.Error("it waits on")
		}
	})
	visit(t, "who comes in when there is some", func(t *testing.T, v *wiretest.Visitor, toy *toyHandler) {
		first, next := crowded(v.Begin())
		close(toy.release)
		synctest.Wait()
		first.Says(t, 200, "at last")
		next.Says(t, 200, "result")
	})
}
