package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/postgres/schema"
)

// snapshot describes all objects of a database and all roles. It changes with every change of them.
const snapshot = `
	SELECT md5(concat(
		(SELECT string_agg(format('%s %s %s', oid, xmin, relfilenode), ',' ORDER BY oid) FROM pg_class),
		(SELECT string_agg(format('%s %s', oid, xmin), ',' ORDER BY oid) FROM pg_proc),
		(SELECT string_agg(format('%s %s', oid, xmin), ',' ORDER BY oid) FROM pg_namespace),
		(SELECT string_agg(format('%s %s', attrelid, xmin), ',' ORDER BY attrelid, attnum) FROM pg_attribute),
		(SELECT string_agg(rolname, ',' ORDER BY oid) FROM pg_roles WHERE rolname LIKE '%app_' || (SELECT oid FROM pg_database WHERE datname = current_database()))))`

// withSteps opens a database with the current steps and more.
func withSteps(t *testing.T, d testDatabase, more ...schema.Step) (*Server, error) {
	t.Helper()
	known, err := schema.Steps()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), d.asSuperuser(), Options{Version: "1.2.3", Logger: slog.New(slog.NewTextHandler(t.Output(), nil)), steps: append(known, more...)})
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, err
}

// stepCount returns how many migration steps this KOTA has.
func stepCount(t *testing.T) int {
	t.Helper()
	all, err := schema.Steps()
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestNewerTablesAreRefusedAndUntouched(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	if _, err := withSteps(t, d, schema.Step{Name: "contract", MinReader: stepCount(t) + 1, Script: "CREATE TABLE kota.later (owner bigint NOT NULL, PRIMARY KEY (owner))"}); err != nil {
		t.Fatal(err)
	}
	before := d.value(t, snapshot)
	_, err := Open(t.Context(), d.asSuperuser(), Options{})
	if !errors.Is(err, store.ErrNewer) {
		t.Fatalf("Open gave %v, want ErrNewer", err)
	}
	for _, want := range []string{"1.2.3", fmt.Sprint("schema ", stepCount(t)+1), "update KOTA"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
	if d.value(t, snapshot) != before {
		t.Error("Open changed the database")
	}
}

// A step may add a function and no table, or replace a function that every replica uses.
func TestTheAppRoleMayUseNewFunctions(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	old := mustOpen(t, d.asSuperuser())
	s, err := withSteps(t, d, schema.Step{Name: "function", MinReader: 1, Script: "CREATE FUNCTION kota.kota_later() RETURNS int LANGUAGE sql AS 'SELECT 7'"})
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	if err := s.readRow(t.Context(), "SELECT kota.kota_later()", &got); err != nil || got != 7 {
		t.Errorf("the function gives %d, %v", got, err)
	}
	d.exec(t, "REVOKE ALL ON FUNCTION kota.kota_later() FROM PUBLIC, "+d.value(t, "SELECT 'kota_app_' || oid FROM pg_database WHERE datname = current_database()"))
	again, err := withSteps(t, d, schema.Step{Name: "function", MinReader: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.readRow(t.Context(), "SELECT kota.kota_later()", &got); err != nil {
		t.Errorf("a lost right is not given again: %v", err)
	}
	if _, err := old.Tenant(t.Context(), "new"); err != nil {
		t.Errorf("a replica from before: %v", err)
	}
}

func TestOldReplicasRunThroughAnExpansion(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	old := mustOpen(t, d.asSuperuser())
	db := mustTenant(t, old, "ann")
	read := func() {
		t.Helper()
		changes := int64(-1)
		if err := db.Read(t.Context()).Row("SELECT changes FROM heads WHERE owner = ?", db.tenant).Scan(&changes); err != nil || changes != 0 {
			t.Fatalf("the old replica read %d, %v", changes, err)
		}
	}
	read()
	expand := schema.Step{Name: "expand", MinReader: 1, Script: "ALTER TABLE kota.heads ADD COLUMN more bigint NOT NULL DEFAULT 0"}
	if _, err := withSteps(t, d, expand); err != nil {
		t.Fatal(err)
	}
	read()
	db = mustTenant(t, mustOpen(t, d.asSuperuser()), "ann") // an old replica may also start now
	read()
}

func TestAMigrationThatIsKilledLeavesNothing(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	known, _ := schema.Steps()
	known[0].Script += "; SELECT pg_sleep(60)"
	failed := make(chan error)
	go func() {
		_, err := Open(context.Background(), d.asSuperuser(), Options{steps: known})
		failed <- err
	}()
	const sleeping = "FROM pg_stat_activity WHERE datname = $1 AND wait_event = 'PgSleep'"
	for d.value(t, "SELECT count(*) "+sleeping, d.name) == "0" {
		time.Sleep(10 * time.Millisecond)
	}
	d.exec(t, "SELECT pg_terminate_backend(pid) "+sleeping, d.name)
	if err := <-failed; !errors.Is(err, store.ErrUnreachable) {
		t.Errorf("Open gave %v", err)
	}
	if got := d.value(t, "SELECT count(*) FROM pg_namespace WHERE nspname = 'kota'"); got != "0" {
		t.Error("the schema is there")
	}
	mustTenant(t, mustOpen(t, d.asSuperuser()), "ann")
}

func TestAStepThatFailsLeavesTheEarlierOnes(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	_, err := withSteps(t, d,
		schema.Step{Name: "good", MinReader: 1, Script: "CREATE TABLE kota.good (owner bigint NOT NULL, PRIMARY KEY (owner))"},
		schema.Step{Name: "bad", MinReader: 1, Script: "CREATE TABLE kota.half (owner bigint); CREATE TABLE kota.good (owner bigint)"})
	if err == nil || !strings.Contains(err.Error(), "migrate with bad") {
		t.Fatalf("Open gave %v", err)
	}
	if got := d.value(t, "SELECT max(version)::text || ' ' || (to_regclass('kota.half') IS NULL) FROM kota.kota_schema"); got != fmt.Sprint(stepCount(t)+1, " true") {
		t.Errorf("the database is at %s", got)
	}
}

func TestAStepWaitsForLocksWithoutStoppingReaders(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	db := mustTenant(t, mustOpen(t, d.asSuperuser()), "ann")
	holder, err := pgx.Connect(t.Context(), d.asSuperuser())
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close(context.Background())
	for _, statement := range []string{"BEGIN", "SELECT * FROM kota.heads"} {
		if _, err := holder.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	migrated := make(chan error)
	go func() {
		_, err := withSteps(t, d, schema.Step{Name: "alter", MinReader: 1, Script: "ALTER TABLE kota.heads ADD COLUMN more bigint"})
		migrated <- err
	}()
	for range 10 {
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		n := 0
		if err := db.Read(t.Context()).Row("SELECT count(*) FROM heads").Scan(&n); err != nil || time.Since(began) > time.Second {
			t.Errorf("a reader waited for %v: %v", time.Since(began), err)
		}
	}
	select {
	case err := <-migrated:
		t.Fatalf("the step did not wait: %v", err)
	default:
	}
	if _, err := holder.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Error(err)
	}
}

func TestAnInterruptedIndexIsBuiltAgain(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	mustTenant(t, mustOpen(t, d.asSuperuser()), "ann")
	index := schema.Step{Name: "index", MinReader: 1, Concurrent: true, Script: "-- concurrent\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS mail_extra ON kota.mail (owner, thread);\nCREATE INDEX CONCURRENTLY IF NOT EXISTS mail_more ON kota.mail (owner, size);\n"}
	const mail = "INSERT INTO kota.mail (owner, account, id, thread, date, size, snippet, headers, labels, kept) VALUES (1, 'a', $1, 't', 1, 1, '', '', '', 1)"
	d.exec(t, mail, "1")
	d.exec(t, mail, "2")
	if _, err := withSteps(t, d, index); err == nil {
		t.Fatal("a unique index over equal rows was built")
	}
	if got := d.value(t, "SELECT count(*) FROM pg_index WHERE NOT indisvalid"); got != "1" {
		t.Fatalf("%s indexes are invalid", got)
	}
	d.exec(t, "DELETE FROM kota.mail WHERE id = '2'")
	if _, err := withSteps(t, d, index); err != nil {
		t.Fatal(err)
	}
	if got := d.value(t, "SELECT count(*) FILTER (WHERE indisvalid)::text || ' ' || count(*) FILTER (WHERE NOT indisvalid) FROM pg_index WHERE indexrelid::regclass::text LIKE 'kota.mail_%r%'"); got != "2 0" {
		t.Errorf("valid and invalid indexes: %s", got)
	}
}

func TestSchemasOfOthersAreRefusedAndUntouched(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"tables of others":               "CREATE SCHEMA kota; CREATE TABLE kota.accounts (id int)",
		"a table with our name":          "CREATE SCHEMA kota; CREATE TABLE kota.kota_schema (id int)",
		"our columns and no rows":        "CREATE SCHEMA kota; CREATE TABLE kota.kota_schema (version int, min_reader int, kota text)",
		"a view with our name":           "CREATE SCHEMA kota; CREATE VIEW kota.kota_schema AS SELECT 1 AS version, 1 AS min_reader, 'x' AS kota",
		"our columns of different types": "CREATE SCHEMA kota; CREATE TABLE kota.kota_schema (version text, min_reader text, kota text); INSERT INTO kota.kota_schema VALUES ('x', 'y', 'z')",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDatabase(t)
			for statement := range strings.SplitSeq(script, "; ") {
				d.exec(t, statement)
			}
			before := d.value(t, snapshot)
			if _, err := Open(t.Context(), d.asSuperuser(), Options{}); !errors.Is(err, store.ErrForeign) || !strings.Contains(err.Error(), "another database") {
				t.Errorf("Open gave %v, want ErrForeign", err)
			}
			if d.value(t, snapshot) != before {
				t.Error("Open changed the database")
			}
		})
	}
}

func TestTablesOfOthersInThePublicSchemaDoNoHarm(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.exec(t, "CREATE TABLE public.memories (id int)")
	d.exec(t, "CREATE FUNCTION public.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS 'SELECT ''evil'''")
	mustTenant(t, mustOpen(t, d.role(t, "CREATEROLE", true)), "ann")
}
