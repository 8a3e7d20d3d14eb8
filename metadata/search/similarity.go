package search

import (
	"cmp"
	"slices"

	"kota/metadata/wordvectors"
)

// A queryWord is a word of a query with its vector.
type queryWord struct {
	text   string
	vector wordvectors.Vector
	weight float64
}

const (
	maxMeaningWords = 16  // how many words of a query count; the words that say most
	minSimilarity   = 0.3 // the similarity below which two words have nothing in common
)

// queryWords returns the words of a query that have a vector, each once.
func queryWords(query string) []queryWord {
	var list []queryWord
	for _, word := range meaningWords(query, maxQueryWords) {
		if slices.ContainsFunc(list, func(q queryWord) bool { return q.text == word }) {
			continue
		}
		if v, weight, known := wordvectors.Lookup(word); known {
			list = append(list, queryWord{word, v, weight})
		}
	}
	slices.SortStableFunc(list, func(a, b queryWord) int { return cmp.Compare(b.weight, a.weight) })
	return list[:min(maxMeaningWords, len(list))]
}

// similarities returns how similar in meaning each entry is to the query, from 0 to 1. It is the
// mean of two measures: the cosine of what both texts mean as a whole, and how near the entry
// comes to each word of the query with its nearest word. It returns nil if no word of the query
// has a vector.
func (x *meaningIndex) similarities(query string) []float64 {
	asked := queryWords(query)
	if len(asked) == 0 {
		return nil
	}
	var mean wordvectors.Vector
	total := 0.0
	for _, q := range asked {
		mean.Add(&q.vector, q.weight)
		total += q.weight
	}
	mean.Normalize()
	x.removeCenter(&mean)
	nearness := x.nearness(asked)
	list := make([]float64, len(x.texts))
	for entry, text := range x.texts {
		covered := 0.0
		for i, q := range asked {
			nearest := 0.0
			for _, n := range text {
				nearest = max(nearest, nearness[i][n])
			}
			covered += q.weight * nearest
		}
		list[entry] = (max(0, mean.Dot(&x.means[entry])) + covered/total) / 2
	}
	return list
}

// nearness returns how near each word of the entries comes to each word of a query, by word of
// the query and number.
func (x *meaningIndex) nearness(asked []queryWord) [][]float64 {
	table := make([][]float64, len(asked))
	for i, q := range asked {
		table[i] = make([]float64, len(x.vectors))
		for n := range x.vectors {
			similarity := q.vector.Dot(&x.vectors[n])
			table[i][n] = max(0, similarity-minSimilarity) / (1 - minSimilarity) * x.rarity[n]
		}
	}
	return table
}
