package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"kota/store"
)

// Many rows have the same time, to the millisecond. These tests fix their order, so that all
// databases return the same rows for the same limit.

func flowsWithEqualTimesAreListedByHandle(t *testing.T, open Opener) {
	db, _ := WithClock(open)
	s := db.Stages("ann")
	want := []string{}
	for range 5 {
		want = append(want, openFlow(t, s, "daily_review").Handle)
	}
	plan := openFlow(t, s, "daily_plan").Handle
	slices.Sort(want)
	if got := pendingFlows(t, s, "daily_review"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := pendingFlows(t, s, "daily_plan"); !slices.Equal(got, []string{plan}) {
		t.Errorf("of another name: %q", got)
	}
	for range 100 {
		want = append(want, openFlow(t, s, "daily_review").Handle)
	}
	slices.Sort(want)
	if got := pendingFlows(t, s, "daily_review"); !slices.Equal(got, want[:100]) {
		t.Errorf("of 105 it lists %d", len(got))
	}
}

func pendingFlows(t testing.TB, s Stages, flow string) []string {
	t.Helper()
	pending, err := s.Pending(t.Context(), flow)
	if err != nil {
		t.Fatal(err)
	}
	handles := []string{}
	for _, one := range pending {
		handles = append(handles, one.Handle)
	}
	return handles
}

func lastOfEqualRecordsIsRefunded(t *testing.T, open Opener) {
	db, c := WithClock(open)
	l, limits := db.Limits("ann"), []store.Limit{{Max: 4, Window: time.Hour}}
	allow := func(n int) error { return l.Allow(t.Context(), store.KindSend, n, limits) }
	for _, n := range []int{3, 1} {
		if err := allow(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Refund(t.Context(), store.KindSend); err != nil {
		t.Fatal(err)
	}
	limited(t, allow(2))
	c.Set(c.Now().Add(time.Minute))
	if err := allow(1); err != nil {
		t.Error(err)
	}
	if err := l.Refund(t.Context(), store.KindSend); err != nil {
		t.Fatal(err)
	}
	limited(t, allow(2))
}

// Of equally frequent pairs the more recent ones stay, then those that come first by name.
func rarestPairsAreRemovedByDayAndName(t *testing.T, open Opener) {
	u := open(time.Now).Usage("ann")
	named := func(names ...string) (pairs []store.ToolPair) {
		for _, name := range names {
			pairs = append(pairs, store.ToolPair{Tool: "a", Other: name, Count: 2})
		}
		return pairs
	}
	addUsage(t, u, "2026-11-19", nil, named("a0", "often")...)
	addUsage(t, u, "2026-11-20", nil, named("often", "z", "y")...)
	many := []string{}
	for i := range store.MaxUsagePairs - 2 {
		many = append(many, fmt.Sprintf("b%05d", i))
	}
	addUsage(t, u, "2026-11-20", nil, named(many...)...)
	got := toolPairs(t, u)
	has := func(name string) bool {
		return slices.ContainsFunc(got, func(p store.ToolPair) bool { return p.Other == name })
	}
	if len(got) != store.MaxUsagePairs || has("a0") || has("z") || !has("y") || got[0].Other != "often" || got[0].Count != 4 || got[1].Other != "b00000" || got[2].Other != "b00001" {
		t.Errorf("%d pairs, first %v; the older is kept: %t, z: %t, y: %t", len(got), got[:3], has("a0"), has("z"), has("y"))
	}
}

func undosWithEqualTimesAreListedLastFirst(t *testing.T, open Opener) {
	db, _ := WithClock(open)
	u, want := db.Undos("ann", "gmail"), []string{}
	for i := range 5 {
		want = slices.Insert(want, 0, saveUndo(t, u, fmt.Sprint(i)))
	}
	for limit := 1; limit <= 5; limit++ {
		recent, err := u.Recent(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, one := range recent {
			got = append(got, one.ID)
			if one.Before != nil {
				t.Errorf("%s is listed with its previous state", one.ID)
			}
		}
		if !slices.Equal(got, want[:limit]) {
			t.Errorf("limit %d: got %q, want %q", limit, got, want[:limit])
		}
	}
}

// Two outcomes of one call have the same time. The one with the first id is returned first.
func outcomesWithEqualTimesAreReturnedByID(t *testing.T, open Opener) {
	db, c := WithClock(open)
	a, ids := db.Approvals("ann"), []string{}
	decide := func() {
		id := enqueue(t, a, "c", "d").ID
		if err := a.SetOutcome(t.Context(), id, store.ApprovalDone, JSONText("sent")); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for range 4 {
		decide()
	}
	slices.Sort(ids)
	c.Set(c.Now().Add(time.Second))
	decide()
	ids = slices.Insert(ids[:4:4], 0, ids[4]) // the last outcome comes first
	for i, want := range ids {
		if got, err := a.TakeOutcome(t.Context(), "c"); err != nil || got.ID != want {
			t.Errorf("outcome %d is %s, %v, want %s", i, got.ID, err, want)
		}
	}
}

func pendingApprovalsAreListedOldestFirst(t *testing.T, open Opener) {
	db, c := WithClock(open)
	a, want := db.Approvals("ann"), []string{}
	for i := range 3 {
		same := []string{}
		for j := range 3 {
			same = append(same, enqueue(t, a, fmt.Sprint(i, j), "d").ID)
		}
		slices.Sort(same)
		want = append(want, same...)
		c.Set(c.Now().Add(time.Second))
	}
	pending, err := a.Pending(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, one := range pending {
		got = append(got, one.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The unfinished item is older than a failed one with the same content.
func claimsPreferOlderUnfinishedItems(t *testing.T, open Opener) {
	db, now := WithClock(open)
	b := db.Outbox("ann", "gmail")
	about := func(key, digest string) store.OutboxItem {
		item := newItem(key, digest)
		item.ContentKey = "g"
		return item
	}
	unknown, _ := claim(t, b, about("first", "before"), time.Minute)
	saveItem(t, b, &unknown, store.OutboxUnknown, 0)
	now.Set(now.Now().Add(time.Second))
	failed, _ := claim(t, b, about("second", "after"), time.Minute)
	saveItem(t, b, &failed, store.OutboxFailed, 0)
	if got, held := claim(t, b, about("", "after"), time.Minute); got.ID != unknown.ID || !held {
		t.Errorf("got %+v, held %v", got, held)
	}
}

// The digest stands for a missing content key, in the item and in the request.
func digestsAreContentKeys(t *testing.T, open Opener) {
	b := open(time.Now).Outbox("ann", "gmail")
	first, _ := claim(t, b, newItem("", "d"), -1)
	changed := newItem("", "other")
	changed.ContentKey = "d"
	if got, held := claim(t, b, changed, -1); got.ID != first.ID || !held {
		t.Errorf("the item's digest: got %+v, held %v", got, held)
	}
	keyed := newItem("", "e")
	keyed.ContentKey = "f"
	second, _ := claim(t, b, keyed, -1)
	if got, err := b.Find(t.Context(), newItem("", "f"), time.Time{}); err != nil || got.ID != second.ID {
		t.Errorf("the digest of a search: got %+v, %v", got, err)
	}
	if got, held := claim(t, b, newItem("", "f"), -1); got.ID != second.ID || !held {
		t.Errorf("the digest of a claim: got %+v, held %v", got, held)
	}
}

func finishedItemsCannotBeAcquired(t *testing.T, open Opener) {
	db := open(time.Now)
	for status, done := range map[store.OutboxStatus]bool{
		store.OutboxSent: true, store.OutboxSaved: true, store.OutboxCancelled: true, store.OutboxFailed: false, store.OutboxUnknown: false,
	} {
		b := db.Outbox("ann", string(status))
		item, _ := claim(t, b, newItem("k", "d"), time.Minute)
		saveItem(t, b, &item, status, 0)
		got, err := b.Acquire(t.Context(), item.ID, time.Minute)
		if (err != nil) != done || got.ID != item.ID {
			t.Errorf("%s: got %+v, %v", status, got, err)
		}
	}
}

// A pair counted by a clock that was set back is not older than before.
func pairsKeepTheirLatestDay(t *testing.T, open Opener) {
	db := open(time.Now)
	u, pair := db.Usage("ann"), store.ToolPair{Tool: "a", Other: "b", Count: 1}
	addUsage(t, u, "2026-11-20", nil, pair)
	addUsage(t, u, "2025-10-16", nil, pair)
	old := []store.UsageCount{{Day: "2025-10-15", Tool: "x", Channel: "cli", Count: 1}}
	addUsage(t, db.Usage("bob"), "2025-10-16", old, pair)
	addUsage(t, u, "2026-11-22", nil)
	if got := toolPairs(t, u); len(got) != 1 || got[0].Count != 2 {
		t.Errorf("got %v", got)
	}
	bob := db.Usage("bob")
	if used, pairs := usageBetween(t, bob, firstDay, afterLastDay), toolPairs(t, bob); len(used) != 1 || len(pairs) != 1 {
		t.Errorf("bob's old usage was removed by ann: %v, %v", used, pairs)
	}
}

func undosStayUntilTheEnd(t *testing.T, open Opener) {
	db, c := WithClock(open)
	u := db.Undos("ann", "gmail")
	old := saveUndo(t, u, "old")
	c.Set(c.Now().Add(store.UndoTTL))
	saveUndo(t, u, "new")
	if recent, err := u.OfKind(t.Context(), "labels", 9); err != nil || len(recent) != 2 || recent[1].ID != old || string(recent[1].Before) != `{"a":1}` {
		t.Errorf("at thirty days: %+v, %v", recent, err)
	}
	if err := u.Amend(t.Context(), old, "x", json.RawMessage(`{}`)); err != nil {
		t.Error(err)
	}
}

// Two conversations have equally many pending approvals. None of them removes those of the other.
func equalConversationsRemoveNothing(t *testing.T, open Opener) {
	db, c := WithClock(open)
	a := db.Approvals("ann")
	enqueueIn := func(session, call string) error {
		want := newApproval(call, "d")
		want.Session = session
		_, err := a.Enqueue(t.Context(), want)
		return err
	}
	for i := range 100 {
		if i == 50 {
			c.Set(c.Now().Add(time.Second))
		}
		if err := enqueueIn([]string{"first", "second"}[i/50], fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, session := range []string{"first", "second"} {
		if err := enqueueIn(session, "more"); !errors.Is(err, store.ErrTooMany) {
			t.Errorf("%s gets %v", session, err)
		}
	}
	if err := enqueueIn("third", "more"); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	pending, err := a.Pending(t.Context())
	for _, one := range pending {
		counts[one.Session]++
	}
	if err != nil || counts["first"] != 50 || counts["second"] != 49 || counts["third"] != 1 {
		t.Errorf("pending by conversation: %v, %v", counts, err)
	}
}
