package audittest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var tamperingContract = storetest.Contract{
	"every tampering is found and named":              everyTamperingIsNamed,
	"a rewritten log is found by its checkpoints":     rewrittenLogsAreFound,
	"cut off rows are found despite later rows":       cutOffRowsAreFound,
	"a pruned log verifies and reports the prune":     prunedLogsVerify,
	"rows that were removed beside a prune are found": rowsRemovedBesideAPruneAreFound,
}

// closedLog closes a log with the eight rows of four calls, and returns the rows.
func closedLog(t testing.TB, open storetest.Opener) []store.AuditRow {
	t.Helper()
	db, c := storetest.WithClock(open)
	auditedSet(t, db, "city", "street", "country", "river")
	closeDatabase(t, db)
	db = open(c.Now)
	defer db.Close()
	rows := auditRows(t, db, store.AuditFilter{})
	if len(rows) != 8 {
		t.Fatalf("the log has %d rows", len(rows))
	}
	return rows
}

// replaced returns a handle on the log after its rows were replaced.
func replaced(t testing.TB, open storetest.Opener, rows []store.AuditRow) storetest.Database {
	t.Helper()
	db := open(storetest.NewClock().Now)
	db.Audit("ann").Replace(t, rows)
	return db
}

const (
	rewritten   = "row 8 does not have the hash that was noted: the log was rewritten up to that row, or the note is wrong"
	notDirectly = "row %d was written directly after row %d: the rows between them were inserted or moved there"
)

func everyTamperingIsNamed(t *testing.T, open storetest.Opener) {
	original := closedLog(t, open)
	edit := func(i int, change func(*store.AuditRow)) func([]store.AuditRow) []store.AuditRow {
		return func(rows []store.AuditRow) []store.AuditRow { change(&rows[i]); return rows }
	}
	remove := func(from, to int) func([]store.AuditRow) []store.AuditRow { // by number, both included
		return func(rows []store.AuditRow) []store.AuditRow { return slices.Delete(rows, from-1, to) }
	}
	insert := func(rows []store.AuditRow, row store.AuditRow) []store.AuditRow { // before row 5
		for i := range rows[4:] {
			rows[4+i].Seq++
		}
		row.Seq = 5
		return slices.Insert(rows, 4, row)
	}
	for _, tt := range []struct {
		name   string
		tamper func([]store.AuditRow) []store.AuditRow
		want   string
	}{
		{"no change", func(rows []store.AuditRow) []store.AuditRow { return rows }, ""},
		{"arguments are edited", edit(2, func(r *store.AuditRow) { r.Args = `{"pinned":false}` }), "row 3 (intent of memory_set) was edited"},
		{"a time is edited", edit(0, func(r *store.AuditRow) { r.At = r.At.Add(time.Millisecond) }), "row 1 (intent of memory_set) was edited"},
		{"an error is made a success", edit(7, func(r *store.AuditRow) { r.Code = "REFUSED" }), "row 8 (outcome of memory_set) was edited"},
		{"text moves from one field to the next", edit(4, func(r *store.AuditRow) { r.Tool, r.Owner = "memory_se", "annt" }), "row 5 (intent of memory_se) was edited"},
		{"a row is removed", remove(4, 4), "row 4 was removed"},
		{"rows are removed", remove(3, 5), "rows 3 to 5 were removed"},
		{"the first rows are removed", remove(1, 2), "rows 1 to 2 were removed"},
		{"the last row is removed", remove(8, 8), "row 8 was removed from the end"},
		{"the log is cut off", remove(4, 8), "rows 4 to 8 were removed from the end"},
		{"the log is emptied", remove(1, 8), "rows 1 to 8 were removed from the end"},
		{"a row is removed and the others are numbered again", func(rows []store.AuditRow) []store.AuditRow {
			rows = slices.Delete(rows, 3, 4)
			for i := range rows[3:] {
				rows[3+i].Seq--
			}
			return rows
		}, "row 4 does not contain the hash of row 3: that row was rewritten, or rows between them were removed; row 8 was removed from the end"},
		{"rows change places", func(rows []store.AuditRow) []store.AuditRow {
			rows[2].Seq, rows[3].Seq = 4, 3
			return rows
		}, "row 3 was written after row 4: the rows were reordered; " + fmt.Sprintf(notDirectly, 4, 2) + "; " + fmt.Sprintf(notDirectly, 5, 3)},
		{"the number of the last row is changed", edit(7, func(r *store.AuditRow) { r.Seq = 12 }), rewritten + "; row 12 was written as row 8: its number was changed"},
		{"a row is put in again", func(rows []store.AuditRow) []store.AuditRow { return insert(rows, rows[2]) },
			fmt.Sprintf(notDirectly, 5, 2) + "; " + fmt.Sprintf(notDirectly, 6, 4) + "; " + rewritten},
		{"a row of another log is put in", func(rows []store.AuditRow) []store.AuditRow {
			other := rows[3]
			other.Call, other.Prev = "x", store.AuditHash{}
			return insert(rows, other)
		}, "row 5 (outcome of memory_set) was edited; row 5 was written as the first row: the rows before it were inserted; " + rewritten},
	} {
		db := replaced(t, open, tt.tamper(slices.Clone(original)))
		if got := findings(verify(t, db)); got != tt.want {
			t.Errorf("%s: the report is\n%q, want\n%q", tt.name, got, tt.want)
		}
		closeDatabase(t, db)
	}
}

