package memory_test

import (
	"encoding/json"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
)

// concurrentChanges are changes of memories that another client changes again before the
// undo.
func concurrentChanges() []bundletest.ConcurrentChange {
	given := func(a map[string]any) func(*testing.T, bundles.Bundle) any {
		return func(*testing.T, bundles.Bundle) any { return a }
	}
	set := func(key string) func(*testing.T, bundles.Bundle, json.RawMessage) {
		return func(t *testing.T, b bundles.Bundle, _ json.RawMessage) {
			bundletest.Must[map[string]any](t, b, "memory_set", map[string]any{"key": key, "value": "of another client"})
		}
	}
	state := func(key string) func(*testing.T, bundles.Bundle, json.RawMessage) string {
		return func(t *testing.T, b bundles.Bundle, _ json.RawMessage) string {
			got, err := bundletest.Call(t, b, "memory_get", map[string]any{"key": key})
			if err != nil {
				return err.Error()
			}
			return string(got)
		}
	}
	list := []bundletest.ConcurrentChange{}
	for title, c := range map[string]struct {
		tool, key string
		args      map[string]any
	}{
		"a memory that was made, then changed":          {"memory_set", "new", map[string]any{"key": "new", "value": "v"}},
		"a memory that was replaced, and again":         {"memory_set", "theme", map[string]any{"key": "theme", "value": "dark"}},
		"a memory that was updated, then replaced":      {"memory_update", "anna", map[string]any{"key": "anna", "addition": map[string]any{"mail": "a@example.com"}}},
		"a memory that was deleted, then made again":    {"memory_delete", "theme", map[string]any{"key": "theme"}},
		"a memory that was brought back, then replaced": {"memory_restore", "anna", map[string]any{"key": "anna", "version": 1}},
	} {
		list = append(list, bundletest.ConcurrentChange{Title: title, Tool: c.tool, Args: given(c.args), Change: set(c.key), State: state(c.key)})
	}
	return list
}
