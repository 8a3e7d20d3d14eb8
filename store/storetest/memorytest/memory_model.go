package memorytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

// A model holds the expected memories: the visible value of each key, and what each undo id must
// restore.
type model struct {
	visible map[string]string            // key → value; "" if the memory is not visible
	before  map[string]map[string]string // undo id → key → value before the change; "" if the memory was not visible
	after   map[string]map[string]string // undo id → key → value after the change
	latest  map[string]string            // key → the undo id of its last change
}

// randomChangesAgreeWithModel makes random changes to the store and to the model, and compares
// the two after each change.
func randomChangesAgreeWithModel(t *testing.T, open storetest.Opener) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		db, c := storetest.WithClock(open)
		m := db.Memories(fmt.Sprint("ann", seed))
		want := model{map[string]string{}, map[string]map[string]string{}, map[string]map[string]string{}, map[string]string{}}
		undos := []string{}
		for range 150 {
			c.Set(c.Now().Add(-time.Second)) // the clock is set back in every round
			key := string(rune('a' + random.IntN(5)))
			act := ""
			switch random.IntN(6) {
			case 0, 1, 2:
				value := fmt.Sprint(random.IntN(9))
				act = "set " + key + " " + value
				undos = append(undos, want.set(t, m, key, value)...)
			case 3:
				act = "append to " + key
				undos = append(undos, want.add(t, m, key)...)
			case 4:
				act = "delete " + key
				undos = append(undos, want.remove(t, m, key)...)
			case 5:
				if len(undos) == 0 {
					continue
				}
				undo := undos[max(0, len(undos)-1-random.IntN(6))] // usually one that can still be undone
				act = "restore " + undo
				undos = append(undos, want.restore(t, m, undo)...)
			}
			want.compare(t, m, fmt.Sprintf("seed %d, %s", seed, act))
		}
	}
}

// changed records a change of one key. It returns a slice with undo, or nil if undo is "".
func (w model) changed(undo, key, value string) []string {
	before := w.visible[key]
	w.visible[key] = value
	if undo == "" {
		return nil
	}
	w.latest[key] = undo
	w.before[undo], w.after[undo] = map[string]string{key: before}, map[string]string{key: value}
	return []string{undo}
}

func (w model) set(t *testing.T, m storetest.Memories, key, value string) []string {
	got := set(t, m, store.Entry{Key: key, Value: jsonText(value)})
	switch before := w.visible[key]; {
	case before == "" && got.Change != store.Created, before == value && got.Change != store.Unchanged,
		before != "" && before != value && got.Change != store.Updated:
		t.Errorf("set %s from %q to %q: %s", key, before, value, got.Change)
	}
	return w.changed(got.Undo, key, value)
}

