package prefill

import (
	"strconv"
	"testing"

	"kota/store"
)

func TestSelectEntriesOmitsFoodFirst(t *testing.T) {
	entries := []*store.DayEntry{}
	for i, kind := range []string{"food", "note", "drink", "health", "note"} {
		entries = append(entries, &store.DayEntry{Row: store.Row{ID: strconv.Itoa(i + 1)}, Type: kind})
	}
	for most, want := range map[int]string{5: "12345", 4: "1245", 3: "245", 2: "24", 1: "2"} {
		got := ""
		for _, e := range selectEntries(entries, most) {
			got += e.ID
		}
		if got != want {
			t.Errorf("at most %d: got %q, want %q", most, got, want)
		}
	}
}

// An entry becomes one line, even if its text has several.
func TestEntryIsQuotedOnOneLine(t *testing.T) {
	for _, c := range []struct {
		e    store.DayEntry
		want string
	}{
		{store.DayEntry{Row: store.Row{ID: "e1"}, Type: "note"}, "- [e1]"},
		{store.DayEntry{Row: store.Row{ID: "e1"}, Type: "food"}, "- food [e1]"},
		{store.DayEntry{Row: store.Row{ID: "e1"}, Type: "note", Text: "a\n# b\r\nc"}, "- a # b c [e1]"},
		{store.DayEntry{Row: store.Row{ID: "e1"}, Type: "health", Text: "Slept", Section: "the\nnight", Mood: 2, Metrics: map[string]any{"sleep": 5.5, "late": true}}, "- the night, health: Slept (mood 2 of 5, late yes, sleep 5.5) [e1]"},
	} {
		if got := line(&c.e, true); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
