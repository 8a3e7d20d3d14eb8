package memorytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kota/store"
	"kota/store/storetest"
)

var recallContract = storetest.Contract{
	"finds what another process just wrote":                      recallFindsEarlierWrites,
	"finds only its tenant's memories":                           recallFindsOnlyItsTenantsMemories,
	"omits deleted and expired memories":                         recallOmitsDeletedAndExpired,
	"finds stored text in any alphabet":                          recallFindsTextInAnyAlphabet,
	"returns only the exact key if the limit is one":             recallReturnsOnlyTheExactKeyForLimitOne,
	"applies its filter":                                         recallAppliesItsFilter,
	"continues after the cursor":                                 recallContinuesAfterTheCursor,
	"sorts keys the same with and without text":                  recallSortsKeysTheSameWithAndWithoutText,
	"refuses invalid queries and cursors":                        recallRefusesInvalidQueries,
	"has no high confidence in partial matches":                  recallHasLowConfidenceInPartialMatches,
	"has high confidence only if every significant word matches": recallHasHighConfidenceOnlyIfEverySignificantWordMatches,
	"has no high confidence in words scattered over a text":      scatteredWordsHaveLowConfidence,
	"confidence does not depend on other memories":               confidenceIgnoresOtherMemories,
	"has no high confidence in an ambiguous spelling":            ambiguousSpellingHasLowConfidence,
	"returns rivals if confidence is low":                        recallReturnsRivalsIfConfidenceIsLow,
	"ignores parts of words and stop words":                      recallIgnoresPartsOfWordsAndStopWords,
	"prefers the most recent of equals":                          recallPrefersTheRecentOfEquals,
	"snippets show the match":                                    snippetsShowTheMatch,
	"answers what people ask":                                    recallAnswersLifeQuestions,
	"answers what another person asks":                           recallAnswersWorkQuestions,
	"finds sessions of conversations":                            recallFindsSessionsOfConversations,
	"finds facts of conversations":                               recallFindsFactsOfConversations,
	"finds household memories by other words":                    recallFindsHouseholdMemories,
	"ranks the same rows the same way":                           lifeRankingIsUnchanged,
	"ranks another person's rows the same way":                   workRankingIsUnchanged,
}

func recall(t testing.TB, m storetest.Memories, q store.RecallQuery) store.RecallResult {
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

func hits(a store.RecallResult) []string {
	keys := []string{}
	for _, h := range a.Hits {
		keys = append(keys, h.Memory.Key)
	}
	return keys
}

func recallFindsTextInAnyAlphabet(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	for i, text := range storetest.SpecialTexts {
		t.Run(text, func(t *testing.T) {
			m := db.Memories(fmt.Sprint("ann", i))
			set(t, m, store.Entry{Key: "other thing", Value: json.RawMessage(`"nothing of the kind"`)})
			value, err := json.Marshal("it says " + text + " there")
			if err != nil {
				t.Fatal(err)
			}
			set(t, m, store.Entry{Key: "wanted", Value: value})
			if got := hits(recall(t, m, store.RecallQuery{Text: text})); !slices.Contains(got, "wanted") {
				t.Errorf("in the value: found %q", got)
			}
			set(t, m, store.Entry{Key: "x " + text + " y", Value: json.RawMessage(`1`)})
			if got := hits(recall(t, m, store.RecallQuery{Text: text})); !slices.ContainsFunc(got, func(key string) bool { return strings.HasPrefix(key, "x ") }) {
				t.Errorf("in the key: found %q", got)
			}
			set(t, m, store.Entry{Key: "tagged", Value: json.RawMessage(`2`), Tags: []string{text}})
			if got := hits(recall(t, m, store.RecallQuery{Text: text, Filter: store.Filter{Tags: []string{text}}})); !slices.Equal(got, []string{"tagged"}) {
				t.Errorf("with the tag: found %q", got)
			}
		})
	}
}

func recallReturnsOnlyTheExactKeyForLimitOne(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "home_address", Value: jsonText("Ulm")})
	set(t, m, store.Entry{Key: "home_address_old", Value: jsonText("home address in Bonn")})
	for _, query := range []string{"home_address", "homeAddress", "HOME-ADDRESS", " home address "} {
		answer := recall(t, m, store.RecallQuery{Text: query, Limit: 1})
		if got := hits(answer); !slices.Equal(got, []string{"home_address"}) || answer.Hits[0].MatchKind != store.MatchExact || answer.Hits[0].Score != 1 || answer.Confidence != store.ConfidenceHigh {
			t.Errorf("%q: %+v", query, answer)
		}
		if answer.Next != "" {
			t.Errorf("%q: next is %q", query, answer.Next)
		}
	}
	if got := hits(recall(t, m, store.RecallQuery{Text: "homeAddress", Limit: 5})); !slices.Equal(got, []string{"home_address", "home_address_old"}) {
		t.Errorf("with a higher limit: %q", got)
	}
}

