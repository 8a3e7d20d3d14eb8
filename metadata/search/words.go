package search

import (
	"maps"
	"math"
	"slices"
	"sync"

	"kota/metadata/words"
)

// A wordIndex finds entries by the words of their texts.
type wordIndex struct {
	terms    map[string]int // the number of each stem's term
	postings [][]posting    // by term
	idf      []float64      // by term
	maxIDF   float64        // the idf of a word that no entry has
	entries  int            // the number of entries
	lexicon  lexicon        // the words before stemming
	phrases  phraseIndex
	share    []float64 // by entry: the share of its phrases in its score
}

func newWordIndex(entries []Entry) wordIndex {
	reader := newTextReader(entries)
	x := wordIndex{terms: map[string]int{}, entries: len(entries), maxIDF: idfOf(0, len(entries))}
	var wait sync.WaitGroup
	wait.Go(func() { x.phrases = newPhraseIndex(entries, reader) })
	vocabulary := map[string]bool{}
	var occurrences []occurrence
	lengths := make([][]float64, len(fields))
	for f := range fields {
		lengths[f] = make([]float64, len(entries))
	}
	for i, e := range entries {
		share := phraseShare
		if len(e.Phrases) < 2 {
			share = titleShare
		}
		x.share = append(x.share, share)
		for f := range fields {
			for _, text := range fields[f].text(e) {
				for _, t := range reader.tokens[text] {
					lengths[f][i]++
					for _, word := range indexWords(t) {
						vocabulary[word] = true
						occurrences = append(occurrences, occurrence{int32(x.term(reader.stem(word))), int32(i), int32(f)})
					}
				}
			}
		}
	}
	x.postings, x.idf = weigh(occurrences, len(x.terms), len(entries), lengths)
	x.lexicon = newLexicon(slices.Sorted(maps.Keys(vocabulary)))
	wait.Wait()
	return x
}

// term returns the number of a stem, and assigns one to a new stem.
func (x *wordIndex) term(stem string) int {
	t, known := x.terms[stem]
	if !known {
		t = len(x.terms)
		x.terms[stem] = t
	}
	return t
}

// indexWords returns the words by which a query finds t: its text and its parts. For an
// unspaced token, these are its parts and its single characters.
func indexWords(t words.Token) []string {
	if !t.Unspaced {
		return append([]string{t.Text}, t.Parts...)
	}
	list := slices.Clone(t.Parts)
	for _, r := range t.Text {
		list = append(list, string(r))
	}
	return list
}

// knows reports whether the index has every word of a query, except for stop words.
func (x *wordIndex) knows(tokens []words.Token) bool {
	return !slices.ContainsFunc(withoutStopWords(tokens), func(t words.Token) bool {
		return slices.ContainsFunc(x.lookupWords(t), func(word string) bool { return !x.has(word) })
	})
}

// find returns the entries that match the query by words or phrases, in no order. If there are
// more than maxByWords, it returns those with the best scores. A perfect match has the score
// wordCeiling.
func (x *wordIndex) find(query string) []Hit {
	scores := x.phrases.scores(query, x.entries)
	tallies := tallyPool.take(x.entries)
	defer tallyPool.give(tallies)
	total := x.tally(withoutStopWords(words.Split(query, maxQueryWords)), *tallies)
	found := 0
	for entry, t := range *tallies {
		if t.score == 0 && scores[entry] < minPhraseScore {
			scores[entry] = 0
			continue
		}
		share := x.share[entry]
		scores[entry] = share*scores[entry] + (1-share)*t.score/total
		found++
	}
	minimum := max(math.SmallestNonzeroFloat64, nthLargest(scores, maxByWords))
	hits := make([]Hit, 0, min(found, maxByWords))
	for entry, score := range scores {
		if score < minimum {
			continue
		}
		kind := MatchWord
		if t := (*tallies)[entry]; t.score > 0 && !t.asWritten {
			kind = MatchSpelling
		}
		hits = append(hits, Hit{Entry: entry, Score: wordCeiling * score, MatchKind: kind})
	}
	return hits
}

// maxByWords is the maximum number of hits by words, apart from ties with the last of them. In
// a large catalogue, thousands of entries share some word with a query.
const maxByWords = 200

// nthLargest returns the n-th largest score, or 0 if fewer are positive.
func nthLargest(scores []float64, n int) float64 {
	positive := make([]float64, 0, len(scores))
	for _, score := range scores {
		if score > 0 {
			positive = append(positive, score)
		}
	}
	if len(positive) < n {
		return 0
	}
	slices.Sort(positive)
	return positive[len(positive)-n]
}

var tallyPool slicePool[tally]

// tally fills the tallies of the entries, and returns the maximum score that the words can give.
func (x *wordIndex) tally(tokens []words.Token, tallies []tally) (total float64) {
	for n, c := range x.concepts(tokens) {
		total += c.maxScore
		for _, alt := range c.alternatives {
			for _, p := range x.postings[alt.term] {
				tallies[p.entry].add(n, p.impact*alt.weight, alt.corrected)
			}
		}
	}
	return total
}

const (
	phraseShare    = 0.75 // the share of the nearest phrases in a score; the words of the entry have the rest
	titleShare     = 0.5  // the same for an entry with at most one phrase, whose summary and name serve as phrases
	minPhraseScore = 0.1  // below this score, the nearest phrases share only stop words with the query
)

// A tally sums the scores of the concepts that match an entry. Only the strongest alternative
// of a concept counts.
type tally struct {
	score     float64
	concept   int     // the last concept that matched, counted from 1; 0 for none
	strongest float64 // the score of the strongest alternative of that concept so far
	asWritten bool    // a word matched without a correction of its spelling
}

// add counts an alternative of the concept, which is counted from 0. All alternatives of a
// concept must be added one after the other.
func (t *tally) add(concept int, impact float64, corrected bool) {
	t.asWritten = t.asWritten || !corrected
	if t.concept != concept+1 {
		t.concept, t.strongest = concept+1, 0
	}
	if impact > t.strongest {
		t.score += impact - t.strongest
		t.strongest = impact
	}
}
