package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kota/metadata"
)

func TestInvalidArgumentsAreNamedAndStoreNothing(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for _, c := range []struct {
		tool, args string
		paths      []string
	}{
		{"memory_set", `{}`, []string{"key", "value"}},
		{"memory_set", `{"key": "", "value": 1}`, []string{"key"}},
		{"memory_set", `{"key": " \t ", "value": 1}`, []string{"key"}},
		{"memory_set", `{"key": "\u200b", "value": 1, "tags": [` + strings.Repeat(`"t",`, 50) + `"t"]}`, []string{"key", "tags"}},
		{"memory_set", `{"key": "a\u0007b", "value": 1}`, []string{"key"}},
		{"memory_set", `{"key": "two\nlines", "value": 1, "tags": ["ok", ""], "ttl": "soon"}`, []string{"key", "tags[1]", "ttl"}},
		{"memory_set", `{"key": "` + strings.Repeat("k", 201) + `", "value": 1}`, []string{"key"}},
		{"memory_set", `{"key": "big", "value": "` + strings.Repeat("v", 2<<20) + `"}`, []string{"value"}},
		{"memory_set", `{"key": "safe\u202e", "value": 1, "category": "a\u0000b", "source": "` + strings.Repeat("s", 501) + `"}`, []string{"key", "category", "source"}},
		{"memory_update", `{"key": "x", "tags_remove": [" "], "category": "a\nb", "source": "\u0007"}`, []string{"tags_remove[0]", "category", "source"}},
		{"memory_search", `{"since": "2026-11-02", "until": "2026-11-01"}`, []string{"until"}},
		{"memory_set", `{"key": "x", "value": 1, "importance": 4}`, []string{"importance"}},
		{"memory_set", `{"key": "x", "value": 1, "ttl": "-3d"}`, []string{"ttl"}},
		{"memory_set", `{"key": "x", "value": 1, "ttl": "3d", "expires_at": "2030-01-01"}`, []string{"ttl"}},
		{"memory_set", `{"key": "x", "value": 1, "expires_at": "2020-01-01"}`, []string{"expires_at"}},
		{"memory_set", `{"key": "x", "value": 1, "mode": "overwrite"}`, []string{"mode"}},
		{"memory_get", `{"query": ""}`, []string{"query"}},
		{"memory_get", `{"query": "x", "limit": -1}`, []string{"limit"}},
		{"memory_get", `{"query": "x", "limit": 0, "colour": "a"}`, []string{"limit", "colour"}},
		{"memory_search", `{"limit": 1.5, "sort": "best"}`, []string{"sort", "limit"}},
		{"memory_search", `{"since": "yesterday", "until": "2026-13-01"}`, []string{"since", "until"}},
		{"memory_update", `{"key": "x", "addition": 1, "patch": {}}`, []string{"patch"}},
		{"memory_delete", `{}`, []string{"key"}},
		{"memory_delete", `{"key": "x", "filter": {"category": "a"}}`, []string{"key"}},
		{"memory_delete", `{"filter": {}}`, []string{"filter"}},
		{"memory_delete", `{"filter": {"prefix": "  "}}`, []string{"filter"}},
		{"memory_restore", `{}`, []string{"key"}},
		{"memory_history", `{}`, []string{"key"}},
	} {
		e := callFails(t, b, c.tool, c.args, metadata.ValidationError)
		var paths []string
		for _, p := range e.Problems {
			paths = append(paths, p.Path)
		}
		if !slices.Equal(paths, c.paths) {
			t.Errorf("%s %.80s: got problems at %q, want %q", c.tool, c.args, paths, c.paths)
		}
		if e.Hint == "" {
			t.Errorf("%s %.80s: there is no hint", c.tool, c.args)
		}
	}
	if kept := call(t, b, "memory_list", `{}`)["memories"].([]any); len(kept) > 0 {
		t.Errorf("kept %v", kept)
	}
}

func TestTooLargeAnswerIsRefused(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for i := range 3 {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": fmt.Sprintf("report %d", i), "value": strings.Repeat("many words ", 10_000)}))
	}
	for tool, call := range map[string]string{
		"memory_get":    `{"query": "report", "limit": 3}`,
		"memory_search": `{"query": "report", "detail": "full"}`,
	} {
		if e := callFails(t, b, tool, call, metadata.TooLarge); e.Hint == "" {
			t.Errorf("%s: there is no hint", tool)
		}
	}
	call(t, b, "memory_search", `{"query": "report"}`)
	call(t, b, "memory_get", `{"query": "report 1"}`)
}

func TestPrefixOfSeparatorsDeletesNothingElse(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for _, key := range []string{"plain", "_hidden", "-x"} {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": key, "value": 1}))
	}
	answer := call(t, b, "memory_delete", `{"filter": {"prefix": "_"}, "permanent": true}`)
	if got := fmt.Sprint(answer["keys"]); got != "[_hidden]" {
		t.Errorf("the prefix _ deleted %s, want _hidden alone", got)
	}
}

func TestUndoRefusesWhenChangedSince(t *testing.T) {
	b, _ := newBundle(t, newClock())
	call(t, b, "memory_set", `{"key": "note", "value": "old"}`)
	undo := call(t, b, "memory_delete", `{"key": "note"}`)["undo_id"]
	call(t, b, "memory_set", `{"key": "note", "value": "new"}`)
	e := callFails(t, b, "memory_restore", toJSON(t, map[string]any{"undo_id": undo}), metadata.Conflict)
	if !strings.Contains(e.Hint, "memory_history") {
		t.Errorf("the hint %q does not say how to go on", e.Hint)
	}
	if got := value(t, call(t, b, "memory_get", `{"query": "note"}`)); got != "new" {
		t.Errorf("the note is %v, want new", got)
	}
}

func TestUpdateRefusesTooLargeValue(t *testing.T) {
	b, _ := newBundle(t, newClock())
	half := strings.Repeat("x", 600_000)
	call(t, b, "memory_set", toJSON(t, map[string]any{"key": "log", "value": half}))
	callFails(t, b, "memory_update", toJSON(t, map[string]any{"key": "log", "addition": "y" + half}), metadata.TooLarge)
}
