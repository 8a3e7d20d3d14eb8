package daily_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kota/bundles/bundletest"
	"kota/store"
	"kota/store/tables/diary"
)

// dump returns the whole diary as text, without the records of changes.
func (d *fixture) dump(t *testing.T) string {
	t.Helper()
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	diary := diary.New(db, "local")
	entries, _, err := diary.Entries(t.Context(), store.EntryFilter{}, store.EntryPage{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text += fmt.Sprintf("%s %s %s %s %d %v %v %v\n", e.ID, e.Date, e.Type, e.Text, e.Mood, e.Metrics, e.Tags, e.Links)
	}
	tasks := bundletest.Must[struct {
		Tasks []map[string]any `json:"tasks"`
	}](t, d.bundle, "daily_task", args{"op": "list"})
	text += fmt.Sprintln(tasks.Tasks)
	documents, err := diary.Documents(t.Context(), store.DocumentFilter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range documents {
		text += fmt.Sprintf("%s %s %s %s %s\n", doc.ID, doc.Type, doc.Period, doc.Title, doc.Fields)
	}
	return text
}

// randomChange makes a random change and returns its undo id, or "" if nothing changed.
func (d *fixture) randomChange(t *testing.T, random *rand.Rand, made *[]string) string {
	t.Helper()
	one := func(letter byte) string {
		ids := []string{"ejmbx4h"}
		for _, id := range *made {
			if id[0] == letter {
				ids = append(ids, id)
			}
		}
		return ids[random.IntN(len(ids))]
	}
	tool, in := "daily_log", args{"text": fmt.Sprint("note ", random.IntN(9)), "mood": 1 + random.IntN(5)}
	switch random.IntN(9) {
	case 0:
		in["tasks"] = []string{"Buy flour", "Buy salt"}
		in["entries"] = []args{{"text": "one"}, {"text": "two", "date": "yesterday"}}
	case 1:
		tool, in = "daily_task", args{"op": "add", "text": []string{"Call Bob", "Call Ida"}}
	case 2:
		tool, in = "daily_task", args{"op": []string{"done", "drop", "reopen"}[random.IntN(3)], "ids": []string{one('t')}}
	case 3:
		tool, in = "daily_task", args{"op": "defer", "ids": []string{one('t'), one('t')}, "until": "next week"}
	case 4:
		tool, in = "daily_edit", args{"id": one('e'), "text": fmt.Sprint("edited ", random.IntN(9)), "tags": []string{"t"}}
	case 5:
		tool, in = "daily_edit", args{"id": one('e'), "delete": true}
	case 6:
		tool, in = "daily_edit", args{"id": one('d'), "delete": true}
	case 7:
		tool, in = "daily_plan", args{"type": "day_plan", "period": "today", "answers": args{"focus": fmt.Sprint("focus ", random.IntN(9)), "must": []string{"bread"}}}
	}
	out, err := bundletest.Answer[struct {
		UndoID string   `json:"undo_id"`
		ID     string   `json:"id"`
		IDs    []string `json:"ids"`
		Tasks  []string `json:"task_ids"`
	}](t, d.bundle, tool, in)
	if err != nil {
		return "" // nothing to change
	}
	for _, id := range append(append(out.IDs, out.Tasks...), out.ID) {
		if id != "" {
			*made = append(*made, id)
		}
	}
	return out.UndoID
}

func TestUndoInReverseRestoresEveryState(t *testing.T) {
	const seed, rounds, most = 20261122, 12, 12
	random := rand.New(rand.NewPCG(seed, 0))
	undone := 0
	for round := range rounds {
		d, made := newFixture(t), []string{}
		for range random.IntN(4) {
			d.randomChange(t, random, &made)
		}
		states, ids := []string{}, []string{}
		for range most {
			before := d.dump(t)
			if id := d.randomChange(t, random, &made); id != "" {
				states, ids = append(states, before), append(ids, id)
			} else if after := d.dump(t); after != before {
				t.Fatalf("round %d: a change without an undo id made\n%s of\n%s", round, after, before)
			}
		}
		for i := len(ids) - 1; i >= 0; i-- {
			bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"undo_id": ids[i]})
			if got := d.dump(t); got != states[i] {
				t.Fatalf("round %d: %s undone leaves\n%s, not\n%s", round, ids[i], got, states[i])
			}
			undone++
		}
	}
	if undone < rounds*most/3 {
		t.Errorf("only %d changes were undone: the test has lost its object", undone)
	}
}
