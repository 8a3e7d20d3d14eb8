package storetest

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kota/store"
)

func claimsFindTheLatestItem(t *testing.T, open Opener) {
	db, now := WithClock(open)
	b := db.Outbox("ann", "gmail")
	want := []string{}
	for i, step := range []time.Duration{0, time.Second, 0, -time.Minute} { // two in the same millisecond, and one by a clock set back
		now.Set(now.Now().Add(step))
		item, _ := claim(t, b, newItem(string(rune('a'+i)), "d"), time.Minute)
		saveItem(t, b, &item, store.OutboxFailed, 0)
		want = append(want, item.ID)
	}
	if got, held := claim(t, b, newItem("", "d"), 0); got.ID != want[2] || !held {
		t.Errorf("found item %d, held %v", slices.Index(want, got.ID), held)
	}
}

func findHoldsNothing(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	if _, err := b.Find(t.Context(), newItem("k", "d"), time.Time{}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("without an item: %v", err)
	}
	item, _ := claim(t, b, newItem("k", "d"), time.Minute)
	saveItem(t, b, &item, store.OutboxFailed, 0)
	for _, key := range []string{"k", ""} {
		got, err := b.Find(t.Context(), newItem(key, "d"), time.Time{})
		if err != nil || got.ID != item.ID || got.Held() {
			t.Errorf("key %q: found %+v, %v", key, got, err)
		}
	}
	other := newItem("k", "d")
	other.Account = "work"
	if _, err := b.Find(t.Context(), other, time.Time{}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("of another account: %v", err)
	}
}

func itemsAreReadAsSaved(t *testing.T, open Opener) {
	db, now := WithClock(open)
	b := db.Outbox("ann", "gmail")
	wanted := store.OutboxItem{
		Account: "home", Key: "ключ\x00'", Digest: "d", ContentKey: "c", Kind: "reply", Summary: json.RawMessage(`{"to":["ü@example.com"]}`),
		Raw: []byte{0, 0xff, 0xfe, 'x'}, TargetThread: "t1", SaveOnly: true,
	}
	item, _ := claim(t, b, wanted, time.Minute)
	now.Set(now.Now().Add(time.Second))
	item.Summary, item.Draft, item.OwnsDraft, item.ThreadID, item.Message = json.RawMessage(`{"to":[]}`), "r1", true, "t2", "m1"
	item.Error, item.Tries = "no \x00 answer", 3
	saveItem(t, b, &item, store.OutboxUnknown, time.Minute)
	raw, err := b.Raw(t.Context(), item.ID)
	if err != nil || !slices.Equal(raw, wanted.Raw) {
		t.Errorf("the bytes are %x, %v", raw, err)
	}
	got, err := b.Get(t.Context(), item.ID)
	if left := time.Until(got.Lease); left < 50*time.Second || left > 70*time.Second {
		t.Errorf("the lease of a minute ends in %v", left)
	}
	item.Raw, item.New, item.Lease = nil, false, got.Lease
	if diff := cmp.Diff(item, got, cmpopts.EquateApproxTime(time.Millisecond)); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	if !got.Created.Equal(now.Now().Add(-time.Second)) || !got.Updated.Equal(now.Now()) {
		t.Errorf("created %v, updated %v", got.Created, got.Updated)
	}
	if _, err := b.Raw(t.Context(), "nosuch"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the bytes of an unknown item: %v", err)
	}
}

func lastChangedItemsComeFirst(t *testing.T, open Opener) {
	db, now := WithClock(open)
	b := db.Outbox("ann", "gmail")
	listed := func(limit int) string {
		t.Helper()
		items, err := b.List(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		keys := ""
		for _, one := range items {
			keys += one.Key
		}
		return keys
	}
	items := map[string]store.OutboxItem{}
	for _, key := range []string{"a", "b", "c", "d"} { // all in the same millisecond
		items[key], _ = claim(t, b, newItem(key, "d"), time.Minute)
	}
	if got := listed(9); got != "dcba" {
		t.Errorf("by creation: %s", got)
	}
	now.Set(now.Now().Add(time.Second))
	b1 := items["b"]
	saveItem(t, b, &b1, store.OutboxFailed, 0)
	if got := listed(9); got != "bdca" {
		t.Errorf("after a change: %s", got)
	}
	if got := listed(2); got != "bd" {
		t.Errorf("two of them: %s", got)
	}
}
