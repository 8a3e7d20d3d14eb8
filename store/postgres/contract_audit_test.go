package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/storetest"
	"kota/store/tables/audit"
)

func (d *contractDatabase) Audit(tenant string) storetest.AuditLog {
	db := d.tenant(tenant)
	return contractLog{audit.New(db, trailOf), d.shared, db, tenant}
}

// trailOf returns the trail of a context.
func trailOf(ctx context.Context) *audit.Trail {
	trail, _ := ctx.Value(trailKey{}).(*audit.Trail)
	return trail
}

type trailKey struct{}

// A contractLog implements storetest.AuditLog with the log of one tenant.
type contractLog struct {
	*audit.Log
	shared testDatabase
	db     *DB
	tenant string
}

func (l contractLog) Begin(ctx context.Context, entry store.AuditEntry) (context.Context, storetest.Trail) {
	trail := audit.NewTrail(entry)
	return context.WithValue(ctx, trailKey{}, trail), trail
}

func (l contractLog) Refuse(t storetest.Trail, code string) { l.Log.Refuse(t.(*audit.Trail), code) }

func (l contractLog) Prune(ctx context.Context, upTo store.AuditCheckpoint) error {
	return l.Log.Prune(ctx, l.tenant, upTo)
}

func (l contractLog) Reject(t testing.TB, tool string) {
	t.Helper()
	conn := l.superuser(t)
	defer conn.Close(context.Background())
	run(t, conn, fmt.Sprintf(`CREATE FUNCTION kota.refuse_%[1]d() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
		CREATE TRIGGER rejects_%[1]d BEFORE INSERT ON kota.audit FOR EACH ROW WHEN (NEW.owner = %[1]d AND NEW.tool = '%[2]s') EXECUTE FUNCTION kota.refuse_%[1]d()`, l.db.tenant, tool))
}

func (l contractLog) Replace(t testing.TB, rows []store.AuditRow) {
	t.Helper()
	conn := l.superuser(t)
	defer conn.Close(context.Background())
	run(t, conn, "BEGIN; SET LOCAL session_replication_role = replica") // no trigger runs
	run(t, conn, "DELETE FROM kota.audit WHERE owner = $1", l.db.tenant)
	for _, r := range rows {
		run(t, conn, "INSERT INTO kota.audit (owner, seq, name, at, call, phase, tool, effect, door, args, approval, code, prev, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
			l.db.tenant, r.Seq, r.Owner, r.At.UnixMilli(), r.Call, string(r.Phase), r.Tool, r.Effect, r.Channel, r.Args, r.Approval, r.Code, r.Prev[:], r.Hash[:])
	}
	run(t, conn, "COMMIT")
}

func (l contractLog) superuser(t testing.TB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), l.shared.asSuperuser())
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func run(t testing.TB, conn *pgx.Conn, statement string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
