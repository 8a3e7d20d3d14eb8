package sqlite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kota/store"
	"kota/store/sqlite"
)

func recall(t testing.TB, m *sqlite.Memories, q store.Query) store.Answer {
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

func hits(a store.Answer) []string {
	keys := []string{}
	for _, h := range a.Hits {
		keys = append(keys, h.Memory.Key)
	}
	return keys
}

// nasty are texts that a query language would choke on.
var nasty = []string{
	`C++`, `it's`, `a@b.com`, `-x`, `*`, `""`, `"`, `AND`, `OR NOT`, `'; DROP TABLE memories; --`, `NEAR(a b)`, `NEAR(`, `key:`, `key : x`, `{key} : x`,
	`^begin`, `a*`, `(`, `)`, `a\b`, "a\x00b", "\x00", "🎂", "👩‍👩‍👧", "🇩🇪", `漢字`, `我的牙医`, `コーヒー`, `한국어`, `ภาษาไทย`, `naïve`, `ＷＩＦＩ`, `%_%`, `$1 ?1 :a @b`,
	`C#`, `.NET`, `#hashtag`, `100%`, `€5`, `--`, `…`, `<b>bold</b>`, `\`, "tab\tnew\nline", "\u202eright to left", `I`, `the`, `what is the`, `﷽`, `ﬁne`, `ſ`, `İstanbul`, `ßẞ`, `e\u0301`,
	strings.Repeat("long", 50), strings.Repeat("漢", 100),
}

func TestRecallFindsWhatIsStoredWhateverItsLetters(t *testing.T) {
	for _, text := range nasty {
		t.Run(text, func(t *testing.T) {
			m := open(t).Memories("ann")
			set(t, m, store.Entry{Key: "other thing", Value: json.RawMessage(`"nothing of the kind"`)})
			value, err := json.Marshal("it says " + text + " there")
			if err != nil {
				t.Fatal(err)
			}
			set(t, m, store.Entry{Key: "wanted", Value: value})
			if got := hits(recall(t, m, store.Query{Text: text})); !slices.Contains(got, "wanted") {
				t.Errorf("in the value: found %q", got)
			}
			set(t, m, store.Entry{Key: "x " + text + " y", Value: json.RawMessage(`1`)})
			if got := hits(recall(t, m, store.Query{Text: text})); !slices.ContainsFunc(got, func(key string) bool { return strings.HasPrefix(key, "x ") }) {
				t.Errorf("in the key: found %q", got)
			}
			set(t, m, store.Entry{Key: "tagged", Value: json.RawMessage(`2`), Tags: []string{text}})
			if got := hits(recall(t, m, store.Query{Text: text, Filter: store.Filter{Tags: []string{text}}})); !slices.Equal(got, []string{"tagged"}) {
				t.Errorf("with the tag: found %q", got)
			}
		})
	}
}

func FuzzRecall(f *testing.F) {
	for _, text := range nasty {
		f.Add(text)
	}
	m := open(f).Memories("ann")
	set(f, m, store.Entry{Key: "other thing", Value: json.RawMessage(`"nothing of the kind"`)})
	f.Fuzz(func(t *testing.T, text string) {
		value, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err) // every string has a JSON form
		}
		set(t, m, store.Entry{Key: "fuzzed value", Value: value})
		found := hits(recall(t, m, store.Query{Text: text}))
		visible := strings.ContainsFunc(text, func(r rune) bool { return r > ' ' && r < 0x7f })
		if visible && len(text) < 200 && !slices.Contains(found, "fuzzed value") {
			t.Errorf("%q: found %q", text, found)
		}
	})
}

func TestRecallGivesTheExactKeyAloneWhenOneIsWanted(t *testing.T) {
	m := open(t).Memories("ann")
	set(t, m, store.Entry{Key: "home_address", Value: text("Ulm")})
	set(t, m, store.Entry{Key: "home_address_old", Value: text("home address in Bonn")})
	for _, query := range []string{"home_address", "homeAddress", "HOME-ADDRESS", " home address "} {
		answer := recall(t, m, store.Query{Text: query, Limit: 1})
		if got := hits(answer); !slices.Equal(got, []string{"home_address"}) || answer.Hits[0].Why != store.Exact || answer.Hits[0].Score != 1 || answer.Confidence != store.Sure {
			t.Errorf("%q: %+v", query, answer)
		}
		if answer.Next != "" {
			t.Errorf("%q: goes on at %q", query, answer.Next)
		}
	}
	if got := hits(recall(t, m, store.Query{Text: "homeAddress", Limit: 5})); !slices.Equal(got, []string{"home_address", "home_address_old"}) {
		t.Errorf("with room for more: %q", got)
	}
}

func TestRecallFindsWhatWasWrittenBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	here, there := openAt(t, path, sqlite.Options{}).Memories("ann"), openAt(t, path, sqlite.Options{}).Memories("ann")
	for i := range 50 {
		key, word := fmt.Sprintf("thing_%d", i), strings.Repeat(string(rune('a'+i%26)), 4+i/26)
		set(t, there, store.Entry{Key: key, Value: text("says " + word)})
		if got := hits(recall(t, here, store.Query{Text: "where is " + word})); len(got) == 0 || got[0] != key {
			t.Fatalf("%s is not found by the other: %q", key, got)
		}
		set(t, here, store.Entry{Key: key, Value: text("changed")})
		if got := hits(recall(t, there, store.Query{Text: word})); len(got) > 0 {
			t.Fatalf("%q are found by what %s said before", got, key)
		}
	}
}

func TestRecallSeesOnlyItsOwners(t *testing.T) {
	db := open(t)
	for i := range 300 { // more than are ranked
		set(t, db.Memories("bob"), store.Entry{Key: fmt.Sprintf("secret %d", i), Value: text("zanzibar")})
	}
	set(t, db.Memories("ann"), store.Entry{Key: "trip", Value: text("zanzibar")})
	set(t, db.Memories("bob"), store.Entry{Key: "trips", Value: text("zanzibar")})
	if got := hits(recall(t, db.Memories("ann"), store.Query{Text: "zanzibar"})); !slices.Equal(got, []string{"trip"}) {
		t.Errorf("ann finds %q", got)
	}
	if answer := recall(t, db.Memories("eve"), store.Query{Text: "zanzibar"}); len(answer.Hits)+len(answer.Nearest) > 0 || answer.Confidence != store.None {
		t.Errorf("eve finds %+v", answer)
	}
}

func TestRecallLeavesOutWhatIsDeletedOrExpired(t *testing.T) {
	clock := newClock()
	db := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: clock.now})
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "gone", Value: text("ferry ticket")})
	set(t, m, store.Entry{Key: "over", Value: text("ferry ticket"), Expires: clock.now().Add(time.Hour)})
	set(t, m, store.Entry{Key: "here", Value: text("ferry ticket")})
	if _, err := m.Delete(t.Context(), store.Target{Key: "gone"}, false); err != nil {
		t.Fatal(err)
	}
	clock.set(clock.now().Add(2 * time.Hour))
	if got := hits(recall(t, m, store.Query{Text: "ferry"})); !slices.Equal(got, []string{"here"}) {
		t.Errorf("seen: %q", got)
	}
	got := hits(recall(t, m, store.Query{Text: "ferry", Filter: store.Filter{Archived: true}}))
	slices.Sort(got)
	if !slices.Equal(got, []string{"gone", "over"}) {
		t.Errorf("archived: %q", got)
	}
}

func TestRecallNarrowsByItsFilter(t *testing.T) {
	clock := newClock()
	m := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: clock.now}).Memories("ann")
	work, home := "work stuff", "home"
	start := clock.now()
	for i := range 20 {
		e := store.Entry{Key: fmt.Sprintf("note_%02d", i), Value: text("meeting notes"), Category: &work, Tags: []string{"a"}}
		if i%2 == 1 {
			e.Category, e.Tags = &home, []string{"a", "b c"}
		}
		set(t, m, e)
		clock.set(clock.now().Add(time.Hour))
	}
	for name, c := range map[string]struct {
		query store.Query
		want  int
	}{
		"category":      {store.Query{Filter: store.Filter{Category: work}}, 10},
		"no such":       {store.Query{Filter: store.Filter{Category: "work"}}, 0},
		"one tag":       {store.Query{Filter: store.Filter{Tags: []string{"a"}}}, 20},
		"all tags":      {store.Query{Filter: store.Filter{Tags: []string{"b c", "a"}}}, 10},
		"part of a tag": {store.Query{Filter: store.Filter{Tags: []string{"b"}}}, 0},
		"since":         {store.Query{Since: start.Add(15 * time.Hour)}, 5},
		"before":        {store.Query{Filter: store.Filter{Before: start.Add(15 * time.Hour)}}, 15},
		"between":       {store.Query{Since: start.Add(5 * time.Hour), Filter: store.Filter{Before: start.Add(7 * time.Hour), Category: work}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{"", "notes of the meeting"} {
				c.query.Text, c.query.Limit = text, 100
				if got := hits(recall(t, m, c.query)); len(got) != c.want {
					t.Errorf("%q: %d found, want %d: %q", text, len(got), c.want, got)
				}
			}
		})
	}
}

func TestRecallGoesOnWhereItStopped(t *testing.T) {
	clock := newClock()
	m := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: clock.now}).Memories("ann")
	for i := range 23 {
		set(t, m, store.Entry{Key: fmt.Sprintf("note_%02d", (i*7)%23), Value: text("meeting notes " + strings.Repeat("more ", i))})
		clock.set(clock.now().Add(time.Minute))
	}
	for _, text := range []string{"", "meeting notes"} {
		for _, sort := range []store.Sort{"", store.Relevance, store.NewestFirst, store.OldestFirst, store.KeyOrder} {
			all := hits(recall(t, m, store.Query{Text: text, Sort: sort, Limit: 100}))
			parts := []string{}
			q := store.Query{Text: text, Sort: sort, Limit: 4}
			for range 10 {
				answer := recall(t, m, q)
				parts = append(parts, hits(answer)...)
				if q.Cursor = answer.Next; q.Cursor == "" {
					break
				}
			}
			if len(all) != 23 || !slices.Equal(all, parts) {
				t.Errorf("%q by %q: at once %q, in parts %q", text, sort, all, parts)
			}
			if sort == store.KeyOrder && !slices.IsSorted(all) || sort == store.OldestFirst && all[0] != "note_00" || sort == store.NewestFirst && all[22] != "note_00" {
				t.Errorf("%q by %q: %q", text, sort, all)
			}
		}
	}
}

func TestRecallRefuses(t *testing.T) {
	m := open(t).Memories("ann")
	for i := range 3 {
		set(t, m, store.Entry{Key: fmt.Sprint("note ", i), Value: text("meeting")})
	}
	next := recall(t, m, store.Query{Text: "meeting", Limit: 1}).Next
	listed := recall(t, m, store.Query{Limit: 1}).Next
	for name, q := range map[string]store.Query{
		"a limit of 0":              {Text: "x"},
		"a limit below 0":           {Text: "x", Limit: -1},
		"an unknown sort":           {Text: "x", Limit: 1, Sort: "best"},
		"another query's cursor":    {Text: "notes", Limit: 1, Cursor: next},
		"another order's cursor":    {Text: "meeting", Sort: store.OldestFirst, Limit: 1, Cursor: next},
		"a broken cursor":           {Text: "meeting", Limit: 1, Cursor: "{"},
		"a cursor of its own":       {Text: "meeting", Limit: 1, Cursor: `{"skip":-5,"text":"meeting","sort":"relevance"}`},
		"a listing's cursor":        {Text: "meeting", Limit: 1, Cursor: listed},
		"a search's in a listing":   {Limit: 1, Cursor: next},
		"a listing's, other order":  {Limit: 1, Sort: store.KeyOrder, Cursor: listed},
		"a listing's with no place": {Limit: 1, Cursor: `["","x",1]`},
	} {
		t.Run(name, func(t *testing.T) {
			if answer, err := m.Recall(t.Context(), q); !errors.Is(err, store.ErrInvalid) {
				t.Errorf("answered %v, %v", hits(answer), err)
			}
		})
	}
}

func TestRecallNeverGuesses(t *testing.T) {
	m := open(t).Memories("ann")
	for key, value := range map[string]string{"dentist_phone": "555 0101", "phone_contract": "Congstar", "favorite_color": "teal", "wifi_home": "Nachtigall"} {
		set(t, m, store.Entry{Key: key, Value: text(value)})
	}
	for _, query := range []string{"capital of Mongolia", "zebra's phone", "xyzzy", "favourite opera"} {
		if answer := recall(t, m, store.Query{Text: query}); answer.Confidence == store.Sure {
			t.Errorf("%q is sure of %q", query, hits(answer))
		}
	}
	answer := recall(t, m, store.Query{Text: "number of the contract for insurance, household, liability and legal costs"})
	if answer.Confidence != store.Unsure || !slices.Equal(hits(answer), []string{"phone_contract"}) {
		t.Errorf("one telling word of many: %s confidence in %q", answer.Confidence, hits(answer))
	}
	answer = recall(t, m, store.Query{Text: "phonograph records"})
	if answer.Confidence != store.None || len(answer.Nearest) == 0 || len(answer.Nearest) > 3 {
		t.Errorf("does not point at what comes nearest: %+v", answer)
	}
}

func TestRecallBringsTheRivalsOfAnUnsureAnswer(t *testing.T) {
	m := open(t).Memories("ann")
	for _, key := range []string{"phone of anna", "phone of bert", "phone of carl"} {
		set(t, m, store.Entry{Key: key, Value: text("555")})
	}
	for _, c := range []struct {
		query string
		want  int
	}{{"phone", 2}, {"phone of bert", 1}, {"bert", 1}} {
		answer := recall(t, m, store.Query{Text: c.query, Limit: 1, Rivals: 2})
		if got := hits(answer); len(got) != c.want || (answer.Confidence == store.Unsure) != (c.want == 2) {
			t.Errorf("%q: %s confidence in %q, want %d of them", c.query, answer.Confidence, got, c.want)
		}
	}
}

func TestRecallPrefersTheRecentAmongEquals(t *testing.T) {
	clock := newClock()
	m := openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{Now: clock.now}).Memories("ann")
	yes, three := true, 3
	set(t, m, store.Entry{Key: "gym one", Value: text("climbing hall"), Pinned: &yes})
	set(t, m, store.Entry{Key: "gym two", Value: text("climbing hall")})
	set(t, m, store.Entry{Key: "gym three", Value: text("climbing hall"), Importance: &three})
	clock.set(clock.now().AddDate(1, 0, 0))
	set(t, m, store.Entry{Key: "gym four", Value: text("climbing hall")})
	set(t, m, store.Entry{Key: "climbing hall four", Value: text("closed")})
	got := hits(recall(t, m, store.Query{Text: "climbing hall"}))
	if got[0] != "climbing hall four" {
		t.Errorf("what the key says weighs more than any age: %q", got)
	}
	if slices.Index(got, "gym two") != 4 {
		t.Errorf("the old one that is neither pinned nor important is not last: %q", got)
	}
}

func TestSnippetsShowTheMatch(t *testing.T) {
	m := open(t).Memories("ann")
	filler := strings.Repeat("der Rest ist Füllung — 汉字 ", 40)
	set(t, m, store.Entry{Key: "long", Value: text(filler + "and here the needle lies in hay " + filler)})
	set(t, m, store.Entry{Key: "chinese", Value: text(strings.Repeat("他们在公园里散步", 40) + "龙井茶" + strings.Repeat("他们在公园里散步", 40))})
	set(t, m, store.Entry{Key: "object", Value: json.RawMessage(`{"city":"Ulm","needles":["pine",{"cm":3}],"ok":true,"none":null}`)})
	for query, want := range map[string]string{"needle": "needle lies", "龙井": "龙井茶"} {
		snippet := recall(t, m, store.Query{Text: query}).Hits[0].Snippet
		if !strings.Contains(snippet, want) || utf8.RuneCountInString(snippet) > 160 || !utf8.ValidString(snippet) || strings.Contains(snippet, "\n") {
			t.Errorf("%s: %q", query, snippet)
		}
	}
	if got, want := recall(t, m, store.Query{Text: "object", Limit: 1}).Hits[0].Snippet, "city: Ulm, needles: pine, cm: 3, ok: true, none: null"; got != want {
		t.Errorf("object: %q, want %q", got, want)
	}
}
