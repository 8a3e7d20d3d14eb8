package memory_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/metadata"
)

// call runs a tool and returns its answer. It fails the test on an error.
func call(t *testing.T, b bundles.Bundle, tool, args string) map[string]any {
	t.Helper()
	raw, err := bundletest.Call(t, b, tool, json.RawMessage(args))
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	var answer map[string]any
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// callFails runs a tool that must fail with the code, and returns the error.
func callFails(t *testing.T, b bundles.Bundle, tool, args string, code metadata.Code) *metadata.Error {
	t.Helper()
	_, err := bundletest.Call(t, b, tool, json.RawMessage(args))
	e, ok := err.(*metadata.Error)
	if !ok || e.Code != code {
		t.Fatalf("%s %.200s: got %v, want %s", tool, args, err, code)
	}
	return e
}

// value returns the value of the only memory in an answer of memory_get.
func value(t *testing.T, answer map[string]any) any {
	t.Helper()
	found, ok := answer["memories"].([]any)
	if !ok || len(found) != 1 {
		t.Fatalf("got %v, want one memory", answer)
	}
	return found[0].(map[string]any)["value"]
}

func TestAnyJSONValueRoundTrips(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for i, want := range []string{
		`"dark"`, `""`, `null`, `true`, `0`, `-0.5e3`, `12345678901234567890`, `[]`, `{}`, `[1,[2,{"a":null}]]`,
		`{"z":1,"a":2}`, `"<b>&amp;</b>"`, `"{\"looks\": \"like JSON\"}"`, `"日本語 😀 \u0000 é"`, `1e400`,
	} {
		key := fmt.Sprintf("value %d", i)
		if _, err := bundletest.Call(t, b, "memory_set", json.RawMessage(fmt.Sprintf(`{"key": %q, "value": %s}`, key, want))); err != nil {
			t.Errorf("set %s: %v", want, err)
			continue
		}
		raw, err := bundletest.Call(t, b, "memory_get", json.RawMessage(fmt.Sprintf(`{"query": %q}`, key)))
		if err != nil {
			t.Errorf("get %s: %v", want, err)
			continue
		}
		var got struct {
			Memories []struct{ Value json.RawMessage }
		}
		if err := json.Unmarshal(raw, &got); err != nil || len(got.Memories) != 1 {
			t.Fatalf("get %s: %s, %v", want, raw, err)
		}
		// Escapes may change, but not their meaning.
		if decoded(t, string(got.Memories[0].Value)) != decoded(t, want) {
			t.Errorf("set %s, got %s", want, got.Memories[0].Value)
		}
	}
}

func decoded(t *testing.T, text string) string {
	t.Helper()
	var s string
	if json.Unmarshal([]byte(text), &s) == nil {
		return "text " + s
	}
	return text
}

func TestKeysThatLookLikeQueriesAreFound(t *testing.T) {
	b, _ := newBundle(t, newClock())
	keys := []string{`C++`, `it's`, `a@b.com`, `-x`, `*`, `""`, `AND`, `'; DROP TABLE memories; --`, `NEAR(a b)`, `key:value`, `%`, `_`, `日本`, `😀`, `ß`, `a/b.c-d`, `\`}
	for i, key := range keys {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": key, "value": i}))
	}
	for i, key := range keys {
		if got := value(t, call(t, b, "memory_get", toJSON(t, map[string]any{"query": key}))); got != float64(i) {
			t.Errorf("get %q: got %v, want %d", key, got, i)
		}
		hits := call(t, b, "memory_search", toJSON(t, map[string]any{"query": key}))["hits"].([]any)
		if len(hits) == 0 || hits[0].(map[string]any)["key"] != key {
			t.Errorf("search %q: got %v first, want the key itself", key, hits)
		}
		call(t, b, "memory_list", toJSON(t, map[string]any{"prefix": key}))
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSetReportsStatus(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for _, c := range []struct {
		args            string
		status          string
		version         float64
		previous        any
		similarContains string
	}{
		{`{"key": "coffee order", "value": "black"}`, "created", 1, nil, ""},
		{`{"key": "coffee order", "value": "black"}`, "unchanged", 1, nil, ""},
		{`{"key": "coffee order", "value": "flat white"}`, "updated", 2, "black", ""},
		{`{"key": "coffee orders", "value": "x"}`, "created", 1, nil, "coffee order"},
	} {
		got := call(t, b, "memory_set", c.args)
		if got["status"] != c.status || got["version"] != c.version || got["previous"] != c.previous {
			t.Errorf("%s: got %v, want %s, version %v, previous %v", c.args, got, c.status, c.version, c.previous)
		}
		if c.similarContains != "" && !strings.Contains(fmt.Sprint(got["similar"]), c.similarContains) {
			t.Errorf("%s: similar is %v, want %q in it", c.args, got["similar"], c.similarContains)
		}
	}
}

func TestModesAndVersionsProtectStoredValue(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "list", "value": ["milk"]}`)
	callFails(t, b, "memory_set", `{"key": "list", "value": [], "mode": "create"}`, metadata.Conflict)
	e := callFails(t, b, "memory_set", `{"key": "list", "value": [], "if_version": 7}`, metadata.Conflict)
	if !strings.Contains(e.Message, "version 1") || !strings.Contains(e.Message, "milk") {
		t.Errorf("the conflict does not show what stands: %q", e.Message)
	}
	callFails(t, b, "memory_update", `{"key": "list", "addition": "eggs", "if_version": 2}`, metadata.Conflict)
	callFails(t, b, "memory_update", `{"key": "no such", "addition": 1}`, metadata.NotFound)
	call(t, b, "memory_set", `{"key": "list", "value": ["eggs"], "mode": "append", "if_version": 1}`)
	call(t, b, "memory_set", `{"key": "me", "value": {"a": 1, "b": {"c": 2}}}`)
	call(t, b, "memory_set", `{"key": "me", "value": {"b": {"c": null, "d": 3}}, "mode": "merge"}`)
	for query, want := range map[string]string{"list": "[milk eggs]", "me": "map[a:1 b:map[d:3]]"} {
		if got := fmt.Sprint(value(t, call(t, b, "memory_get", toJSON(t, map[string]any{"query": query})))); got != want {
			t.Errorf("%s is %s, want %s", query, got, want)
		}
	}
}

func TestEveryChangeCanBeUndone(t *testing.T) {
	c := newClock()
	b, _ := newBundle(t, c)
	current := func() string {
		answer := call(t, b, "memory_get", `{"query": "note"}`)
		if answer["found"] == false {
			return "gone"
		}
		return fmt.Sprint(value(t, answer))
	}
	call(t, b, "memory_set", `{"key": "note", "value": "one"}`)
	c.advance(time.Hour)
	for _, change := range []struct{ tool, args string }{
		{"memory_set", `{"key": "note", "value": "two"}`},
		{"memory_update", `{"key": "note", "addition": " more"}`},
		{"memory_update", `{"key": "note", "tags_add": ["t"], "category": "c", "importance": 3, "pinned": true}`},
		{"memory_delete", `{"key": "note"}`},
		{"memory_delete", `{"filter": {"prefix": "no"}}`},
	} {
		c.advance(time.Hour)
		answer := call(t, b, change.tool, change.args)
		undo, _ := answer["undo_id"].(string)
		if undo == "" {
			t.Fatalf("%s %s: got %v, want an undo_id", change.tool, change.args, answer)
		}
		call(t, b, "memory_restore", toJSON(t, map[string]any{"undo_id": undo}))
		if got := current(); got != "one" {
			t.Errorf("%s %s and its undo leave %s, want one", change.tool, change.args, got)
		}
	}
	changes := call(t, b, "memory_history", `{"key": "note"}`)["changes"].([]any)
	if first := changes[len(changes)-1].(map[string]any); len(changes) != 11 || first["operation"] != "create" {
		t.Errorf("history has %d changes from %v, want 11 from create", len(changes), first)
	}
	if got := value(t, call(t, b, "memory_get", `{"query": "note", "at": "2026-11-21T11:30:00Z"}`)); got != "one" {
		t.Errorf("at half past eleven it was %v, want one", got)
	}
	callFails(t, b, "memory_restore", `{"undo_id": "u999"}`, metadata.NotFound)
	callFails(t, b, "memory_restore", `{"undo_id": "nonsense"}`, metadata.ValidationError)
}

func TestExpiredMemoryIsNotFound(t *testing.T) {
	c := newClock()
	b, _ := newBundle(t, c)
	call(t, b, "memory_set", `{"key": "parking", "value": "B12", "ttl": "2h"}`)
	call(t, b, "memory_set", `{"key": "holiday", "value": "Rome", "expires_at": "2026-12-24"}`)
	c.advance(2 * time.Hour)
	if answer := call(t, b, "memory_get", `{"query": "parking"}`); answer["found"] != false {
		t.Errorf("two hours later it is still there: %v", answer)
	}
	archived := call(t, b, "memory_list", `{"archived": true}`)["memories"].([]any)
	if len(archived) != 1 || archived[0].(map[string]any)["archived"] != "expired" {
		t.Errorf("the archive holds %v, want parking, expired", archived)
	}
	call(t, b, "memory_update", `{"key": "holiday", "expires_at": "never"}`)
	c.advance(365 * 24 * time.Hour)
	if got := value(t, call(t, b, "memory_get", `{"query": "holiday"}`)); got != "Rome" {
		t.Errorf("what never expires is %v a year later, want Rome", got)
	}
}

// A date is a day in the user's zone, not in UTC. Here it begins five hours later. Where
// the clocks go forward at midnight, it begins at one o'clock.
func TestDateMeansStartOfUsersDay(t *testing.T) {
	for zone, want := range map[string]map[string]string{
		"America/New_York": {"2026-12-01": "2026-12-01T00:00:00-05:00", "2026-12-01T18:30": "2026-12-01T18:30:00-05:00", "2026-12-01T00:00:00Z": "2026-11-30T19:00:00-05:00"},
		"Africa/Cairo":     {"2027-04-30": "2027-04-30T01:00:00+03:00"},
	} {
		at, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		c := newClock()
		b, _ := newBundleIn(t, c, at)
		for said, moment := range want {
			key := zone + " " + said
			set := call(t, b, "memory_set", toJSON(t, map[string]any{"key": key, "value": "P3", "expires_at": said}))
			again := call(t, b, "memory_set", toJSON(t, map[string]any{"key": key, "value": "P3", "expires_at": said}))
			changed := call(t, b, "memory_update", toJSON(t, map[string]any{"key": key, "pinned": true}))
			got := call(t, b, "memory_get", toJSON(t, map[string]any{"query": key}))["memories"].([]any)[0].(map[string]any)
			for what, answer := range map[string]map[string]any{"set": set, "set again": again, "an update of something else": changed, "get": got} {
				if answer["expires_at"] != moment {
					t.Errorf("%s ends at %v by %s, want %s", key, answer["expires_at"], what, moment)
				}
			}
		}
	}
}

func TestAnswerHasExpiryOnlyIfSet(t *testing.T) {
	b, _ := newBundle(t, newClock())
	if got := call(t, b, "memory_set", `{"key": "parking", "value": "B12", "ttl": "2h"}`)["expires_at"]; got != "2026-11-21T11:00:00Z" {
		t.Errorf("a span of two hours from nine ends at %v", got)
	}
	for tool, args := range map[string]string{"memory_update": `{"key": "parking", "expires_at": "never"}`, "memory_set": `{"key": "theme", "value": "dark"}`} {
		if answer := call(t, b, tool, args); answer["expires_at"] != nil {
			t.Errorf("%s %s: it ends at %v", tool, args, answer["expires_at"])
		}
	}
}

// For the user, an expired memory is like a deleted one, and can be restored in the same
// way.
func TestExpiredMemoryIsRestoredByItsKey(t *testing.T) {
	for name, back := range map[string]string{"by its key": `{"key": "parking"}`, "by its version": `{"key": "parking", "version": 2}`} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			b, _ := newBundle(t, c)
			call(t, b, "memory_set", `{"key": "parking", "value": "A1"}`)
			call(t, b, "memory_set", `{"key": "parking", "value": "B12", "ttl": "2h"}`)
			c.advance(3 * time.Hour)
			answer := call(t, b, "memory_restore", back)
			if one := answer["restored"].([]any)[0].(map[string]any); one["version"] != 3.0 || one["deleted"] != nil {
				t.Errorf("it came back as %v, want version 3", one)
			}
			got := call(t, b, "memory_get", `{"query": "parking"}`)
			if value(t, got) != "B12" || got["memories"].([]any)[0].(map[string]any)["expires_at"] != nil {
				t.Errorf("it is %v, want B12 that does not end", got)
			}
			undone := call(t, b, "memory_restore", toJSON(t, map[string]any{"undo_id": answer["undo_id"]}))
			if one := undone["restored"].([]any)[0].(map[string]any); one["deleted"] != true {
				t.Errorf("taken back it is %v, want nothing that is seen", one)
			}
			if got := call(t, b, "memory_get", `{"query": "parking"}`); got["found"] != false {
				t.Errorf("taken back it is still seen: %v", got)
			}
			call(t, b, "memory_restore", `{"key": "parking"}`)
			if got := value(t, call(t, b, "memory_get", `{"query": "parking"}`)); got != "B12" {
				t.Errorf("back a second time it is %v, want B12", got)
			}
		})
	}
}

