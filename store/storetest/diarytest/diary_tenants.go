package diarytest

import (
	"errors"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

func tenantChangesOnlyItsDiary(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	annsEntry := logOne(t, db.Diary("ann"), noteEntry("2026-11-20", "mine"))
	bob := db.Diary("bob")
	_, read := bob.Entry(t.Context(), annsEntry.ID)
	_, edited := bob.EditEntry(t.Context(), store.EntryEdit{ID: annsEntry.ID, Text: new("x")})
	_, deleted := bob.Delete(t.Context(), annsEntry.ID)
	_, history := bob.History(t.Context(), annsEntry.ID, 9)
	change, err := db.Diary("ann").EditEntry(t.Context(), store.EntryEdit{ID: annsEntry.ID, Text: new("still mine")})
	if err != nil {
		t.Fatal(err)
	}
	_, undone := bob.Restore(t.Context(), change.Undo)
	_, restored := bob.RestoreVersion(t.Context(), annsEntry.ID, 1, nil)
	for what, err := range map[string]error{"read": read, "edit": edited, "delete": deleted, "history": history, "undo": undone, "restore": restored} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := listEntries(t, bob, store.EntryFilter{}); len(got) != 0 {
		t.Errorf("bob lists %s", textsOf(got))
	}
}

func tenantReadsOnlyItsDiary(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	ann, bob := db.Diary("ann"), db.Diary("bob")
	e := noteEntry("2025-11-20", "river")
	e.Mood, e.Metrics = 3, map[string]any{"km": 4.0}
	logging := store.LogRequest{Entries: []store.DayEntry{e}, Tasks: []store.Task{{Text: "a", Added: "2026-11-20"}, {Text: "b", Added: "2026-11-20"}, {Text: "c", Added: "2026-11-20"}}, Key: "k"}
	anns := mustReturn[store.LogResult](t)(ann.Log(t.Context(), logging))
	mustReturn[store.TaskChangeResult](t)(endTasks(t, ann, store.TaskDone, "2026-11-20", anns.Tasks[0].ID))
	mustReturn[store.TaskChangeResult](t)(deferTasks(t, ann, "2026-12-01", anns.Tasks[1].ID))
	saveDocument(t, ann, weekReview("2026-W47", "river"))
	all, day := store.EntryFilter{}, store.TaskQuery{On: "2026-11-20", Limit: 9}
	for _, when := range []string{"before", "after"} { // before and after indexing
		found := map[string]int{
			"days": len(mustReturn[[]store.DaySummary](t)(bob.Days(t.Context(), all))), "moods": len(mustReturn[[]store.PeriodSummary](t)(bob.Measure(t.Context(), "mood", all))),
			"metrics": len(mustReturn[[]store.MetricSummary](t)(bob.Measures(t.Context(), all))), "types": len(mustReturn[[]store.TypeCount](t)(bob.Types(t.Context(), all))),
			"other years": len(mustReturn[[]*store.DayEntry](t)(bob.OnThisDay(t.Context(), "2026-11-20", 9))), "hits": len(searchEntries(t, bob, "river", all).Hits),
			"documents":            len(mustReturn[[]*store.Document](t)(bob.Documents(t.Context(), store.DocumentFilter{}, 9))),
			"hits among documents": len(mustReturn[store.SearchResult[store.Document]](t)(bob.SearchDocuments(t.Context(), store.DiaryQuery{Text: "river", Limit: 9}, store.DocumentFilter{})).Hits),
		}
		tasks := mustReturn[store.TaskList](t)(bob.Tasks(t.Context(), day))
		found["tasks"] = tasks.OpenCount + tasks.DeferredCount + tasks.DoneCount
		for what, n := range found {
			if n != 0 {
				t.Errorf("%s indexing bob has %d %s", when, n, what)
			}
		}
		if err := ann.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := bob.Erase(t.Context(), []string{anns.Entries[0].ID}, false); !errors.Is(err, store.ErrNotFound) { // rows of bob may get the same ids
		t.Errorf("bob erases: %v", err)
	}
	logging.Entries[0].Text = "sea"
	bobs := mustReturn[store.LogResult](t)(bob.Log(t.Context(), logging))
	if again := mustReturn[store.LogResult](t)(bob.Log(t.Context(), logging)); bobs.Repeated || !again.Repeated || again.Entries[0].ID != bobs.Entries[0].ID {
		t.Errorf("bob's key is shared with ann: %+v, %+v", bobs, again)
	}
	if bobs := saveDocument(t, bob, weekReview("2026-W47", "sea")); bobs.Change != store.Created {
		t.Errorf("bob's review is shared with ann: %+v", bobs)
	}
	if left := mustReturn[store.TaskList](t)(ann.Tasks(t.Context(), day)); left.OpenCount != 1 || left.DeferredCount != 1 || left.DoneCount != 1 || len(listEntries(t, ann, all)) != 1 {
		t.Errorf("ann has %+v", left)
	}
}
