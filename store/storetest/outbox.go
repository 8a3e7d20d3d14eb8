package storetest

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"kota/store"
)

var outboxContract = Contract{
	"64 concurrent claims by eight processes have one holder":   concurrentClaimsHaveOneHolder,
	"an item is held until its lease expires":                   itemsAreHeldUntilTheLeaseExpires,
	"a lease ends at the end of its time":                       leasesEndByThemselves,
	"a lease does not depend on the clock of the process":       leasesIgnoreTheClockOfTheProcess,
	"a lease does not depend on the clock of the machine":       leasesIgnoreTheClockOfTheMachine,
	"an item taken over before its lease ended is orphaned":     takenOverItemsAreOrphaned,
	"a released item can be claimed at once":                    releasedItemsCanBeClaimed,
	"the status sent is recorded even without the lease":        sentIsRecordedWithoutTheLease,
	"a claim finds an item by its key or a recent digest":       claimsFindItemsByKeyOrRecentDigest,
	"a claim with the key of another request takes no lease":    claimsOfAnotherRequestTakeNoLease,
	"a claim finds an unknown item of any age":                  claimsFindUnknownItems,
	"a claim prefers an unfinished item with the same content":  claimsPreferUnfinishedItems,
	"a claim finds the latest of several items":                 claimsFindTheLatestItem,
	"find returns what a claim would return, and holds nothing": findHoldsNothing,
	"the bytes are kept until the item is done":                 rawIsKeptUntilDone,
	"old items are removed unless their outcome is unknown":     oldItemsAreRemoved,
	"an item belongs to one tenant and account":                 itemsBelongToOneTenantAndAccount,
	"a bundle sees only its own items":                          bundlesSeeTheirOwnItems,
	"a cancelled item frees its key":                            cancelledItemsFreeTheirKey,
	"only the holder can forget an item":                        onlyTheHolderForgets,
	"an item is read as it was saved":                           itemsAreReadAsSaved,
	"the items that changed last come first":                    lastChangedItemsComeFirst,
	"a claim prefers an older unfinished item":                  claimsPreferOlderUnfinishedItems,
	"a digest stands for a missing content key":                 digestsAreContentKeys,
	"a finished item cannot be acquired":                        finishedItemsCannotBeAcquired,
}

func newItem(key, digest string) store.OutboxItem {
	return store.OutboxItem{Account: "home", Key: key, Digest: digest, Kind: "send", Summary: json.RawMessage(`{"to":["ann@example.com"]}`), Raw: []byte("Subject: hi\r\n\r\nhello"), OwnsDraft: true}
}

func claim(t testing.TB, b Outbox, want store.OutboxItem, hold time.Duration) (store.OutboxItem, bool) {
	t.Helper()
	l, held, err := b.ClaimOrCreate(t.Context(), want, time.Time{}, hold)
	if err != nil {
		t.Fatal(err)
	}
	return l, held
}

func saveItem(t testing.TB, b Outbox, l *store.OutboxItem, status store.OutboxStatus, hold time.Duration) {
	t.Helper()
	l.Status = status
	if err := b.Save(t.Context(), l, hold); err != nil {
		t.Fatal(err)
	}
}

func itemsAreHeldUntilTheLeaseExpires(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	first, _ := claim(t, b, newItem("k", "d"), -1) // the lease has expired
	second, held := claim(t, b, newItem("k", "d"), time.Minute)
	if !held || second.ID != first.ID || second.New {
		t.Fatalf("got %+v, held %v", second, held)
	}
	first.Draft = "r1"
	if err := b.Save(t.Context(), &first, time.Minute); !errors.Is(err, store.ErrNotHeld) {
		t.Errorf("save after losing the lease: %v", err)
	}
	if err := b.ExtendLease(t.Context(), first, time.Minute); !errors.Is(err, store.ErrNotHeld) {
		t.Errorf("extend after losing the lease: %v", err)
	}
	if _, err := b.Acquire(t.Context(), first.ID, time.Minute); !errors.Is(err, store.ErrNotHeld) {
		t.Errorf("acquire while it is held: %v", err)
	}
	saveItem(t, b, &second, store.OutboxFailed, 0)
	if err := b.ExtendLease(t.Context(), second, time.Minute); !errors.Is(err, store.ErrNotHeld) {
		t.Errorf("extend after releasing the lease: %v", err)
	}
	if _, err := b.Acquire(t.Context(), first.ID, time.Minute); err != nil {
		t.Errorf("acquire after releasing the lease: %v", err)
	}
}