func TestListByExpiry(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "parking", "value": "B12", "ttl": "2d"}`)
	call(t, b, "memory_set", `{"key": "holiday", "value": "Rome", "expires_at": "2026-12-24"}`)
	call(t, b, "memory_set", `{"key": "wifi", "value": "on the fridge"}`)
	for before, want := range map[string][]string{"2026-11-23": {}, "2026-11-23T09:00:01Z": {"parking"}, "2026-12-25": {"holiday", "parking"}} {
		keys := []string{}
		for _, one := range call(t, b, "memory_list", `{"expires_before": "`+before+`"}`)["memories"].([]any) {
			keys = append(keys, one.(map[string]any)["key"].(string))
		}
		if !slices.Equal(keys, want) {
			t.Errorf("before %s end %q, want %q", before, keys, want)
		}
	}
	callFails(t, b, "memory_list", `{"expires_before": "soon"}`, metadata.ValidationError)
}

func TestUnrelatedQueryFindsNothing(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for key, value := range map[string]string{"coffee order": "flat white", "dentist": "Dr. Vos", "wifi": "hunter2"} {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": key, "value": value}))
	}
	answer := call(t, b, "memory_get", `{"query": "capital of Mongolia"}`)
	if answer["found"] != false || answer["confidence"] != "none" || len(answer["memories"].([]any)) > 0 {
		t.Errorf("got %v, want none", answer)
	}
	if nearest, _ := answer["nearest"].([]any); len(nearest) == 0 || len(nearest) > 3 {
		t.Errorf("got nearest %v, want one to three keys", nearest)
	}
}

func TestDryRunChangesNothing(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "a", "value": 1, "category": "state"}`)
	call(t, b, "memory_set", `{"key": "b", "value": 2, "category": "state"}`)
	for _, permanent := range []bool{false, true} {
		answer := call(t, b, "memory_delete", toJSON(t, map[string]any{"filter": map[string]any{"category": "state"}, "dry_run": true, "permanent": permanent}))
		if answer["would_delete"] != 2.0 || answer["deleted"] != 0.0 || answer["undo_id"] != nil {
			t.Errorf("permanent %v: got %v, want two that would be, none that is, and nothing to undo", permanent, answer)
		}
	}
	if kept := call(t, b, "memory_list", `{}`)["memories"].([]any); len(kept) != 2 {
		t.Errorf("a dry run left %v", kept)
	}
}

