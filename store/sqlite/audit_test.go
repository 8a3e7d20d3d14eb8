package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/audit"
	"kota/store/tables/memory"
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
