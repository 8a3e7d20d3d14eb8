package sqlite_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/tables/diary"
	"kota/store/tables/index"
	"kota/store/tables/memory"
	"kota/store/tables/outbox"
)

// noteEntry returns an entry of a day at noon.
func noteEntry(date, text string) store.DayEntry {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		day = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	}
	return store.DayEntry{Date: date, Moment: day.Add(12 * time.Hour), Zone: "Europe/Zurich", Type: "note", Text: text}
}

// endTasks marks tasks as done or dropped on a date.
func endTasks(t testing.TB, d *diary.Store, state, on string, ids ...string) (store.TaskChangeResult, error) {
	t.Helper()
	return d.ChangeTasks(t.Context(), map[string]string{store.TaskDone: "done", store.TaskDropped: "drop"}[state], store.TaskChange{State: &state, On: on}, ids...)
}

func foundTexts(f store.SearchResult[store.DayEntry]) string {
	entries := []*store.DayEntry{}
	for _, hit := range f.Hits {
		entries = append(entries, hit.Row)
	}
	return textsOf(entries)
}

func get(t *testing.T, m *memory.Store, key string) *store.Memory {
	t.Helper()
	got, err := m.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func hits(a store.RecallResult) []string {
	keys := []string{}
	for _, h := range a.Hits {
		keys = append(keys, h.Memory.Key)
	}
	return keys
}

// otherSpellings returns the spellings that an error names.
func otherSpellings(err error) []string {
	missing := (*store.NotFoundError)(nil)
	if !errors.As(err, &missing) || !errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return missing.OtherSpellings
}

func listEntries(t testing.TB, d *diary.Store, f store.EntryFilter) []*store.DayEntry {
	t.Helper()
	found, next, err := d.Entries(t.Context(), f, store.EntryPage{Limit: 1000})
	if err != nil || next != "" {
		t.Fatalf("next %q, %v", next, err)
	}
	return found
}

func logAll(t testing.TB, d *diary.Store, entries ...store.DayEntry) []*store.DayEntry {
	t.Helper()
	logged, err := d.Log(t.Context(), store.LogRequest{Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	return logged.Entries
}

func logOne(t testing.TB, d *diary.Store, e store.DayEntry) *store.DayEntry {
	t.Helper()
	return logAll(t, d, e)[0]
}

func checkMissing(t *testing.T, m *memory.Store, key string) {
	t.Helper()
	if got, err := m.Get(t.Context(), key); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("%q is %v, %v, want ErrNotFound", key, got, err)
	}
}

func recall(t testing.TB, m *memory.Store, q store.RecallQuery) store.RecallResult {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 10
	}
	answer, err := m.Recall(t.Context(), q)
	if err != nil {
		t.Fatalf("recall %q: %v", q.Text, err)
	}
	return answer
}

func weekReview(period, body string) store.DocumentSave {
	return store.DocumentSave{Document: store.Document{Type: "week_review", Period: period, Unique: true, Title: "Week " + period, Body: body, Fields: json.RawMessage(`{"went_well": "much"}`)}}
}

func saveDocument(t testing.TB, d *diary.Store, s store.DocumentSave) store.SaveResult {
	t.Helper()
	saved, err := d.SaveDocument(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func searchEntries(t testing.TB, d *diary.Store, text string, f store.EntryFilter) store.SearchResult[store.DayEntry] {
	t.Helper()
	found, err := d.SearchEntries(t.Context(), store.DiaryQuery{Text: text, Limit: 10}, f)
	if err != nil {
		t.Fatalf("search %q: %v", text, err)
	}
	return found
}

func newItem(key, digest string) store.OutboxItem {
	return store.OutboxItem{Account: "home", Key: key, Digest: digest, Kind: "send", Summary: json.RawMessage(`{"to":["ann@example.com"]}`), Raw: []byte("Subject: hi\r\n\r\nhello"), OwnsDraft: true}
}

func claim(t *testing.T, b *outbox.Store, want store.OutboxItem, hold time.Duration) (store.OutboxItem, bool) {
	t.Helper()
	item, held, err := b.ClaimOrCreate(t.Context(), want, time.Time{}, hold)
	if err != nil {
		t.Fatal(err)
	}
	return item, held
}

func saveItem(t *testing.T, b *outbox.Store, item *store.OutboxItem, status store.OutboxStatus, hold time.Duration) {
	t.Helper()
	item.Status = status
	if err := b.Save(t.Context(), item, hold); err != nil {
		t.Fatal(err)
	}
}

func textsOf(entries []*store.DayEntry) string {
	texts := []string{}
	for _, e := range entries {
		texts = append(texts, e.Text)
	}
	return strings.Join(texts, " ")
}

func mustReturn[T any](t testing.TB) func(T, error) T {
	return func(got T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

// indexes returns all indexes of a database.
func indexes() []index.Index { return append(memory.Indexes(), diary.Indexes()...) }
