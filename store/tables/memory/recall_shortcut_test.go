package memory_test

import (
	"path/filepath"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/storetest"
	"kota/store/tables/memory"
)

// Recall scores only some hundred documents, chosen by the weights of their words. It must not
// omit a document that belongs to the best.
func TestRecallFindsTheBestOfAll(t *testing.T) {
	const size = 1500
	m := memory.New(open(t), "ann")
	if err := storetest.Fill(t.Context(), m, size); err != nil {
		t.Fatal(err)
	}
	if err := m.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	if share := shareOfBest(t, m, size, 40); share < .97 {
		t.Errorf("%.3f of the five best are found", share)
	}
}

// shareOfBest returns the share of the five best documents that Recall finds. It compares scores.
func shareOfBest(t testing.TB, m *memory.Store, size, questions int) float64 {
	t.Helper()
	found, wanted := 0, 0
	for _, question := range storetest.NewTextGenerator(7).Questions(questions) {
		scores, err := m.ScoresOfAll(t.Context(), question, size)
		if err != nil {
			t.Fatal(err)
		}
		fifth := scores[4]
		if fifth == 0 {
			continue
		}
		wanted += 5
		for _, hit := range recall(t, m, store.RecallQuery{Text: question, Limit: 5}).Hits {
			if hit.Score >= fifth*(1-1e-6) { // the clock advances between the two scores
				found++
			}
		}
	}
	if wanted == 0 {
		t.Fatal("no question has five answers")
	}
	return float64(found) / float64(wanted)
}

func open(t testing.TB) *sqlite.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{})
}

func openAt(t testing.TB, path string, opts sqlite.Options) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func recall(t testing.TB, m *memory.Store, q store.RecallQuery) store.RecallResult {
	t.Helper()
	answer, err := m.Recall(t.Context(), q)
	if err != nil {
		t.Fatalf("recall %q: %v", q.Text, err)
	}
	return answer
}
