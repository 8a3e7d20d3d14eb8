package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/audit"
	"kota/store/sqlite/memory"
)

type trailKey struct{}

func trailOf(ctx context.Context) *audit.Trail {
	t, _ := ctx.Value(trailKey{}).(*audit.Trail)
	return t
}

func auditLog(db *sqlite.DB) *audit.Log { return audit.New(db, trailOf) }

// withTrail returns ctx with a new trail, and the trail.
func withTrail(ctx context.Context, entry store.AuditEntry) (context.Context, *audit.Trail) {
	t := audit.NewTrail(entry)
	return context.WithValue(ctx, trailKey{}, t), t
}

// auditedSet stores a memory like an audited call.
func auditedSet(t testing.TB, db *sqlite.DB, key string) {
	t.Helper()
	ctx, trail := withTrail(t.Context(), store.AuditEntry{Owner: "ann", Tool: "memory_set", Effect: "writes", Channel: "direct", Args: json.RawMessage(`{"pinned":true}`)})
	if _, err := memory.New(db, "ann").Set(ctx, store.Entry{Key: key, Value: jsonText(key)}); err != nil {
		t.Fatal(err)
	}
	trail.End(store.OK)
}

func auditRows(t testing.TB, db *sqlite.DB) []store.AuditRow {
	t.Helper()
	rows := []store.AuditRow{}
	for row, err := range auditLog(db).Rows(t.Context(), store.AuditFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// phases returns the number, phase and code of each row, on one line.
func phases(rows []store.AuditRow) string {
	words := []string{}
	for _, r := range rows {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%d %s %s", r.Seq, r.Phase, r.Code)))
	}
	return strings.Join(words, ", ")
}

func verify(t testing.TB, db *sqlite.DB, noted ...store.AuditCheckpoint) store.AuditReport {
	t.Helper()
	var rows []store.NotedRow
	for _, one := range noted {
		rows = append(rows, store.NotedRow{Seq: one.Seq, HashPrefix: one.Hash.String()})
	}
	v, err := auditLog(db).Verify(t.Context(), rows...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// findings returns the findings of a report as one text.
func findings(v store.AuditReport) string {
	all := []string{}
	for _, one := range v.Tampering {
		all = append(all, one.Finding)
	}
	return strings.Join(all, "; ")
}

func TestIntentIsLoggedBeforeTheChangeIsAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{Now: newClock().now})
	ctx, trail := withTrail(t.Context(), store.AuditEntry{Owner: "ann", Tool: "memory_set", Effect: "writes", Channel: "cli", Args: json.RawMessage(`{"pinned":true}`)})
	if trail.HasIntent() {
		t.Error("it has an intent before its first change")
	}
	if _, err := memory.New(db, "ann").Set(ctx, store.Entry{Key: "city", Value: jsonText("Bern")}); err != nil {
		t.Fatal(err)
	}
	if got := phases(auditRows(t, openAt(t, path, sqlite.Options{}))); got != "1 intent" {
		t.Fatalf("another process reads %q", got)
	}
	if _, err := memory.New(db, "ann").Set(ctx, store.Entry{Key: "street", Value: jsonText("Spitalgasse")}); err != nil {
		t.Fatal(err)
	}
	trail.Approve("terminal")
	trail.End(store.OK)
	auditedSet(t, db, "country")
	rows := auditRows(t, db)
	if got := phases(rows); got != "1 intent, 2 outcome OK, 3 intent" {
		t.Fatalf("the log reads %q", got)
	}
	first, second := rows[0], rows[1]
	if first.Tool != "memory_set" || first.Effect != "writes" || first.Channel != "cli" || first.Args != `{"pinned":true}` || first.Owner != "ann" || !first.At.Equal(newClock().now()) {
		t.Errorf("the intent is %+v", first)
	}
	if second.Call != first.Call || second.Approval != "terminal" || second.Args != "" || second.Prev != first.Hash {
		t.Errorf("the outcome is %+v", second)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, path, sqlite.Options{})
	if got := phases(auditRows(t, again)); got != "1 intent, 2 outcome OK, 3 intent, 4 outcome OK" {
		t.Errorf("after closing the log reads %q", got)
	}
	if v := verify(t, again); len(v.Tampering) != 0 || len(v.Unfinished) != 0 || v.Rows != 4 {
		t.Errorf("report %+v", v)
	}
}

func TestCallWithoutAChangeLeavesNoAuditRow(t *testing.T) {
	db := open(t)
	auditedSet(t, db, "city")
	ctx, trail := withTrail(t.Context(), store.AuditEntry{Tool: "memory_set", Effect: "writes"})
	conflict := (*store.ConflictError)(nil)
	if _, err := memory.New(db, "ann").Set(ctx, store.Entry{Key: "city", Value: jsonText("Basel"), Mode: store.Create}); !errors.As(err, &conflict) {
		t.Fatal(err)
	}
	trail.End("CONFLICT")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if trail.HasIntent() {
		t.Error("it has an intent")
	}
}

func TestTwoWritesOfOneCallHaveOneIntent(t *testing.T) {
	db := open(t)
	ctx, trail := withTrail(t.Context(), store.AuditEntry{Owner: "ann", Tool: "memory_set", Effect: "writes"})
	release := db.HoldWriteLock()
	var both sync.WaitGroup
	for i, name := range []string{"a", "b"} {
		both.Go(func() {
			if err := db.Write(ctx, insertName(name)); err != nil {
				t.Error(err)
			}
		})
		for db.QueuedWrites() <= i {
			runtime.Gosched()
		}
	}
	release()
	both.Wait()
	if got := phases(auditRows(t, db)); got != "1 intent" || !trail.HasIntent() {
		t.Errorf("the log reads %q, intent %t", got, trail.HasIntent())
	}
}

func TestOutcomeIsWrittenWithoutAnotherChange(t *testing.T) {
	db := open(t)
	auditedSet(t, db, "city")
	for len(auditRows(t, db)) < 2 { // limited by the test's own timeout
		if t.Context().Err() != nil {
			t.Fatal("the outcome was not written")
		}
	}
}

func TestWriteIntentAndRefuseLeaveOneRowEach(t *testing.T) {
	db := open(t)
	ctx, trail := withTrail(t.Context(), store.AuditEntry{Tool: "gmail_send_message", Effect: "sends", Args: json.RawMessage(`{}`)})
	for range 2 {
		if err := auditLog(db).WriteIntent(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if got := phases(auditRows(t, db)); got != "1 intent" {
		t.Fatalf("the log reads %q", got)
	}
	trail.End("OUTCOME_UNKNOWN")
	_, refused := withTrail(t.Context(), store.AuditEntry{Tool: "gmail_send_message", Effect: "sends", Args: json.RawMessage(`{"to":["x@example.org"]}`)})
	auditLog(db).Refuse(refused, "REFUSED")
	auditedSet(t, db, "city")
	if got := phases(auditRows(t, db)); got != "1 intent, 2 outcome OUTCOME_UNKNOWN, 3 refused REFUSED, 4 intent" {
		t.Errorf("the log reads %q", got)
	}
	if err := auditLog(db).WriteIntent(t.Context()); err != nil {
		t.Errorf("without a trail: %v", err)
	}
}

// If the transaction of an intent fails, the log has no intent and the change is not made.
// Another write in the same transaction succeeds.
func TestChangeFailsWithoutItsIntent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	auditedSet(t, db, "first")
	runOutside(t, path, "CREATE TRIGGER full BEFORE INSERT ON audit WHEN NEW.tool = 'unlogged' BEGIN SELECT RAISE(ABORT, 'no room'); END")
	release := db.HoldWriteLock()
	var all sync.WaitGroup
	ctx, refusedTrail := withTrail(t.Context(), store.AuditEntry{Tool: "unlogged", Effect: "writes"})
	failed := error(nil)
	all.Go(func() {
		_, failed = memory.New(db, "ann").Set(ctx, store.Entry{Key: "unlogged", Value: jsonText("x")})
	})
	all.Go(func() { auditedSet(t, db, "neighbour") })
	for db.QueuedWrites() < 2 {
		if t.Context().Err() != nil {
			t.Fatal("the writes are not queued")
		}
	}
	release()
	all.Wait()
	if failed == nil || refusedTrail.HasIntent() {
		t.Errorf("the change was made without its intent: %v", failed)
	}
	if _, err := memory.New(db, "ann").Get(t.Context(), "unlogged"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the change was stored: %v", err)
	}
	if _, err := memory.New(db, "ann").Get(t.Context(), "neighbour"); err != nil {
		t.Error(err)
	}
	if v := verify(t, db); len(v.Tampering) != 0 {
		t.Error(findings(v))
	}
}

func TestManyCallersAtOnceAreAllLogged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			for i := range 20 {
				auditedSet(t, db, fmt.Sprintf("%d.%d", w, i))
			}
		})
	}
	all.Wait()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	v := verify(t, openAt(t, path, sqlite.Options{}))
	if v.Rows != 640 || len(v.Tampering)+len(v.Unfinished) != 0 {
		t.Errorf("%d rows, %s, %d without outcome", v.Rows, findings(v), len(v.Unfinished))
	}
}

