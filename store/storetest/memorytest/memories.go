package memorytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/storetest"
)

var memoriesContract = storetest.Contract{
	"memories survive closing":                                memoriesSurviveClosing,
	"tenants do not see each other":                           tenantsDoNotSeeEachOther,
	"set reports what it did":                                 setReportsWhatItDid,
	"set joins by mode":                                       setJoinsByMode,
	"set refuses invalid entries and conflicts":               setRefusesInvalidEntries,
	"many are set all or none":                                setManyIsAllOrNothing,
	"keep changes no existing memory":                         keepChangesNoExistingMemory,
	"the largest value is stored and a larger one is refused": largestValueIsStoredAndALargerOneRefused,
	"get finds other spellings":                               getFindsOtherSpellings,
	"calls use the exact spelling or the only one":            callsUseTheExactSpellingOrTheOnlyOne,
	"a visible spelling comes before a deleted one":           visibleSpellingComesBeforeADeletedOne,
	"erase names the stored spelling":                         eraseNamesTheStoredSpelling,
	"erase removes only the given rows":                       eraseRemovesOnlyTheGivenRows,
	"a key of separators is no spelling of another":           keyOfSeparatorsIsNoOtherSpelling,
	"similar keys are found":                                  similarKeysAreFound,
	"memories expire at their time":                           expiredMemoriesAreNotVisible,
	"update changes only the given fields":                    updateEditsWhatIsGiven,
	"update refuses invalid edits":                            updateRefusesInvalidEdits,
	"uses are counted before the database is closed":          usesAreCountedBeforeClose,
	"categories count visible memories":                       categoriesCountVisibleMemories,
	"lists continue after the cursor":                         listContinuesAfterTheCursor,
	"lists refuse invalid pages":                              listRefusesInvalidPages,
	"lists are filtered":                                      listFilters,
	"a prefix of separators matches keys that start with it":  prefixOfSeparatorsMatchesKeys,
	"a prefix matches keys that start with it":                prefixMatchesKeysThatStartWithIt,
	"an erased memory is gone":                                erasedMemoriesAreGone,
}

func get(t *testing.T, m storetest.Memories, key string) *store.Memory {
	t.Helper()
	got, err := m.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func checkMissing(t *testing.T, m storetest.Memories, key string) {
	t.Helper()
	if got, err := m.Get(t.Context(), key); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("%q is %v, %v, want ErrNotFound", key, got, err)
	}
}

func setReportsWhatItDid(t *testing.T, open storetest.Opener) {
	db, _ := storetest.WithClock(open)
	m := db.Memories("ann")
	for i, step := range []struct {
		entry    store.Entry
		change   store.Change
		version  int64
		previous string
	}{
		{store.Entry{Key: " city ", Value: jsonText("Bern")}, store.Created, 1, ""},
		{store.Entry{Key: "city", Value: json.RawMessage(" \"Bern\"\n")}, store.Unchanged, 1, `"Bern"`},
		{store.Entry{Key: "city", Value: jsonText("Basel")}, store.Updated, 2, `"Bern"`},
		{store.Entry{Key: "city", Value: jsonText("Basel"), Tags: []string{"home"}}, store.Updated, 3, `"Basel"`},
		{store.Entry{Key: "city", Value: jsonText("Basel")}, store.Unchanged, 3, `"Basel"`},
	} {
		got := set(t, m, step.entry)
		previous := ""
		if got.Previous != nil {
			previous = string(got.Previous.Value)
		}
		if got.Key != "city" || got.Change != step.change || got.Version != step.version || previous != step.previous {
			t.Errorf("step %d: got %+v with previous %s", i, got, previous)
		}
	}
	if got := get(t, m, "city").Tags; !slices.Equal(got, []string{"home"}) {
		t.Errorf("tags changed to %q", got)
	}
}

