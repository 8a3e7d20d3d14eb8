package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kota/store"
)

func concurrentClaimsHaveOneHolder(t *testing.T, open Opener) {
	var holders atomic.Int32
	ids := make(chan string, 64)
	var all sync.WaitGroup
	for range 8 {
		b := open(time.Now).Outbox("ann", "gmail")
		for range 8 {
			all.Go(func() {
				l, held := claim(t, b, newItem("k", "d"), time.Minute)
				if held {
					holders.Add(1)
				}
				ids <- l.ID
			})
		}
	}
	all.Wait()
	close(ids)
	first := <-ids
	for id := range ids {
		if id != first {
			t.Fatal("one key has two items")
		}
	}
	if holders.Load() != 1 {
		t.Errorf("it has %d holders", holders.Load())
	}
}

func leasesEndByThemselves(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	const hold = 50 * time.Millisecond
	start := time.Now()
	first, _ := claim(t, b, newItem("k", "d"), hold)
	for { // limited by the test's own timeout
		_, err := b.Acquire(t.Context(), first.ID, time.Minute)
		if err == nil {
			break
		}
		if !errors.Is(err, store.ErrNotHeld) {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	if took := time.Since(start); took < hold-time.Millisecond { // leases have milliseconds
		t.Errorf("the lease ended after %v", took)
	}
	second, err := b.Get(t.Context(), first.ID)
	if err != nil || !second.Held() {
		t.Fatalf("the second lease: %+v, %v", second, err)
	}
	if err := b.ExtendLease(t.Context(), second, -time.Minute); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Get(t.Context(), first.ID); err != nil || got.Held() || !got.Interrupted() {
		t.Errorf("after the end of its lease it is %+v, %v", got, err)
	}
}

// The clocks of machines differ by minutes. A lease must not.
func leasesIgnoreTheClockOfTheProcess(t *testing.T, open Opener) {
	boxes := map[string]Outbox{}
	for name, ahead := range map[string]time.Duration{"behind": -5 * time.Minute, "in time": 0, "ahead": 5 * time.Minute} {
		boxes[name] = open(func() time.Time { return time.Now().Add(ahead) }).Outbox("ann", "gmail")
	}
	for holder, b := range boxes {
		item, held := claim(t, b, newItem(holder, "d"), time.Minute)
		if !held {
			t.Fatalf("%s: a new item is not held", holder)
		}
		for other, c := range boxes {
			if got, err := c.Get(t.Context(), item.ID); err != nil || !got.Held() {
				t.Errorf("%s holds it, %s reads %+v, %v", holder, other, got, err)
			}
			if _, err := c.Acquire(t.Context(), item.ID, time.Minute); !errors.Is(err, store.ErrNotHeld) {
				t.Errorf("%s holds it, %s gets %v", holder, other, err)
			}
		}
		saveItem(t, b, &item, store.OutboxSending, time.Minute)
		for other, c := range boxes {
			if got, err := c.Get(t.Context(), item.ID); err != nil || !got.Held() {
				t.Errorf("%s has saved it, %s reads %+v, %v", holder, other, got, err)
			}
		}
		if err := b.ExtendLease(t.Context(), item, -time.Second); err != nil {
			t.Fatal(err)
		}
		for other, c := range boxes {
			got, err := c.Acquire(t.Context(), item.ID, -time.Second)
			if err != nil || got.Orphaned {
				t.Errorf("the lease of %s has expired, %s gets %+v, %v", holder, other, got, err)
			}
		}
	}
}

// Replicas run on machines whose clocks differ. In the bubble of synctest the clock of the system
// says the year 2000.
func leasesIgnoreTheClockOfTheMachine(t *testing.T, open Opener) {
	check := func(t *testing.T, b Outbox, item store.OutboxItem, where string) {
		t.Helper()
		if got, err := b.Get(t.Context(), item.ID); err != nil || !got.Held() {
			t.Errorf("%s reads %+v, %v", where, got, err)
		}
		if _, err := b.Acquire(t.Context(), item.ID, time.Minute); !errors.Is(err, store.ErrNotHeld) {
			t.Errorf("%s takes over a held item: %v", where, err)
		}
		if _, held := claim(t, b, newItem(item.Key, "d"), time.Minute); held {
			t.Errorf("%s claims a held item", where)
		}
	}
	here := open(time.Now).Outbox("ann", "gmail")
	early, _ := claim(t, here, newItem("early", "d"), time.Minute)
	late, saved := store.OutboxItem{}, store.OutboxItem{}
	synctest.Test(t, func(t *testing.T) {
		if year := time.Now().Year(); year != 2000 {
			t.Fatalf("the clock says %d", year)
		}
		db := open(time.Now)
		defer db.Close()
		there := db.Outbox("ann", "gmail")
		check(t, there, early, "the other machine")
		late, _ = claim(t, there, newItem("late", "d"), time.Minute)
		saved, _ = claim(t, there, newItem("saved", "d"), -1)
		saveItem(t, there, &saved, store.OutboxSending, time.Minute)
	})
	check(t, here, late, "this machine")
	check(t, here, saved, "this machine")
}

// A caller may take over a lease that has ended. Its item then does not say that a process died.
func takenOverItemsAreOrphaned(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	if item, _ := claim(t, b, newItem("new", "d"), time.Minute); item.Orphaned || !item.New || item.Tries != 0 {
		t.Errorf("a new item is %+v", item)
	}
	claim(t, b, newItem("expired", "d"), -1)
	if item, held := claim(t, b, newItem("expired", "d"), time.Minute); !held || item.Orphaned {
		t.Errorf("an item with an expired lease is %+v, held %v", item, held)
	}
}

func releasedItemsCanBeClaimed(t *testing.T, open Opener) {
	first, second := open(time.Now).Outbox("ann", "gmail"), open(time.Now).Outbox("ann", "gmail")
	item, _ := claim(t, first, newItem("k", "d"), time.Hour)
	if _, held := claim(t, second, newItem("k", "d"), time.Hour); held {
		t.Fatal("two hold it")
	}
	saveItem(t, first, &item, store.OutboxPending, 0)
	if item.Held() {
		t.Error("the caller that released it still holds it")
	}
	got, held := claim(t, second, newItem("k", "d"), time.Hour)
	if !held || got.ID != item.ID || got.New || got.Orphaned {
		t.Errorf("got %+v, held %v", got, held)
	}
	saveItem(t, second, &got, store.OutboxSending, time.Hour)
	if err := first.Save(t.Context(), &item, 0); !errors.Is(err, store.ErrNotHeld) {
		t.Errorf("the earlier holder saves: %v", err)
	}
	if read, err := first.Get(t.Context(), item.ID); err != nil || read.Status != store.OutboxSending || !read.Held() {
		t.Errorf("it is %+v, %v", read, err)
	}
}
