package search

import (
	"math"
	"slices"
	"strings"

	"kota/metadata/words"
)

// A phraseIndex finds entries by the phrase of theirs nearest to a query: a sentence is
// like one phrase, not like all. Stop words and order count.
type phraseIndex struct {
	phrases  []phrase
	numbers  map[string]int // of terms
	terms    []string       // words, pairs of neighbours and classes: see phraseTerms
	postings [][]int32      // the phrases that hold a term
	weight   []float64      // of a term
	words    []string       // the terms that are words, sorted
	unknown  float64        // the weight of a word of no phrase
	mean     float64        // the weight of a phrase, on average
	of       []int          // how many phrases an entry has
}

// What a term is worth against a rare word.
const (
	pairWeight  = 0.4
	classWeight = 1.0
	slotWeight  = 0.4
	otherForm   = 0.6  // another form of the word that was asked for
	nextPhrase  = 0.8  // each next nearest phrase of an entry against the one before it
	ofQuestion  = 0.85 // a phrase that only orders, against one that asks what is asked
	ofOrder     = 0.75 // a phrase that only asks, where something is ordered or told
	dilution    = 0.7  // how much a heavy phrase is taken to be one of many words: 0 not at all, 1 fully
)

func newPhraseIndex(entries []Entry) phraseIndex {
	x := phraseIndex{numbers: map[string]int{}, unknown: rarity(0, len(entries))}
	x.of = make([]int, len(entries))
	for i, e := range entries {
		for _, text := range slices.Concat(e.Phrases, e.Examples, []string{e.Summary, e.Name, strings.Join(e.Tags, " ")}) {
			p := int32(len(x.phrases))
			x.phrases = append(x.phrases, newPhrase(i, text))
			x.of[i]++
			for _, term := range phraseTerms(text) {
				t := x.term(term)
				x.postings[t] = append(x.postings[t], p)
			}
		}
	}
	x.weight = make([]float64, len(x.terms))
	for t, term := range x.terms {
		x.weight[t] = share(term) * rarity(x.holders(t), len(entries))
		for _, p := range x.postings[t] {
			x.phrases[p].weight += x.weight[t]
		}
		if isWord(term) {
			x.words = append(x.words, term)
		}
	}
	for _, p := range x.phrases {
		x.mean += p.weight / float64(len(x.phrases))
	}
	slices.Sort(x.words)
	return x
}

func (x *phraseIndex) term(term string) int {
	t, known := x.numbers[term]
	if !known {
		t = len(x.terms)
		x.numbers[term] = t
		x.terms = append(x.terms, term)
		x.postings = append(x.postings, nil)
	}
	return t
}

// holders counts the entries that have a phrase with the term.
func (x *phraseIndex) holders(term int) int {
	n, last := 0, -1
	for _, p := range x.postings[term] {
		if entry := x.phrases[p].entry; entry != last {
			n, last = n+1, entry
		}
	}
	return n
}

// phraseTerms returns what a text is compared by: its stems, each pair of
// neighbours, and the classes of its words, each once.
func phraseTerms(text string) []string {
	var terms []string
	add := func(term string) {
		if !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	before := ""
	for _, t := range words.Split(text, maxQueryWords) {
		s := words.Stem(t.Text)
		add(s)
		if before != "" {
			add(before + " " + s)
		}
		before = s
		for _, class := range classesOf(s) {
			add(class)
		}
	}
	return terms
}

// share is what a term is worth, by its kind, against a word as rare.
func share(term string) float64 {
	switch {
	case isSlot(term):
		return slotWeight
	case isClass(term):
		return classWeight
	case strings.Contains(term, " "):
		return pairWeight
	}
	return 1
}

func isWord(term string) bool { return !isClass(term) && !strings.Contains(term, " ") }

// mostPhrases is how many phrases of an entry have a say. One alone says much by
// chance; an entry that is meant is near in several ways.
const mostPhrases = 6

// find returns for each entry how near the query is to it, in [0, 1]: the
// cosine, over weighed terms, between the query and the nearest phrases, of which
// each has less to say than the one before. The weight of a phrase counts by pivoted length
// normalisation (Singhal, Buckley and Mitra, "Pivoted document length
// normalization", 1996), lest phrases of few words come first.
func (x *phraseIndex) find(query string, entries int) []float64 {
	matched, total := x.match(query)
	question := asks(query)
	best := make([][mostPhrases]float64, entries)
	for p, weight := range matched {
		if weight == 0 {
			continue
		}
		of := x.phrases[p]
		near := weight / math.Sqrt(total*((1-dilution)*x.mean+dilution*of.weight))
		switch {
		case question && !of.asks:
			near *= ofQuestion
		case !question && !of.orders:
			near *= ofOrder
		}
		top := &best[of.entry]
		for i := range top {
			if near > top[i] {
				top[i], near = near, top[i]
			}
		}
	}
	scores := make([]float64, entries)
	for entry, phrases := range best {
		say, all := 1.0, 0.0
		for _, near := range phrases[:min(mostPhrases, max(1, x.of[entry]))] {
			scores[entry] += say * near
			all += say
			say *= nextPhrase
		}
		scores[entry] = min(1, scores[entry]/all)
	}
	return scores
}

// match returns the weight that each phrase shares with the query, and the query's own.
func (x *phraseIndex) match(query string) (matched []float64, total float64) {
	matched = make([]float64, len(x.phrases))
	for _, term := range phraseTerms(query) {
		if t, known := x.numbers[term]; known {
			total += x.weight[t]
			for _, p := range x.postings[t] {
				matched[p] += x.weight[t]
			}
			continue
		}
		total += share(term) * x.unknown
		if !isWord(term) {
			continue
		}
		for _, t := range x.forms(term) {
			for _, p := range x.postings[t] {
				matched[p] += otherForm * x.weight[t]
			}
		}
	}
	return matched, total
}

// forms returns the words that share the beginning of word, at least four letters and three
// quarters of the longer: inflections in unstemmed languages.
func (x *phraseIndex) forms(word string) []int {
	const least = 4
	if len(word) <= least {
		return nil
	}
	var list []int
	from, _ := slices.BinarySearch(x.words, word[:least])
	for _, other := range x.words[from:] {
		n := commonPrefix(word, other)
		if n < least {
			break
		}
		if 4*n >= 3*max(len(word), len(other)) {
			list = append(list, x.numbers[other])
		}
	}
	return list
}
