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
	maxNeighbors = 4000 // maximum number of terms that one lookup compares with an unknown word
)

// similarTerms finds terms that an unknown word may mean: the correct spelling, a word that
// contains it ("krankenversicherung" for "versicherung"), or a part of it.
func similarTerms(ctx context.Context, x Source, word string) ([]Term, error) {
	if !canBeMisspelt(word) {
		return nil, nil
	}
	found := []Term{}
	for _, find := range []func(context.Context, Source, string) ([]Term, error){findMisspellings, findContaining, findContained} {
		some, err := find(ctx, x, word)
		if err != nil {
			return nil, err
		}
		for _, a := range some {
			if !slices.ContainsFunc(found, func(have Term) bool { return have.Text == a.Text }) {
				found = append(found, a)
			}
		}
	}
	return found, nil
}

// findMisspellings finds terms at a Damerau distance of 1, or up to 2 for words of eight letters
// or more. It finds none for words of fewer than four letters. One slip leaves one half of a word
// unchanged, and two slips usually leave the first or the last third unchanged. It is therefore
// enough to compare words of similar length with the same start or end.
func findMisspellings(ctx context.Context, x Source, word string) ([]Term, error) {
	letters := []rune(word)
	slips := 1
	if len(letters) < 4 {
		return nil, nil
	}
	if len(letters) >= 8 {
		slips = 2
	}
	part := len(letters) / (slips + 1)
	start, end := string(letters[:part]), Reverse(word)
	end = string([]rune(end)[:max(part-1, (len(letters)-1)/(slips+1))])
	near := map[string]Term{}
	for size := len(letters) - slips; size <= len(letters)+slips; size++ {
		for backward, prefix := range map[bool]string{false: start, true: end} {
			terms, err := x.Spelled(ctx, size, prefix, backward, maxNeighbors)
			if err != nil {
				return nil, err
			}
			for _, t := range terms {
				if d := words.Typos(letters, []rune(t.Text), slips); d <= slips {
					t.matchKind, t.quality = store.MatchSpelling, .95-.15*float64(d)
					near[t.Text] = t
				}
			}
		}
	}
	return bestTerms(near), nil
}

// findContaining finds terms that contain word. Terms that begin with it get a higher quality. A
// word of three letters must begin the term, because "seat" does not contain the word "eat".
func findContaining(ctx context.Context, x Source, word string) ([]Term, error) {
	grams := []string{}
	for letters := []rune(word); len(letters) >= 3; letters = letters[1:] {
		grams = append(grams, string(letters[:3]))
	}
	terms, err := x.Containing(ctx, grams, maxNeighbors)
	if err != nil {
		return nil, err
	}
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
	return bestTerms(near), nil
}

// findContained finds terms with which a word of nine or more letters begins or ends. A term has
// at least five letters, and at least three fewer than the word.
func findContained(ctx context.Context, x Source, word string) ([]Term, error) {
	letters := []rune(word)
	if len(letters) < 9 {
		return nil, nil
	}
	parts := []string{}
	for n := 5; n < len(letters)-2; n++ {
		parts = append(parts, string(letters[:n]), string(letters[len(letters)-n:]))
	}
	terms, err := x.Known(ctx, parts)
	if err != nil {
		return nil, err
	}
	near := map[string]Term{}
	for _, t := range terms {
		t.matchKind, t.quality, t.part = store.MatchWord, .3+.3*float64(utf8.RuneCountInString(t.Text))/float64(len(letters)), true
		near[t.Text] = t
	}
	return bestTerms(near), nil
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
