package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
)

var approvalsContract = Contract{
	"one of eight concurrent approvals is consumed":     oneApprovalIsConsumed,
	"an equal call is enqueued once":                    equalCallsAreEnqueuedOnce,
	"a changed call gets another id":                    changedCallsGetAnotherID,
	"an edited call says what ran":                      editedCallsSayWhatRan,
	"an outcome is returned once":                       outcomesAreReturnedOnce,
	"a running call cannot be failed":                   runningCallsDoNotFail,
	"a settled approval does not change":                finishedApprovalsDoNotChange,
	"an approval expires after three days":              approvalsExpire,
	"at most a hundred are pending":                     approvalsAreBounded,
	"no conversation blocks the others":                 conversationsDoNotBlockEachOther,
	"an approval belongs to one tenant":                 approvalsBelongToOneTenant,
	"a lost approval is returned once":                  lostApprovalsAreReturnedOnce,
	"a late outcome is returned":                        lateOutcomesAreReturned,
	"a reached limit does not consume the approval":     limitsDoNotConsumeApprovals,
	"a released approval is pending again":              releasedApprovalsArePending,
	"outcomes with equal times are returned by id":      outcomesWithEqualTimesAreReturnedByID,
	"pending approvals are listed oldest first":         pendingApprovalsAreListedOldestFirst,
	"equal conversations remove nothing of each other":  equalConversationsRemoveNothing,
	"a nonce is refused after its question has expired": noncesOfExpiredQuestionsAreRefused,
}

// newApproval returns an approval to enqueue.
func newApproval(call, digest string) store.Approval {
	return store.Approval{
		Call: call, Digest: digest, Tool: "gmail_send_message", Effect: "sends",
		Args: json.RawMessage(`{"subject":"Lunch"}`), Shown: JSONText("To: bob"), Reason: "strangers wrote",
	}
}

func enqueue(t testing.TB, a Approvals, call, digest string) store.Approval {
	t.Helper()
	queued, err := a.Enqueue(t.Context(), newApproval(call, digest))
	if err != nil {
		t.Fatal(err)
	}
	return queued
}

// Eight processes consume the same approval and the same nonce.
func oneApprovalIsConsumed(t *testing.T, open Opener) {
	id := enqueue(t, open(time.Now).Approvals("ann"), "c", "d").ID
	var all sync.WaitGroup
	approvals, consents := make(chan error, 8), make(chan error, 8)
	for range cap(approvals) {
		a := open(time.Now).Approvals("ann")
		all.Go(func() {
			approvals <- a.Consume(t.Context(), id, store.KindSend, nil)
			consents <- a.ConsumeNonce(t.Context(), "nonce", time.Now().Add(time.Hour))
		})
	}
	all.Wait()
	close(approvals)
	close(consents)
	for name, outcomes := range map[string]chan error{"an approval": approvals, "a consent": consents} {
		succeeded := 0
		for err := range outcomes {
			switch {
			case err == nil:
				succeeded++
			case !errors.Is(err, store.ErrConflict):
				t.Errorf("%s: the other callers get %v", name, err)
			}
		}
		if succeeded != 1 {
			t.Errorf("%s: %d callers succeeded", name, succeeded)
		}
	}
}

// A process whose clock is behind passes an answer on after its nonce was removed.
func noncesOfExpiredQuestionsAreRefused(t *testing.T, open Opener) {
	now := time.Now()
	a := open(func() time.Time { return now }).Approvals("ann")
	expires := now.Add(time.Minute)
	if err := a.ConsumeNonce(t.Context(), "nonce", expires); err != nil {
		t.Fatal(err)
	}
	for _, after := range []time.Duration{time.Minute, time.Hour} {
		now = expires.Add(after - time.Minute)
		for _, nonce := range []string{"nonce", "late"} {
			if err := a.ConsumeNonce(t.Context(), nonce, expires); !errors.Is(err, store.ErrTooLate) {
				t.Errorf("%s, %s after it was asked: %v", nonce, after, err)
			}
		}
	}
}

