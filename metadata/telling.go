package metadata

import "unicode"

// A tellingWord is a word of a query that says what is asked for: neither a
// stop word nor a number nor the word for a time or a person, which are what
// something is asked about.
type tellingWord struct {
	terms  []string // its stem and its classes, or those of what it misspells
	weight float64  // its rarity; the highest for an unknown word
}

// The parts of the evidence that an entry answers a query, and how much of it
// is enough. Two telling words agree more rarely by chance than one, however
// rare it is; so does a word that stands for a whole bundle.
const (
	evidenceWord    = 0.20 // for each telling word that the entry speaks of
	evidenceWords   = 4    // of which so many count
	evidenceShare   = 0.25 // for all the telling words, by weight
	evidenceSubject = 0.10 // for each telling word that belongs to the entry's bundle alone
	enoughEvidence  = 0.50
)

// Fits reports whether the entry answers the query, so that it may be offered,
// rather than merely shares a word with it. A name fits always, and so does
// what means the same.
func (h Hit) Fits() bool { return !h.weak }

// judge notes which of the hits of a query do not fit.
func (x *wordIndex) judge(query string, hits []Hit) {
	evidence := x.evidence(x.telling(query))
	for i, h := range hits {
		hits[i].weak = h.Score <= wordCeiling && h.Score+evidence[h.Entry] < enoughEvidence
	}
}

func (x *wordIndex) telling(query string) []tellingWord {
	var words []tellingWord
	for _, t := range withoutStopWords(tokenize(query, maxQueryWords)) {
		s := stem(t.text)
		classes := classesOf(s)
		if unicode.IsDigit([]rune(s)[0]) || len(classes) > 0 && isSlot(classes[0]) {
			continue
		}
		w := tellingWord{terms: append([]string{s}, classes...), weight: x.rarest}
		if len(x.mentions[s]) == 0 && len(classes) == 0 {
			w.terms = append(w.terms, x.misspelt(t.text)...)
		}
		for _, term := range w.terms {
			if n := len(x.mentions[term]); n > 0 {
				w.weight = min(w.weight, rarity(n, x.entries))
			}
		}
		words = append(words, w)
	}
	return words
}

// misspelt returns the terms of the words that are one typo away.
func (x *wordIndex) misspelt(word string) []string {
	var terms []string
	for _, fix := range x.lexicon.near(word) {
		if fix.distance == 1 {
			terms = append(terms, stem(fix.word))
			terms = append(terms, classesOf(stem(fix.word))...)
		}
	}
	return terms
}

// evidence says of each entry how much the words speak for its being an answer.
func (x *wordIndex) evidence(words []tellingWord) []float64 {
	spoken, subject := make([]float64, x.entries), make([]float64, x.bundles)
	matched := make([]int, x.entries)
	all := 0.0
	for _, w := range words {
		all += w.weight
		for entry, mentioned := range x.mentioning(w, subject) {
			if mentioned {
				matched[entry]++
				spoken[entry] += w.weight
			}
		}
	}
	evidence := make([]float64, x.entries)
	for entry := range evidence {
		if matched[entry] > 0 {
			evidence[entry] = evidenceWord*float64(min(matched[entry], evidenceWords)) + evidenceShare*spoken[entry]/all
		}
		evidence[entry] += evidenceSubject * subject[x.bundle[entry]]
	}
	return evidence
}

// mentioning returns which entries speak of the word. It adds to subject how
// much the word belongs to each bundle, from 0 to 1: 1 when many entries of the
// bundle and no others speak of it.
func (x *wordIndex) mentioning(w tellingWord, subject []float64) []bool {
	mentioned := make([]bool, x.entries)
	most := make([]float64, x.bundles)
	for _, term := range w.terms {
		own := make([]float64, x.bundles)
		for _, entry := range x.mentions[term] {
			mentioned[entry] = true
			own[x.bundle[entry]]++
		}
		for bundle, n := range own {
			if n > 0 {
				most[bundle] = max(most[bundle], n/float64(len(x.mentions[term]))*n/(n+2))
			}
		}
	}
	for bundle, share := range most {
		subject[bundle] += share
	}
	return mentioned
}
