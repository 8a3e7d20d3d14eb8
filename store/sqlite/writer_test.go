package sqlite_test

import (
	"database/sql"
	"errors"
	"runtime"
	"sync"
	"testing"

	"kota/store/engine"
	"kota/store/sqlite"
)

// writeBatch runs writes that are committed as one batch, and returns their errors.
func writeBatch(t *testing.T, db *sqlite.DB, writes ...func(engine.Tx) error) []error {
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

func insertName(name string) func(engine.Tx) error {
	return func(t engine.Tx) error {
		return t.Exec("INSERT INTO meta (name, value) VALUES (?, '')", name)
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

// SQLite ends the transaction by itself after some failures. Later statements would then
// commit immediately, and with them half a write.
func TestEndedTransactionAffectsNoOtherWrite(t *testing.T) {
	db := open(t)
	boom := errors.New("boom")
	endEarly := func(tx engine.Tx) error { sqlite.EndTransaction(tx); return boom }
	half := func(tx engine.Tx) error { return errors.Join(insertName("half")(tx), boom) }
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
	endEarly := func(tx engine.Tx) error { sqlite.EndTransaction(tx); return nil } // the commit then fails
	failures := writeBatch(t, db, insertName("a"), insertName("b"), endEarly)
	if failures[0] != nil || failures[1] != nil || failures[2] == nil {
		t.Errorf("got %v", failures)
	}
	if got := insertedNames(t, db); !got["a"] || !got["b"] {
		t.Errorf("kept %v", got)
	}
}

// A write cannot go on after a statement that failed, even if it ignores the error.
func TestAFailedInsertNewFailsTheWrite(t *testing.T) {
	db := open(t)
	err := db.Write(t.Context(), func(tx engine.Tx) error {
		seq := int64(0)
		if err := tx.InsertNew("audit", "INSERT INTO audit (seq) VALUES (?) RETURNING seq").Scan(&seq); err == nil || errors.Is(err, sql.ErrNoRows) {
			t.Errorf("a row without its columns is inserted: %v", err)
		}
		if err := tx.InsertNew("passes", "INSERT INTO names (name) SELECT ? WHERE false RETURNING name").Scan(&seq); err == nil || errors.Is(err, sql.ErrNoRows) {
			t.Errorf("a later statement gets %v", err)
		}
		return nil
	})
	if err == nil {
		t.Error("the write was committed")
	}
	err = db.Write(t.Context(), func(tx engine.Tx) error {
		seq := int64(0)
		err := tx.InsertNew("audit", "INSERT INTO audit (seq) SELECT ? WHERE false RETURNING seq").Scan(&seq)
		if !errors.Is(err, sql.ErrNoRows) || tx.Changed() {
			t.Errorf("a statement without a row: %v, changed %t", err, tx.Changed())
		}
		return nil
	})
	if err != nil {
		t.Errorf("a write that inserts no row: %v", err)
	}
}
