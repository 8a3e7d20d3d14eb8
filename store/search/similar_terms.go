package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"kota/metadata/words"
	"kota/store"
)

const (
	maxSimilar   = 3    // maximum number of terms of each kind (misspelling, compound, part) that stand for an unknown word
	maxNeighbors = 4000 // maximum number of terms that one lookup returns for an unknown word
)

// addSimilarTerms finds terms that the unknown words of a query may mean: the correct spelling, a
// word that contains it ("krankenversicherung" for "versicherung"), or a part of it.
func addSimilarTerms(ctx context.Context, x Source, terms []queryTerm) error {
	unknown, queries := []*queryTerm{}, []SimilarQuery{}
	for i := range terms {
		if w := &terms[i]; len(w.terms) == 0 && !w.literal && canBeMisspelt(w.word) {
			unknown = append(unknown, w)
			queries = append(queries, SimilarQuery{Spelled: similarSpellings(w.word), Trigrams: trigrams(w.word), Parts: partsOf(w.word)})
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	similar, err := x.Similar(ctx, queries, maxNeighbors)
	if err != nil {
		return err
	}
	for i, w := range unknown {
		w.terms = similarTerms(w.word, similar[i])
	}
	return nil
}

// similarTerms chooses among the terms that are similar to an unknown word.
func similarTerms(word string, similar SimilarTerms) []Term {
	found := []Term{}
	for _, some := range [][]Term{misspellings(word, similar.Spelled), containing(word, similar.Containing), contained(word, similar.Parts)} {
		for _, a := range some {
			if !slices.ContainsFunc(found, func(have Term) bool { return have.Text == a.Text }) {
				found = append(found, a)
			}
		}
	}
	return found
}

// similarSpellings returns where to look for misspellings: at a Damerau distance of 1, or up to 2
// for words of eight letters or more. It returns none for words of fewer than four letters. One slip
// leaves one half of a word unchanged, and two slips usually leave the first or the last third
// unchanged. It is therefore enough to compare words of similar length with the same start or end.
func similarSpellings(word string) []Spelling {
	letters := []rune(word)
	slips := slipsIn(letters)
	if slips == 0 {
		return nil
	}
	part := len(letters) / (slips + 1)
	start, end := string(letters[:part]), Reverse(word)
	end = string([]rune(end)[:max(part-1, (len(letters)-1)/(slips+1))])
	spellings := []Spelling{}
	for size := len(letters) - slips; size <= len(letters)+slips; size++ {
		spellings = append(spellings, Spelling{size, start, false}, Spelling{size, end, true})
	}
	return spellings
}

// slipsIn returns how many slips a misspelling of a word may have.
func slipsIn(word []rune) int {
	switch {
	case len(word) < 4:
		return 0
	case len(word) < 8:
		return 1
	}
	return 2
}

// misspellings returns the best of the terms that are few slips away from word.
func misspellings(word string, terms []Term) []Term {
	letters := []rune(word)
	slips := slipsIn(letters)
	near := map[string]Term{}
	for _, t := range terms {
		if d := words.Typos(letters, []rune(t.Text), slips); d <= slips {
			t.matchKind, t.quality = store.MatchSpelling, .95-.15*float64(d)
			near[t.Text] = t
		}
	}
	return bestTerms(near)
}

// trigrams returns the trigrams of a word.
func trigrams(word string) []string {
	grams := []string{}
	for letters := []rune(word); len(letters) >= 3; letters = letters[1:] {
		grams = append(grams, string(letters[:3]))
	}
	return grams
}

// containing returns the best of the terms that contain word. Terms that begin with it get a higher
// quality. A word of three letters must begin the term, because "seat" does not contain the word
// "eat".
func containing(word string, terms []Term) []Term {
	near := map[string]Term{}
	for _, t := range terms {
		at := strings.Index(t.Text, word)
		if at < 0 || at > 0 && utf8.RuneCountInString(word) <= 3 {
			continue
		}
		share := float64(len(word)) / float64(len(t.Text))
		t.matchKind, t.quality, t.part = store.MatchWord, .4+.3*share, true
		if at == 0 {
			t.quality += .15
		}
		near[t.Text] = t
	}
	return bestTerms(near)
}

// partsOf returns what a word of nine or more letters begins or ends with. A part has at least five
// letters, and at least three fewer than the word.
func partsOf(word string) []string {
	letters := []rune(word)
	if len(letters) < 9 {
		return nil
	}
	parts := []string{}
	for n := 5; n < len(letters)-2; n++ {
		parts = append(parts, string(letters[:n]), string(letters[len(letters)-n:]))
	}
	return parts
}

// contained returns the best of the terms that are parts of word.
func contained(word string, terms []Term) []Term {
	size := utf8.RuneCountInString(word)
	near := map[string]Term{}
	for _, t := range terms {
		t.matchKind, t.quality, t.part = store.MatchWord, .3+.3*float64(utf8.RuneCountInString(t.Text))/float64(size), true
		near[t.Text] = t
	}
	return bestTerms(near)
}

// bestTerms returns the terms with the highest quality, at most maxSimilar. Among equals,
// frequent terms come first.
func bestTerms(near map[string]Term) []Term {
	found := make([]Term, 0, len(near))
	for _, a := range near {
		found = append(found, a)
	}
	slices.SortFunc(found, func(a, b Term) int {
		return cmp.Or(cmp.Compare(b.quality, a.quality), cmp.Compare(b.Docs, a.Docs), cmp.Compare(a.Text, b.Text))
	})
	return found[:min(len(found), maxSimilar)]
}
