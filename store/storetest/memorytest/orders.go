package memorytest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var ordersContract = storetest.Contract{
	"memories with equal times have an order":             memoriesWithEqualTimesHaveAnOrder,
	"versions and changes with equal times have an order": versionsWithEqualTimesHaveAnOrder,
	"keys are ordered by their bytes":                     keysAreOrderedByBytes,
	"the first spellings are named":                       firstSpellingsAreNamed,
}

// letters returns the keys of memories, each one letter.
func letters(found []*store.Memory) string { return strings.Join(keys(found), "") }

func memoriesWithEqualTimesHaveAnOrder(t *testing.T, open storetest.Opener) {
	db, _ := storetest.WithClock(open)
	m := db.Memories("ann")
	for _, key := range []string{"c", "a", "e", "b", "d"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("x")})
	}
	for _, indexed := range []bool{false, true} {
		for order, want := range map[store.Order]string{store.ByKey: "abcde", store.Newest: "dbeac"} {
			got := ""
			for page := (store.Page{Order: order, Limit: 2}); ; {
				part, next, err := m.List(t.Context(), store.Filter{}, page)
				if err != nil {
					t.Fatal(err)
				}
				got += letters(part)
				if page.Cursor = next; next == "" {
					break
				}
			}
			if got != want {
				t.Errorf("indexed %t, order %v: %s, want %s", indexed, order, got, want)
			}
		}
		for sort, want := range map[store.Sort]string{store.NewestFirst: "dbeac", store.OldestFirst: "caebd", store.KeyOrder: "abcde"} {
			got := ""
			for q := (store.RecallQuery{Sort: sort, Limit: 2}); ; {
				part := recall(t, m, q)
				got += strings.Join(hits(part), "")
				if q.Cursor = part.Next; part.Next == "" {
					break
				}
			}
			if got != want {
				t.Errorf("indexed %t, sorted by %s: %s, want %s", indexed, sort, got, want)
			}
		}
		if err := m.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// revised returns the keys of revisions, and their versions above 1.
func revised(events []store.MemoryRevision) string {
	texts := []string{}
	for _, e := range events {
		texts = append(texts, e.Key+strings.Repeat("'", int(e.Version-1)))
	}
	return strings.Join(texts, " ")
}

func versionsWithEqualTimesHaveAnOrder(t *testing.T, open storetest.Opener) {
	db, _ := storetest.WithClock(open)
	m := db.Memories("ann")
	for _, key := range []string{"c", "a", "b"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("x")})
	}
	for _, key := range []string{"b", "c"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("y")})
	}
	for limit, want := range []string{"", "c'", "c' b'", "c' b' b", "c' b' b a", "c' b' b a c", "c' b' b a c"} {
		events, err := m.HistorySince(t.Context(), time.Time{}, limit)
		if err != nil || revised(events) != want {
			t.Errorf("history with limit %d: %q, %v, want %q", limit, revised(events), err, want)
		}
	}
	changes, err := m.Undoable(t.Context(), 9)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{}
	for _, c := range changes {
		all = append(all, c.Operation+" "+c.Subject)
	}
	for limit := range len(all) {
		part, err := m.Undoable(t.Context(), limit)
		if err != nil || len(part) != limit {
			t.Fatal(part, err)
		}
		for i, c := range part {
			if c != changes[i] {
				t.Errorf("limit %d: change %d is %+v", limit, i, c)
			}
		}
	}
	if want := []string{"set c", "set b", "create b", "create a", "create c"}; !slices.Equal(all, want) {
		t.Errorf("the changes are %q, want %q", all, want)
	}
}

// The order does not depend on a language: capitals come before small letters, and "ä" comes
// after "z".
func keysAreOrderedByBytes(t *testing.T, open storetest.Opener) {
	db, _ := storetest.WithClock(open)
	m := db.Memories("ann")
	want := []string{"1", "A_B", "a b", "a-b", "a_b", "ab", "B", "b", "z", "ä", "ß", "日本", "\U0001f382"}
	for _, key := range []string{"ä", "b", "日本", "a_b", "z", "\U0001f382", "B", "1", "a b", "ab", "ß", "A_B", "a-b"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("x"), Category: &key})
	}
	if got := keys(list(t, m)); !slices.Equal(got, sortedByNorm(want)) {
		t.Errorf("listed %q, want %q", got, sortedByNorm(want))
	}
	categories, err := m.Categories(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, c := range categories {
		names = append(names, c.Name)
	}
	if slices.Sort(want); !slices.Equal(names, want) {
		t.Errorf("the categories are %q, want %q", names, want)
	}
	deleted, err := m.Delete(t.Context(), store.Target{Filter: store.Filter{Prefix: "a"}}, false)
	if err != nil || !slices.Equal(deleted.Keys, []string{"A_B", "a b", "a-b", "a_b", "ab"}) {
		t.Errorf("deleted %q, %v", deleted.Keys, err)
	}
}

// sortedByNorm sorts keys by their normalized form, and then by themselves.
func sortedByNorm(keys []string) []string {
	return slices.SortedFunc(slices.Values(keys), func(a, b string) int {
		if n := strings.Compare(store.NormalizeKey(a), store.NormalizeKey(b)); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
}

// A key has more spellings than an error names.
func firstSpellingsAreNamed(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	spellings := []string{"User Name", "user_name", "USER NAME", "user name", "User_Name", "user-name", "User-Name", "user.name", "user/name", "USER_NAME", "USER-NAME", "user  name"}
	for _, key := range spellings {
		set(t, m, store.Entry{Key: key, Value: jsonText("x")})
	}
	slices.Sort(spellings)
	_, visible := m.Get(t.Context(), "userName")
	_, ever := m.History(t.Context(), "userName", 9)
	for name, err := range map[string]error{"get": visible, "history": ever} {
		if got := otherSpellings(err); !slices.Equal(got, spellings[:9]) {
			t.Errorf("%s names %q, want %q", name, got, spellings[:9])
		}
	}
	similar, err := m.Similar(t.Context(), "userName", 3)
	if err != nil || !slices.Equal(similar, spellings[:3]) {
		t.Errorf("similar are %q, %v, want %q", similar, err, spellings[:3])
	}
}
