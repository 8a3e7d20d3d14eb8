package writertest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kota/store/storetest"
)

var hooksContract = storetest.Contract{
	"a hook writes in the transaction of the change":       hooksWriteInTheTransaction,
	"a failing hook rolls back the whole transaction":      failingHooksRollBack,
	"a hook that refuses one write affects no other":       hooksRefuseOneWrite,
	"a hook sees each write that changed rows":             hooksSeeChanges,
	"a hook is told of the commit before Write returns":    hooksAreToldOfTheCommit,
	"a hook is called again if the transaction runs again": hooksAreCalledAgain,
	"a hook's work runs when the database is idle":         idleWorkRuns,
	"closing lets a hook write pending data":               closingCallsHooks,
}

type nameKey struct{}

// named returns a context with a name, and nameOf returns the names of contexts.
func named(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, nameKey{}, name)
}

func namesOf(changes []context.Context) (names string) {
	for _, ctx := range changes {
		name, _ := ctx.Value(nameKey{}).(string)
		names += name
	}
	return names
}

func hooksWriteInTheTransaction(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	db.AddHook(storetest.Hook{BeforeCommit: func(tx storetest.Tx, changes []context.Context) error {
		return tx.Insert("hook of " + namesOf(changes))
	}})
	if err := db.Write(named(t.Context(), "x"), insert("change")); err != nil {
		t.Fatal(err)
	}
	if got := open(time.Now).InsertedNames(t); !got["change"] || !got["hook of x"] {
		t.Errorf("another process reads %v", got)
	}
}

func failingHooksRollBack(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	boom := errors.New("boom")
	var fails atomic.Bool
	fails.Store(true)
	told := []bool{}
	db.AddHook(storetest.Hook{
		BeforeCommit: func(tx storetest.Tx, changes []context.Context) error {
			if fails.Load() {
				return errors.Join(tx.Insert("hook"), boom)
			}
			return nil
		},
		AfterCommit: func(err error) { told = append(told, err == nil) },
	})
	for i, err := range writeBatch(t, db, insert("a"), insert("b")) {
		if !errors.Is(err, boom) {
			t.Errorf("write %d got %v", i, err)
		}
	}
	if got := db.InsertedNames(t); got["a"] || got["b"] || got["hook"] {
		t.Errorf("kept %v", got)
	}
	for _, committed := range told {
		if committed {
			t.Error("the hook is told that a failed transaction was committed")
		}
	}
	fails.Store(false)
	if err := db.Write(t.Context(), insert("a")); err != nil || len(told) < 2 || !told[len(told)-1] {
		t.Errorf("later: %v, told %v", err, told)
	}
}

func hooksRefuseOneWrite(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	boom := errors.New("boom")
	db.AddHook(storetest.Hook{BeforeCommit: func(_ storetest.Tx, changes []context.Context) error {
		if strings.Contains(namesOf(changes), "bad") {
			return boom
		}
		return nil
	}})
	failures, names := make([]error, 3), []string{"a", "bad", "c"}
	release := db.HoldWrites()
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { failures[i] = db.Write(named(t.Context(), name), insert(name)) })
		waitForQueue(db, i+1)
	}
	release()
	all.Wait()
	if got := db.InsertedNames(t); failures[0] != nil || !errors.Is(failures[1], boom) || failures[2] != nil || !got["a"] || got["bad"] || !got["c"] {
		t.Errorf("kept %v, %v", got, failures)
	}
}

func hooksSeeChanges(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	seen := ""
	db.AddHook(storetest.Hook{BeforeCommit: func(_ storetest.Tx, changes []context.Context) error {
		seen += namesOf(changes)
		return nil
	}})
	boom := errors.New("boom")
	for name, write := range map[string]func(context.Context) error{
		"a": func(ctx context.Context) error { return db.Write(ctx, insert("a")) },
		"b": func(ctx context.Context) error { return db.WriteUnaudited(ctx, insert("b")) },
		"c": func(ctx context.Context) error { return db.Write(ctx, func(storetest.Tx) error { return nil }) },
		"d": func(ctx context.Context) error {
			return db.Write(ctx, func(tx storetest.Tx) error { tx.SetChanged(true); return nil })
		},
		"e": func(ctx context.Context) error {
			return db.Write(ctx, func(tx storetest.Tx) error { err := tx.Insert("e"); tx.SetChanged(false); return err })
		},
		"f": func(ctx context.Context) error {
			if err := db.Write(ctx, func(tx storetest.Tx) error { return errors.Join(tx.Insert("f"), boom) }); !errors.Is(err, boom) {
				return errors.New("f did not fail")
			}
			return nil
		},
	} {
		seen = ""
		if err := write(named(t.Context(), name)); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"a": "a", "d": "d"}[name]
		if seen != want {
			t.Errorf("write %s: the hook sees %q", name, seen)
		}
	}
}

func hooksAreToldOfTheCommit(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	events := ""
	db.AddHook(storetest.Hook{
		BeforeCommit: func(storetest.Tx, []context.Context) error { events += "before "; return nil },
		AfterCommit: func(err error) {
			if !open(time.Now).InsertedNames(t)["a"] {
				t.Error("the change is not committed yet")
			}
			events += "after"
		},
	})
	if err := db.Write(t.Context(), insert("a")); err != nil || events != "before after" {
		t.Errorf("%q, %v", events, err)
	}
}

// A failing write makes the others of its transaction run again. No hook may add its rows twice.
func hooksAreCalledAgain(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	pending, told := []string{}, 0
	db.AddHook(storetest.Hook{
		BeforeCommit: func(tx storetest.Tx, changes []context.Context) error {
			for _, name := range pending {
				if err := tx.Insert(name); err != nil {
					return err
				}
			}
			return nil
		},
		AfterCommit: func(err error) {
			told++
			if err == nil {
				pending = nil
			}
		},
	})
	pending = []string{"pending 1", "pending 2"}
	boom := errors.New("boom")
	bad := func(tx storetest.Tx) error { return errors.Join(tx.Insert("half"), boom) }
	failures := writeBatch(t, db, insert("a"), bad, insert("b"))
	got := db.InsertedNames(t)
	if failures[0] != nil || !errors.Is(failures[1], boom) || failures[2] != nil || !got["a"] || !got["b"] || !got["pending 1"] || !got["pending 2"] || got["half"] || told == 0 {
		t.Errorf("kept %v, %v, told %d times", got, failures, told)
	}
}

func idleWorkRuns(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	worked := make(chan error, 9)
	var fails atomic.Bool
	fails.Store(true)
	db.AddHook(storetest.Hook{OnIdle: func(ctx context.Context) error {
		worked <- ctx.Err()
		if fails.Swap(false) {
			return errors.New("later")
		}
		return nil
	}})
	if err := db.Write(t.Context(), insert("a")); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it failed the first time
		if err := <-worked; err != nil {
			t.Error(err)
		}
	}
}

func closingCallsHooks(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	var pending []error // the cleanup of the test closes the database again
	db.AddHook(storetest.Hook{Close: func(ctx context.Context) { pending = append(pending, db.WriteUnaudited(ctx, insert("pending"))) }})
	if err := db.Close(); err != nil || len(pending) != 1 || pending[0] != nil {
		t.Fatal(err, pending)
	}
	if !open(time.Now).InsertedNames(t)["pending"] {
		t.Error("the pending data was not written")
	}
}
