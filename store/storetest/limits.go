package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kota/store"
)

var limitsContract = Contract{
	"concurrent calls get exactly the limit":            limitsHoldForConcurrentCalls,
	"calls count across restarts until the window ends": limitsSurviveARestart,
	"the limit with the longest wait is returned":       longestLimitIsNamed,
	"clock changes do not change the window":            limitsIgnoreClockChanges,
	"calls in the future do not count":                  futureCallsDoNotCount,
	"each item counts":                                  eachItemCounts,
	"a refund allows another call of its kind":          refundsAllowAnotherCall,
	"a refund removes the last of equal records":        lastOfEqualRecordsIsRefunded,
	"the longest of several reached limits is returned": longestOfReachedLimitsIsNamed,
	"more calls than the limit are never allowed":       moreThanTheLimitIsNeverAllowed,
	"calls without a limit are not recorded":            callsWithoutALimitAreNotRecorded,
}

func limited(t *testing.T, err error) *store.LimitError {
	t.Helper()
	limit := (*store.LimitError)(nil)
	if !errors.As(err, &limit) {
		t.Fatalf("got %v, want a limit", err)
	}
	return limit
}

var twoAnHour = []store.Limit{{Max: 2, Window: time.Hour}}

func limitsSurviveARestart(t *testing.T, open Opener) {
	c := NewClock()
	for i := range 2 {
		db := open(c.Now)
		if err := db.Limits("ann").Allow(t.Context(), store.KindSend, 1, twoAnHour); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		c.Set(c.Now().Add(time.Duration(20+i) * time.Minute))
	}
	db := open(c.Now)
	full := limited(t, db.Limits("ann").Allow(t.Context(), store.KindSend, 1, twoAnHour))
	if want := NewClock().Now().Add(time.Hour); !full.RetryAt.Equal(want) || full.Max != 2 {
		t.Errorf("the next call is allowed at %v, want %v", full.RetryAt, want)
	}
	for what, err := range map[string]error{
		"another kind":    db.Limits("ann").Allow(t.Context(), store.KindDestroy, 1, twoAnHour),
		"somebody else":   db.Limits("bob").Allow(t.Context(), store.KindSend, 1, twoAnHour),
		"no limit at all": db.Limits("ann").Allow(t.Context(), store.KindSend, 1, nil),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	c.Set(full.RetryAt.Add(-time.Millisecond))
	limited(t, db.Limits("ann").Allow(t.Context(), store.KindSend, 1, twoAnHour))
	c.Set(full.RetryAt)
	if err := db.Limits("ann").Allow(t.Context(), store.KindSend, 1, twoAnHour); err != nil {
		t.Errorf("at RetryAt: %v", err)
	}
}

// If two limits are reached, the error names the one with the longer wait. Refused calls do not
// count.
func longestLimitIsNamed(t *testing.T, open Opener) {
	c := NewClock()
	db := open(c.Now)
	limits := []store.Limit{{Max: 2, Window: time.Hour}, {Max: 3, Window: 24 * time.Hour}}
	for range 3 {
		if err := db.Limits("ann").Allow(t.Context(), store.KindSend, 1, limits); err != nil {
			t.Fatal(err)
		}
		c.Set(c.Now().Add(40 * time.Minute))
	}
	for range 3 {
		if full := limited(t, db.Limits("ann").Allow(t.Context(), store.KindSend, 1, limits)); full.Window != 24*time.Hour || !full.RetryAt.Equal(NewClock().Now().Add(24*time.Hour)) {
			t.Errorf("%+v", full)
		}
	}
	c.Set(NewClock().Now().Add(24 * time.Hour))
	if err := db.Limits("ann").Allow(t.Context(), store.KindSend, 1, limits); err != nil {
		t.Error(err)
	}
}

// A window of one hour also lasts one hour during the change from daylight saving time.
func limitsIgnoreClockChanges(t *testing.T, open Opener) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	c := ClockAt(time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)) // 02:30, which occurs twice that night; this is the first
	db := open(c.Now)
	limits := []store.Limit{{Max: 1, Window: time.Hour}}
	if err := db.Limits("ann").Allow(t.Context(), store.KindSend, 1, limits); err != nil {
		t.Fatal(err)
	}
	c.Set(c.Now().Add(59 * time.Minute))
	full := limited(t, db.Limits("ann").Allow(t.Context(), store.KindSend, 1, limits))
	if got := full.RetryAt.In(zone).Format(time.RFC3339); got != "2026-10-25T02:30:00+01:00" {
		t.Errorf("the next call is allowed at %s", got)
	}
}