// runAuditedWriter makes audited changes as another process, count times or without end. It prints the
// key of each acknowledged change.
func runAuditedWriter(path, _, count string) error {
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	auditLog(db)
	most, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	for i := 0; most == 0 || i < most; i++ {
		ctx, trail := withTrail(context.Background(), store.AuditEntry{Owner: "ann", Tool: "memory_set", Effect: "writes", Args: json.RawMessage(`{}`)})
		key := fmt.Sprintf("%d.%d", os.Getpid(), i)
		if _, err := memory.New(db, "ann").Set(ctx, store.Entry{Key: key, Value: jsonText(key)}); err != nil {
			return err
		}
		os.Stdout.WriteString(key + "\n")
		trail.End(store.OK)
	}
	return db.Close()
}

func TestProcessesShareOneChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	openAt(t, path, sqlite.Options{})
	commands := []*exec.Cmd{}
	for range 2 {
		command, _ := child(t, path, "actor", 150)
		commands = append(commands, command)
	}
	for _, command := range commands {
		if err := command.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	v := verify(t, openAt(t, path, sqlite.Options{}))
	if v.Rows != 600 || len(v.Tampering)+len(v.Unfinished) != 0 {
		t.Errorf("%d rows, %s, %d without outcome", v.Rows, findings(v), len(v.Unfinished))
	}
}

// runOutside runs statements on the file over a separate connection, as another program would.
func runOutside(t testing.TB, path string, queries ...string) {
	t.Helper()
	pool, err := sql.Open("sqlite", path+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, query := range queries {
		if _, err := pool.Exec(query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
}