// A model that fills in every argument must not delete what it did not intend to delete.
func TestNullArgumentChangesNothing(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "anna", "value": {"role": "dentist"}, "tags": ["t"], "expires_at": null, "mode": null}`)
	call(t, b, "memory_update", `{"key": "anna", "category": "people", "addition": null, "patch": null, "tags_add": null, "importance": null}`)
	if got := fmt.Sprint(value(t, call(t, b, "memory_get", `{"query": "anna", "at": null}`))); got != "map[role:dentist]" {
		t.Errorf("anna is %s, want what she was", got)
	}
	call(t, b, "memory_set", `{"key": "nothing", "value": null}`)
	if got := value(t, call(t, b, "memory_get", `{"query": "nothing"}`)); got != nil {
		t.Errorf("a null that was meant is %v", got)
	}
}

func TestDeletedMemoryIsRestoredByItsKey(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "sister", "value": "Mia"}`)
	e := callFails(t, b, "memory_restore", `{"key": "sister"}`, metadata.ValidationError)
	if e.Problems[0].Path != "version" {
		t.Errorf("got %+v, want a version to be asked for", e.Problems)
	}
	call(t, b, "memory_delete", `{"key": "sister"}`)
	call(t, b, "memory_restore", `{"key": "sister"}`)
	if got := value(t, call(t, b, "memory_get", `{"query": "sister"}`)); got != "Mia" {
		t.Errorf("sister is %v, want Mia", got)
	}
	callFails(t, b, "memory_restore", `{"key": "nobody"}`, metadata.NotFound)
}