func recallFindsEarlierWrites(t *testing.T, open storetest.Opener) {
	first, second := open(time.Now).Memories("ann"), open(time.Now).Memories("ann")
	for i := range 50 {
		key, word := fmt.Sprintf("thing_%d", i), strings.Repeat(string(rune('a'+i%26)), 4+i/26)
		set(t, second, store.Entry{Key: key, Value: jsonText("says " + word)})
		if got := hits(recall(t, first, store.RecallQuery{Text: "where is " + word})); len(got) == 0 || got[0] != key {
			t.Fatalf("%s is not found by the other connection: %q", key, got)
		}
		set(t, first, store.Entry{Key: key, Value: jsonText("changed")})
		if got := hits(recall(t, second, store.RecallQuery{Text: word})); len(got) > 0 {
			t.Fatalf("%q are found by the earlier text of %s", got, key)
		}
	}
}

func recallFindsOnlyItsTenantsMemories(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	for i := range 300 { // more than Recall ranks
		set(t, db.Memories("bob"), store.Entry{Key: fmt.Sprintf("secret %d", i), Value: jsonText("zanzibar")})
	}
	set(t, db.Memories("ann"), store.Entry{Key: "trip", Value: jsonText("zanzibar")})
	set(t, db.Memories("bob"), store.Entry{Key: "trips", Value: jsonText("zanzibar")})
	if got := hits(recall(t, db.Memories("ann"), store.RecallQuery{Text: "zanzibar"})); !slices.Equal(got, []string{"trip"}) {
		t.Errorf("ann finds %q", got)
	}
	if answer := recall(t, db.Memories("eve"), store.RecallQuery{Text: "zanzibar"}); len(answer.Hits)+len(answer.Nearest) > 0 || answer.Confidence != store.ConfidenceNone {
		t.Errorf("eve finds %+v", answer)
	}
}

func recallOmitsDeletedAndExpired(t *testing.T, open storetest.Opener) {
	clock := storetest.NewClock()
	db := open(clock.Now)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "gone", Value: jsonText("ferry ticket")})
	set(t, m, store.Entry{Key: "over", Value: jsonText("ferry ticket"), Expires: clock.Now().Add(time.Hour)})
	set(t, m, store.Entry{Key: "here", Value: jsonText("ferry ticket")})
	if _, err := m.Delete(t.Context(), store.Target{Key: "gone"}, false); err != nil {
		t.Fatal(err)
	}
	clock.Set(clock.Now().Add(2 * time.Hour))
	if got := hits(recall(t, m, store.RecallQuery{Text: "ferry"})); !slices.Equal(got, []string{"here"}) {
		t.Errorf("visible: %q", got)
	}
	got := hits(recall(t, m, store.RecallQuery{Text: "ferry", Filter: store.Filter{Archived: true}}))
	slices.Sort(got)
	if !slices.Equal(got, []string{"gone", "over"}) {
		t.Errorf("archived: %q", got)
	}
}

