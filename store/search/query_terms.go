package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/metadata/wordvectors"
	"kota/store"
)

// A queryTerm is one word of a query with the matching terms of the index.
type queryTerm struct {
	word      string
	spellings []string // other spellings, and the joined spelling of its chunk
	capital   bool     // the word begins with a capital letter and is not the first of the query
	literal   bool     // the word has symbols such as +, and matches only with them
	compound  bool     // the word is a part of a compound, which is a queryTerm too
	pair      bool     // two ideographs that may belong to different words
	terms     []Term
	weight    float64 // how significant the word is: rare words have more weight
}

// A Term is a term of the index that a word may mean.
type Term struct {
	Text      string
	quality   float64 // how well the term matches the word: 1 for the word itself
	part      bool    // the term is a part of the word, or contains the word
	synonym   bool    // the term is another word for the same thing
	matchKind store.MatchKind
	Docs      int
}

const (
	MaxQuery       = 2000 // maximum length of a query, in runes; the rest is ignored
	partOfCompound = .4   // factor for the weight of a part of a compound
	unknownPair    = .35  // factor for the weight of an unknown pair, because the pair may not be a word
	nameFactor     = 2    // factor for the weight of a word with a capital letter: it may be a name
	maxTerms       = 12   // maximum number of words of a query that are searched: those with the highest weights
)

// splitQuery splits a query into terms. It omits stop words and lone punctuation marks,
// unless there are no other words.
func splitQuery(query string) []queryTerm {
	significant, stops, marks := []queryTerm{}, []queryTerm{}, []queryTerm{}
	seen := map[string]bool{}
	for i, c := range chunks(store.FirstRunes(query, MaxQuery)) {
		for _, part := range c.parts {
			if seen[part[0]] {
				continue
			}
			seen[part[0]] = true
			w := queryTerm{word: part[0], spellings: slices.Concat(part[1:], c.joined), capital: c.capital && i > 0, pair: c.pairs}
			switch {
			case c.symbol:
				marks = append(marks, w)
			case stopWords()[w.word] && len(c.parts) == 1 && len(c.literal) == 0:
				stops = append(stops, w)
			default:
				significant = append(significant, w)
			}
		}
		for _, literal := range c.literal {
			significant = append(significant, queryTerm{word: literal, literal: true})
		}
	}
	if len(significant) > 0 {
		return significant
	}
	return append(stops, marks...)
}

// resolveTerms finds the terms of the index that match each query term, and sets the weights. It
// keeps the maxTerms query terms with the highest weights. Only an unknown word is treated as a
// misspelling, part or compound.
func resolveTerms(ctx context.Context, x Source, terms []queryTerm, fresh []*Candidate) ([]queryTerm, error) {
	stems := []string{""}
	for _, w := range terms {
		stems = append(stems, Stem(w.word))
		for synonym := range synonyms(w.word) {
			stems = append(stems, synonym)
		}
		for _, spelling := range w.spellings {
			stems = append(stems, Stem(spelling))
		}
		stems = append(stems, numberGroups(w.word)...)
	}
	known, err := x.Stems(ctx, stems)
	if err != nil {
		return nil, err
	}
	byStem := map[string][]Term{}
	for _, t := range append(known, termsOf(fresh, known)...) {
		byStem[Stem(t.Text)] = append(byStem[Stem(t.Text)], t)
	}
	total := 0
	if all := byStem[""]; len(all) > 0 {
		total = all[0].Docs
	}
	for i := range terms {
		terms[i].terms = sameWord(terms[i], byStem)
	}
	terms = splitNumbers(terms, byStem)
	if err := addSimilarTerms(ctx, x, terms); err != nil {
		return nil, err
	}
	parts := splitCompounds(terms, byStem)
	if err := addSimilarTerms(ctx, x, parts); err != nil {
		return nil, err
	}
	terms = append(terms, parts...)
	for i := range terms {
		w := &terms[i]
		w.weight = weight(w.docs(), total)
		if w.compound {
			w.weight *= partOfCompound
		}
		w.addSynonyms(byStem)
		if w.capital {
			w.weight *= nameFactor
		}
		if w.literal && len(w.terms) == 0 {
			w.weight = 0 // the query also contains it without its symbols
		}
		if w.pair && len(w.terms) == 0 {
			w.weight *= unknownPair
		}
	}
	terms = slices.DeleteFunc(terms, func(w queryTerm) bool { return w.literal && len(w.terms) == 0 && !languageName().MatchString(w.word) })
	slices.SortStableFunc(terms, func(a, b queryTerm) int { return cmp.Compare(b.weight, a.weight) })
	return terms[:min(len(terms), maxTerms)], nil
}

