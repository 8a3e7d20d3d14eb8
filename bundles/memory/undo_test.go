package memory_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/store"
	"kota/store/enginetest"
	"kota/store/tables/memory"
)

// A changeAnswer is the part of an answer that every change has.
type changeAnswer struct {
	UndoID string `json:"undo_id"`
	Status string `json:"status"`
}

// dumpMemories returns all memories, without data about their changes.
func dumpMemories(t *testing.T, db enginetest.Database) string {
	t.Helper()
	found, _, err := memory.New(db, "local").List(t.Context(), store.Filter{}, store.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, m := range found {
		text += fmt.Sprintf("%s=%s %s %v %s %d %v %v\n", m.Key, m.Value, m.Category, m.Tags, m.Source, m.Importance, m.Pinned, m.Expires)
	}
	return text
}

// randomChange makes a random change and returns its undo id, or "" if nothing changed.
func randomChange(t *testing.T, b bundles.Bundle, random *rand.Rand) string {
	t.Helper()
	key := func() string { return []string{"anna", "anna's phone", "car", "door code", "theme"}[random.IntN(5)] }
	in := map[string]any{"key": key(), "value": []any{"x", 1, map[string]any{"a": random.IntN(3)}}[random.IntN(3)], "tags": []string{"t"}, "pinned": random.IntN(2) == 0}
	tool := "memory_set"
	switch random.IntN(6) {
	case 0:
		tool, in = "memory_update", map[string]any{"key": key(), "rename_to": key()}
	case 1:
		tool, in = "memory_update", map[string]any{"key": key(), "tags_add": []string{"u"}, "category": []string{"", "people"}[random.IntN(2)]}
	case 2:
		tool, in = "memory_delete", map[string]any{"key": key()}
	case 3:
		tool, in = "memory_delete", map[string]any{"filter": map[string]any{"tags": []string{"t"}}}
	case 4:
		tool, in = "memory_restore", map[string]any{"key": key()}
	}
	out, err := bundletest.Answer[changeAnswer](t, b, tool, in)
	if err != nil {
		return "" // nothing to change, or a duplicate key
	}
	return out.UndoID
}

func TestUndoInReverseRestoresEveryState(t *testing.T) {
	const seed, rounds, most = 20261122, 20, 12
	random := rand.New(rand.NewPCG(seed, 0))
	undone := 0
	for round := range rounds {
		clock := newClock()
		b, db := newBundle(t, clock)
		for range random.IntN(4) {
			randomChange(t, b, random)
		}
		states, ids := []string{}, []string{}
		for range most {
			before := dumpMemories(t, db)
			if id := randomChange(t, b, random); id != "" {
				states, ids = append(states, before), append(ids, id)
			} else if after := dumpMemories(t, db); after != before {
				t.Fatalf("round %d: a change without an undo id made\n%s of\n%s", round, after, before)
			}
		}
		for i := len(ids) - 1; i >= 0; i-- {
			call(t, b, "memory_restore", toJSON(t, map[string]any{"undo_id": ids[i]}))
			if got := dumpMemories(t, db); got != states[i] {
				t.Fatalf("round %d: %s undone leaves\n%s, not\n%s", round, ids[i], got, states[i])
			}
			undone++
		}
	}
	if undone < rounds*most/4 {
		t.Errorf("only %d changes were undone: the test has lost its object", undone)
	}
}
