package sqlite_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// A loop of refused calls adds a hundred rows per hour, and one row per tool and code with the
// count of the others.
func TestRefusalsBeyondTheLimitAreOnlyCounted(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{Now: c.now})
	refuse := func(n int, code string) {
		for range n {
			_, trail := withTrail(t.Context(), store.AuditEntry{Owner: "ann", Tool: "gmail_send_message", Effect: "sends", Channel: "direct", Args: json.RawMessage(`{}`)})
			auditLog(db).Refuse(trail, code)
		}
	}
	refuse(3000, "REFUSED")
	refuse(7, "RATE_LIMITED")
	c.set(c.now().Add(time.Hour))
	refuse(1, "REFUSED") // one hour later
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, path, sqlite.Options{Now: c.now})
	rows := auditRows(t, db)
	if len(rows) != 103 {
		t.Fatalf("the log has %d rows", len(rows))
	}
	counts := map[string]bool{}
	for _, row := range rows[100:] {
		counts[row.Code+" "+row.Args] = true
	}
	for _, want := range []string{`REFUSED {"more":2900,"since":"2026-11-21T09:00:00Z"}`, `RATE_LIMITED {"more":7,"since":"2026-11-21T09:00:00Z"}`, "REFUSED {}"} {
		if !counts[want] {
			t.Errorf("no row has %s: %v", want, counts)
		}
	}
	if v := verify(t, db); len(v.Tampering) != 0 {
		t.Error(findings(v))
	}
}

// The limit also applies to a loop that starts the program again for each call.
func TestRefusalsAreCountedAcrossRestarts(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), "kota.db")
	whole := func(n int) (rows int) {
		db := openAt(t, path, sqlite.Options{Now: c.now})
		for range n {
			_, trail := withTrail(t.Context(), store.AuditEntry{Owner: "ann", Tool: "gmail_send_message", Effect: "sends", Args: json.RawMessage(`{}`)})
			auditLog(db).Refuse(trail, "REFUSED")
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		for _, row := range auditRows(t, openAt(t, path, sqlite.Options{Now: c.now})) {
			if row.Args == "{}" {
				rows++
			}
		}
		return rows
	}
	for i, want := range []int{60, 100, 100} {
		if rows := whole(60); rows != want {
			t.Errorf("after start %d there are %d rows, want %d", i+1, rows, want)
		}
	}
	c.set(c.now().Add(61 * time.Minute))
	if rows := whole(60); rows != 160 {
		t.Errorf("an hour later there are %d rows", rows)
	}
}

// Close writes the counts that are not written yet.
func TestRefusalCountsAreWrittenByClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	for range 150 {
		_, trail := withTrail(t.Context(), store.AuditEntry{Owner: "ann", Tool: "memory_delete", Effect: "destroys", Args: json.RawMessage(`{}`)})
		auditLog(db).Refuse(trail, "REFUSED")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if rows := auditRows(t, openAt(t, path, sqlite.Options{})); len(rows) != 101 {
		t.Errorf("the log has %d rows", len(rows))
	}
}
