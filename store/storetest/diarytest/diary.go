package diarytest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/storetest"
)

var diaryContract = storetest.Contract{
	"concurrent calls with one key log once":              keyLogsOneCall,
	"a tenant reads nothing of another tenant":            tenantReadsOnlyItsDiary,
	"a tenant changes nothing of another tenant":          tenantChangesOnlyItsDiary,
	"an invalid entry refuses the whole call":             invalidEntryRefusesTheCall,
	"the largest entry is stored":                         largestEntryIsStored,
	"an entry is read as it was logged":                   entryIsReadAsLogged,
	"a repeated call returns its entries as they are now": repeatedCallReturnsCurrentEntries,
	"ids differ in more than one character":               idsDifferInSeveralCharacters,
	"an erased id is not reused":                          erasedIDIsNotReused,
	"undo of a creation deletes the rows not erased":      undoOfACreationDeletesTheRowsNotErased,
	"a clock set back loses nothing":                      clockSetBackLosesNothing,
	"an entry without a time is last on its day":          untimedEntryIsLastOnItsDay,
	"entries are listed by day and filter":                entriesAreListedByDayAndFilter,
	"pages of entries neither repeat nor skip":            pagesNeitherRepeatNorSkip,
	"random changes agree with a model":                   randomChangesAgreeWithModel,
	"an edit changes only its fields":                     editChangesOnlyItsFields,
	"an edit removes tags in any spelling":                editRemovesTagsInAnySpelling,
	"a restored entry equals the original":                restoredEntryEqualsTheOriginal,
	"a source stays with its text":                        sourceStaysWithItsText,
	"sums equal those of the entries":                     sumsEqualThoseOfTheEntries,
	"sums do not depend on the order of entries":          sumsDoNotDependOnTheOrder,
	"the same day of other years is found":                sameDayOfOtherYearsIsFound,
	"types are counted":                                   typesAreCounted,
	"entries are found in any alphabet":                   entriesAreFoundInAnyAlphabet,
	"a search finds the matching entry":                   searchFindsTheMatchingEntry,
	"a search sees every earlier change":                  searchSeesEveryEarlierChange,
	"a search prefers the latest of equal entries":        searchPrefersTheLatestOfEquals,
	"pages of a search are consecutive":                   searchPagesAreConsecutive,
	"an erased row is gone":                               erasedRowsAreGone,
	"a version is deleted only if it is the current one":  deleteVersionDeletesOnlyThatVersion,
}

// noteEntry returns an entry at noon (UTC) of a day. If date is invalid, the moment is noon of
// 2026-11-20.
func noteEntry(date, text string) store.DayEntry {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		day = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	}
	return store.DayEntry{Date: date, Moment: day.Add(12 * time.Hour), Zone: "Europe/Zurich", Type: "note", Text: text}
}