func sentIsRecordedWithoutTheLease(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	slow, _ := claim(t, b, newItem("k", "d"), -1)
	other, _ := claim(t, b, newItem("k", "d"), time.Minute)
	slow.Message = "m1"
	saveItem(t, b, &slow, store.OutboxSent, 0)
	other.Status = store.OutboxUnknown
	if err := b.Save(t.Context(), &other, 0); !errors.Is(err, store.ErrNotHeld) {
		t.Errorf("a sent item became unknown: %v", err)
	}
	got, held := claim(t, b, newItem("k", "d"), time.Minute)
	if held || got.Status != store.OutboxSent || got.Message != "m1" {
		t.Errorf("got %+v, held %v", got, held)
	}
}

func claimsFindItemsByKeyOrRecentDigest(t *testing.T, open Opener) {
	db, now := WithClock(open)
	b := db.Outbox("ann", "gmail")
	sent, _ := claim(t, b, newItem("k", "d"), time.Minute)
	saveItem(t, b, &sent, store.OutboxSent, 0)
	now.Set(now.Now().Add(time.Hour))
	recent := func(key, digest string, since time.Duration) string {
		t.Helper()
		l, held, err := b.ClaimOrCreate(t.Context(), newItem(key, digest), now.Now().Add(-since), 0)
		if err != nil {
			t.Fatal(err)
		}
		if !held && l.ID == sent.ID {
			return "the first"
		}
		if l.New {
			return "a new one"
		}
		return l.ID
	}
	for _, c := range []struct {
		key, digest string
		since       time.Duration
		want        string
	}{
		{"k", "d", 0, "the first"},            // of any age
		{"k", "other", 0, "the first"},        // the caller compares digests
		{"", "d", 2 * time.Hour, "the first"}, // even without its key
		{"", "d", time.Hour, "a new one"},     // because it was sent exactly then, and not after
		{"k2", "d", 2 * time.Hour, "a new one"},
	} {
		if got := recent(c.key, c.digest, c.since); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func claimsOfAnotherRequestTakeNoLease(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	first, _ := claim(t, b, newItem("k", "d"), time.Minute)
	saveItem(t, b, &first, store.OutboxFailed, 0)
	if got, held := claim(t, b, newItem("k", "other"), time.Minute); held || got.ID != first.ID || got.Held() {
		t.Errorf("got %+v, held %v", got, held)
	}
	if _, err := b.Acquire(t.Context(), first.ID, time.Minute); err != nil {
		t.Errorf("acquire of the first item: %v", err)
	}
}

func claimsFindUnknownItems(t *testing.T, open Opener) {
	db, now := WithClock(open)
	b := db.Outbox("ann", "gmail")
	first, _ := claim(t, b, newItem("", "d"), time.Minute)
	saveItem(t, b, &first, store.OutboxUnknown, 0)
	now.Set(now.Now().AddDate(1, 0, 0))
	if got, held := claim(t, b, newItem("", "d"), time.Minute); got.ID != first.ID || !held {
		t.Errorf("got %+v, held %v", got, held)
	}
}

func claimsPreferUnfinishedItems(t *testing.T, open Opener) {
	about := func(digest string) store.OutboxItem {
		l := newItem("", digest)
		l.ContentKey = "g"
		return l
	}
	db := open(time.Now)
	for status, comes := range map[store.OutboxStatus]bool{
		store.OutboxPending: true, store.OutboxSending: true, store.OutboxUnknown: true,
		store.OutboxSent: false, store.OutboxSaved: false, store.OutboxFailed: false, store.OutboxCancelled: false,
	} {
		b := db.Outbox("ann", string(status))
		failed, _ := claim(t, b, about("after"), time.Minute)
		saveItem(t, b, &failed, store.OutboxFailed, 0)
		first, _ := claim(t, b, about("before"), time.Minute)
		saveItem(t, b, &first, status, 0)
		got, held := claim(t, b, about("after"), time.Minute)
		if want := map[bool]string{true: first.ID, false: failed.ID}[comes]; got.ID != want || !held {
			t.Errorf("%s: got %+v, held %v", status, got, held)
		}
		keyed := about("after")
		keyed.Key = "k"
		if got, _ := claim(t, b, keyed, time.Minute); !got.New {
			t.Errorf("%s: a new key returns %+v", status, got)
		}
	}
}

func rawIsKeptUntilDone(t *testing.T, open Opener) {
	db := open(time.Now)
	for status, stays := range map[store.OutboxStatus]bool{
		store.OutboxSending: true, store.OutboxUnknown: true, store.OutboxFailed: true,
		store.OutboxSent: false, store.OutboxSaved: false, store.OutboxCancelled: false,
	} {
		b := db.Outbox("ann", string(status))
		l, _ := claim(t, b, newItem("k", "d"), time.Minute)
		saveItem(t, b, &l, status, 0)
		raw, err := b.Raw(t.Context(), l.ID)
		if err != nil || (raw != nil) != stays {
			t.Errorf("%s: %q, %v", status, raw, err)
		}
	}
}

func oldItemsAreRemoved(t *testing.T, open Opener) {
	db, now := WithClock(open)
	b := db.Outbox("ann", "gmail")
	for _, status := range []store.OutboxStatus{store.OutboxSent, store.OutboxFailed, store.OutboxUnknown, store.OutboxSending} {
		l, _ := claim(t, b, newItem(string(status), "d"), time.Minute)
		saveItem(t, b, &l, status, 0)
	}
	now.Set(now.Now().AddDate(0, 0, 91))
	claim(t, b, newItem("new", "d"), time.Minute)
	list, err := b.List(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	kept := []string{}
	for _, l := range list {
		kept = append(kept, l.Key)
	}
	if want := []string{"new", "sending", "unknown"}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
}

func itemsBelongToOneTenantAndAccount(t *testing.T, open Opener) {
	db := open(time.Now)
	anns, _ := claim(t, db.Outbox("ann", "gmail"), newItem("k", "d"), time.Minute)
	if _, err := db.Outbox("bob", "gmail").Get(t.Context(), anns.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("bob reads it: %v", err)
	}
	if l, held := claim(t, db.Outbox("ann", "calendar"), newItem("k", "d"), time.Minute); l.ID == anns.ID || !held {
		t.Errorf("a key counts in another bundle")
	}
	work := newItem("k", "d")
	work.Account = "work"
	if l, held := claim(t, db.Outbox("ann", "gmail"), work, time.Minute); l.ID == anns.ID || !held {
		t.Errorf("a key counts in another account")
	}
	if _, err := db.Outbox("ann", "gmail").Acquire(t.Context(), "nosuch", time.Minute); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown id: %v", err)
	}
}

func bundlesSeeTheirOwnItems(t *testing.T, open Opener) {
	db, now := WithClock(open)
	mail, events := db.Outbox("ann", "gmail"), db.Outbox("ann", "calendar")
	l, _ := claim(t, mail, newItem("", "d"), time.Minute)
	if other, held := claim(t, events, newItem("", "d"), time.Minute); other.ID == l.ID || !held {
		t.Errorf("a digest counts in another bundle: %+v", other)
	}
	for what, err := range map[string]error{
		"get":   func() error { _, err := events.Get(t.Context(), l.ID); return err }(),
		"raw":   func() error { _, err := events.Raw(t.Context(), l.ID); return err }(),
		"hold":  func() error { _, err := events.Acquire(t.Context(), l.ID, time.Minute); return err }(),
		"renew": events.ExtendLease(t.Context(), l, time.Minute), "forget": events.Forget(t.Context(), l),
		"save": func() error { sent := l; sent.Status = store.OutboxSent; return events.Save(t.Context(), &sent, 0) }(),
	} {
		if !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrNotHeld) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got, err := mail.Get(t.Context(), l.ID); err != nil || got.Status != store.OutboxPending {
		t.Errorf("got %+v, %v", got, err)
	}
	saveItem(t, mail, &l, store.OutboxSent, 0)
	now.Set(now.Now().AddDate(0, 0, 91))
	claim(t, events, newItem("new", "d"), time.Minute)
	if list, err := mail.List(t.Context(), 10); err != nil || len(list) != 1 || list[0].ID != l.ID {
		t.Errorf("listed %+v, %v", list, err)
	}
}

func cancelledItemsFreeTheirKey(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	l, _ := claim(t, b, newItem("k", "d"), time.Minute)
	saveItem(t, b, &l, store.OutboxCancelled, 0)
	for _, key := range []string{"k", ""} {
		if again, held := claim(t, b, newItem(key, "d"), 0); !held || again.ID == l.ID {
			t.Errorf("key %q: got %+v", key, again)
		}
	}
}

func onlyTheHolderForgets(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	lost, _ := claim(t, b, newItem("k", "d"), -1)
	held, _ := claim(t, b, newItem("k", "d"), time.Minute)
	if err := b.Forget(t.Context(), lost); !errors.Is(err, store.ErrNotHeld) {
		t.Errorf("forget after losing the lease: %v", err)
	}
	if err := b.Forget(t.Context(), held); err != nil {
		t.Error(err)
	}
	if _, err := b.Get(t.Context(), held.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("it is still there: %v", err)
	}
	if again, _ := claim(t, b, newItem("k", "other"), time.Minute); !again.New {
		t.Error("its key is not free")
	}
}
