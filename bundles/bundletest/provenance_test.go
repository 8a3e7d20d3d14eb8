package bundletest_test

import (
	"slices"
	"testing"

	"kota/bundles/bundletest"
)

func TestPathsWithoutProvenance(t *testing.T) {
	answer := map[string]any{
		"planted": "name",
		"events": []any{
			map[string]any{"title": "planted", "provenance": "external"},
			map[string]any{"title": "planted", "planted key": 1},
		},
		"text": `{"inner": "planted"}`,
	}
	got := bundletest.PathsWithoutProvenance(answer, "planted")
	slices.Sort(got)
	want := []string{"events[1].planted key", "events[1].title", "planted", "text.inner"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