func logAll(t testing.TB, d storetest.Diary, entries ...store.DayEntry) []*store.DayEntry {
	t.Helper()
	logged, err := d.Log(t.Context(), store.LogRequest{Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	return logged.Entries
}

func logOne(t testing.TB, d storetest.Diary, e store.DayEntry) *store.DayEntry {
	t.Helper()
	return logAll(t, d, e)[0]
}

func listEntries(t testing.TB, d storetest.Diary, f store.EntryFilter) []*store.DayEntry {
	t.Helper()
	found, next, err := d.Entries(t.Context(), f, store.EntryPage{Limit: 1000})
	if err != nil || next != "" {
		t.Fatalf("next %q, %v", next, err)
	}
	return found
}

func textsOf(entries []*store.DayEntry) string {
	texts := []string{}
	for _, e := range entries {
		texts = append(texts, e.Text)
	}
	return strings.Join(texts, " ")
}

func entryIsReadAsLogged(t *testing.T, open storetest.Opener) {
	c := storetest.NewClock()
	db := open(c.Now)
	given := store.DayEntry{
		Date: "2024-02-29", Moment: time.Date(2024, 3, 1, 1, 10, 0, 5e6, time.FixedZone("", 3600)), Zone: "Pacific/Kiritimati", Type: "Training session",
		Section: " morning ", Text: "\tNUL \x00, \u202eturned, 漢字 and \"'; DROP TABLE entries; --", Mood: 5, Energy: 1,
		Metrics: map[string]any{"Distance km": 5.25, "rainy": true, "steps": 0.0}, Tags: []string{"run ", "run", "", "a,b"}, Links: []string{"event:gone", "memory:x y"}, Backfilled: true,
	}
	want := &store.DayEntry{
		Row: store.Row{Version: 1, Created: c.Now(), Updated: c.Now()}, Date: "2024-02-29", Moment: given.Moment.UTC(), Zone: given.Zone, Type: "training_session",
		Section: "morning", Text: strings.TrimSpace(given.Text), Mood: 5, Energy: 1,
		Metrics: map[string]any{"distance_km": 5.25, "rainy": true, "steps": 0.0}, Tags: []string{"run", "a,b"}, Links: given.Links, Backfilled: true,
	}
	logged := logOne(t, db.Diary("ann"), given)
	want.ID = logged.ID
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := open(time.Now).Diary("ann").Entry(t.Context(), strings.ToUpper(logged.ID))
	if diff := cmp.Diff([]*store.DayEntry{want, want}, []*store.DayEntry{logged, got}); diff != "" || err != nil {
		t.Errorf("logged and got, %v: %s", err, diff)
	}
}

func invalidEntryRefusesTheCall(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	many := make([]string, 1000)
	metrics := map[string]any{}
	for i := range many {
		many[i] = fmt.Sprintf("x:%d", i)
		metrics[fmt.Sprintf("m%d", i)] = 1.0
	}
	for name, invalidate := range map[string]func(e *store.DayEntry){
		"a date that does not exist": func(e *store.DayEntry) { e.Date = "2026-02-30" },
		"no leap day":                func(e *store.DayEntry) { e.Date = "2025-02-29" },
		"a date of another form":     func(e *store.DayEntry) { e.Date = "20.11.2026" },
		"the year 0":                 func(e *store.DayEntry) { e.Date = "0000-01-01" },
		"mood 9":                     func(e *store.DayEntry) { e.Mood = 9 },
		"energy -1":                  func(e *store.DayEntry) { e.Energy = -1 },
		"1,000 tags":                 func(e *store.DayEntry) { e.Tags = many },
		"a long tag":                 func(e *store.DayEntry) { e.Tags = []string{strings.Repeat("x", 201)} },
		"1,000 links":                func(e *store.DayEntry) { e.Links = many },
		"a link without a target":    func(e *store.DayEntry) { e.Links = []string{"event"} },
		"1,000 metrics":              func(e *store.DayEntry) { e.Metrics = metrics },
		"a metric without a name":    func(e *store.DayEntry) { e.Metrics = map[string]any{"": 1.0} },
		"a metric with a quote":      func(e *store.DayEntry) { e.Metrics = map[string]any{`a"b`: 1.0} },
		"a metric that is a text":    func(e *store.DayEntry) { e.Metrics = map[string]any{"a": "b"} },
		"a metric that is no number": func(e *store.DayEntry) { e.Metrics = map[string]any{"a": math.NaN()} },
		"a metric beyond all sums":   func(e *store.DayEntry) { e.Metrics = map[string]any{"a": -1e308} },
		"a metric named twice":       func(e *store.DayEntry) { e.Metrics = map[string]any{"a b": 1.0, "aB": 2.0} },
		"a metric named mood":        func(e *store.DayEntry) { e.Metrics = map[string]any{"Mood": 1.0} },
		"no type":                    func(e *store.DayEntry) { e.Type = "" },
		"a long type":                func(e *store.DayEntry) { e.Type = strings.Repeat("x", 41) },
		"no zone":                    func(e *store.DayEntry) { e.Zone = "" },
		"a time after year 9999":     func(e *store.DayEntry) { e.Moment = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"a long section":             func(e *store.DayEntry) { e.Section = strings.Repeat("x", 201) },
		"nothing":                    func(e *store.DayEntry) { e.Text = " \n" },
		"a text of 100,000 letters":  func(e *store.DayEntry) { e.Text = strings.Repeat("x", 100_000) },
	} {
		e := noteEntry("2026-11-20", "fine")
		invalidate(&e)
		_, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{noteEntry("2026-11-20", "first"), e}})
		if !errors.Is(err, store.ErrInvalid) || !strings.Contains(err.Error(), "entry 1") {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "twice") != strings.HasSuffix(name, "twice") {
			t.Errorf("%s: %v", name, err)
		}
		if large := (*store.SizeError)(nil); errors.Is(err, store.ErrTooLarge) != strings.HasPrefix(name, "a text") || errors.As(err, &large) && large.Size != 100_000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, l := range map[string]store.LogRequest{
		"nothing":     {},
		"51 entries":  {Entries: make([]store.DayEntry, 51)},
		"a long key":  {Entries: []store.DayEntry{noteEntry("2026-11-20", "x")}, Key: strings.Repeat("k", 201)},
		"an old task": {Tasks: []store.Task{{Text: "x", Added: "2026-11-31"}}},
	} {
		if _, err := d.Log(t.Context(), l); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := listEntries(t, d, store.EntryFilter{}); len(got) != 0 {
		t.Errorf("stored %s", textsOf(got))
	}
}

func largestEntryIsStored(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	e := noteEntry("9999-12-31", strings.Repeat("x", store.MaxText))
	e.Metrics = map[string]any{}
	for i := range store.MaxMetrics {
		e.Metrics[fmt.Sprintf("m%d", i)] = float64(i)
		e.Tags = append(e.Tags, fmt.Sprint(i))
	}
	for i := range store.MaxLinks {
		e.Links = append(e.Links, fmt.Sprintf("mail:%d", i))
	}
	logged := logOne(t, d, e)
	got, err := d.Entry(t.Context(), logged.ID)
	if diff := cmp.Diff(logged, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

// Eight clients make the same call at the same time.
func keyLogsOneCall(t *testing.T, open storetest.Opener) {
	var all sync.WaitGroup
	outcomes := make(chan store.LogResult, 8)
	for n := range cap(outcomes) {
		d := open(time.Now).Diary("ann")
		all.Go(func() {
			e := noteEntry("2026-11-20", "once")
			e.Moment = e.Moment.Add(time.Duration(n) * time.Hour) // the clocks of the clients differ
			logged, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{e, noteEntry("2026-11-21", "more")}, Tasks: []store.Task{{Text: "call", Added: "2026-11-20"}}, Key: "k"})
			if err != nil {
				t.Error(err)
			}
			outcomes <- logged
		})
	}
	all.Wait()
	close(outcomes)
	first, ids := 0, ""
	for logged := range outcomes {
		if !logged.Repeated {
			first++
		}
		got := logged.Entries[0].ID + logged.Entries[1].ID + logged.Tasks[0].ID
		if ids != "" && got != ids {
			t.Errorf("one call returned %s, another %s", ids, got)
		}
		ids = got
	}
	d := open(time.Now).Diary("ann")
	if got := textsOf(listEntries(t, d, store.EntryFilter{})); first != 1 || got != "once more" {
		t.Errorf("%d calls logged; the entries are %s", first, got)
	}
	_, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{noteEntry("2026-11-20", "other")}, Key: "k"})
	if other := (*store.KeyError)(nil); !errors.As(err, &other) || !errors.Is(err, store.ErrConflict) || other.Made.IsZero() {
		t.Errorf("the key with another request: %v", err)
	}
	if logged, err := open(time.Now).Diary("bob").Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{noteEntry("2026-11-20", "his")}, Key: "k"}); err != nil || logged.Repeated {
		t.Errorf("the key with another tenant: %+v, %v", logged, err)
	}
}