// splitCompounds returns the words of the compounds among terms that the index does not have in any
// spelling: "haus" and "schlüssel" of "Hausschlüssel", which the index may have in "Haustürschlüssel".
func splitCompounds(terms []queryTerm, byStem map[string][]Term) []queryTerm {
	parts := []queryTerm{}
	for _, w := range terms {
		if w.literal || slices.ContainsFunc(w.terms, func(t Term) bool { return !t.part }) {
			continue
		}
		words := compoundParts(w.word)
		if _, _, isEnglish := wordvectors.Lookup(w.word); isEnglish || len(words) < 2 {
			continue // a kindergarten is no garden
		}
		for _, word := range words {
			part := queryTerm{word: word, compound: true}
			part.terms = sameWord(part, byStem)
			parts = append(parts, part)
		}
	}
	return parts
}

// termsOf returns the terms of fresh that are not in known.
func termsOf(fresh []*Candidate, known []Term) []Term {
	seen := map[string]bool{}
	for _, t := range known {
		seen[t.Text] = true
	}
	found := []Term{}
	for _, c := range fresh {
		for term := range c.Indexed.Terms() {
			if !seen[term] {
				seen[term] = true
				found = append(found, Term{Text: term, Docs: 1})
			}
		}
	}
	return found
}

// sameWord returns the terms that are w, one of its spellings, or an inflection of these.
func sameWord(w queryTerm, byStem map[string][]Term) []Term {
	found := []Term{}
	for _, form := range append([]string{w.word}, w.spellings...) {
		for _, t := range byStem[Stem(form)] {
			if slices.ContainsFunc(found, func(have Term) bool { return have.Text == t.Text }) {
				continue
			}
			t.matchKind, t.quality = store.MatchWord, .9
			if t.Text == form {
				t.quality = 1
			}
			found = append(found, t)
		}
	}
	return found
}

// addSynonyms adds the terms of the index that are synonyms of w. A term that matches already keeps
// its quality.
func (w *queryTerm) addSynonyms(byStem map[string][]Term) {
	if w.literal {
		return
	}
	for stem := range synonyms(w.word) {
		for _, t := range byStem[stem] {
			if slices.ContainsFunc(w.terms, func(have Term) bool { return have.Text == t.Text }) {
				continue
			}
			t.matchKind, t.quality, t.synonym = store.MatchMeaning, synonymQuality, true
			w.terms = append(w.terms, t)
		}
	}
}

// docs estimates the number of documents that match the query term.
func (w queryTerm) docs() int {
	most := 0
	for _, t := range w.terms {
		most = max(most, t.Docs)
	}
	return most
}

// weight returns BM25's inverse document frequency. A word without documents counts as if it had
// one.
func weight(docs, total int) float64 {
	n, df := float64(max(total, docs, 1)), float64(max(docs, 1))
	return math.Log(1 + (n-df+.5)/(df+.5))
}

// canBeMisspelt reports whether a word consists of at least three letters, so that it can be
// misspelt or a part of another word. Digits are either right or wrong.
func canBeMisspelt(word string) bool {
	return utf8.RuneCountInString(word) >= 3 && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) < 0
}