// A clock that was a year ahead does not block calls after it is corrected.
func futureCallsDoNotCount(t *testing.T, open Opener) {
	c := NewClock()
	db := open(c.Now)
	c.Set(c.Now().AddDate(1, 0, 0))
	for range 2 {
		if err := db.Limits("ann").Allow(t.Context(), store.KindSend, 1, twoAnHour); err != nil {
			t.Fatal(err)
		}
	}
	c.Set(NewClock().Now())
	if err := db.Limits("ann").Allow(t.Context(), store.KindSend, 1, twoAnHour); err != nil {
		t.Error(err)
	}
}

// A change of many items counts as many calls.
func eachItemCounts(t *testing.T, open Opener) {
	c := NewClock()
	db := open(c.Now)
	pass := func(n int) error {
		return db.Limits("ann").Allow(t.Context(), store.KindChange, n, []store.Limit{{Max: 10, Window: time.Hour}})
	}
	if err := pass(6); err != nil {
		t.Fatal(err)
	}
	c.Set(c.Now().Add(time.Minute))
	if err := errors.Join(pass(3), pass(0)); err != nil {
		t.Fatal(err)
	}
	if full := limited(t, pass(2)); !full.RetryAt.Equal(NewClock().Now().Add(time.Hour)) {
		t.Errorf("two calls are allowed at %v", full.RetryAt)
	}
	if full := limited(t, pass(8)); !full.RetryAt.Equal(NewClock().Now().Add(time.Hour + time.Minute)) {
		t.Errorf("eight calls are allowed at %v", full.RetryAt)
	}
	if err := pass(1); err != nil {
		t.Errorf("one more: %v", err)
	}
	limited(t, pass(11))
}

func refundsAllowAnotherCall(t *testing.T, open Opener) {
	c := NewClock()
	db := open(c.Now)
	for _, kind := range []string{store.KindSend, store.KindDestroy, store.KindSend, store.KindDestroy} {
		if err := db.Limits("ann").Allow(t.Context(), kind, 1, twoAnHour); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Limits("ann").Refund(t.Context(), store.KindSend); err != nil {
		t.Fatal(err)
	}
	if err := db.Limits("ann").Allow(t.Context(), store.KindSend, 1, twoAnHour); err != nil {
		t.Errorf("after a refund: %v", err)
	}
	limited(t, db.Limits("ann").Allow(t.Context(), store.KindSend, 1, twoAnHour))
	limited(t, db.Limits("ann").Allow(t.Context(), store.KindDestroy, 1, twoAnHour))
}

// limitsHoldForConcurrentCalls uses four processes with five callers each.
func limitsHoldForConcurrentCalls(t *testing.T, open Opener) {
	const limit = 11
	var all sync.WaitGroup
	var allowed atomic.Int32
	for range 4 {
		l := open(NewClock().Now).Limits("ann")
		for range 5 {
			all.Go(func() {
				err := l.Allow(t.Context(), store.KindSend, 1, []store.Limit{{Max: limit, Window: time.Hour}})
				switch full := (*store.LimitError)(nil); {
				case err == nil:
					allowed.Add(1)
				case !errors.As(err, &full):
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if allowed.Load() != limit {
		t.Errorf("%d were allowed, want %d", allowed.Load(), limit)
	}
}
