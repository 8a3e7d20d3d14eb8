package search

import "kota/metadata/words"

// A concept is one thing a query speaks of: the ways to say it that the index
// knows, and the most that it could say for an entry.
type concept struct {
	alternatives []alternative
	most         float64
}

// An alternative is a term that stands for a concept, worth weight of the word
// itself. Spelt marks a guess at a misspelt word.
type alternative struct {
	term   int
	weight float64
	spelt  bool
}

// What an alternative is worth against the word as written.
const (
	synonym  = 0.7 // another word of the same class
	oneTypo  = 0.7
	twoTypos = 0.4
)

// concepts turns the words of a query into concepts, each word once.
func (x *wordIndex) concepts(tokens []words.Token) []concept {
	var list []concept
	seen := map[string]bool{}
	unknown := 0
	add := func(word string) {
		s := words.Stem(word)
		if seen[s] {
			return
		}
		seen[s] = true
		c := x.concept(s)
		if len(c.alternatives) == 0 && unknown < maxCorrected {
			unknown++
			c.alternatives = x.corrections(word)
		}
		list = append(list, c)
	}
	for i, t := range tokens {
		for _, word := range x.sayings(t) {
			add(word)
		}
		// "time zone" may be written in one word here.
		if i > 0 {
			if joined := tokens[i-1].Text + t.Text; x.has(joined) {
				add(joined)
			}
		}
	}
	return list
}

// sayings returns the words to look up for a token: itself when the index
// knows it, else its pieces, or the two known words it is made of.
func (x *wordIndex) sayings(t words.Token) []string {
	switch {
	case t.Unspaced:
		return t.Parts
	case x.has(t.Text):
		return []string{t.Text}
	case len(t.Parts) > 0:
		return t.Parts
	}
	// Both halves are at least three letters: shorter ones are chance.
	for i := 3; i+3 <= len(t.Text); i++ {
		if x.has(t.Text[:i]) && x.has(t.Text[i:]) {
			return []string{t.Text[:i], t.Text[i:]}
		}
	}
	return []string{t.Text}
}

func (x *wordIndex) has(word string) bool {
	_, known := x.terms[words.Stem(word)]
	return known
}

// concept returns what the index knows of a stem: itself and its fellows.
func (x *wordIndex) concept(s string) concept {
	c := concept{most: x.rarest}
	if t, known := x.terms[s]; known {
		c.most = x.idf[t]
		c.alternatives = append(c.alternatives, alternative{term: t, weight: 1})
	}
	c.alternatives = append(c.alternatives, x.fellows(s)...)
	return c
}

// fellows returns the verbs of the same class as a verb. They are weighed as
// one word that occurs wherever any of them does, lest a rare fellow say more
// than the common verb it stands for.
func (x *wordIndex) fellows(verb string) []alternative {
	var terms []int
	occurrences := 0
	if t, known := x.terms[verb]; known {
		occurrences = len(x.postings[t])
	}
	for _, fellow := range fellowsOf(verb) {
		if t, known := x.terms[fellow]; known {
			terms = append(terms, t)
			occurrences += len(x.postings[t])
		}
	}
	idf := rarity(min(occurrences, x.entries), x.entries)
	list := make([]alternative, len(terms))
	for i, t := range terms {
		list[i] = alternative{term: t, weight: synonym * idf / x.idf[t]}
	}
	return list
}

// corrections returns the words that a misspelt one may have meant: all that
// are one typo away, or else the first of those two away.
func (x *wordIndex) corrections(word string) []alternative {
	var list []alternative
	for _, fix := range x.lexicon.near(word) {
		if fix.distance > 1 && len(list) > 0 {
			break
		}
		weight := oneTypo
		if fix.distance > 1 {
			weight = twoTypos
		}
		list = append(list, alternative{term: x.terms[words.Stem(fix.word)], weight: weight, spelt: true})
	}
	return list
}