func recallAppliesItsFilter(t *testing.T, open storetest.Opener) {
	clock := storetest.NewClock()
	m := open(clock.Now).Memories("ann")
	work, home := "work stuff", "home"
	start := clock.Now()
	for i := range 20 {
		e := store.Entry{Key: fmt.Sprintf("note_%02d", i), Value: jsonText("meeting notes"), Category: &work, Tags: []string{"a"}}
		if i%2 == 1 {
			e.Category, e.Tags = &home, []string{"a", "b c"}
		}
		set(t, m, e)
		clock.Set(clock.Now().Add(time.Hour))
	}
	for name, c := range map[string]struct {
		query store.RecallQuery
		want  int
	}{
		"category":      {store.RecallQuery{Filter: store.Filter{Category: work}}, 10},
		"no such":       {store.RecallQuery{Filter: store.Filter{Category: "work"}}, 0},
		"one tag":       {store.RecallQuery{Filter: store.Filter{Tags: []string{"a"}}}, 20},
		"all tags":      {store.RecallQuery{Filter: store.Filter{Tags: []string{"b c", "a"}}}, 10},
		"part of a tag": {store.RecallQuery{Filter: store.Filter{Tags: []string{"b"}}}, 0},
		"since":         {store.RecallQuery{Since: start.Add(15 * time.Hour)}, 5},
		"before":        {store.RecallQuery{Filter: store.Filter{Before: start.Add(15 * time.Hour)}}, 15},
		"between":       {store.RecallQuery{Since: start.Add(5 * time.Hour), Filter: store.Filter{Before: start.Add(7 * time.Hour), Category: work}}, 1},
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

func recallContinuesAfterTheCursor(t *testing.T, open storetest.Opener) {
	clock := storetest.NewClock()
	m := open(clock.Now).Memories("ann")
	for i := range 23 {
		set(t, m, store.Entry{Key: fmt.Sprintf("note_%02d", (i*7)%23), Value: jsonText("meeting notes " + strings.Repeat("more ", i))})
		clock.Set(clock.Now().Add(time.Minute))
	}
	for _, text := range []string{"", "meeting notes"} {
		for _, sort := range []store.Sort{"", store.Relevance, store.NewestFirst, store.OldestFirst, store.KeyOrder} {
			all := hits(recall(t, m, store.RecallQuery{Text: text, Sort: sort, Limit: 100}))
			parts := []string{}
			q := store.RecallQuery{Text: text, Sort: sort, Limit: 4}
			for range 10 {
				answer := recall(t, m, q)
				parts = append(parts, hits(answer)...)
				if q.Cursor = answer.Next; q.Cursor == "" {
					break
				}
			}
			if len(all) != 23 || !slices.Equal(all, parts) {
				t.Errorf("%q by %q: in one part %q, in several %q", text, sort, all, parts)
			}
			if sort == store.KeyOrder && !slices.IsSorted(all) || sort == store.OldestFirst && all[0] != "note_00" || sort == store.NewestFirst && all[22] != "note_00" {
				t.Errorf("%q by %q: %q", text, sort, all)
			}
		}
	}
}

func recallSortsKeysTheSameWithAndWithoutText(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for _, key := range []string{"Zebra", "apple", "Mango_tree", "mango", "User Name", "user_name"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("meeting notes")})
	}
	want := []string{"apple", "mango", "Mango_tree", "User Name", "user_name", "Zebra"}
	for _, text := range []string{"", "meeting notes"} {
		if got := hits(recall(t, m, store.RecallQuery{Text: text, Sort: store.KeyOrder, Limit: 9})); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func recallRefusesInvalidQueries(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for i := range 3 {
		set(t, m, store.Entry{Key: fmt.Sprint("note ", i), Value: jsonText("meeting")})
	}
	next := recall(t, m, store.RecallQuery{Text: "meeting", Limit: 1}).Next
	listed := recall(t, m, store.RecallQuery{Limit: 1}).Next
	for name, q := range map[string]store.RecallQuery{
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
				t.Errorf("got %v, %v", hits(answer), err)
			}
		})
	}
}

func recallHasLowConfidenceInPartialMatches(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for key, value := range map[string]string{"dentist_phone": "555 0101", "phone_contract": "Congstar", "favorite_color": "teal", "wifi_home": "Nachtigall"} {
		set(t, m, store.Entry{Key: key, Value: jsonText(value)})
	}
	for _, query := range []string{"capital of Mongolia", "zebra's phone", "xyzzy", "favourite opera"} {
		if answer := recall(t, m, store.RecallQuery{Text: query}); answer.Confidence == store.ConfidenceHigh {
			t.Errorf("%q has high confidence in %q", query, hits(answer))
		}
	}
	answer := recall(t, m, store.RecallQuery{Text: "number of the contract for insurance, household, liability and legal costs"})
	if answer.Confidence != store.ConfidenceLow || hits(answer)[0] != "phone_contract" {
		t.Errorf("one significant word of many: %s confidence in %q", answer.Confidence, hits(answer))
	}
	answer = recall(t, m, store.RecallQuery{Text: "phonograph records"})
	if answer.Confidence != store.ConfidenceNone || len(answer.Nearest) == 0 || len(answer.Nearest) > 3 {
		t.Errorf("no similar keys: %+v", answer)
	}
}

