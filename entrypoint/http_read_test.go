package entrypoint

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestALargeMessageHasItsPlaceUntilItIsAccepted(t *testing.T) {
	visit(t, "more calls run than may arrive at once", func(t *testing.T, v *visitor, toy *toyServer) {
		long := `{"text":"` + strings.Repeat("x", 2*small) + `"}`
		var waiting []*visitOf
		for id := range 2 * maxLarge {
			waiting = append(waiting, v.modern(id, "stubborn", long))
		}
		v.modern(99, "echo", long).says(t, 200, "result")
		close(toy.release)
		for _, one := range waiting {
			one.says(t, 200, "at last")
		}
	})
}

func TestNobodyWaitsForRoomForEver(t *testing.T) {
	// crowded has a session whose messages take all the room that there is.
	crowded := func(v *visitor) (first, next *visitOf) {
		whole := `{"text":"` + strings.Repeat("x", MaxMessage*3/4) + `"}`
		return v.legacy(1, "stubborn", whole), v.legacy(2, "echo", whole)
	}
	visit(t, "it is to come again", func(t *testing.T, v *visitor, toy *toyServer) {
		defer close(toy.release)
		_, next := crowded(v.begin())
		if next.over.Load() {
			t.Fatalf("it is answered at once: %d", next.Code)
		}
		time.Sleep(placeTime)
		synctest.Wait()
		if next.says(t, 503, tooMuch); next.Header().Get("Retry-After") == "" {
			t.Errorf("it is answered with %v", next.Header())
		}
	})
	visit(t, "whose client is gone", func(t *testing.T, v *visitor, toy *toyServer) {
		defer close(toy.release)
		_, next := crowded(v.begin())
		next.leave()
		if synctest.Wait(); !next.over.Load() {
			t.Error("it waits on")
		}
	})
	visit(t, "who comes in when there is some", func(t *testing.T, v *visitor, toy *toyServer) {
		first, next := crowded(v.begin())
		close(toy.release)
		synctest.Wait()
		first.says(t, 200, "at last")
		next.says(t, 200, "result")
	})
}