func equalCallsAreEnqueuedOnce(t *testing.T, open Opener) {
	var all sync.WaitGroup
	ids := make(chan string, 8)
	for range cap(ids) {
		a := open(time.Now).Approvals("ann")
		all.Go(func() {
			queued, err := a.Enqueue(t.Context(), newApproval("c", "d"))
			ids <- fmt.Sprint(queued.ID, err)
		})
	}
	all.Wait()
	close(ids)
	first := <-ids
	for id := range ids {
		if id != first {
			t.Errorf("the same call has ids %s and %s", first, id)
		}
	}
	a := open(time.Now).Approvals("ann")
	enqueue(t, a, "other", "d2")
	if waiting, err := a.Pending(t.Context()); err != nil || len(waiting) != 2 {
		t.Errorf("%d are pending, %v", len(waiting), err)
	}
}

// The user approves an id. The id must therefore stand for exactly the call that was shown.
func changedCallsGetAnotherID(t *testing.T, open Opener) {
	a := open(time.Now).Approvals("ann")
	first := enqueue(t, a, "c", "d")
	second := enqueue(t, a, "c", "edited")
	if first.ID == second.ID {
		t.Fatal("they have the same id")
	}
	notWaiting := (*store.NotPendingError)(nil)
	if err := a.Consume(t.Context(), first.ID, store.KindSend, nil); !errors.As(err, &notWaiting) || notWaiting.Approval.Status != store.ApprovalChanged || notWaiting.Approval.ReplacedBy != second.ID {
		t.Errorf("the replaced one: %v", err)
	}
	if waiting, err := a.Pending(t.Context()); err != nil || len(waiting) != 1 || waiting[0].ID != second.ID {
		t.Errorf("%+v are pending, %v", waiting, err)
	}
	if before, err := a.Replaced(t.Context(), second.ID); err != nil || before.ID != first.ID || string(before.Shown) != string(first.Shown) || before.Args != nil {
		t.Errorf("the second one replaced %+v, %v", before, err)
	}
	for _, id := range []string{first.ID, "a_none", ""} {
		if before, err := a.Replaced(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q replaced %+v, %v", id, before, err)
		}
	}
	if _, err := a.TakeOutcome(t.Context(), "c"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a replaced approval has an outcome: %v", err)
	}
}

// The client that repeats a call learns what ran instead, once.
func editedCallsSayWhatRan(t *testing.T, open Opener) {
	a := open(time.Now).Approvals("ann")
	id := enqueue(t, a, "c", "d").ID
	if err := a.Consume(t.Context(), id, "", nil); err != nil {
		t.Fatal(err)
	}
	if err := a.SetEditedOutcome(t.Context(), id, store.ApprovalDone, JSONText("sent"), JSONText("at nine")); err != nil {
		t.Fatal(err)
	}
	got, err := a.TakeOutcome(t.Context(), "c")
	if err != nil || got.Status != store.ApprovalDone || string(got.Outcome) != string(JSONText("sent")) || string(got.Shown) != string(JSONText("at nine")) || got.Args != nil {
		t.Errorf("the outcome is %+v, %v", got, err)
	}
	if kept, err := a.Get(t.Context(), id); err != nil || kept.Shown != nil {
		t.Errorf("the changed text is kept: %+v, %v", kept, err)
	}
}

