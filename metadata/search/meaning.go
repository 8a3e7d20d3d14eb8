package search

import (
	"math"
	"slices"

	"kota/metadata/words"
	"kota/metadata/wordvectors"
)

// A meaningIndex finds entries whose English words are similar in meaning to those of a query.
type meaningIndex struct {
	numbers map[string]int32 // by word: its number, or -1 if it has no vector
	vectors []wordvectors.Vector
	weights []float64            // by number: how much the word says in general
	rarity  []float64            // by number: from 0 to 1; a word of many entries says little here
	texts   [][]int32            // by entry: the numbers of its words
	means   []wordvectors.Vector // by entry: what its words mean, apart from center
	center  wordvectors.Vector   // what all entries have in common
}

func newMeaningIndex(entries []Entry) *meaningIndex {
	x := &meaningIndex{numbers: map[string]int32{}}
	var holder []int // by number: the last entry that has the word, counted from 1
	for i, e := range entries {
		var text []int32
		for _, part := range slices.Concat([]string{e.Tool, e.Summary, e.Description}, e.Phrases, paramNames(e.Params)) {
			for _, word := range meaningWords(part, 0) {
				n := x.numberOf(word)
				if n < 0 {
					continue
				}
				if int(n) == len(holder) {
					holder = append(holder, 0)
				}
				if holder[n] != i+1 {
					holder[n], text = i+1, append(text, n)
				}
			}
		}
		x.texts = append(x.texts, text)
	}
	x.measureRarity()
	for _, text := range x.texts {
		var mean wordvectors.Vector
		for _, n := range text {
			mean.Add(&x.vectors[n], x.weights[n]*x.rarity[n])
		}
		mean.Normalize()
		x.means = append(x.means, mean)
		x.center.Add(&mean, 1/float64(len(entries)))
	}
	for entry := range x.means {
		x.removeCenter(&x.means[entry])
	}
	return x
}

// numberOf returns the number of a word, and assigns one to a new word. It returns -1 if the
// word has no vector.
func (x *meaningIndex) numberOf(word string) int32 {
	if n, seen := x.numbers[word]; seen {
		return n
	}
	n := int32(-1)
	if v, weight, known := wordvectors.Lookup(word); known {
		n = int32(len(x.vectors))
		x.vectors, x.weights = append(x.vectors, v), append(x.weights, weight)
	}
	x.numbers[word] = n
	return n
}

func (x *meaningIndex) measureRarity() {
	holders := make([]int, len(x.vectors))
	for _, text := range x.texts {
		for _, n := range text {
			holders[n]++
		}
	}
	for _, count := range holders {
		x.rarity = append(x.rarity, idfOf(count, len(x.texts))/idfOf(1, len(x.texts)))
	}
}

// removeCenter removes from a mean what all entries have in common. If nothing is left, as
// when all entries have equal texts, the mean becomes zero.
func (x *meaningIndex) removeCenter(mean *wordvectors.Vector) {
	const nothing = 1e-3
	mean.Add(&x.center, -1)
	if mean.Dot(mean) < nothing*nothing {
		*mean = wordvectors.Vector{}
	}
	mean.Normalize()
}

// meaningWords returns the words of a text that may have a vector; limit is as for words.Split.
func meaningWords(text string, limit int) []string {
	var list []string
	for _, t := range words.Split(text, limit) {
		switch {
		case stopWords()[t.Text] || t.Unspaced:
		case len(t.Parts) > 0:
			list = append(list, t.Parts...)
		default:
			list = append(list, t.Text)
		}
	}
	return list
}

// The constants of add. They were chosen with the tune set of the foreign catalogues.
const (
	meaningShare = 0.4  // the share of the meaning in a score; the words have the rest
	minMeaning   = 0.15 // the minimum similarity of a hit that words did not find
)

// add adds the similarity in meaning to the scores of hits by words, and adds the entries that
// only their meaning finds. The score by words is divided by the root of the best one, because
// in a long query the scores by words are all small.
func (x *meaningIndex) add(hits []Hit, query string, shared wordRows) []Hit {
	similar := x.similarities(query, shared)
	if similar == nil {
		return hits
	}
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	highest := (1-meaningShare)*math.Sqrt(wordCeiling) + meaningShare
	score := func(byWords, similarity float64) float64 {
		sum := meaningShare * similarity
		if byWords > 0 {
			sum += (1 - meaningShare) * byWords / math.Sqrt(best)
		}
		return wordCeiling * sum / highest
	}
	found := map[int]bool{}
	for i, h := range hits {
		found[h.Entry] = true
		hits[i].Score = score(h.Score, similar[h.Entry])
	}
	minimum := max(minMeaning, nthLargest(similar, maxByWords))
	for entry, s := range similar {
		if s >= minimum && !found[entry] {
			hits = append(hits, Hit{Entry: entry, Score: score(0, s), MatchKind: MatchMeaning})
		}
	}
	return hits
}
