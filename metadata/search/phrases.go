package search

import (
	"math"
	"slices"
	"strings"

	"kota/metadata/words"
)

// A phraseIndex finds entries by their phrase that is nearest to a query: a sentence is like
// one phrase, not like all. Stop words and word order count.
type phraseIndex struct {
	phrases      []phrase
	numbers      map[string]int // of terms
	terms        []string       // words, pairs of neighbours and classes: see phraseTerms
	postings     [][]int32      // by term: the phrases that contain it
	weight       []float64      // by term
	words        []string       // the terms that are words, sorted
	unknown      float64        // the weight of a word that no phrase has
	mean         float64        // the mean weight of a phrase
	phraseCounts []int          // by entry: its number of phrases
}

// Weights relative to that of a rare word.
const (
	pairWeight         = 0.4
	classWeight        = 1.0
	slotWeight         = 0.4
	inflectionWeight   = 0.6  // for another form of the word in the query
	phraseDecay        = 0.8  // for each next nearest phrase of an entry, relative to the one before it
	commandForQuestion = 0.85 // for a phrase that is only a command, if the query is a question
	questionForCommand = 0.75 // for a phrase that is only a question, if the query is a command or a statement
	dilution           = 0.7  // how much the weight of a phrase counts as its length: 0 not at all, 1 fully
)

func newPhraseIndex(entries []Entry) phraseIndex {
	x := phraseIndex{numbers: map[string]int{}, unknown: rarity(0, len(entries))}
	x.phraseCounts = make([]int, len(entries))
	for i, e := range entries {
		for _, text := range slices.Concat(e.Phrases, e.Examples, []string{e.Summary, e.Name, strings.Join(e.Tags, " ")}) {
			if text == "" {
				continue
			}
			p := int32(len(x.phrases))
			x.phrases = append(x.phrases, newPhrase(i, text))
			x.phraseCounts[i]++
			for _, term := range phraseTerms(text) {
				t := x.term(term)
				x.postings[t] = append(x.postings[t], p)
			}
		}
	}
	x.weight = make([]float64, len(x.terms))
	for t, term := range x.terms {
		x.weight[t] = kindWeight(term) * rarity(x.entryCount(t), len(entries))
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

// phraseTerms returns the terms of a text: its stems, each pair of neighbours, and the classes
// of its words, each once.
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

// kindWeight returns the weight of a term by its kind, relative to a word of equal rarity.
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

// maxPhrases is the maximum number of an entry's phrases that count. One phrase may match by
// chance; the right entry is near in several ways.
const maxPhrases = 6

// find returns how near the query is to each entry, in [0, 1]. It is the cosine, over weighted
// terms, between the query and the nearest phrases; each phrase counts less than the one
// before it. The weight of a phrase is reduced by pivoted length normalisation (Singhal,
// Buckley and Mitra, "Pivoted document length normalization", 1996). Otherwise short phrases
// would always come first.
func (x *phraseIndex) find(query string, entries int) []float64 {
	matched, total := x.match(query)
	question := isQuestion(query)
	best := make([][maxPhrases]float64, entries)
	for p, weight := range matched {
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
		top := &best[phrase.entry]
		for i := range top {
			if score > top[i] {
				top[i], score = score, top[i]
			}
		}
	}
	scores := make([]float64, entries)
	for entry, phrases := range best {
		share, all := 1.0, 0.0
		for _, score := range phrases[:min(maxPhrases, max(1, x.phraseCounts[entry]))] {
			scores[entry] += share * score
			all += share
			share *= phraseDecay
		}
		scores[entry] = min(1, scores[entry]/all)
	}
	return scores
}

// match returns the weight that each phrase shares with the query, and the query's own weight.
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
	return matched, total
}

// forms returns the known words with the same beginning: at least four letters and three
// quarters of the longer word. They are inflections in languages without a stemmer.
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
