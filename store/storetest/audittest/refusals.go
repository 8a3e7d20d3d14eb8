package audittest

import (
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var refusalsContract = storetest.Contract{
	"refusals beyond the limit are only counted": refusalsAreCounted,
	"refusals are counted across restarts":       refusalsAreCountedAcrossRestarts,
	"a refused call has no outcome":              refusedCallsHaveNoOutcome,
}

// refuse refuses n calls.
func refuse(t testing.TB, db storetest.Database, n int, code string) {
	t.Helper()
	log := db.Audit("ann")
	for range n {
		_, trail := log.Begin(t.Context(), sendMessage)
		log.Refuse(trail, code)
	}
}

// A loop of refused calls adds a hundred rows per hour, and one row per tool and code with the
// count of the others. Close writes the counts that are not written yet.
func refusalsAreCounted(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	refuse(t, db, 3000, "REFUSED")
	refuse(t, db, 7, "RATE_LIMITED")
	c.Set(c.Now().Add(time.Hour))
	refuse(t, db, 101, "REFUSED") // one hour later
	closeDatabase(t, db)
	db = open(c.Now)
	rows := auditRows(t, db, store.AuditFilter{})
	if len(rows) != 203 {
		t.Fatalf("the log has %d rows", len(rows))
	}
	counts := map[string]int{}
	for _, row := range rows {
		if row.Phase != store.PhaseRefused || row.Tool != "gmail_send_message" || row.Effect != "sends" || row.Channel != "direct" || row.Owner != "ann" {
			t.Fatalf("a row is %+v", row)
		}
		counts[row.Code+" "+row.Args]++
	}
	for want, n := range map[string]int{
		"REFUSED {}": 200,
		`REFUSED {"more":2900,"since":"2026-11-21T09:00:00Z"}`:   1,
		`RATE_LIMITED {"more":7,"since":"2026-11-21T09:00:00Z"}`: 1,
		`REFUSED {"more":1,"since":"2026-11-21T10:00:00Z"}`:      1,
	} {
		if counts[want] != n {
			t.Errorf("%d rows have %s: %v", counts[want], want, counts)
		}
	}
	if v := verify(t, db); len(v.Tampering) != 0 {
		t.Error(findings(v))
	}
}

// The limit also applies to a loop that starts the program again for each call.
func refusalsAreCountedAcrossRestarts(t *testing.T, open storetest.Opener) {
	c := storetest.NewClock()
	whole := func(n int) (rows int) {
		db := open(c.Now)
		refuse(t, db, n, "REFUSED")
		closeDatabase(t, db)
		db = open(c.Now)
		defer db.Close()
		for _, row := range auditRows(t, db, store.AuditFilter{}) {
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
	c.Set(c.Now().Add(61 * time.Minute))
	if rows := whole(60); rows != 160 {
		t.Errorf("an hour later there are %d rows", rows)
	}
}

func refusedCallsHaveNoOutcome(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	_, trail := db.Audit("ann").Begin(t.Context(), sendMessage)
	db.Audit("ann").Refuse(trail, "REFUSED")
	trail.End("REFUSED")
	closeDatabase(t, db)
	db = open(time.Now)
	if got := phases(t, db); got != "1 refused REFUSED" {
		t.Errorf("the log reads %q", got)
	}
	if v := verify(t, db); len(v.Unfinished) != 0 {
		t.Errorf("unfinished: %+v", v.Unfinished)
	}
}
