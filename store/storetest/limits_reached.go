package storetest

import (
	"testing"
	"time"

	"kota/store"
)

// Both limits are reached. Their order has no effect.
func longestOfReachedLimitsIsNamed(t *testing.T, open Opener) {
	db, c := WithClock(open)
	l := db.Limits("ann")
	hour, day := store.Limit{Max: 2, Window: time.Hour}, store.Limit{Max: 2, Window: 24 * time.Hour}
	for range 2 {
		if err := l.Allow(t.Context(), store.KindSend, 1, []store.Limit{hour, day}); err != nil {
			t.Fatal(err)
		}
	}
	for _, limits := range [][]store.Limit{{hour, day}, {day, hour}} {
		if full := limited(t, l.Allow(t.Context(), store.KindSend, 1, limits)); full.Window != day.Window || !full.RetryAt.Equal(c.Now().Add(day.Window)) {
			t.Errorf("%v: got %+v", limits, full)
		}
	}
}

// More calls at once than the limit are never allowed, even if none was recorded.
func moreThanTheLimitIsNeverAllowed(t *testing.T, open Opener) {
	db, c := WithClock(open)
	l := db.Limits("ann")
	if full := limited(t, l.Allow(t.Context(), store.KindSend, 3, twoAnHour)); !full.RetryAt.Equal(c.Now().Add(time.Hour)) {
		t.Errorf("got %+v", full)
	}
	if err := l.Allow(t.Context(), store.KindSend, 2, twoAnHour); err != nil {
		t.Errorf("the refused calls count: %v", err)
	}
}

func callsWithoutALimitAreNotRecorded(t *testing.T, open Opener) {
	db, _ := WithClock(open)
	l := db.Limits("ann")
	if err := l.Allow(t.Context(), store.KindSend, 5, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.Refund(t.Context(), store.KindSend); err != nil {
		t.Errorf("a refund without a record: %v", err)
	}
	if err := l.Allow(t.Context(), store.KindSend, 2, twoAnHour); err != nil {
		t.Errorf("they count: %v", err)
	}
}