func repeatedCallReturnsCurrentEntries(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	l := store.LogRequest{Entries: []store.DayEntry{noteEntry("2026-11-20", "a"), noteEntry("2026-11-20", "b"), noteEntry("2026-11-20", "c")}, Key: "k"}
	first, err := d.Log(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.EditEntry(t.Context(), store.EntryEdit{ID: first.Entries[0].ID, Text: new("edited")}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Delete(t.Context(), first.Entries[1].ID); err != nil {
		t.Fatal(err)
	}
	again, err := d.Log(t.Context(), l)
	if err != nil || !again.Repeated || textsOf(again.Entries) != "edited b c" || again.Entries[1].Deleted.IsZero() {
		t.Errorf("got %+v, %v", again, err)
	}
}

// If one character of an id is wrong, the result must not be the id of another entry.
func idsDifferInSeveralCharacters(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	ids := map[string]bool{}
	for range 20 {
		for _, e := range logAll(t, d, slices.Repeat([]store.DayEntry{noteEntry("2026-11-20", "x")}, 50)...) {
			ids[e.ID] = true
		}
	}
	if len(ids) != 1000 {
		t.Fatalf("%d ids", len(ids))
	}
	for id := range ids {
		for at := 1; at < len(id); at++ {
			for _, r := range "0123456789abcdefghjkmnpqrstvwxyz" {
				slip := id[:at] + string(r) + id[at+1:]
				if slip != id && ids[slip] {
					t.Errorf("%s and %s are both ids", id, slip)
				}
			}
		}
	}
	for _, bad := range []string{"", "e", "e1", "e00000000", "x000000", "e00000u", "t000001", "'", "e-1", "e-x", strings.Repeat("e", 999)} {
		if _, err := d.Entry(t.Context(), bad); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
