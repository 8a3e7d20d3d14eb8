package walltest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/semantic"
	"kota/store/storetest"
)

// dump returns the rows of ann in all stores as text, one row or list a line.
func dump(t testing.TB, db storetest.Database) string {
	t.Helper()
	ctx, lines := t.Context(), []string{}
	add := func(values ...any) {
		t.Helper()
		if err, ok := values[len(values)-1].(error); ok {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(values, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	all := func(values ...any) []any { return values }
	add(all(db.Stages("ann").Pending(ctx, ""))...)
	add(all(db.Usage("ann").Between(ctx, "2026-01-01", "2027-01-01"))...)
	add(all(db.Usage("ann").Pairs(ctx))...)
	add(all(db.Undos("ann", "gmail").OfKind(ctx, "label", 99))...)
	add(all(db.Approvals("ann").Pending(ctx))...)
	items, err := db.Outbox("ann", "gmail").List(ctx, 99)
	add(items, err)
	for _, item := range items {
		add(all(db.Outbox("ann", "gmail").Raw(ctx, item.ID))...)
	}
	add(all(db.Names("ann").Recorded(ctx, "label", "label"))...)
	add(all(db.Mail("ann", "gmail").Summaries(ctx, []string{"label"}))...)
	m := db.Memories("ann")
	for _, archived := range []bool{false, true} {
		add(all(m.List(ctx, store.Filter{Archived: archived}, store.Page{Limit: 99}))...)
	}
	add(all(m.HistorySince(ctx, time.Time{}, 99))...)
	add(all(m.Undoable(ctx, 99))...)
	add(all(m.Categories(ctx))...)
	found, err := m.Get(ctx, "pin")
	add(found, err)
	value, err := m.Reveal(found)
	add(string(value), err)
	vectors := map[int64]semantic.Vector{}
	if err := db.MemoryVectors("ann").Vectors(ctx, "model", 2, func(id int64, v semantic.Vector) { vectors[id] = v }); err != nil {
		t.Fatal(err)
	}
	add(vectors)
	d := db.Diary("ann")
	add(all(d.Entries(ctx, store.EntryFilter{}, store.EntryPage{Limit: 99}))...)
	add(all(d.Tasks(ctx, store.TaskQuery{On: "2026-11-21", From: "2000-01-01", IncludeLater: true, Limit: 99}))...)
	add(all(d.Documents(ctx, store.DocumentFilter{}, 99))...)
	add(all(d.Undoable(ctx, 99))...)
	add(all(d.Measures(ctx, store.EntryFilter{}))...)
	return strings.Join(lines, "\n")
}
