package postgres

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kota/store/faulttest"
	"kota/store/search"
	"kota/store/tables/index"
)

// TestUnindexedRowsAreFoundAsIfIndexed searches rows that only SQLite has indexed. New rows, changed
// rows and removed rows must have the same scores in both.
func TestUnindexedRowsAreFoundAsIfIndexed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(faulttest.Sample(t, 2, 6)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p, r := newIndexPair(t), rand.New(rand.NewPCG(seed, 17))
			p.dbs[1].(*DB).stopBackground()
			for range 6 {
				for range 40 {
					switch n := r.IntN(10); {
					case n < 6 || len(p.ids) == 0:
						p.moved += int64(r.IntN(2) * r.IntN(700))
						p.insert(t, someWords(r, 3), someWords(r, 12), strings.Fields(someWords(r, 2))...)
					case n < 9:
						p.change(t, p.ids[r.IntN(len(p.ids))], someWords(r, 12))
					default:
						p.remove(t, p.ids[r.IntN(len(p.ids))])
					}
				}
				before, err := index.CountStale(t.Context(), p.dbs[1], p.ix)
				if err != nil || before == 0 {
					t.Fatalf("%d rows are not indexed: %v", before, err)
				}
				for range 20 {
					p.compareMatches(t, r)
				}
				if after, err := index.CountStale(t.Context(), p.dbs[1], p.ix); err != nil || after != before {
					t.Fatalf("%d rows are not indexed after the searches, want %d: %v", after, before, err)
				}
				if t.Failed() {
					return
				}
				p.index(t)
				p.check(t)
			}
		})
	}
}

// compareMatches searches both databases for the same random words and labels.
func (p *indexPair) compareMatches(t *testing.T, r *rand.Rand) {
	t.Helper()
	text, labels := someWords(r, 4), [][]string{nil, {"notes"}, {"notes", "apple"}, {"nothing"}}[r.IntN(4)]
	short := []string{"ad", "hs", "xy", "aa"}[r.IntN(4)]
	if r.IntN(3) == 0 {
		text = text[:max(1, len(text)-1)] // words that are misspelt or cut off
	}
	both(t, p, fmt.Sprintf("match %q with %q", text, labels), func(x search.Source) ([]string, error) {
		found, unindexed, err := x.(*index.Search).Match(t.Context(), text, labels)
		if err != nil {
			return nil, err
		}
		search.SortByScore(found)
		scored := []string{fmt.Sprint(unindexed, search.ConfidenceOf(found))}
		for _, c := range found {
			scored = append(scored, fmt.Sprint(c.ID, c.Score, c.Relevance, c.MatchKind, c.Matched, c.Indexed))
		}
		shortened, err := search.FindByInitials(t.Context(), x, short)
		for _, c := range shortened {
			scored = append(scored, fmt.Sprint(c.ID, c.Score))
		}
		return scored, err
	})
}

// TestManyUnindexedRowsAreIndexedFirst searches more rows than a search reads itself.
func TestManyUnindexedRowsAreIndexedFirst(t *testing.T) {
	t.Parallel()
	p := newIndexPair(t)
	p.dbs[1].(*DB).stopBackground()
	for i := range 70 {
		p.insert(t, "key", fmt.Sprint("apple tree ", i))
	}
	p.compareMatches(t, rand.New(rand.NewPCG(1, 1)))
	if left, err := index.CountStale(t.Context(), p.dbs[1], p.ix); err != nil || left != 0 {
		t.Errorf("%d rows are not indexed: %v", left, err)
	}
	p.insert(t, "key", strings.Repeat("a long text ", 6000))
	p.compareMatches(t, rand.New(rand.NewPCG(2, 1)))
	if left, err := index.CountStale(t.Context(), p.dbs[1], p.ix); err != nil || left != 0 {
		t.Errorf("%d long rows are not indexed: %v", left, err)
	}
}