func outcomesAreReturnedOnce(t *testing.T, open Opener) {
	dbs := make([]Database, 8)
	for i := range dbs {
		dbs[i] = open(time.Now)
	}
	for name, finish := range map[string]func(a Approvals, id string) error{
		"done": func(a Approvals, id string) error {
			return a.SetOutcome(t.Context(), id, store.ApprovalDone, JSONText("sent"))
		},
		"failed": func(a Approvals, id string) error {
			return a.SetOutcome(t.Context(), id, store.ApprovalFailed, JSONText("sent"))
		},
		"rejected": func(a Approvals, id string) error { return a.Reject(t.Context(), id) },
		"given up": func(a Approvals, id string) error { return a.Fail(t.Context(), id, JSONText("sent")) },
	} {
		a := dbs[0].Approvals(name)
		id := enqueue(t, a, "c", "d").ID
		if _, err := a.TakeOutcome(t.Context(), "c"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: an outcome while it is pending: %v", name, err)
		}
		if name != "rejected" && name != "given up" {
			if err := a.Consume(t.Context(), id, store.KindSend, nil); err != nil {
				t.Fatal(err)
			}
			if running, err := a.TakeOutcome(t.Context(), "c"); err != nil || running.Status != store.ApprovalRunning {
				t.Errorf("%s: while it runs %+v, %v", name, running, err)
			}
		}
		if err := finish(a, id); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		outcomes := make(chan store.Approval, len(dbs))
		for _, db := range dbs {
			a := db.Approvals(name)
			all.Go(func() {
				if one, err := a.TakeOutcome(t.Context(), "c"); err == nil {
					outcomes <- one
				} else if !errors.Is(err, store.ErrNotFound) {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		all.Wait()
		close(outcomes)
		one := <-outcomes
		if one.Status != map[string]store.ApprovalStatus{"done": store.ApprovalDone, "failed": store.ApprovalFailed, "rejected": store.ApprovalRejected, "given up": store.ApprovalFailed}[name] || name != "rejected" && string(one.Outcome) != `"sent"` || len(outcomes) != 0 {
			t.Errorf("%s: got %+v and %d more", name, one, len(outcomes))
		}
		if one.Args != nil || one.Shown != nil {
			t.Errorf("%s: the arguments are still stored: %s", name, one.Args)
		}
		if again := enqueue(t, a, "c", "d"); again.ID == id {
			t.Errorf("%s: a later equal call has the same id", name)
		}
	}
}

// Fail must not end a call that another process may be running.
func runningCallsDoNotFail(t *testing.T, open Opener) {
	a := open(time.Now).Approvals("ann")
	id := enqueue(t, a, "c", "d").ID
	if err := a.Consume(t.Context(), id, store.KindSend, nil); err != nil {
		t.Fatal(err)
	}
	if err := a.Fail(t.Context(), id, JSONText("conflict")); !errors.Is(err, store.ErrConflict) {
		t.Errorf("got %v", err)
	}
	if got, err := a.Get(t.Context(), id); err != nil || got.Status != store.ApprovalRunning {
		t.Errorf("got %+v, %v", got, err)
	}
}

func finishedApprovalsDoNotChange(t *testing.T, open Opener) {
	a := open(time.Now).Approvals("ann")
	id := enqueue(t, a, "c", "d").ID
	if err := a.Reject(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := a.SetOutcome(t.Context(), id, store.ApprovalDone, JSONText("sent")); err != nil {
		t.Fatal(err)
	}
	if got, err := a.Get(t.Context(), id); err != nil || got.Status != store.ApprovalRejected || got.Outcome != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, err := range map[string]error{"spend": a.Consume(t.Context(), id, store.KindSend, nil), "reject": a.Reject(t.Context(), id)} {
		if !errors.Is(err, store.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func approvalsExpire(t *testing.T, open Opener) {
	db, c := WithClock(open)
	a := db.Approvals("ann")
	begun := c.Now()
	queued := enqueue(t, a, "c", "d")
	want := newApproval("c", "d")
	want.ID, want.Status, want.Created, want.Updated, want.Expires = queued.ID, store.ApprovalPending, begun, begun, begun.Add(store.ApprovalTTL)
	if got, err := a.Get(t.Context(), queued.ID); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v: %s", err, cmp.Diff(want, got))
	}
	c.Set(begun.Add(store.ApprovalTTL))
	for name, err := range map[string]error{"spend": a.Consume(t.Context(), queued.ID, store.KindSend, nil), "reject": a.Reject(t.Context(), queued.ID), "settle": a.SetOutcome(t.Context(), queued.ID, store.ApprovalDone, nil)} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s after it expired: %v", name, err)
		}
	}
	if waiting, err := a.Pending(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("%v are pending, %v", waiting, err)
	}
	second := enqueue(t, a, "c", "d")
	if second.ID == queued.ID {
		t.Error("a later equal call has the same id")
	}
	c.Set(begun) // the clock was wrong: expired approvals stay removed
	if _, err := a.Get(t.Context(), queued.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the expired approval is still stored: %v", err)
	}
	if err := a.Consume(t.Context(), second.ID, store.KindSend, nil); err != nil {
		t.Fatal(err)
	}
}

func approvalsAreBounded(t *testing.T, open Opener) {
	db := open(time.Now)
	a := db.Approvals("ann")
	for i := range 100 {
		enqueue(t, a, fmt.Sprint("c", i), "d")
	}
	if _, err := a.Enqueue(t.Context(), newApproval("more", "d")); !errors.Is(err, store.ErrTooMany) {
		t.Errorf("the 101st: %v", err)
	}
	enqueue(t, a, "c7", "d")
	enqueue(t, a, "c7", "edited")
	enqueue(t, db.Approvals("bob"), "c", "d")
}

// A conversation with too many pending approvals only blocks itself. A call of another
// conversation removes the latest approval of the conversation with the most.
func conversationsDoNotBlockEachOther(t *testing.T, open Opener) {
	db, c := WithClock(open)
	a := db.Approvals("ann")
	enqueueIn := func(session, call string) error {
		c.Set(c.Now().Add(time.Second))
		want := newApproval(call, "d")
		want.Session = session
		_, err := a.Enqueue(t.Context(), want)
		return err
	}
	for _, session := range []string{"quiet", "first"} {
		if err := enqueueIn(session, session); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 98 {
		if err := enqueueIn("runaway", fmt.Sprint("c", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := enqueueIn("runaway", "more"); !errors.Is(err, store.ErrTooMany) {
		t.Errorf("the session with the most approvals gets %v", err)
	}
	for _, call := range []string{"one", "two"} {
		if err := enqueueIn("other", call); err != nil {
			t.Errorf("another session gets %v", err)
		}
	}
	waiting, err := a.Pending(t.Context())
	if err != nil || len(waiting) != 100 {
		t.Fatalf("%d are pending, %v", len(waiting), err)
	}
	counts, calls := map[string]int{}, map[string]bool{}
	for _, w := range waiting {
		counts[w.Session]++
		calls[w.Call] = true
	}
	if diff := cmp.Diff(map[string]int{"quiet": 1, "first": 1, "runaway": 96, "other": 2}, counts); diff != "" || calls["c97"] || calls["c96"] || !calls["c0"] {
		t.Errorf("pending by session: %s", diff)
	}
}

func approvalsBelongToOneTenant(t *testing.T, open Opener) {
	db := open(time.Now)
	id := enqueue(t, db.Approvals("ann"), "c", "d").ID
	bob := db.Approvals("bob")
	_, got := bob.Get(t.Context(), id)
	_, takeErr := bob.TakeOutcome(t.Context(), "c")
	for _, err := range []error{got, takeErr, bob.Consume(t.Context(), id, store.KindSend, nil), bob.Reject(t.Context(), id), bob.SetOutcome(t.Context(), id, store.ApprovalDone, nil)} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("bob gets %v", err)
		}
	}
	if waiting, err := bob.Pending(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("bob sees %v, %v", waiting, err)
	}
	if queued := enqueue(t, bob, "c", "d"); queued.ID == id {
		t.Error("bob's call has the id of Ann's")
	}
}
