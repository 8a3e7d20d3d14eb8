package storetest

import (
	"errors"
	"testing"
	"time"

	"kota/store"
)

// The process that ran the call has ended without an outcome. TakeOutcome returns the status lost
// once.
func lostApprovalsAreReturnedOnce(t *testing.T, open Opener) {
	db, c := WithClock(open)
	a := db.Approvals("ann")
	id := enqueue(t, a, "c", "d").ID
	if err := a.Consume(t.Context(), id, store.KindSend, nil); err != nil {
		t.Fatal(err)
	}
	begun := c.Now()
	c.Set(begun.Add(10*time.Minute - time.Millisecond))
	for range 2 {
		if got, err := a.TakeOutcome(t.Context(), "c"); err != nil || got.Status != store.ApprovalRunning {
			t.Errorf("while it may still run: %s, %v", got.Status, err)
		}
	}
	c.Set(begun.Add(10 * time.Minute))
	if got, err := a.Get(t.Context(), id); err != nil || got.Status != store.ApprovalLost {
		t.Errorf("after ten minutes it is %s, %v", got.Status, err)
	}
	c.Set(begun.Add(store.ApprovalTTL - time.Hour)) // more than two days later
	if got, err := a.TakeOutcome(t.Context(), "c"); err != nil || got.Status != store.ApprovalLost || got.ID != id {
		t.Errorf("later: %+v, %v", got, err)
	}
	if _, err := a.TakeOutcome(t.Context(), "c"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("once more: %v", err)
	}
	notPending := (*store.NotPendingError)(nil)
	if err := a.Consume(t.Context(), id, store.KindSend, nil); !errors.As(err, &notPending) || notPending.Approval.Status != store.ApprovalLost {
		t.Errorf("it can be consumed again: %v", err)
	}
	if again := enqueue(t, a, "c", "d"); again.ID == id {
		t.Error("a later equal call has the same id")
	}
}

// If a call only took long, TakeOutcome returns its real outcome, even after it returned the
// status lost.
func lateOutcomesAreReturned(t *testing.T, open Opener) {
	db, c := WithClock(open)
	a := db.Approvals("ann")
	id := enqueue(t, a, "c", "d").ID
	if err := a.Consume(t.Context(), id, store.KindSend, nil); err != nil {
		t.Fatal(err)
	}
	c.Set(c.Now().Add(time.Hour))
	if _, err := a.TakeOutcome(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	if err := a.SetOutcome(t.Context(), id, store.ApprovalDone, JSONText("sent")); err != nil {
		t.Fatal(err)
	}
	if got, err := a.TakeOutcome(t.Context(), "c"); err != nil || got.Status != store.ApprovalDone {
		t.Errorf("got %s, %v", got.Status, err)
	}
}

func limitsDoNotConsumeApprovals(t *testing.T, open Opener) {
	db, c := WithClock(open)
	a := db.Approvals("ann")
	limits := []store.Limit{{Max: 1, Window: time.Hour}}
	first, second := enqueue(t, a, "c1", "d").ID, enqueue(t, a, "c2", "d").ID
	if err := a.Consume(t.Context(), first, store.KindSend, limits); err != nil {
		t.Fatal(err)
	}
	limited(t, a.Consume(t.Context(), second, store.KindSend, limits))
	if got, err := a.Get(t.Context(), second); err != nil || got.Status != store.ApprovalPending || got.Args == nil {
		t.Errorf("it is %+v, %v", got, err)
	}
	if err := a.Consume(t.Context(), first, store.KindSend, limits); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a consumed approval with a reached limit: %v", err)
	}
	c.Set(c.Now().Add(time.Hour))
	if err := a.Consume(t.Context(), second, store.KindSend, limits); err != nil {
		t.Errorf("after the window: %v", err)
	}
}

func releasedApprovalsArePending(t *testing.T, open Opener) {
	a := open(time.Now).Approvals("ann")
	id := enqueue(t, a, "c", "d").ID
	if err := a.Consume(t.Context(), id, store.KindSend, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := a.Release(t.Context(), id); err != nil || got.Status != store.ApprovalPending || got.Args == nil {
		t.Errorf("released: %+v, %v", got, err)
	}
	if again := enqueue(t, a, "c", "d"); again.ID != id {
		t.Error("an equal call has another id")
	}
	if err := a.Reject(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got, err := a.Release(t.Context(), id); err != nil || got.Status != store.ApprovalRejected {
		t.Errorf("a rejected approval is %s, %v", got.Status, err)
	}
}
