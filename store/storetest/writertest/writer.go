package writertest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var writerContract = storetest.Contract{
	"a failing write does not affect its batch":           failingWritesAffectNoOther,
	"a write that was given up while it waits is not run": givenUpWritesAreNotRun,
	"concurrent writes are all stored":                    concurrentWritesAreStored,
	"concurrent changes of several processes are kept":    changesOfSeveralProcessesAreKept,
	"close commits a write that waits":                    closeCommitsWaitingWrites,
	"a closed database refuses writes":                    closedDatabasesRefuseWrites,
	"a write sees its own rows and one time":              writesSeeTheirOwnRows,
	"a write knows whether it changed rows":               writesKnowWhetherTheyChanged,
	"a write knows whether others wait":                   writesKnowWhetherOthersWait,
	"writes run in the order of their calls":              writesRunInOrder,
}

func failingWritesAffectNoOther(t *testing.T, open storetest.Opener) {
	boom := errors.New("boom")
	isBoom := func(err error) bool { return errors.Is(err, boom) }
	isAny := func(err error) bool { return err != nil }
	db := open(time.Now)
	round := ""
	half := func(tx storetest.Tx) error { return tx.Insert(round + "half") }
	for name, c := range map[string]struct {
		bad  func(storetest.Tx) error
		want func(error) bool
	}{
		"before it wrote":       {func(storetest.Tx) error { return boom }, isBoom},
		"after it wrote":        {func(tx storetest.Tx) error { return errors.Join(half(tx), boom) }, isBoom},
		"by a constraint":       {func(tx storetest.Tx) error { return errors.Join(half(tx), half(tx)) }, isAny},
		"by a failure it hides": {func(tx storetest.Tx) error { _, _ = half(tx), half(tx); return nil }, isAny},
		"by a panic":            {func(tx storetest.Tx) error { _ = half(tx); panic("oh") }, isAny},
		"by a first panic":      {func(storetest.Tx) error { panic("oh") }, isAny},
	} {
		round = name
		failures := writeBatch(t, db, insert(name+"a"), c.bad, insert(name+"b"), c.bad, insert(name+"c"))
		for i, err := range failures {
			if bad := i%2 == 1; bad != (err != nil) || bad && !c.want(err) {
				t.Errorf("%s: write %d got %v", name, i, err)
			}
		}
		if got := db.InsertedNames(t); !got[name+"a"] || !got[name+"b"] || !got[name+"c"] || got[name+"half"] {
			t.Errorf("%s: kept %v", name, got)
		}
	}
}

func givenUpWritesAreNotRun(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	release := db.HoldWrites()
	ctx, cancel := context.WithCancel(t.Context())
	outcome := make(chan error)
	go func() { outcome <- db.Write(ctx, insert("given up")) }()
	waitForQueue(db, 1)
	cancel()
	if err := <-outcome; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	release()
	if err := db.Write(ctx, insert("too late")); !errors.Is(err, context.Canceled) {
		t.Errorf("a write whose context had ended: %v", err)
	}
	started, cancel := context.WithCancel(t.Context())
	err := db.Write(started, func(tx storetest.Tx) error {
		cancel() // it has started, so this has no effect
		return tx.Insert("started")
	})
	if got := db.InsertedNames(t); err != nil || got["given up"] || got["too late"] || !got["started"] {
		t.Errorf("kept %v, %v", got, err)
	}
}

func concurrentWritesAreStored(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	const callers, each = 16, 20
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				for _, key := range []string{fmt.Sprintf("%d.%d", c, i), "shared"} {
					if _, err := m.Set(t.Context(), store.Entry{Key: key, Value: storetest.JSONText(fmt.Sprintf("%d.%d", c, i))}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	stats, err := m.Stats(t.Context())
	if err != nil || stats.Memories != callers*each+1 || stats.Versions != callers*each-1 {
		t.Errorf("got %+v, %v", stats, err)
	}
	if got, err := m.Get(t.Context(), "shared"); err != nil || got.Version != callers*each {
		t.Errorf("the shared key is %+v, %v", got, err)
	}
}

// Each change reads the value and appends to it. None may be lost.
func changesOfSeveralProcessesAreKept(t *testing.T, open storetest.Opener) {
	const processes, each = 3, 12
	var all sync.WaitGroup
	for range processes {
		m := open(time.Now).Memories("ann")
		all.Go(func() {
			for range each {
				if _, err := m.Set(t.Context(), store.Entry{Key: "shared", Value: []byte("[1]"), Mode: store.Append}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, err := open(time.Now).Memories("ann").Get(t.Context(), "shared")
	if err != nil || got.Version != processes*each || len(got.Value) != 1+2*processes*each {
		t.Errorf("got %+v, %v", got, err)
	}
}

func closeCommitsWaitingWrites(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	release := db.HoldWrites()
	outcome, closed := make(chan error), make(chan error)
	go func() { outcome <- db.Write(t.Context(), insert("waits")) }()
	waitForQueue(db, 1)
	go func() { closed <- db.Close() }()
	release()
	if err := errors.Join(<-outcome, <-closed); err != nil {
		t.Error(err)
	}
	if !open(time.Now).InsertedNames(t)["waits"] {
		t.Error("the write was acknowledged, but not committed")
	}
}

func closedDatabasesRefuseWrites(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), insert("late")); !errors.Is(err, store.ErrClosed) {
		t.Errorf("write: %v", err)
	}
	if _, err := db.Memories("ann").Get(t.Context(), "k"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("read: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Errorf("close again: %v", err)
	}
	if open(time.Now).InsertedNames(t)["late"] {
		t.Error("the late write was committed")
	}
}

func writesSeeTheirOwnRows(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	err := db.Write(t.Context(), func(tx storetest.Tx) error {
		if got := tx.Now(); !got.Equal(c.Now()) {
			t.Errorf("the time is %v, want %v", got, c.Now())
		}
		return tx.Insert("own")
	})
	if err != nil {
		t.Fatal(err)
	}
	twice := db.Write(t.Context(), func(tx storetest.Tx) error { return errors.Join(tx.Insert("a"), tx.Insert("a")) })
	again := db.Write(t.Context(), func(tx storetest.Tx) error { return tx.Insert("own") })
	if got := db.InsertedNames(t); twice == nil || again == nil || !got["own"] || got["a"] {
		t.Errorf("kept %v, %v, %v", got, twice, again)
	}
}

func writesKnowWhetherTheyChanged(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	got := []bool{}
	err := db.Write(t.Context(), func(tx storetest.Tx) error {
		got = append(got[:0], tx.Changed())
		tx.SetChanged(true)
		got = append(got, tx.Changed())
		tx.SetChanged(false)
		got = append(got, tx.Changed())
		err := tx.Insert("name")
		got = append(got, tx.Changed())
		return err
	})
	if want := "[false true false true]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v, %v, want %s", got, err, want)
	}
}

func writesKnowWhetherOthersWait(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	queued := map[string]bool{}
	see := func(name string) func(storetest.Tx) error {
		return func(tx storetest.Tx) error {
			queued[name] = tx.HasQueuedWrites()
			return tx.Insert(name)
		}
	}
	for i, err := range writeBatch(t, db, see("first"), see("last")) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if !queued["first"] || queued["last"] {
		t.Errorf("writes wait behind %v", queued)
	}
}

func writesRunInOrder(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	order := ""
	writes := []func(storetest.Tx) error{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		writes = append(writes, func(tx storetest.Tx) error { order += name; return tx.Insert(name) })
	}
	for i, err := range writeBatch(t, db, writes...) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if order != "abcde" {
		t.Errorf("they ran in the order %s", order)
	}
}
