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

// maxAligned is how many entries are compared word by word: those whose cosines are the largest.
const maxAligned = 500

// similarities returns how similar in meaning each entry is to the query, from 0 to 1. It is the
// mean of two measures: the cosine of what both texts mean as a whole, and how near the entry
// comes to each word of the query with its nearest word. It returns nil if no word of the query
// has a vector.
func (x *meaningIndex) similarities(query string, shared wordRows) []float64 {
	asked := queryWords(query)
	if len(asked) == 0 {
		return nil
	}
	var mean wordvectors.Vector
	for _, q := range asked {
		mean.Add(&q.vector, q.weight)
	}
	mean.Normalize()
	x.removeCenter(&mean)
	cosines := make([]float64, len(x.texts))
	for entry := range x.means {
		cosines[entry] = max(0, mean.Dot(&x.means[entry]))
	}
	minimum := nthLargest(cosines, maxAligned)
	rows := make([][]float64, len(asked))
	for i, q := range asked {
		rows[i] = x.row(q, shared)
	}
	list := make([]float64, len(x.texts))
	for entry, cosine := range cosines {
		list[entry] = cosine / 2
		if cosine >= minimum {
			list[entry] += x.covered(entry, asked, rows) / 2
		}
	}
	return list
}

// covered returns how near an entry comes to each word of a query, as a weighted mean. rows has
// the row of each word of the query.
func (x *meaningIndex) covered(entry int, asked []queryWord, rows [][]float64) float64 {
	sum, total := 0.0, 0.0
	for i, q := range asked {
		nearest := 0.0
		for _, n := range x.texts[entry] {
			nearest = max(nearest, rows[i][n])
		}
		sum += q.weight * nearest
		total += q.weight
	}
	return sum / total
}

// wordRows has a row for each word of a query: by number, how near each word of the entries comes
// to it. The clauses of a query share the rows.
type wordRows map[string][]float64

// row returns the row of a word, and adds it to rows.
func (x *meaningIndex) row(q queryWord, rows wordRows) []float64 {
	row := rows[q.text]
	if row == nil {
		row = make([]float64, len(x.vectors))
		for n := range x.vectors {
			similarity := q.vector.Dot(&x.vectors[n])
			row[n] = max(0, similarity-minSimilarity) / (1 - minSimilarity) * x.rarity[n]
		}
		rows[q.text] = row
	}
	return row
}
