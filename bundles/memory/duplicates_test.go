package memory_test

import (
	"fmt"
	"slices"
	"testing"

	"kota/bundles/memory"
	memorystore "kota/store/tables/memory"
)

// Only the pairs that say the same are found among memories with common words.
func TestDuplicatesAreFound(t *testing.T) {
	c := newClock()
	b, db := newBundle(t, c)
	for i := range 60 {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": fmt.Sprintf("contact %d", i), "value": fmt.Sprintf("Anna%d works on floor %d as a dentist since %d", i, i*7, 1900+i)}))
	}
	for key, value := range map[string]any{
		"anna tea":       "green, no sugar",
		"tea of anna":    "Green tea, no sugar!",
		"sizes":          map[string]any{"shoe": 43, "shirt": "L"},
		"my sizes":       map[string]any{"shirt": "L", "shoe": 43},
		"ärger mit müll": "Dienstag abholen",
		"Ärger: Müll":    "dienstag abholen",
		"coffee":         "black",
		"empty":          "",
	} {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": key, "value": value}))
	}
	memories := memorystore.New(db, "local")
	found, err := memory.Duplicates(t.Context(), memories, 10)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for _, pair := range found {
		keys := []string{pair.One.Key, pair.Other.Key}
		slices.Sort(keys)
		pairs = append(pairs, keys[0]+" = "+keys[1])
	}
	slices.Sort(pairs)
	want := []string{"anna tea = tea of anna", "my sizes = sizes", "Ärger: Müll = ärger mit müll"}
	if !slices.Equal(pairs, want) {
		t.Errorf("found %q, want %q", pairs, want)
	}
	if first, err := memory.Duplicates(t.Context(), memories, 1); err != nil || len(first) != 1 || first[0].Score < found[2].Score {
		t.Errorf("the first one: %+v, %v", first, err)
	}
}