func recallReturnsRivalsIfConfidenceIsLow(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for _, key := range []string{"phone of anna", "phone of bert", "phone of carl"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("555")})
	}
	for _, c := range []struct {
		query string
		want  int
	}{{"phone", 2}, {"phone of bert", 1}, {"bert", 1}} {
		answer := recall(t, m, store.RecallQuery{Text: c.query, Limit: 1, AmbiguousLimit: 2})
		if got := hits(answer); len(got) != c.want || (answer.Confidence == store.ConfidenceLow) != (c.want == 2) {
			t.Errorf("%q: %s confidence in %q, want %d of them", c.query, answer.Confidence, got, c.want)
		}
	}
}

func recallIgnoresPartsOfWordsAndStopWords(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for key, value := range map[string]string{"allergy": "peanuts and shellfish", "seat": "aisle, at the back", "concert": "The Who, in the stadium"} {
		set(t, m, store.Entry{Key: key, Value: jsonText(value)})
	}
	for query, want := range map[string]string{"the of and": "", "el la los": "", "the who": "concert", "what can't I eat": ""} {
		if got := strings.Join(hits(recall(t, m, store.RecallQuery{Text: query})), " "); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func recallPrefersTheRecentOfEquals(t *testing.T, open storetest.Opener) {
	clock := storetest.NewClock()
	m := open(clock.Now).Memories("ann")
	yes, three := true, 3
	set(t, m, store.Entry{Key: "gym one", Value: jsonText("climbing hall"), Pinned: &yes})
	set(t, m, store.Entry{Key: "gym two", Value: jsonText("climbing hall")})
	set(t, m, store.Entry{Key: "gym three", Value: jsonText("climbing hall"), Importance: &three})
	clock.Set(clock.Now().AddDate(1, 0, 0))
	set(t, m, store.Entry{Key: "gym four", Value: jsonText("climbing hall")})
	set(t, m, store.Entry{Key: "climbing hall four", Value: jsonText("closed")})
	got := hits(recall(t, m, store.RecallQuery{Text: "climbing hall"}))
	if got[0] != "climbing hall four" {
		t.Errorf("a match in the key is not first: %q", got)
	}
	if slices.Index(got, "gym two") != 4 {
		t.Errorf("the old, unpinned and unimportant memory is not last: %q", got)
	}
}

func snippetsShowTheMatch(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	filler := strings.Repeat("der Rest ist Füllung — 汉字 ", 40)
	set(t, m, store.Entry{Key: "long", Value: jsonText(filler + "and here the needle lies in hay " + filler)})
	set(t, m, store.Entry{Key: "chinese", Value: jsonText(strings.Repeat("他们在公园里散步", 40) + "龙井茶" + strings.Repeat("他们在公园里散步", 40))})
	set(t, m, store.Entry{Key: "object", Value: json.RawMessage(`{"city":"Ulm","needles":["pine",{"cm":3}],"ok":true,"none":null}`)})
	for query, want := range map[string]string{"needle": "needle lies", "龙井": "龙井茶"} {
		snippet := recall(t, m, store.RecallQuery{Text: query}).Hits[0].Snippet
		if !strings.Contains(snippet, want) || utf8.RuneCountInString(snippet) > 160 || !utf8.ValidString(snippet) || strings.Contains(snippet, "\n") {
			t.Errorf("%s: %q", query, snippet)
		}
	}
	if got, want := recall(t, m, store.RecallQuery{Text: "object", Limit: 1}).Hits[0].Snippet, "city: Ulm, needles: pine, cm: 3, ok: true, none: null"; got != want {
		t.Errorf("object: %q, want %q", got, want)
	}
}
