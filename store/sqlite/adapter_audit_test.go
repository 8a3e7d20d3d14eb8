package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"kota/store"
	"kota/store/storetest"
	"kota/store/tables/audit"
)

func (d database) Audit(tenant string) storetest.AuditLog {
	return trailLog{auditLog(d.DB), tenant, d.Path()}
}

// A trailLog implements storetest.AuditLog with the log of a file, which all tenants share.
type trailLog struct {
	*audit.Log
	tenant, path string
}

func (l trailLog) Begin(ctx context.Context, entry store.AuditEntry) (context.Context, storetest.Trail) {
	return withTrail(ctx, entry)
}

func (l trailLog) Refuse(t storetest.Trail, code string) { l.Log.Refuse(t.(*audit.Trail), code) }

func (l trailLog) Prune(ctx context.Context, upTo store.AuditCheckpoint) error {
	return l.Log.Prune(ctx, l.tenant, upTo)
}

func (l trailLog) Reject(t testing.TB, tool string) {
	t.Helper()
	runOutside(t, l.path, fmt.Sprintf("CREATE TRIGGER rejects BEFORE INSERT ON audit WHEN NEW.tool = '%s' BEGIN SELECT RAISE(ABORT, 'no room'); END", tool))
}

func (l trailLog) Replace(t testing.TB, rows []store.AuditRow) {
	t.Helper()
	pool, err := sql.Open("sqlite", l.path+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	tx, err := pool.Begin()
	if err != nil {
		t.Fatal(err)
	}
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := tx.Exec(query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	exec(dropTriggers)
	exec("DELETE FROM audit")
	for _, r := range rows {
		exec("INSERT INTO audit (seq, "+columns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			r.Seq, r.Owner, r.At.UnixMilli(), r.Call, string(r.Phase), r.Tool, r.Effect, r.Channel, r.Args, r.Approval, r.Code, r.Prev[:], r.Hash[:])
	}
	exec(createTriggers)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}