func TestMemoryWithUndoneCreationIsRestoredByItsKey(t *testing.T) {
	b, _ := newBundle(t, newClock())
	made := call(t, b, "memory_set", `{"key": "sister", "value": "Mia"}`)
	call(t, b, "memory_restore", toJSON(t, map[string]any{"undo_id": made["undo_id"]}))
	call(t, b, "memory_restore", `{"key": "sister"}`)
	if got := value(t, call(t, b, "memory_get", `{"query": "sister"}`)); got != "Mia" {
		t.Errorf("sister is %v, want Mia", got)
	}
	callFails(t, b, "memory_restore", `{"key": "sister"}`, metadata.ValidationError)
}

func TestAdditionToTextIsOneNewLine(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "gym", "value": "Mondays with Marco"}`)
	for _, step := range []struct{ addition, want string }{
		{"Also Saturdays", "Mondays with Marco\nAlso Saturdays"},
		{"Also Saturdays", "Mondays with Marco\nAlso Saturdays"},
		{", not in May", "Mondays with Marco\nAlso Saturdays\n, not in May"},
		{" or June", "Mondays with Marco\nAlso Saturdays\n, not in May or June"},
	} {
		call(t, b, "memory_update", toJSON(t, map[string]any{"key": "gym", "addition": step.addition}))
		if got := value(t, call(t, b, "memory_get", `{"query": "gym"}`)); got != step.want {
			t.Errorf("after %q it is %q, want %q", step.addition, got, step.want)
		}
	}
}

// Characters that are removed from an answer do not count towards the length of a preview.
func TestPreviewCountsVisibleCharacters(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "k", "value": "`+strings.Repeat("a\u200b", 80)+`"}`)
	listed := call(t, b, "memory_list", `{}`)["memories"].([]any)
	if got := listed[0].(map[string]any)["preview"]; got != strings.Repeat("a", 80) {
		t.Errorf("got %q", got)
	}
}
