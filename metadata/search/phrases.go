package search

import (
	"math"
	"slices"
	"strings"

	"kota/metadata/words"
)

// A phraseIndex finds the entries whose phrases are nearest to a query. Unlike in
// wordIndex, stop words and word order count.
type phraseIndex struct {
	phrases      []phrase
	numbers      map[string]int // by term: its index in terms
	terms        []string       // stems, pairs of stems and classes: see phraseTerms
	postings     [][]int32      // by index of a term: the phrases that contain it
	weight       []float64      // by index of a term
	words        []string       // the terms that are stems, sorted
	unknown      float64        // the weight of a word that no phrase has
	mean         float64        // the mean weight of all phrases
	phraseCounts []int          // by entry: its number of phrases
}

// The weights of terms, relative to a word of equal rarity, and factors of scores.
const (
	pairWeight         = 0.4  // of two neighbouring words
	classWeight        = 1.0  // of a class of synonyms
	slotWeight         = 0.4  // of a slot: see slotLines
	inflectionWeight   = 0.6  // of another form of the word in the query
	phraseDecay        = 0.8  // of each next nearest phrase of an entry, relative to the phrase before it
	commandForQuestion = 0.85 // for a phrase that is only a command, if the query is a question
	questionForCommand = 0.75 // for a phrase that is only a question, if the query is a command or a statement
	dilution           = 0.7  // how much the weight of a phrase counts as its length: 0 not at all, 1 fully
)

func newPhraseIndex(entries []Entry, r *textReader) phraseIndex {
	x := phraseIndex{numbers: map[string]int{}, unknown: idfOf(0, len(entries))}
	x.phraseCounts = make([]int, len(entries))
	for i, e := range entries {
		for _, text := range phraseTexts(e) {
			p := int32(len(x.phrases))
			x.phrases = append(x.phrases, newPhrase(i, text))
			x.phraseCounts[i]++
			for _, term := range phraseTerms(r.tokens[text], r.stem) {
				t := x.term(term)
				x.postings[t] = append(x.postings[t], p)
			}
		}
	}
	x.weight = make([]float64, len(x.terms))
	for t, term := range x.terms {
		x.weight[t] = kindWeight(term) * idfOf(x.entryCount(t), len(entries))
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

// term returns the index of a term, and adds a new term.
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

// entryCount counts the entries that have a phrase with the term.
func (x *phraseIndex) entryCount(term int) int {
	n, last := 0, -1
	for _, p := range x.postings[term] {
		if entry := x.phrases[p].entry; entry != last {
			n, last = n+1, entry
		}
	}
	return n
}

// phraseTerms returns the terms of a text: its stems, its pairs of neighbouring stems, and the
// classes of its stems, except verb classes. It returns each term once. Only the first
// maxQueryWords words count.
func phraseTerms(tokens []words.Token, stem func(string) string) []string {
	terms := make([]string, 0, 3*len(tokens))
	add := func(term string) {
		if !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	before := ""
	for _, t := range tokens[:min(maxQueryWords, len(tokens))] {
		s := stem(t.Text)
		add(s)
		if before != "" {
			add(before + " " + s)
		}
		before = s
		for _, class := range classesOf(s) {
			if !isVerb(class) {
				add(class)
			}
		}
	}
	return terms
}

// kindWeight returns the weight of a term relative to a word of equal rarity.
func kindWeight(term string) float64 {
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

// maxPhrases is the maximum number of phrases that count for an entry. One phrase may match by
// chance, but the right entry usually has several near phrases.
const maxPhrases = 6

// scores returns how near the query is to each entry, in [0, 1]. This is a weighted mean of the
// cosines between the query and the entry's nearest phrases. Each phrase counts less than the
// phrase before it. Pivoted length normalisation (Singhal, Buckley and Mitra, "Pivoted
// document length normalization", 1996) keeps short phrases from always coming first.
func (x *phraseIndex) scores(query string, entries int) []float64 {
	matched, best := matchedPool.take(len(x.phrases)), bestPool.take(entries)
	defer matchedPool.give(matched)
	defer bestPool.give(best)
	total := x.match(query, *matched)
	question := beginsAsQuestion(query)
	for p, weight := range *matched {
		if weight == 0 {
			continue
		}
		phrase := x.phrases[p]
		score := weight / math.Sqrt(total*((1-dilution)*x.mean+dilution*phrase.weight))
		switch {
		case question && !phrase.isQuestion:
			score *= commandForQuestion
		case !question && !phrase.isCommand:
			score *= questionForCommand
		}
		top := &(*best)[phrase.entry]
		for i := range top {
			if score > top[i] {
				top[i], score = score, top[i]
			}
		}
	}
	list := make([]float64, entries)
	for entry, phrases := range *best {
		share, shares := 1.0, 0.0
		for _, score := range phrases[:min(maxPhrases, max(1, x.phraseCounts[entry]))] {
			list[entry] += share * score
			shares += share
			share *= phraseDecay
		}
		list[entry] = min(1, list[entry]/shares)
	}
	return list
}

var (
	matchedPool slicePool[float64]
	bestPool    slicePool[[maxPhrases]float64]
)

// match adds the weight that each phrase shares with the query to matched, and returns the total
// weight of the query.
func (x *phraseIndex) match(query string, matched []float64) (total float64) {
	for _, term := range phraseTerms(words.Split(query, maxQueryWords), words.Stem) {
		if t, known := x.numbers[term]; known {
			total += x.weight[t]
			for _, p := range x.postings[t] {
				matched[p] += x.weight[t]
			}
			continue
		}
		total += kindWeight(term) * x.unknown
		if !isWord(term) {
			continue
		}
		for _, t := range x.forms(term) {
			for _, p := range x.postings[t] {
				matched[p] += inflectionWeight * x.weight[t]
			}
		}
	}
	return total
}

// forms returns the known words that begin like word. The common beginning must have at least
// four bytes (four Latin or two Cyrillic letters), and three quarters of the longer word. forms
// finds inflections in languages without a stemmer.
func (x *phraseIndex) forms(word string) []int {
	const minPrefix = 4
	if len(word) <= minPrefix {
		return nil
	}
	var list []int
	from, _ := slices.BinarySearch(x.words, word[:minPrefix])
	for _, other := range x.words[from:] {
		n := commonPrefix(word, other)
		if n < minPrefix {
			break
		}
		if 4*n >= 3*max(len(word), len(other)) {
			list = append(list, x.numbers[other])
		}
	}
	return list
}