func setJoinsByMode(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	for i, c := range []struct {
		mode       store.Mode
		old, given string
		want       string // "" if they cannot be joined
	}{
		{store.Append, `{"b":1,"a":{"x":1}}`, `{"c":3,"a":{"y":2}}`, `{"b":1,"a":{"y":2},"c":3}`},
		{store.Append, `[1,[2]]`, `[3]`, `[1,[2],3]`},
		{store.Append, `[1]`, `"<2>"`, `[1,"<2>"]`},
		{store.Append, `"a<"`, `"b\u0001"`, `"a<\nb\u0001"`},
		{store.Append, `12345678901234567890`, `1`, ""},
		{store.Append, `{}`, `[1]`, ""},
		{store.Append, `null`, `null`, ""},
		// The examples of RFC 7396, appendix A.
		{store.Merge, `{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{store.Merge, `{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{store.Merge, `{"a":"b"}`, `{"a":null}`, `{}`},
		{store.Merge, `{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{store.Merge, `{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{store.Merge, `{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{store.Merge, `{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{store.Merge, `{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{store.Merge, `["a","b"]`, `["c","d"]`, `["c","d"]`},
		{store.Merge, `{"a":"b"}`, `["c"]`, `["c"]`},
		{store.Merge, `{"a":"foo"}`, `null`, `null`},
		{store.Merge, `{"a":"foo"}`, `"bar"`, `"bar"`},
		{store.Merge, `{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{store.Merge, `[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{store.Merge, `{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{store.Merge, `{"n":1.50,"big":12345678901234567890}`, `{"x":1e3}`, `{"n":1.50,"big":12345678901234567890,"x":1e3}`},
	} {
		m := db.Memories(fmt.Sprint("ann", i))
		set(t, m, store.Entry{Key: "k", Value: json.RawMessage(c.old)})
		_, err := m.Set(t.Context(), store.Entry{Key: "k", Value: json.RawMessage(c.given), Mode: c.mode})
		if c.want == "" {
			if !errors.Is(err, store.ErrInvalid) || string(get(t, m, "k").Value) != c.old {
				t.Errorf("%s %s to %s: got %v", c.mode, c.given, c.old, err)
			}
			continue
		}
		if got := string(get(t, m, "k").Value); err != nil || got != c.want {
			t.Errorf("%s %s to %s: got %s, %v, want %s", c.mode, c.given, c.old, got, err, c.want)
		}
	}
}

func setRefusesInvalidEntries(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("1")})
	for name, c := range map[string]struct {
		entry store.Entry
		check func(error) bool
	}{
		"a key of white space":     {store.Entry{Key: " \t", Value: jsonText("1")}, isInvalid},
		"a value that is not JSON": {store.Entry{Key: "x", Value: json.RawMessage("{")}, isInvalid},
		"no value":                 {store.Entry{Key: "x"}, isInvalid},
		"importance 4":             {store.Entry{Key: "x", Value: jsonText("1"), Importance: new(4)}, isInvalid},
		"creating an existing key": {store.Entry{Key: "k", Value: jsonText("2"), Mode: store.Create}, conflictAt(1)},
		"an earlier version":       {store.Entry{Key: "k", Value: jsonText("2"), IfVersion: new(int64(7))}, conflictAt(1)},
		"a new key that exists":    {store.Entry{Key: "k", Value: jsonText("2"), IfVersion: new(int64(0))}, conflictAt(1)},
		"a version of no memory":   {store.Entry{Key: "x", Value: jsonText("2"), IfVersion: new(int64(1))}, conflictAt(0)},
	} {
		if _, err := m.Set(t.Context(), c.entry); !c.check(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if got := get(t, m, "k"); got.Version != 1 || string(got.Value) != `"1"` {
		t.Errorf("after the refused writes: %+v", got)
	}
	checkMissing(t, m, "x")
}

func isInvalid(err error) bool { return errors.Is(err, store.ErrInvalid) }

// conflictAt returns a check for a conflict with that version; 0 means that no memory exists.
func conflictAt(version int64) func(error) bool {
	return func(err error) bool {
		conflict := (*store.ConflictError)(nil)
		if !errors.As(err, &conflict) || !errors.Is(err, store.ErrConflict) {
			return false
		}
		if conflict.Current == nil {
			return version == 0
		}
		return conflict.Current.Version == version
	}
}

func getFindsOtherSpellings(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "userName", Value: jsonText("camel")})
	set(t, m, store.Entry{Key: "user_name", Value: jsonText("snake")})
	set(t, m, store.Entry{Key: "homeTown", Value: jsonText("Bern")})
	set(t, m, store.Entry{Key: "Größe", Value: jsonText("L")})
	for asked, want := range map[string]string{
		"userName": "userName", "user_name": "user_name", "home.town": "homeTown", "HOME-TOWN": "homeTown",
		"gro\u0308sse": "Größe", "GRÖSSE": "Größe",
	} {
		if got := get(t, m, asked).Key; got != want {
			t.Errorf("%q finds %q, want %q", asked, got, want)
		}
	}
	checkMissing(t, m, "username")
	checkMissing(t, m, "user.name")
}

func expiredMemoriesAreNotVisible(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "code", Value: jsonText("1234"), Expires: c.Now().Add(time.Hour)})
	c.Set(c.Now().Add(time.Hour))
	checkMissing(t, m, "code")
	live, _, err := m.List(t.Context(), store.Filter{}, store.Page{Limit: 9})
	if err != nil || len(live) != 0 {
		t.Errorf("listed %v, %v", keys(live), err)
	}
	archived, _, err := m.List(t.Context(), store.Filter{Archived: true}, store.Page{Limit: 9})
	if err != nil || len(archived) != 1 {
		t.Errorf("archive lists %v, %v", keys(archived), err)
	}
	again := set(t, m, store.Entry{Key: "code", Value: jsonText("5678"), Mode: store.Create})
	if again.Change != store.Created || again.Version != 2 || again.Previous != nil {
		t.Errorf("a new value for an expired key: %+v", again)
	}
	if got := get(t, m, "code"); !got.Expires.IsZero() {
		t.Errorf("the new value has the old expiry %v", got.Expires)
	}
}

func updateEditsWhatIsGiven(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "trip", Value: json.RawMessage(`{"to":"Rome","days":3}`), Tags: []string{"travel", "old"}, Category: new("plans")})
	_, err := m.Update(t.Context(), store.Edit{
		Key: "Trip", Patch: json.RawMessage(`{"days":null,"with":"Bo"}`), AddTags: []string{"2027", "travel"}, RemoveTags: []string{"old"},
		Pinned: new(true), Importance: new(2), Expires: new(c.Now().Add(time.Hour)), RenameTo: "trip to Rome", IfVersion: new(int64(1)),
	})
	if err != nil {
		t.Fatal(err)
	}
	checkMissing(t, m, "trip")
	got := get(t, m, "trip to Rome")
	want := &store.Memory{ID: got.ID, Key: "trip to Rome", Value: json.RawMessage(`{"to":"Rome","with":"Bo"}`), Category: "plans",
		Tags: []string{"travel", "2027"}, Importance: 2, Pinned: true, Created: c.Now(), Updated: c.Now().Add(time.Millisecond), Expires: c.Now().Add(time.Hour), Version: 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func updateRefusesInvalidEdits(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "a", Value: jsonText("1")})
	set(t, m, store.Entry{Key: "b_c", Value: jsonText("2")})
	set(t, m, store.Entry{Key: "b-c", Value: jsonText("3")})
	for name, c := range map[string]struct {
		edit  store.Edit
		check func(error) bool
	}{
		"an unknown key":              {store.Edit{Key: "x", Pinned: new(true)}, func(err error) bool { return errors.Is(err, store.ErrNotFound) }},
		"a spelling of two keys":      {store.Edit{Key: "bC", Pinned: new(true)}, func(err error) bool { return errors.Is(err, store.ErrNotFound) }},
		"an earlier version":          {store.Edit{Key: "a", Pinned: new(true), IfVersion: new(int64(2))}, conflictAt(1)},
		"the name of another":         {store.Edit{Key: "a", RenameTo: "b_c"}, conflictAt(1)},
		"an addition of another kind": {store.Edit{Key: "a", Addition: json.RawMessage("[1]")}, isInvalid},
		"a patch that is not JSON":    {store.Edit{Key: "a", Patch: json.RawMessage("{")}, isInvalid},
	} {
		if _, err := m.Update(t.Context(), c.edit); !c.check(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if got := get(t, m, "a").Version; got != 1 {
		t.Errorf("after the refused edits: version %d", got)
	}
}

func timesOfAKeyGrowWhenTheClockIsSetBack(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("1")})
	before := get(t, m, "k").Updated
	c.Set(c.Now().Add(-time.Hour))
	set(t, m, store.Entry{Key: "k", Value: jsonText("2")})
	if got := get(t, m, "k").Updated; !got.After(before) {
		t.Errorf("version 2 began %v, version 1 %v", got, before)
	}
}

func getAtReturnsEarlierStates(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m, start := db.Memories("ann"), c.Now()
	at := func(hours int) time.Time { return start.Add(time.Duration(hours) * time.Hour) }
	set(t, m, store.Entry{Key: "job", Value: jsonText("cook"), Expires: at(9)})
	c.Set(at(1))
	set(t, m, store.Entry{Key: "job", Value: jsonText("baker")})
	c.Set(at(2))
	if _, err := m.Delete(t.Context(), store.Target{Key: "job"}, false); err != nil {
		t.Fatal(err)
	}
	c.Set(at(3))
	set(t, m, store.Entry{Key: "job", Value: jsonText("pilot")})
	c.Set(at(4))
	if _, err := m.Update(t.Context(), store.Edit{Key: "job", RenameTo: "work"}); err != nil {
		t.Fatal(err)
	}
	for hours, want := range map[int]string{-1: "", 0: `"cook"`, 1: `"baker"`, 2: "", 3: `"pilot"`, 4: ""} {
		got, err := m.GetAt(t.Context(), "job", at(hours))
		if want == "" && errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil || string(got.Value) != want {
			t.Errorf("after %d hours: got %v, %v, want %s", hours, got, err, want)
		}
	}
}
