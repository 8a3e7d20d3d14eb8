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

// dump returns what a tenant reads in all stores as text: rows, lists, counts and errors.
func dump(t testing.TB, db storetest.Database, tenant string) string {
	t.Helper()
	ctx, lines := t.Context(), []string{}
	add := func(values ...any) {
		t.Helper()
		if err, ok := values[len(values)-1].(error); ok {
			lines = append(lines, err.Error())
			return
		}
		text, err := json.MarshalIndent(values, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	all := func(values ...any) []any { return values }
	add(all(db.Stages(tenant).Pending(ctx, ""))...)
	add(all(db.Usage(tenant).Between(ctx, "2026-01-01", "2027-01-01"))...)
	add(all(db.Usage(tenant).Pairs(ctx))...)
	add(all(db.Undos(tenant, "gmail").OfKind(ctx, "label", 99))...)
	add(all(db.Approvals(tenant).Pending(ctx))...)
	items, err := db.Outbox(tenant, "gmail").List(ctx, 99)
	add(items, err)
	for _, item := range items {
		add(all(db.Outbox(tenant, "gmail").Raw(ctx, item.ID))...)
	}
	add(all(db.Names(tenant).Recorded(ctx, "label", "label"))...)
	add(all(db.Mail(tenant, "gmail").Summaries(ctx, []string{"label"}))...)
	m := db.Memories(tenant)
	for _, archived := range []bool{false, true} {
		add(all(m.List(ctx, store.Filter{Archived: archived}, store.Page{Limit: 99}))...)
	}
	add(all(m.HistorySince(ctx, time.Time{}, 99))...)
	add(all(m.Undoable(ctx, 99))...)
	add(all(m.Categories(ctx))...)
	add(all(m.Similar(ctx, asked, 9))...)
	found, err := m.Recall(ctx, store.RecallQuery{Text: asked, Limit: 9})
	for i := range found.Hits {
		found.Hits[i].Score = 0 // the weight of a word may depend on all documents of a database
	}
	add(found, err)
	stats, err := m.Stats(ctx)
	stats.FileBytes, stats.ToIndex = 0, 0 // they change by other means
	add(stats, err)
	if found, err := m.Get(ctx, "pin"); err == nil {
		value, err := m.Reveal(found)
		add(found, string(value), err)
	}
	vectors := map[int64]semantic.Vector{}
	if err := db.MemoryVectors(tenant).Vectors(ctx, "model", 2, func(id int64, v semantic.Vector) { vectors[id] = v }); err != nil {
		t.Fatal(err)
	}
	add(vectors)
	d := db.Diary(tenant)
	add(all(d.Entries(ctx, store.EntryFilter{}, store.EntryPage{Limit: 99}))...)
	add(all(d.Tasks(ctx, store.TaskQuery{On: "2026-11-21", From: "2000-01-01", IncludeLater: true, Limit: 99}))...)
	add(all(d.Documents(ctx, store.DocumentFilter{}, 99))...)
	add(all(d.Undoable(ctx, 99))...)
	add(all(d.Measures(ctx, store.EntryFilter{}))...)
	add(all(d.Days(ctx, store.EntryFilter{}))...)
	add(all(d.OnThisDay(ctx, "2026-11-21", 9))...)
	add(all(db.Mail(tenant, "gmail").History(ctx))...)
	add(all(db.Mail(tenant, "gmail").SentHeaders(ctx))...)
	contacts, _, err := db.Contacts(tenant, "gmail").All(ctx, "label")
	add(contacts, err)
	return strings.Join(lines, "\n")
}
