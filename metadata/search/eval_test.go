package search

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// A question is a query and the tools that answer it.
type question struct {
	Query    string   `json:"query"`
	Relevant []string `json:"relevant"`
}

// A ranking returns at most limit entries for a query, best first.
type ranking func(query string, limit int) []int

// figures are means over a set of queries.
type figures struct {
	recall5 float64 // share of the relevant tools among the first five
	mrr     float64 // 1/rank of the first relevant tool
	hit1    float64 // share of queries whose first hit is relevant
	hit5    float64 // share of queries with a relevant tool among the first five
	exact   float64 // share of tool and action names that find their tool first
	typo    float64 // the same with one typo
}

const figuresHead = "Recall@5    MRR  hit@1  hit@5  exact   typo"

func (f figures) String() string {
	return fmt.Sprintf("%8.3f %6.3f %6.3f %6.3f %6.3f %6.3f", f.recall5, f.mrr, f.hit1, f.hit5, f.exact, f.typo)
}

// measure asks every question and every name of entries. For each name it tries all deletions
// and swaps, and a substitution and an insertion at every position.
func measure(rank ranking, entries []Entry, questions []question) figures {
	f := measureQuestions(rank, entries, questions)
	names, slips := 0.0, 0.0
	for i, e := range entries {
		for _, name := range slices.Compact([]string{e.Tool, e.Name}) {
			names++
			f.exact += firstIs(rank, name, i)
			for _, wrong := range oneTypos(name) {
				slips++
				f.typo += firstIs(rank, wrong, i)
			}
		}
	}
	f.exact /= names
	f.typo /= slips
	return f
}

// measureQuestions asks every question.
func measureQuestions(rank ranking, entries []Entry, questions []question) figures {
	var f figures
	for _, q := range questions {
		recall, reciprocal := 0.0, 0.0
		for at, entry := range rank(q.Query, 5) {
			if slices.Contains(q.Relevant, entries[entry].Tool) {
				recall++
				reciprocal = max(reciprocal, 1/float64(at+1))
			}
		}
		f.recall5 += recall / float64(len(q.Relevant)) / float64(len(questions))
		f.mrr += reciprocal / float64(len(questions))
		f.hit1 += math.Floor(reciprocal) / float64(len(questions))
		f.hit5 += math.Ceil(reciprocal) / float64(len(questions))
	}
	return f
}

func firstIs(rank ranking, query string, entry int) float64 {
	if first := rank(query, 1); len(first) == 1 && first[0] == entry {
		return 1
	}
	return 0
}

func searchRanking(entries []Entry) ranking {
	x := NewIndex(entries, Options{Meaning: true})
	return func(query string, limit int) []int {
		list := []int{}
		for _, h := range x.Search(query, limit) {
			list = append(list, h.Entry)
		}
		return list
	}
}

// plainBM25 is the baseline: BM25 over the words of name and description, split at spaces and
// punctuation, without stemming or field weights.
func plainBM25(entries []Entry) ranking {
	split := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" \n\t.,:;!?()'\"`/-", r) })
	}
	docs, total, holders := make([]map[string]float64, len(entries)), 0.0, map[string]int{}
	for i, e := range entries {
		docs[i] = map[string]float64{}
		for _, w := range split(e.Tool + " " + e.Name + " " + e.Summary + " " + e.Description) {
			docs[i][w]++
			docs[i]["\x00length"]++
			total++
		}
		for w := range docs[i] {
			holders[w]++
		}
	}
	return func(query string, limit int) []int {
		scores := make([]float64, len(entries))
		for i, d := range docs {
			for _, w := range split(query) {
				norm := 1.2 * (0.25 + 0.75*d["\x00length"]/(total/float64(len(docs))))
				scores[i] += idfOf(holders[w], len(docs)) * d[w] / (d[w] + norm)
			}
		}
		return best(scores, limit)
	}
}

// substring is the other baseline: it finds entries that contain the whole query.
func substring(entries []Entry) ranking {
	return func(query string, limit int) []int {
		scores := make([]float64, len(entries))
		for i, e := range entries {
			if strings.Contains(strings.ToLower(e.Tool+" "+e.Summary+" "+e.Description), strings.ToLower(query)) {
				scores[i] = 1
			}
		}
		return best(scores, limit)
	}
}

func best(scores []float64, limit int) []int {
	order := []int{}
	for i := range scores {
		if scores[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:min(limit, len(order))]
}

// oneTypos returns the misspellings of word by one typo: every deletion and swap and, at every
// position, a substitution and an insertion; each once.
func oneTypos(word string) []string {
	var all []string
	r := []rune(word)
	rng := rand.New(rand.NewPCG(1, uint64(len(r))))
	for i := range r {
		before, after := string(r[:i]), string(r[i+1:])
		letter := string(rune('a' + rng.IntN(26)))
		all = append(all, before+after, before+letter+after, before+letter+string(r[i])+after)
		if i > 0 {
			all = append(all, string(r[:i-1])+string(r[i])+string(r[i-1])+after)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == word })
}
