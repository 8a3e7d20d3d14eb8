package sqlite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kota/store"
	"kota/store/tables/diary"
	"kota/store/tables/memory"
)

// Any text as a cursor either continues a query or returns ErrInvalid. It never becomes SQL, and
// never returns more rows than the limit.
func FuzzCursors(f *testing.F) {
	db := open(f)
	m, d := memory.New(db, "ann"), diary.New(db, "ann")
	for i := range 30 {
		set(f, m, store.Entry{Key: fmt.Sprint("river ", i), Value: jsonText("by the river")})
		logOne(f, d, noteEntry("2026-11-20", fmt.Sprint("river ", i)))
	}
	logOne(f, diary.New(db, "bob"), noteEntry("2026-11-20", "bob's river"))
	set(f, memory.New(db, "bob"), store.Entry{Key: "bob's river", Value: jsonText("by the river")})
	// Each function lists or searches one part, starting at a cursor. It returns the length, the
	// texts and the next cursor.
	parts := map[string]func(t testing.TB, cursor string) (int, string, string, error){
		"memories by key": func(t testing.TB, cursor string) (int, string, string, error) {
			found, next, err := m.List(t.Context(), store.Filter{}, store.Page{Limit: 7, Cursor: cursor})
			return len(found), fmt.Sprint(keysOf(found)), next, err
		},
		"memories by time": func(t testing.TB, cursor string) (int, string, string, error) {
			found, next, err := m.List(t.Context(), store.Filter{}, store.Page{Limit: 7, Cursor: cursor, Order: store.Newest})
			return len(found), fmt.Sprint(keysOf(found)), next, err
		},
		"recall": func(t testing.TB, cursor string) (int, string, string, error) {
			answer, err := m.Recall(t.Context(), store.RecallQuery{Text: "river", Limit: 7, Cursor: cursor})
			return len(answer.Hits), fmt.Sprint(hits(answer)), answer.Next, err
		},
		"entries": func(t testing.TB, cursor string) (int, string, string, error) {
			found, next, err := d.Entries(t.Context(), store.EntryFilter{}, store.EntryPage{Limit: 7, Cursor: cursor})
			return len(found), textsOf(found), next, err
		},
		"search": func(t testing.TB, cursor string) (int, string, string, error) {
			found, err := d.SearchEntries(t.Context(), store.DiaryQuery{Text: "river", Limit: 7, Cursor: cursor}, store.EntryFilter{})
			return len(found.Hits), foundTexts(found), found.Next, err
		},
	}
	for _, part := range parts {
		_, _, next, err := part(f, "")
		if err != nil || next == "" {
			f.Fatalf("the first part leads to %q, %v", next, err)
		}
		f.Add(next)
		var place []any
		if json.Unmarshal([]byte(next), &place) == nil && len(place) > 0 {
			place[0] = json.Number("9223372036854775807")
			largest, err := json.Marshal(place)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(largest))
		}
	}
	f.Add(`{"skip":9223372036854775807,"text":"river","sort":"relevance"}`)
	f.Fuzz(func(t *testing.T, cursor string) {
		for name, part := range parts {
			n, found, _, err := part(t, cursor)
			if err != nil && !errors.Is(err, store.ErrInvalid) {
				t.Errorf("%s at %q: %v", name, cursor, err)
			}
			if n > 7 || strings.Contains(found, "bob") {
				t.Errorf("%s at %q: found %q", name, cursor, found)
			}
		}
	})
}

func keysOf(found []*store.Memory) []string {
	var keys []string
	for _, one := range found {
		keys = append(keys, one.Key)
	}
	return keys
}
