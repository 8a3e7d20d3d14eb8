package metadata

import (
	"maps"
	"slices"
)

// A wordIndex finds entries by the words said of them.
type wordIndex struct {
	terms    map[string]int // by stem
	postings [][]posting    // by term
	idf      []float64      // by term
	rarest   float64        // the idf of a word that occurs nowhere
	entries  int
	lexicon  lexicon // of the words before stemming
}

func newWordIndex(entries []Entry) wordIndex {
	x := wordIndex{terms: map[string]int{}, entries: len(entries), rarest: rarity(0, len(entries))}
	vocabulary := map[string]bool{}
	var all []occurrence
	lengths := make([][]float64, len(fields))
	for f := range fields {
		lengths[f] = make([]float64, len(entries))
	}
	for i, e := range entries {
		for f := range fields {
			for _, text := range fields[f].text(e) {
				for _, t := range tokenize(text, 0) {
					lengths[f][i]++
					for _, word := range t.indexed() {
						vocabulary[word] = true
						all = append(all, occurrence{int32(x.term(word)), int32(i), int32(f)})
					}
				}
			}
		}
	}
	x.postings, x.idf = weigh(all, len(x.terms), len(entries), lengths)
	x.lexicon = newLexicon(slices.Sorted(maps.Keys(vocabulary)))
	return x
}

// term returns the number of word's stem, a new one when it has none yet.
func (x *wordIndex) term(word string) int {
	s := stem(word)
	t, known := x.terms[s]
	if !known {
		t = len(x.terms)
		x.terms[s] = t
	}
	return t
}

// indexed returns the words under which t is found: itself and its pieces, and
// for a run without spaces every character as well as every two.
func (t token) indexed() []string {
	if !t.unspaced {
		return append([]string{t.text}, t.parts...)
	}
	words := slices.Clone(t.parts)
	for _, r := range t.text {
		words = append(words, string(r))
	}
	return words
}

// knows reports whether every word of a query, stop words aside, occurs in the
// index.
func (x *wordIndex) knows(tokens []token) bool {
	for _, t := range withoutStopWords(tokens) {
		if _, known := x.terms[stem(t.text)]; !known {
			return false
		}
	}
	return true
}

// find returns the entries that words of the query speak for. A score is the
// share of what a perfect answer would reach, below wordCeiling.
func (x *wordIndex) find(tokens []token) []Hit {
	concepts := x.concepts(withoutStopWords(tokens))
	total := 0.0
	tallies := make([]tally, x.entries)
	for n, c := range concepts {
		total += c.most
		for _, alt := range c.alternatives {
			for _, p := range x.postings[alt.term] {
				tallies[p.entry].add(n, p.impact*alt.weight, alt.spelt)
			}
		}
	}
	var hits []Hit
	for entry, t := range tallies {
		if t.score == 0 {
			continue
		}
		why := WhySpelling
		if t.asWritten {
			why = WhyWord
		}
		hits = append(hits, Hit{entry, wordCeiling * t.score / total, why})
	}
	return hits
}

// A tally sums what the concepts of a query say for one entry: of each concept
// the strongest alternative alone.
type tally struct {
	score     float64
	concept   int     // the last one that spoke, counted from 1
	strongest float64 // what it said
	asWritten bool    // some word was matched as it was written
}

func (t *tally) add(concept int, impact float64, spelt bool) {
	t.asWritten = t.asWritten || !spelt
	if t.concept != concept+1 {
		t.concept, t.strongest = concept+1, 0
	}
	if impact > t.strongest {
		t.score += impact - t.strongest
		t.strongest = impact
	}
}
