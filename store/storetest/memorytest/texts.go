package memorytest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var textsContract = storetest.Contract{
	"texts are stored with any bytes":          textsAreStoredWithAnyBytes,
	"JSON that is not UTF-8 is refused":        invalidJSONIsRefused,
	"keys of a thousand bytes are stored":      longestKeysAreStored,
	"a flow is refused if it is not UTF-8":     invalidFlowsAreRefused,
	"texts with any bytes are found and filed": textsWithAnyBytesAreFound,
}

// unusualTexts have bytes that a database may refuse, or uses for itself.
var unusualTexts = []string{"a\x00b", "\x00", "\xff\xfe", "a\xc3", "\uf8ff", "\uf8ff0\uf8ff1\uf8ff2", "\x00\uf8ff\xff", "\U0010ffff", `\u0000`, `'"\`}

func textsAreStoredWithAnyBytes(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	m := db.Memories("ann")
	for _, text := range unusualTexts {
		value := storetest.JSONText("x")
		key := "k" + text + "k"
		written := set(t, m, store.Entry{Key: key, Value: value, Category: &text, Source: text})
		for _, asked := range []string{key, written.Key} {
			if got := get(t, m, asked); got.Key != store.CleanKey(key) || got.Category != text || got.Source != text {
				t.Errorf("%q is read as %+v", text, got)
			}
		}
		listed, _, err := m.List(t.Context(), store.Filter{Category: text, Source: strings.TrimSpace(text)}, store.Page{Limit: 9})
		if err != nil || len(listed) != 1 || listed[0].Key != store.CleanKey(key) {
			t.Errorf("category %q lists %+v, %v", text, listed, err)
		}
		renamed := "n" + text
		edit(t, m, store.Edit{Key: key, RenameTo: renamed})
		if history, err := m.History(t.Context(), renamed, 9); err != nil || len(history) != 2 || history[0].Before.Category != text {
			t.Errorf("the history of %q is %+v, %v", text, history, err)
		}
		if _, err := m.Delete(t.Context(), store.Target{Key: renamed}, false); err != nil {
			t.Errorf("delete %q: %v", text, err)
		}
	}
}

// The escapes of JSON may stand for any character. They stay as they are.
func textsWithAnyBytesAreFound(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for _, text := range []string{`"a\u0000b"`, `"\ud800"`, `{"\u0000":"\uf8ff"}`, `["\u0000"]`} {
		set(t, m, store.Entry{Key: "walnut", Value: []byte(text), Tags: []string{"a\x00b", "\uf8ff0"}})
		if got := get(t, m, "walnut"); string(got.Value) != text || got.Tags[0] != "a\x00b" || got.Tags[1] != "\uf8ff0" {
			t.Errorf("%s is read as %s, %q", text, got.Value, got.Tags)
		}
		listed, _, err := m.List(t.Context(), store.Filter{Tags: []string{"a\x00b", "\uf8ff0"}}, store.Page{Limit: 9})
		if err != nil || len(listed) != 1 {
			t.Errorf("%s: by its tags are listed %+v, %v", text, listed, err)
		}
		if found := recall(t, m, store.RecallQuery{Text: "walnut\x00 \xff"}); len(found.Hits) != 1 {
			t.Errorf("%s: found %+v", text, found)
		}
	}
}

func invalidJSONIsRefused(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "k", Value: storetest.JSONText("x")})
	bad := []byte("\"a\xff\"")
	_, replaced := m.Set(t.Context(), store.Entry{Key: "k", Value: bad})
	_, joined := m.Set(t.Context(), store.Entry{Key: "k", Value: bad, Mode: store.Append})
	_, many := m.SetMany(t.Context(), []store.Entry{{Key: "new", Value: storetest.JSONText("x")}, {Key: "k", Value: bad}})
	_, added := m.Update(t.Context(), store.Edit{Key: "k", Addition: bad})
	_, patched := m.Update(t.Context(), store.Edit{Key: "k", Patch: []byte("{\"a\xff\":1}")})
	for name, err := range map[string]error{"set": replaced, "append": joined, "set many": many, "addition": added, "patch": patched} {
		if !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := get(t, m, "k"); got.Version != 1 || string(got.Value) != `"x"` {
		t.Errorf("it is %+v", got)
	}
	checkMissing(t, m, "new")
}

func invalidFlowsAreRefused(t *testing.T, open storetest.Opener) {
	s := open(time.Now).Stages("ann")
	if _, err := s.Open(t.Context(), "flow", "step", []byte("\"\xff\"")); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("open: %v", err)
	}
	opened, err := s.Open(t.Context(), "flow", "step", []byte(`"\u0000"`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Save(t.Context(), opened.Handle, "next", []byte("\"\xff\""), 1); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("save: %v", err)
	}
	if got, err := s.Get(t.Context(), opened.Handle); err != nil || got.Version != 1 || string(got.State) != `"\u0000"` {
		t.Errorf("it is %+v, %v", got, err)
	}
}

// No database limits the keys more than another. The texts do not compress.
func longestKeysAreStored(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	longest := storetest.NewTextGenerator(1).Text(400)[:store.MaxMemoryKey-1] + "x"
	set(t, m, store.Entry{Key: longest, Value: storetest.JSONText("v")})
	set(t, m, store.Entry{Key: longest, Value: storetest.JSONText("w")})
	if got := get(t, m, longest); got.Key != longest || got.Version != 2 {
		t.Errorf("got %+v", got)
	}
	set(t, m, store.Entry{Key: "short", Value: storetest.JSONText("v")})
	for name, key := range map[string]string{"a longer one": longest + "y", "a longer normalized one": strings.Repeat("\ufdfa", 100)} {
		_, setting := m.Set(t.Context(), store.Entry{Key: key, Value: storetest.JSONText("v")})
		_, renaming := m.Update(t.Context(), store.Edit{Key: "short", RenameTo: key})
		if !errors.Is(setting, store.ErrInvalid) || !errors.Is(renaming, store.ErrInvalid) || errors.Is(setting, store.ErrTooLarge) {
			t.Errorf("%s: set %v, rename %v", name, setting, renaming)
		}
		checkMissing(t, m, key)
	}
	get(t, m, "short")
}
