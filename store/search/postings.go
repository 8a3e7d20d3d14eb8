package search

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
)

const (
	// maxCandidates limits the candidates that are scored.
	maxCandidates = 150
	// maxPostings limits the ids that are read to choose candidates. It does not count the ids
	// that are read again for the keys.
	maxPostings = 400_000
	// negligible is a share of the weight of the last candidate. If the remaining words together
	// weigh less than this share, they hardly change the choice.
	negligible = 0.5
)

// A posting is a document with its current weight as a candidate.
type posting struct {
	id     int64
	weight float64
}

// candidates returns the documents with the highest weights, at most maxCandidates. The weight of
// a document is the sum of the weights of the query terms in it. FTS5's bm25() would read every
// document with any of the words. candidates instead takes the rarest words first, and reads only
// ids. It stops before the word with which it would read more than maxPostings ids, or if the
// remaining words hardly change the choice. The words that are left only affect the score. If even
// the rarest word has more documents, candidates takes the newest of them.
func candidates(ctx context.Context, x Source, terms []queryTerm, labels []string) ([]*Candidate, error) {
	postings := []posting{}
	left := maxPostings
	matched := sortByRarity(terms)
	read := x.Postings(ctx, labels, postingsQueries(matched))
	for i, w := range matched {
		docs := w.allDocs()
		if docs > left && len(postings) > 0 || restIsNegligible(postings, matched[i:]) {
			break
		}
		anywhere, err := read(2 * i)
		if err != nil {
			return nil, err
		}
		postings = addPostings(postings, anywhere, w.weight*inBody)
		left -= docs
		if docs <= maxCandidates {
			continue // all of them are candidates, so their order does not matter
		}
		inKeys, err := read(2*i + 1)
		if err != nil {
			return nil, err
		}
		postings = addPostings(postings, inKeys, w.weight*(inKey-inBody))
	}
	return readBest(ctx, x, postings)
}

// postingsQueries returns two queries for each query term: for documents with it anywhere, and with
// it in their keys.
func postingsQueries(terms []queryTerm) []PostingsQuery {
	left := maxPostings
	queries := make([]PostingsQuery, 0, 2*len(terms))
	for _, w := range terms {
		words, docs := w.words(), w.allDocs()
		queries = append(queries, PostingsQuery{Anywhere, words, docs, left}, PostingsQuery{Keys, words, docs, maxPostings})
		left -= docs
	}
	return queries
}

// restIsNegligible reports whether the remaining words weigh so little that they can hardly change
// the best documents.
func restIsNegligible(postings []posting, left []queryTerm) bool {
	if len(postings) < maxCandidates {
		return false
	}
	rest := 0.0
	for _, w := range left {
		rest += w.weight
	}
	best := topPostings(postings, maxCandidates)
	return rest < negligible*best[len(best)-1].weight
}

// sortByRarity returns the query terms with matches, the rarest first. The synonyms of a query
// term are a query term of their own, so that they do not displace documents with the word itself.
func sortByRarity(terms []queryTerm) []queryTerm {
	matched := []queryTerm{}
	for _, w := range terms {
		others := w
		others.weight *= synonymQuality
		others.terms = slices.DeleteFunc(slices.Clone(w.terms), func(t Term) bool { return !t.synonym })
		w.terms = slices.DeleteFunc(slices.Clone(w.terms), func(t Term) bool { return t.synonym })
		for _, part := range []queryTerm{w, others} {
			if len(part.terms) > 0 {
				matched = append(matched, part)
			}
		}
	}
	slices.SortStableFunc(matched, func(a, b queryTerm) int { return cmp.Compare(a.allDocs(), b.allDocs()) })
	return matched
}

// addPostings adds weight to the postings of ids in to, and adds missing postings. to, ids and
// the result are in descending order of ids.
func addPostings(to []posting, ids []int64, weight float64) []posting {
	merged := make([]posting, 0, len(to)+len(ids))
	for _, id := range ids {
		for len(to) > 0 && to[0].id > id {
			merged, to = append(merged, to[0]), to[1:]
		}
		if len(to) > 0 && to[0].id == id {
			merged, to = append(merged, posting{id, to[0].weight + weight}), to[1:]
			continue
		}
		merged = append(merged, posting{id, weight})
	}
	return append(merged, to...)
}

// readBest reads the searchable documents with the highest weights, at most maxCandidates.
func readBest(ctx context.Context, x Source, postings []posting) ([]*Candidate, error) {
	found := []*Candidate{}
	for tried, size := 0, 4*maxCandidates; tried < len(postings) && len(found) < maxCandidates; size *= 4 {
		best := topPostings(postings, tried+size)
		some, err := x.Documents(ctx, idsOf(best[tried:]), maxCandidates-len(found))
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
		tried = len(best)
	}
	return found, nil
}

// topPostings returns the n postings with the highest weight, the best first. Among equals, the
// newest comes first.
func topPostings(postings []posting, n int) []posting {
	best := minHeap{}
	for _, p := range postings {
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

func (p posting) less(other posting) bool {
	return p.weight < other.weight || p.weight == other.weight && p.id < other.id
}

// minHeap is a heap.Interface; its first posting has the lowest weight.
type minHeap []posting

func (w minHeap) Len() int           { return len(w) }
func (w minHeap) Less(i, j int) bool { return w[i].less(w[j]) }
func (w minHeap) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *minHeap) Push(p any)        { *w = append(*w, p.(posting)) }
func (w *minHeap) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}

// allDocs returns an upper bound for the number of documents that match the query term.
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