// Anyone who can write the rows can edit the log and compute new hashes for all of them. The
// checkpoint of the database, or one that the user has saved, reveals that.
func rewrittenLogsAreFound(t *testing.T, open storetest.Opener) {
	rows := closedLog(t, open)
	saved := store.AuditCheckpoint{Seq: 8, Hash: rows[7].Hash}
	for i := range rows {
		rows[i].Code = "x"
		if i > 0 {
			rows[i].Prev = rows[i-1].Hash
		}
		rows[i].Hash = rows[i].Sum()
	}
	db := replaced(t, open, rows)
	if got := findings(verify(t, db)); got != rewritten {
		t.Errorf("by its own checkpoint: %q", got)
	}
	if got := findings(verify(t, db, saved)); got != rewritten+"; "+rewritten {
		t.Errorf("by both: %q", got)
	}
}

// A database whose rows alone say where the log ends gives the numbers of the missing rows to later
// ones. Another continues after the missing rows.
func cutOffRowsAreFound(t *testing.T, open storetest.Opener) {
	db := replaced(t, open, closedLog(t, open)[:5])
	for i := range 5 {
		auditedSet(t, db, fmt.Sprint("later ", i))
	}
	closeDatabase(t, db)
	v := verify(t, open(time.Now))
	if got := findings(v); got != rewritten && got != "rows 6 to 8 were removed" {
		t.Errorf("the report is %q of %d rows", got, v.Rows)
	}
}

func prunedLogsVerify(t *testing.T, open storetest.Opener) {
	rows := closedLog(t, open)
	db := open(storetest.NewClock().Now)
	for name, checkpoint := range map[string]store.AuditCheckpoint{
		"the last":       {Seq: 8, Hash: rows[7].Hash},
		"one of another": {Seq: 3, Hash: rows[3].Hash},
		"none":           {Seq: 99},
	} {
		if err := db.Audit("ann").Prune(t.Context(), checkpoint); !errors.Is(err, store.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := db.Audit("ann").Prune(t.Context(), store.AuditCheckpoint{Seq: 3, Hash: rows[2].Hash}); err != nil {
		t.Fatal(err)
	}
	closeDatabase(t, db)
	db = open(storetest.NewClock().Now)
	v := verify(t, db, store.AuditCheckpoint{Seq: 2, Hash: rows[1].Hash})
	if len(v.Tampering) != 0 || v.PrunedTo != 3 || v.Rows != 7 {
		t.Errorf("%d rows, pruned up to %d: %s", v.Rows, v.PrunedTo, findings(v))
	}
	db.Properties().CheckNoted(t, v)
	left := auditRows(t, db, store.AuditFilter{})
	if prune := left[5]; prune.Tool != store.PruneTool || prune.Owner != "ann" || prune.Effect != "destroys" || prune.Args != fmt.Sprintf(`{"seq":3,"hash":"%s"}`, rows[2].Hash) {
		t.Errorf("the prune is recorded as %+v", prune)
	}
	auditedSet(t, db, "later")
	closeDatabase(t, db)
	if v := verify(t, open(time.Now)); len(v.Tampering) != 0 || v.Rows != 9 {
		t.Errorf("a later call: %d rows, %s", v.Rows, findings(v))
	}
}

// A row that records a prune covers only the rows that it names.
func rowsRemovedBesideAPruneAreFound(t *testing.T, open storetest.Opener) {
	rows := closedLog(t, open)
	db := open(storetest.NewClock().Now)
	if err := db.Audit("ann").Prune(t.Context(), store.AuditCheckpoint{Seq: 3, Hash: rows[2].Hash}); err != nil {
		t.Fatal(err)
	}
	closeDatabase(t, db)
	db = open(storetest.NewClock().Now)
	left := auditRows(t, db, store.AuditFilter{})
	closeDatabase(t, db)
	for _, tt := range []struct {
		remove func(store.AuditRow) bool
		want   string
	}{
		{func(r store.AuditRow) bool { return r.Seq == 4 }, "rows 1 to 4 were removed"},
		{func(r store.AuditRow) bool { return r.Seq == 6 }, "row 6 was removed"},
		{func(r store.AuditRow) bool { return r.Tool == store.PruneTool }, "rows 1 to 3 were removed; rows 9 to 10 were removed from the end"},
	} {
		db := replaced(t, open, slices.DeleteFunc(slices.Clone(left), tt.remove))
		if got := findings(verify(t, db)); got != tt.want {
			t.Errorf("the report is %q, want %q", got, tt.want)
		}
		closeDatabase(t, db)
	}
}
