package storetest

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"kota/store"
)

var undoContract = Contract{
	"one of eight concurrent claims succeeds":         oneClaimWins,
	"a change is undone once":                         changesAreUndoneOnce,
	"a claim expires after three minutes":             claimsExpire,
	"an undo record is kept thirty days":              undosAreKeptThirtyDays,
	"the last changes come first":                     lastChangesComeFirst,
	"an undo record belongs to one tenant and bundle": undosBelongToOneTenantAndBundle,
	"the previous state is JSON":                      undosAreJSON,
	"changes of a kind have their previous state":     undosAreListedByKind,
	"changes with equal times are listed last first":  undosWithEqualTimesAreListedLastFirst,
	"a record stays until its thirty days have ended": undosStayUntilTheEnd,
}

func saveUndo(t testing.TB, u UndoRecords, title string) string {
	t.Helper()
	id, err := u.Save(t.Context(), store.UndoRecord{Account: "me@example.com", Kind: "labels", Title: title, Before: json.RawMessage(`{"a":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func changesAreUndoneOnce(t *testing.T, open Opener) {
	db, clock := WithClock(open)
	u := db.Undos("ann", "gmail")
	id := saveUndo(t, u, "archive 2 messages")

	got, err := u.Claim(t.Context(), id)
	if err != nil || string(got.Before) != `{"a":1}` || got.Title != "archive 2 messages" || got.Account != "me@example.com" || got.Kind != "labels" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if _, err := u.Claim(t.Context(), id); !errors.Is(err, store.ErrClaimed) {
		t.Fatalf("claimed twice: %v", err)
	}
	if err := u.Release(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Claim(t.Context(), id); err != nil {
		t.Fatalf("claim after a release: %v", err)
	}
	if err := u.Done(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	at := clock.Now()
	clock.Set(at.Add(time.Hour))
	_, err = u.Claim(t.Context(), id)
	undone := (*store.UndoneError)(nil)
	if !errors.As(err, &undone) || !undone.At.Equal(at) {
		t.Fatalf("got %v, want that it was undone at %v", err, at)
	}
}

func claimsExpire(t *testing.T, open Opener) {
	db, clock := WithClock(open)
	u := db.Undos("ann", "gmail")
	id := saveUndo(t, u, "x")
	if _, err := u.Claim(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	clock.Set(clock.Now().Add(2 * time.Minute))
	if _, err := u.Claim(t.Context(), id); !errors.Is(err, store.ErrClaimed) {
		t.Fatalf("after two minutes: %v", err)
	}
	clock.Set(clock.Now().Add(time.Minute))
	if _, err := u.Claim(t.Context(), id); err != nil {
		t.Fatalf("after three minutes: %v", err)
	}
}

func undosAreKeptThirtyDays(t *testing.T, open Opener) {
	db, clock := WithClock(open)
	u := db.Undos("ann", "gmail")
	old := saveUndo(t, u, "old")
	clock.Set(clock.Now().Add(store.UndoTTL))
	if _, err := u.Claim(t.Context(), old); err != nil {
		t.Fatalf("at thirty days: %v", err)
	}
	clock.Set(clock.Now().Add(time.Second))
	if _, err := u.Claim(t.Context(), old); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("after thirty days: %v", err)
	}
	if recent, err := u.Recent(t.Context(), 10); err != nil || len(recent) != 0 {
		t.Fatalf("lists %v, %v", recent, err)
	}
	saveUndo(t, u, "new")
	if err := u.Drop(t.Context(), old); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("the next save did not remove the old record: %v", err)
	}
}

func lastChangesComeFirst(t *testing.T, open Opener) {
	db, clock := WithClock(open)
	u := db.Undos("ann", "gmail")
	first := saveUndo(t, u, "first")
	clock.Set(clock.Now().Add(time.Second))
	second := saveUndo(t, u, "second")
	third := saveUndo(t, u, "third") // in the same millisecond
	dropped := saveUndo(t, u, "never made")
	if err := u.Drop(t.Context(), dropped); err != nil {
		t.Fatal(err)
	}
	if err := u.Done(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if err := u.Amend(t.Context(), first, "less", json.RawMessage(`[]`)); err != nil {
		t.Fatal(err)
	}
	recent, err := u.Recent(t.Context(), 10)
	if err != nil || len(recent) != 2 || recent[0].ID != third || recent[1].ID != first || recent[1].Title != "less" {
		t.Fatalf("got %+v, %v", recent, err)
	}
	if recent, err := u.Recent(t.Context(), 1); err != nil || len(recent) != 1 || recent[0].ID != third {
		t.Fatalf("with limit 1: %+v, %v", recent, err)
	}
}

func undosBelongToOneTenantAndBundle(t *testing.T, open Opener) {
	db := open(time.Now)
	id := saveUndo(t, db.Undos("ann", "gmail"), "x")
	for _, other := range []UndoRecords{db.Undos("bob", "gmail"), db.Undos("ann", "calendar")} {
		if _, err := other.Claim(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another store claims it: %v", err)
		}
		if recent, err := other.Recent(t.Context(), 10); err != nil || len(recent) != 0 {
			t.Errorf("another store lists %v, %v", recent, err)
		}
		for _, err := range []error{
			other.Done(t.Context(), id), other.Release(t.Context(), id), other.Drop(t.Context(), id), other.Amend(t.Context(), id, "", json.RawMessage(`1`)),
		} {
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("another store changes it: %v", err)
			}
		}
	}
}

func undosAreJSON(t *testing.T, open Opener) {
	u := open(time.Now).Undos("ann", "gmail")
	for _, before := range []string{"", "{", "{}{}"} {
		if _, err := u.Save(t.Context(), store.UndoRecord{Before: json.RawMessage(before)}); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%q: got %v", before, err)
		}
	}
}

func oneClaimWins(t *testing.T, open Opener) {
	handles := []UndoRecords{open(time.Now).Undos("ann", "gmail"), open(time.Now).Undos("ann", "gmail")}
	id := saveUndo(t, handles[0], "x")
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = handles[i%2].Claim(t.Context(), id) })
	}
	all.Wait()
	succeeded := 0
	for _, err := range errs {
		switch {
		case err == nil:
			succeeded++
		case !errors.Is(err, store.ErrClaimed):
			t.Error(err)
		}
	}
	if succeeded != 1 {
		t.Fatalf("%d claims succeeded", succeeded)
	}
}

func undosAreListedByKind(t *testing.T, open Opener) {
	db, clock := WithClock(open)
	u := db.Undos("ann", "gmail")
	saveUndo(t, u, "archive")
	clock.Set(clock.Now().Add(time.Minute))
	first := saveUndo(t, u, "label")
	if _, err := u.Save(t.Context(), store.UndoRecord{Kind: "trash", Before: json.RawMessage(`{}`)}); err != nil {
		t.Fatal(err)
	}
	for _, other := range []UndoRecords{db.Undos("bob", "gmail"), db.Undos("ann", "calendar")} {
		if got, err := other.OfKind(t.Context(), "labels", 9); err != nil || len(got) > 0 {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	got, err := u.OfKind(t.Context(), "labels", 9)
	if err != nil || len(got) != 2 || got[0].ID != first || string(got[0].Before) != `{"a":1}` {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := u.Done(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if got, err := u.OfKind(t.Context(), "labels", 1); err != nil || len(got) != 1 || got[0].Title != "archive" {
		t.Errorf("got %+v, %v", got, err)
	}
}
