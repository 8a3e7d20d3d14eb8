package writertest

import (
	"context"
	"errors"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var watchContract = storetest.Contract{
	"a watch sees the writes of every process": watchesSeeEveryWrite,
	"a watch sees no reads and no rollbacks":   watchesSeeCommitsOnly,
	"a closed watch blocks nothing":            closedWatchesBlockNothing,
}

func startWatch(t *testing.T, db storetest.Database) storetest.Watch {
	t.Helper()
	w, err := db.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// sees reports whether a write was committed since the last call. It waits if none is known yet.
func sees(t *testing.T, w storetest.Watch, wait time.Duration) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	err := w.Wait(ctx)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	return err == nil
}

func watchesSeeEveryWrite(t *testing.T, open storetest.Opener) {
	first, second := open(time.Now), open(time.Now)
	w := startWatch(t, first)
	for name, db := range map[string]storetest.Database{"this process": first, "another": second} {
		if err := db.Write(t.Context(), insert(name)); err != nil {
			t.Fatal(err)
		}
		if !sees(t, w, time.Minute) {
			t.Errorf("a write of %s is not detected", name)
		}
	}
}

func watchesSeeCommitsOnly(t *testing.T, open storetest.Opener) {
	db, other := open(time.Now), open(time.Now)
	w := startWatch(t, db)
	boom := errors.New("boom")
	if err := other.Write(t.Context(), func(tx storetest.Tx) error { return errors.Join(tx.Insert("x"), boom) }); !errors.Is(err, boom) {
		t.Fatal(err)
	}
	if _, err := other.Memories("ann").Get(t.Context(), "theme"); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	if sees(t, w, 50*time.Millisecond) {
		t.Error("a read or a rolled back write is reported as a write")
	}
	if err := other.Write(t.Context(), insert("x")); err != nil {
		t.Fatal(err)
	}
	if !sees(t, w, time.Minute) || sees(t, w, 50*time.Millisecond) {
		t.Error("a write is not reported once")
	}
}

func closedWatchesBlockNothing(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	for range 20 { // more than the connections of a pool
		w, err := db.Watch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Memories("ann").Get(t.Context(), "theme"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}
