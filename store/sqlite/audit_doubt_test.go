package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/sqlite"
	"kota/store/tables/audit"
)

// A doubtfulDB tells its hooks that the outcome of one commit is unknown, as a database server does
// whose connection ends meanwhile.
type doubtfulDB struct {
	engine.DB
	doubtful atomic.Bool // tell it of the next commit
	lost     bool        // and roll that commit back
}

func (d *doubtfulDB) Extend(key reflect.Type, create func() (any, engine.Hook)) any {
	return d.DB.Extend(key, func() (any, engine.Hook) {
		value, hook := create()
		before, after := hook.BeforeCommit, hook.AfterCommit
		hook.BeforeCommit = func(t engine.Tx, changes []context.Context) error {
			err := before(t, changes)
			if err == nil && d.doubtful.Load() && d.lost {
				err = store.ErrOutcomeUnknown
			}
			return err
		}
		hook.AfterCommit = func(err error) {
			if d.doubtful.Swap(false) {
				err = store.ErrOutcomeUnknown
			}
			after(err)
		}
		return value, hook
	})
}

func TestRowsOfAnUnknownOutcomeAreWrittenOnce(t *testing.T) {
	for name, lost := range map[string]bool{"committed": false, "rolled back": true} {
		t.Run(name, func(t *testing.T) {
			file := openBare(t)
			db := &doubtfulDB{DB: file, lost: lost}
			log := audit.New(db, trailOf)
			change := func(ctx context.Context) error {
				return db.Write(ctx, func(tx engine.Tx) error {
					tx.SetChanged(true)
					return nil
				})
			}
			first, firstTrail := withTrail(t.Context(), doubtfulCall("first"))
			if err := change(first); err != nil {
				t.Fatal(err)
			}
			firstTrail.End(store.OK) // this row and the intent of the second call get into doubt

			second, secondTrail := withTrail(t.Context(), doubtfulCall("second"))
			db.doubtful.Store(true)
			if err := change(second); err != nil && !errors.Is(err, store.ErrOutcomeUnknown) {
				t.Fatal(err)
			}
			if secondTrail.HasIntent() {
				t.Error("an intent in doubt counts as stored")
			}
			if err := log.WriteIntent(second); err != nil || !secondTrail.HasIntent() {
				t.Errorf("the intent is not stored later: %v", err)
			}
			secondTrail.End("UNAVAILABLE")
			third, _ := withTrail(t.Context(), doubtfulCall("third"))
			if err := change(third); err != nil {
				t.Fatal(err)
			}
			want := "1 intent, 2 outcome OK, 3 intent, 4 outcome UNAVAILABLE, 5 intent"
			if got := phases(auditRows(t, file)); got != want {
				t.Errorf("the log has %s, want %s", got, want)
			}
		})
	}
}

// The call ends before anything else is written: it has an outcome, too.
func TestCallsWithAnUnknownOutcomeEnd(t *testing.T) {
	for name, lost := range map[string]bool{"committed": false, "rolled back": true} {
		t.Run(name, func(t *testing.T) {
			file := openBare(t)
			db := &doubtfulDB{DB: file, lost: lost}
			db.doubtful.Store(true)
			audit.New(db, trailOf)
			ctx, trail := withTrail(t.Context(), doubtfulCall("only"))
			err := db.Write(ctx, func(tx engine.Tx) error {
				tx.SetChanged(true)
				return nil
			})
			if err != nil && !errors.Is(err, store.ErrOutcomeUnknown) {
				t.Fatal(err)
			}
			trail.End("UNAVAILABLE")
			if err := db.WriteUnaudited(t.Context(), func(engine.Tx) error { return nil }); err != nil {
				t.Fatal(err)
			}
			if got := phases(auditRows(t, file)); got != "1 intent, 2 outcome UNAVAILABLE" {
				t.Errorf("the log has %s", got)
			}
		})
	}
}

func doubtfulCall(tool string) store.AuditEntry {
	return store.AuditEntry{Owner: "ann", Tool: tool, Effect: "writes", Channel: "direct", Args: json.RawMessage("{}")}
}

// openBare opens a database without an audit log.
func openBare(t *testing.T) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}
