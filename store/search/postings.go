package search

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
)

const (
	// enough is the number of candidates that are scored, whatever the number of
	// documents.
	enough = 150
	// maxPostings limits the documents that are read to choose candidates.
	maxPostings = 400_000
	// hardly is a share of the least candidate's worth. If the remaining words weigh
	// less, they can hardly change the choice.
	hardly = 0.5
)

// A posting is a document with its current worth as a candidate.
type posting struct {
	id    int64
	worth float64
}

// candidates returns at most enough documents with the highest worth, by the weights of
// the query terms they contain. FTS5's bm25() would read every document with any of the
// words. This function takes the rarest words first and reads only ids. Words whose
// documents exceed maxPostings do not take part in the choice, only in the score. If
// there are no other words, the newest documents represent all.
func candidates(ctx context.Context, x Source, wants []queryTerm, labels []string) ([]*Candidate, error) {
	worth := []posting{}
	left := maxPostings
	answered := rarestFirst(wants)
	for i, w := range answered {
		docs := w.allDocs()
		if docs > left && len(worth) > 0 || settled(worth, answered[i:]) {
			break
		}
		anywhere, err := x.Postings(ctx, Anywhere, w.words(), labels, left)
		if err != nil {
			return nil, err
		}
		worth = add(worth, anywhere, w.weight*inBody)
		left -= docs
		if docs <= enough {
			continue // all of them are candidates anyway
		}
		inKeys, err := x.Postings(ctx, Keys, w.words(), labels, maxPostings)
		if err != nil {
			return nil, err
		}
		worth = add(worth, inKeys, w.weight*(inKey-inBody))
	}
	return worthiest(ctx, x, worth)
}

// settled reports whether the remaining words weigh so little that they can hardly change
// the best documents.
func settled(worth []posting, left []queryTerm) bool {
	if len(worth) < enough {
		return false
	}
	rest := 0.0
	for _, w := range left {
		rest += w.weight
	}
	best := top(worth, enough)
	return rest < hardly*best[len(best)-1].worth
}

// rarestFirst returns the query terms with matches, the rarest first.
func rarestFirst(wants []queryTerm) []queryTerm {
	answered := []queryTerm{}
	for _, w := range wants {
		if len(w.terms) > 0 {
			answered = append(answered, w)
		}
	}
	slices.SortStableFunc(answered, func(a, b queryTerm) int { return cmp.Compare(a.allDocs(), b.allDocs()) })
	return answered
}

// add merges ids into postings. Both are in descending order.
func add(to []posting, ids []int64, worth float64) []posting {
	merged := make([]posting, 0, len(to)+len(ids))
	for _, id := range ids {
		for len(to) > 0 && to[0].id > id {
			merged, to = append(merged, to[0]), to[1:]
		}
		if len(to) > 0 && to[0].id == id {
			merged, to = append(merged, posting{id, to[0].worth + worth}), to[1:]
			continue
		}
		merged = append(merged, posting{id, worth})
	}
	return append(merged, to...)
}

// worthiest reads the best documents in the scope, at most enough.
func worthiest(ctx context.Context, x Source, worth []posting) ([]*Candidate, error) {
	found := []*Candidate{}
	for tried, size := 0, 4*enough; tried < len(worth) && len(found) < enough; size *= 4 {
		best := top(worth, tried+size)
		some, err := x.Documents(ctx, idsOf(best[tried:]), enough-len(found))
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
		tried = len(best)
	}
	return found, nil
}

// top returns the n postings with the highest worth, the best first. Among equals, the
// newest comes first.
func top(worth []posting, n int) []posting {
	best := worst{}
	for _, p := range worth {
		switch {
		case len(best) < n:
			heap.Push(&best, p)
		case best[0].less(p):
			best[0] = p
			heap.Fix(&best, 0)
		}
	}
	sorted := make([]posting, len(best))
	for i := len(sorted) - 1; i >= 0; i-- {
		sorted[i] = heap.Pop(&best).(posting)
	}
	return sorted
}

func idsOf(postings []posting) []int64 {
	ids := make([]int64, len(postings))
	for i, p := range postings {
		ids[i] = p.id
	}
	return ids
}

func (p posting) less(o posting) bool {
	return p.worth < o.worth || p.worth == o.worth && p.id < o.id
}

// worst is a heap with the posting of the least worth on top.
type worst []posting

func (w worst) Len() int           { return len(w) }
func (w worst) Less(i, j int) bool { return w[i].less(w[j]) }
func (w worst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *worst) Push(p any)        { *w = append(*w, p.(posting)) }
func (w *worst) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}

// allDocs returns an upper bound of the documents that match the query term.
func (w queryTerm) allDocs() int {
	sum := 0
	for _, t := range w.terms {
		sum += t.Docs
	}
	return sum
}

// words returns the terms that match the query term.
func (w queryTerm) words() []string {
	words := make([]string, len(w.terms))
	for i, t := range w.terms {
		words[i] = t.Text
	}
	return words
}
