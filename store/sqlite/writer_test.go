package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/memory"
)

// writeBatch runs writes that are committed as one batch, and returns their errors.
func writeBatch(t *testing.T, db *sqlite.DB, writes ...func(*sqlite.Tx) error) []error {
	t.Helper()
	failures := make([]error, len(writes))
	release := db.HoldWriteLock()
	var all sync.WaitGroup
	for i, run := range writes {
		all.Go(func() { failures[i] = db.Write(t.Context(), run) })
		for db.QueuedWrites() <= i { // so that they are queued in this order
			runtime.Gosched()
		}
	}
	release()
	all.Wait()
	return failures
}

func insertName(name string) func(*sqlite.Tx) error {
	return func(t *sqlite.Tx) error {
		_, err := t.Exec("INSERT INTO meta (name, value) VALUES (?, '')", name)
		return err
	}
}

// insertedNames returns the committed names.
func insertedNames(t *testing.T, db *sqlite.DB) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, name := range sqlite.MetaNames(t, db) {
		found[name] = true
	}
	return found
}

func TestFailingWriteDoesNotAffectItsBatch(t *testing.T) {
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		bad  func(*sqlite.Tx) error
		want func(error) bool
	}{
		"before it wrote":       {func(*sqlite.Tx) error { return boom }, func(err error) bool { return errors.Is(err, boom) }},
		"after it wrote":        {func(tx *sqlite.Tx) error { return errors.Join(insertName("half")(tx), boom) }, func(err error) bool { return errors.Is(err, boom) }},
		"by a constraint":       {func(tx *sqlite.Tx) error { return errors.Join(insertName("half")(tx), insertName("half")(tx)) }, func(err error) bool { return err != nil }},
		"by a failure it hides": {func(tx *sqlite.Tx) error { _, _ = insertName("half")(tx), insertName("half")(tx); return nil }, func(err error) bool { return err != nil }},
		"by a panic":            {func(tx *sqlite.Tx) error { _ = insertName("half")(tx); panic("oh") }, func(err error) bool { return err != nil }},
	} {
		db := open(t)
		failures := writeBatch(t, db, insertName("a"), c.bad, insertName("b"), c.bad, insertName("c"))
		for i, err := range failures {
			if bad := i%2 == 1; bad != (err != nil) || bad && !c.want(err) {
				t.Errorf("%s: write %d got %v", name, i, err)
			}
		}
		got := insertedNames(t, db)
		if !got["a"] || !got["b"] || !got["c"] || got["half"] {
			t.Errorf("%s: kept %v", name, got)
		}
	}
}

// SQLite ends the transaction by itself after some failures. Later statements would then
// commit immediately, and with them half a write.
func TestEndedTransactionAffectsNoOtherWrite(t *testing.T) {
	db := open(t)
	boom := errors.New("boom")
	endEarly := func(tx *sqlite.Tx) error { tx.EndTransaction(); return boom }
	half := func(tx *sqlite.Tx) error { return errors.Join(insertName("half")(tx), boom) }
	failures := writeBatch(t, db, insertName("a"), endEarly, half, insertName("b"))
	for i, bad := range []bool{false, true, true, false} {
		if bad != errors.Is(failures[i], boom) || !bad && failures[i] != nil {
			t.Errorf("write %d got %v", i, failures[i])
		}
	}
	if got := insertedNames(t, db); !got["a"] || !got["b"] || got["half"] {
		t.Errorf("kept %v", got)
	}
}

func TestWritesThatFailTogetherRunIndividually(t *testing.T) {
	db := open(t)
	endEarly := func(tx *sqlite.Tx) error { tx.EndTransaction(); return nil } // the commit then fails
	failures := writeBatch(t, db, insertName("a"), insertName("b"), endEarly)
	if failures[0] != nil || failures[1] != nil || failures[2] == nil {
		t.Errorf("got %v", failures)
	}
	if got := insertedNames(t, db); !got["a"] || !got["b"] {
		t.Errorf("kept %v", got)
	}
}

func TestWriteGivenUpWhileItWaitsIsNotRun(t *testing.T) {
	db := open(t)
	release := db.HoldWriteLock()
	ctx, cancel := context.WithCancel(t.Context())
	outcome := make(chan error)
	go func() { outcome <- db.Write(ctx, insertName("given up")) }()
	for db.QueuedWrites() == 0 {
		runtime.Gosched()
	}
	cancel()
	if err := <-outcome; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	release()
	if err := db.Write(ctx, insertName("too late")); err == nil {
		t.Error("a write whose context had ended succeeded")
	}
	if got := insertedNames(t, db); got["given up"] || got["too late"] {
		t.Errorf("kept %v", got)
	}
}

func TestConcurrentWritesAreAllStored(t *testing.T) {
	db := open(t)
	m := memory.New(db, "ann")
	const callers, each = 16, 40
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				if _, err := m.Set(t.Context(), store.Entry{Key: fmt.Sprintf("%d.%d", c, i), Value: jsonText("v")}); err != nil {
					t.Error(err)
				}
				if _, err := m.Set(t.Context(), store.Entry{Key: "shared", Value: jsonText(fmt.Sprintf("%d.%d", c, i))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	stats, err := m.Stats(t.Context())
	if err != nil || stats.Memories != callers*each+1 || stats.Versions != callers*each-1 {
		t.Errorf("got %+v, %v", stats, err)
	}
	if got := get(t, m, "shared").Version; got != callers*each {
		t.Errorf("the shared key has version %d", got)
	}
}

func TestCloseCommitsAWriteThatWaits(t *testing.T) {
	db := open(t)
	release := db.HoldWriteLock()
	outcome := make(chan error)
	go func() { outcome <- db.Write(t.Context(), insertName("waits")) }()
	for db.QueuedWrites() == 0 {
		runtime.Gosched()
	}
	closed := make(chan error)
	go func() { closed <- db.Close() }()
	release()
	if err := errors.Join(<-outcome, <-closed); err != nil {
		t.Error(err)
	}
}
