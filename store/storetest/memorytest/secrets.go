package memorytest

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var secretsContract = storetest.Contract{
	"a secret's value is in no result":                 secretsAreInNoResult,
	"a secret stays one until its user unseals it":     secretStaysOneUntilUnsealed,
	"a secret opens under its own key and tenant only": secretOpensOnlyUnderItsKeyAndTenant,
	"a new secret erases its plain text":               newSecretsEraseTheirPlainText,
}

func setSecret(t testing.TB, m storetest.Memories, key, value string) store.WriteResult {
	t.Helper()
	return set(t, m, store.Entry{Key: key, Value: jsonText(value), Secret: new(true)})
}

// checkReveals fails the test unless the memory is a secret with the value want, which only
// Reveal returns.
func checkReveals(t *testing.T, m storetest.Memories, key, want string) {
	t.Helper()
	found := get(t, m, key)
	value, err := m.Reveal(found)
	if !found.Secret || string(found.Value) != `""` || err != nil || string(value) != want {
		t.Errorf("%s: got %+v, revealed %s, %v; want %s", key, found, value, err, want)
	}
}

func secretsAreInNoResult(t *testing.T, open storetest.Opener) {
	const hidden = "xyzzyplugh"
	m := open(time.Now).Memories("ann")
	setSecret(t, m, "bank pin", hidden+" one")
	setSecret(t, m, "bank pin", hidden+" two")
	edit(t, m, store.Edit{Key: "bank pin", Addition: jsonText(hidden)})
	edit(t, m, store.Edit{Key: "bank pin", RenameTo: "pin"})
	set(t, m, store.Entry{Key: "wifi", Value: jsonText(hidden)})
	edit(t, m, store.Edit{Key: "wifi", Secret: new(true)}) // earlier values become secret too
	checkReveals(t, m, "pin", `"`+hidden+` two\n`+hidden+`"`)
	listed, _, err := m.List(t.Context(), store.Filter{}, store.Page{Limit: 9})
	if err != nil || len(listed) != 2 {
		t.Fatalf("listed %+v, %v", listed, err)
	}
	shown := []*store.Memory{}
	for _, key := range []string{"pin", "wifi"} {
		history, err := m.History(t.Context(), key, 9)
		if err != nil || len(history) < 2 {
			t.Fatalf("%s: %+v, %v", key, history, err)
		}
		for _, e := range history {
			if e.Before != nil {
				shown = append(shown, e.Before)
			}
		}
	}
	for _, one := range append(shown, listed...) {
		if !one.Secret || string(one.Value) != `""` {
			t.Errorf("returned as %+v", one)
		}
	}
	for _, words := range []string{hidden, "one", "null"} {
		if found := recall(t, m, store.RecallQuery{Text: words}); len(found.Hits) > 0 {
			t.Errorf("%s: found %+v", words, found)
		}
	}
	if found := recall(t, m, store.RecallQuery{Text: "pin"}); len(found.Hits) != 1 || found.Hits[0].Snippet != "" {
		t.Errorf("by key: %+v", found)
	}
	if _, err := m.RestoreVersion(t.Context(), "wifi", 1); err != nil {
		t.Fatal(err)
	}
	checkReveals(t, m, "wifi", `"`+hidden+`"`)
}

func secretStaysOneUntilUnsealed(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	setSecret(t, m, "pin", "1234")
	for _, step := range []struct {
		entry  store.Entry
		change store.Change
		want   string
	}{
		{store.Entry{Value: jsonText("1234")}, store.Unchanged, `"1234"`},
		{store.Entry{Value: jsonText("5678")}, store.Updated, `"5678"`},
		{store.Entry{Value: jsonText("x"), Mode: store.Append}, store.Updated, `"5678\nx"`},
		{store.Entry{Value: jsonText("y"), Mode: store.Keep}, store.Kept, `"5678\nx"`},
		{store.Entry{Value: json.RawMessage(`{"a":1}`)}, store.Updated, `{"a":1}`},
		{store.Entry{Value: json.RawMessage(`{"b":2}`), Mode: store.Merge}, store.Updated, `{"a":1,"b":2}`},
	} {
		step.entry.Key = "pin"
		if got := set(t, m, step.entry); got.Change != step.change {
			t.Errorf("%s: got %+v", step.entry.Value, got)
		}
		checkReveals(t, m, "pin", step.want)
	}
	for name, write := range map[string]func() error{
		"set": func() error {
			_, err := m.Set(t.Context(), store.Entry{Key: "pin", Value: jsonText("open"), Secret: new(false)})
			return err
		},
		"update": func() error {
			_, err := m.Update(t.Context(), store.Edit{Key: "pin", Secret: new(false)})
			return err
		},
	} {
		if err := write(); !errors.Is(err, store.ErrSecret) {
			t.Errorf("%s makes it plain: %v", name, err)
		}
	}
	checkReveals(t, m, "pin", `{"a":1,"b":2}`)
	set(t, m, store.Entry{Key: "open", Value: jsonText("x"), Secret: new(false)})
	if _, err := m.Update(t.Context(), store.Edit{Key: "pin", Unseal: true}); err != nil {
		t.Fatal(err)
	}
	if got := get(t, m, "pin"); got.Secret || string(got.Value) != `{"a":1,"b":2}` {
		t.Errorf("got %+v", got)
	}
}

func secretOpensOnlyUnderItsKeyAndTenant(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	m := db.Memories("ann")
	setSecret(t, m, "pin", "1234")
	found := get(t, m, "pin")
	found.Key = "other"
	if value, err := m.Reveal(found); err == nil {
		t.Errorf("under another key it is %s", value)
	}
	found.Key = "pin"
	if value, err := db.Memories("bob").Reveal(found); err == nil {
		t.Errorf("another tenant reads %s", value)
	}
}