func (w model) add(t *testing.T, m storetest.Memories, key string) []string {
	got, err := m.Update(t.Context(), store.Edit{Key: key, Addition: jsonText(" +")})
	if w.visible[key] == "" {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("append to nothing: %v", err)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.changed(got.Undo, key, w.visible[key]+" +")
}

func (w model) remove(t *testing.T, m storetest.Memories, key string) []string {
	got, err := m.Delete(t.Context(), store.Target{Key: key}, false)
	if w.visible[key] == "" {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("delete nothing: %v", err)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.changed(got.Undo, key, "")
}

func (w model) restore(t *testing.T, m storetest.Memories, undo string) []string {
	got, err := m.Restore(t.Context(), undo)
	for key := range w.before[undo] {
		if w.latest[key] == undo || w.visible[key] == w.after[undo][key] && (err == nil || w.visible[key] != "") { // a deleted memory may have had another value
			continue
		}
		if conflict := (*store.ConflictError)(nil); !errors.As(err, &conflict) || conflict.Key != key {
			t.Errorf("undo %s after a later change of %s: %v", undo, key, err)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	undos := []string{}
	for key, value := range w.before[undo] {
		undos = append(undos, w.changed(got[0].Undo, key, value)...)
	}
	return undos
}

func (w model) compare(t *testing.T, m storetest.Memories, after string) {
	t.Helper()
	list, _, err := m.List(t.Context(), store.Filter{}, store.Page{Limit: 99})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, one := range list {
		got[one.Key] = strings.Trim(string(one.Value), `"`)
	}
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		if got[key] != w.visible[key] {
			t.Fatalf("after %s: %s is %q, want %q", after, key, got[key], w.visible[key])
		}
	}
}

func largestValueIsStoredAndALargerOneRefused(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	value := jsonText(strings.Repeat("x", store.MaxValue-2))
	set(t, m, store.Entry{Key: "big", Value: value})
	if got := get(t, m, "big"); string(got.Value) != string(value) {
		t.Errorf("got %d bytes", len(got.Value))
	}
	object := json.RawMessage(`{"a": ` + string(value[:store.MaxValue-50]) + `"}`)
	set(t, m, store.Entry{Key: "object", Value: object})
	more := json.RawMessage(`{"b": "` + strings.Repeat("y", 60) + `"}`)
	for name, grow := range map[string]func() (store.WriteResult, error){
		"set": func() (store.WriteResult, error) {
			return m.Set(t.Context(), store.Entry{Key: "new", Value: jsonText(strings.Repeat("x", store.MaxValue-1))})
		},
		"append": func() (store.WriteResult, error) {
			return m.Set(t.Context(), store.Entry{Key: "object", Value: more, Mode: store.Append})
		},
		"merge": func() (store.WriteResult, error) {
			return m.Set(t.Context(), store.Entry{Key: "object", Value: more, Mode: store.Merge})
		},
		"addition": func() (store.WriteResult, error) {
			return m.Update(t.Context(), store.Edit{Key: "object", Addition: more})
		},
		"patch": func() (store.WriteResult, error) {
			return m.Update(t.Context(), store.Edit{Key: "object", Patch: more})
		},
	} {
		if _, err := grow(); !errors.Is(err, store.ErrTooLarge) || !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	checkMissing(t, m, "new")
	if got := get(t, m, "object").Version; got != 1 {
		t.Errorf("after the refused writes: version %d", got)
	}
}

// With Mode Keep, Set checks within the transaction whether the key exists. It therefore never
// replaces a memory that another process has just created.
func keepChangesNoExistingMemory(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "there", Value: jsonText("1")})
	set(t, m, store.Entry{Key: "over", Value: jsonText("1"), Expires: c.Now().Add(time.Hour)})
	set(t, m, store.Entry{Key: "gone", Value: jsonText("1")})
	remove(t, m, "gone")
	c.Set(c.Now().Add(2 * time.Hour))
	entries := []store.Entry{}
	for _, key := range []string{"new", "there", "over", "gone", "new"} {
		entries = append(entries, store.Entry{Key: key, Value: jsonText("2"), Mode: store.Keep})
	}
	written, err := m.SetMany(t.Context(), entries)
	if err != nil {
		t.Fatal(err)
	}
	got := []store.Change{}
	for _, w := range written {
		got = append(got, w.Change)
	}
	if want := []store.Change{store.Created, store.Kept, store.Created, store.Created, store.Kept}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := states(t, m); got != `gone=3:"2" new=1:"2" over=2:"2" there=1:"1" ` {
		t.Errorf("the memories are %s", got)
	}
	if w := written[1]; w.Version != 1 || w.Undo != "" || string(w.Previous.Value) != `"1"` {
		t.Errorf("kept: %+v", w)
	}
	_, err = m.Set(t.Context(), store.Entry{Key: "there", Value: jsonText("2"), Mode: store.Keep, IfVersion: new(int64(7))})
	if !conflictAt(1)(err) {
		t.Errorf("at another version: %v", err)
	}
}

func setManyIsAllOrNothing(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "there", Value: jsonText("1")})
	entries := []store.Entry{{Key: "a", Value: jsonText("1")}, {Key: "there", Value: jsonText("2")}, {Key: "b", Value: jsonText("1")}}
	written, err := m.SetMany(t.Context(), entries)
	if err != nil || len(written) != 3 || written[1].Change != store.Updated {
		t.Fatalf("got %+v, %v", written, err)
	}
	_, err = m.SetMany(t.Context(), []store.Entry{{Key: "c", Value: jsonText("1")}, {Key: "a", Value: jsonText("2"), Mode: store.Create}})
	if !conflictAt(1)(err) || !strings.Contains(err.Error(), "entry 1") {
		t.Errorf("got %v", err)
	}
	checkMissing(t, m, "c")
}

func similarKeysAreFound(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	m := db.Memories("ann")
	for _, key := range []string{"favorite_color", "favoriteColor", "favorite colour", "phone sarah", "birthday", "zebra"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("v")})
	}
	set(t, db.Memories("bob"), store.Entry{Key: "favorite color", Value: jsonText("v")})
	for key, want := range map[string]string{
		"favorite_color": "[favoriteColor favorite colour]",
		"sarah.phone":    "[phone sarah]",
		"quantum":        "[]",
		"":               "[]",
	} {
		if got, err := m.Similar(t.Context(), key, 3); err != nil || fmt.Sprint(got) != want {
			t.Errorf("like %q: got %v, %v, want %s", key, got, err, want)
		}
	}
}

func usesAreCountedBeforeClose(t *testing.T, open storetest.Opener) {
	c := storetest.NewClock()
	db := open(c.Now)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("v")})
	before := get(t, m, "k")
	m.Touch(before.ID)
	m.Touch(before.ID, 999)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got := get(t, open(c.Now).Memories("ann"), "k")
	if got.Uses != 2 || !got.LastUsed.Equal(c.Now()) || got.Version != 1 || !got.Updated.Equal(before.Updated) {
		t.Errorf("got %+v", got)
	}
}

func categoriesCountVisibleMemories(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "a", Value: jsonText("ä"), Category: new("work")})
	c.Set(c.Now().Add(time.Minute))
	set(t, m, store.Entry{Key: "b", Value: jsonText("b"), Category: new("work")})
	set(t, m, store.Entry{Key: "c", Value: jsonText("c")})
	set(t, m, store.Entry{Key: "d", Value: jsonText("d"), Category: new("gone")})
	if _, err := m.Delete(t.Context(), store.Target{Key: "d"}, false); err != nil {
		t.Fatal(err)
	}
	got, err := m.Categories(t.Context())
	want := fmt.Sprint([]store.Category{{Name: "", Count: 1, Bytes: 3, Newest: c.Now()}, {Name: "work", Count: 2, Bytes: 7, Newest: c.Now()}})
	if err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v, %v, want %s", got, err, want)
	}
}
