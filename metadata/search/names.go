package search

import (
	"slices"
	"strings"
	"unicode"

	"kota/metadata/words"
)

// A nameIndex finds entries by their names.
type nameIndex struct {
	forms    map[string][]nameForm // by words.Key
	bundles  map[string][]int      // by words.Key of a bundle: its entries
	lexicon  lexicon               // the keys of forms
	initials initials
}

// A nameForm is one way to name an entry.
type nameForm struct {
	entry   int
	literal string // as declared, in lower case
	full    bool   // the whole tool name, not only the action's
}

// The scores of hits by name. Hits by words have at most the score wordCeiling, so that a
// full name always comes first.
const (
	scoreLiteral   = 1.00 // the tool's name as declared
	scoreFull      = 0.99 // the tool's name in another spelling
	scoreBareExact = 0.98 // the action's name as declared
	scoreBare      = 0.97 // the action's name in another spelling
	scoreMentioned = 0.96 // the tool's name in a sentence, or after a client's prefix; 0.01 less for an action's name
	scoreBundle    = 0.95 // the key of the tool's bundle
	scoreOneTypo   = 0.93 // the tool's name with a typo; 0.01 less for an action's name
	scoreTwoTypos  = 0.91 // the same with two typos
	scoreMaybeTypo = 0.20 // the name with typos, but the index knows all words of the query
	wordCeiling    = 0.85 // the maximum score of a hit by words
)

func newNameIndex(entries []Entry) nameIndex {
	x := nameIndex{forms: map[string][]nameForm{}, bundles: map[string][]int{}}
	var keys []string
	add := func(name string, form nameForm) {
		key := words.Key(name)
		if key == "" {
			return
		}
		form.literal = strings.ToLower(name)
		if _, known := x.forms[key]; !known {
			keys = append(keys, key)
		}
		x.forms[key] = append(x.forms[key], form)
	}
	for i, e := range entries {
		add(e.Tool, nameForm{entry: i, full: true})
		if e.Bundle != "" {
			add(e.Bundle+"_"+e.Name, nameForm{entry: i, full: true})
			key := words.Key(e.Bundle)
			x.bundles[key] = append(x.bundles[key], i)
		}
		add(e.Name, nameForm{entry: i})
	}
	x.lexicon = newLexicon(keys)
	x.initials = newInitials(entries)
	return x
}

// exact returns the entries that the whole query names, or else those that an identifier in
// the query names. A query that is the key of a bundle names all its entries, and their order
// counts.
func (x nameIndex) exact(query string) []Hit {
	var hits []Hit
	literal := strings.ToLower(strings.TrimSpace(query))
	for _, f := range x.forms[words.Key(query)] {
		hits = append(hits, Hit{Entry: f.entry, Score: f.exactScore(literal), MatchKind: MatchExact})
	}
	if len(hits) > 0 {
		return hits
	}
	for n, entry := range x.bundles[words.Key(query)] {
		hits = append(hits, Hit{Entry: entry, Score: scoreBundle / (1 + float64(n)/1000), MatchKind: MatchExact})
	}
	for _, word := range strings.FieldsFunc(query, isListSeparator) {
		if !isIdentifier(word) {
			continue
		}
		for _, f := range x.mentioned(word) {
			score := scoreMentioned
			if !f.full {
				score -= 0.01
			}
			hits = append(hits, Hit{Entry: f.entry, Score: score, MatchKind: MatchExact})
		}
	}
	return hits
}

func (f nameForm) exactScore(literal string) float64 {
	switch {
	case f.full && f.literal == literal:
		return scoreLiteral
	case f.full:
		return scoreFull
	case f.literal == literal:
		return scoreBareExact
	}
	return scoreBare
}

// mentioned returns the forms of a name. If word is not a name, it removes prefixes until the
// rest is one.
func (x nameIndex) mentioned(word string) []nameForm {
	for _, spelling := range spellings(word) {
		if forms := x.forms[words.Key(spelling)]; len(forms) > 0 {
			return forms
		}
	}
	return nil
}

// contains reports whether the tool name of an entry has all the words.
func (x nameIndex) contains(entry int, tokens []words.Token) bool {
	return !slices.ContainsFunc(tokens, func(t words.Token) bool { return !slices.Contains(x.initials.words[entry], t.Text) })
}

// maxPrefixes is the maximum number of prefixes of a name.
const maxPrefixes = 8

// spellings returns word, and word without its first prefixes. Clients write
// mcp__kota__memory_set and select:memory_set.
func spellings(word string) []string {
	var list []string
	for n := 0; n <= maxPrefixes && word != ""; n++ {
		list = append(list, word)
		word = withoutPrefix(word)
	}
	return list
}

// withoutPrefix returns the part of word after its first : . / or double underscore, or "".
func withoutPrefix(word string) string {
	for i, r := range word {
		switch {
		case r == ':' || r == '.' || r == '/':
			return word[i+1:]
		case strings.HasPrefix(word[i:], "__"):
			return strings.TrimLeft(word[i:], "_")
		}
	}
	return ""
}

// near returns the entries whose name the query misspells. If wordsKnown is true and the query
// is not an identifier, it is more likely a sentence, and the hits get a low score.
func (x nameIndex) near(query string, wordsKnown bool) []Hit {
	query = strings.TrimSpace(query)
	identifier := isIdentifier(query)
	tried := []string{query}
	if identifier {
		tried = spellings(query)
	}
	var hits []Hit
	for _, spelling := range tried {
		for _, c := range x.lexicon.near(words.Key(spelling)) {
			for _, f := range x.forms[c.word] {
				hits = append(hits, Hit{Entry: f.entry, Score: f.nearScore(c.distance, identifier || !wordsKnown), MatchKind: MatchSpelling})
			}
		}
	}
	return hits
}

func (f nameForm) nearScore(distance int, likely bool) float64 {
	score := scoreOneTypo
	switch {
	case !likely:
		score = scoreMaybeTypo
	case distance > 1:
		score = scoreTwoTypos
	}
	if !f.full {
		score -= 0.01
	}
	return score
}

func isListSeparator(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",;\"'`()[]{}<>?!", r)
}

// isIdentifier reports whether a word has separators or capitals inside, like gmail_send or
// sendMail.
func isIdentifier(word string) bool {
	runes := []rune(word)
	if slices.ContainsFunc(runes, unicode.IsSpace) {
		return false
	}
	for i := 1; i+1 < len(runes); i++ {
		if strings.ContainsRune("_-.:/", runes[i]) {
			return true
		}
		if unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i-1]) {
			return true
		}
	}
	return false
}
