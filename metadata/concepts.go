package metadata

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
	kindred  = 0.5 // another verb of the same class
	oneTypo  = 0.7
	twoTypos = 0.4
)

// concepts turns the words of a query into concepts, each word once.
func (x *wordIndex) concepts(tokens []token) []concept {
	var list []concept
	seen := map[string]bool{}
	add := func(word string) {
		if s := stem(word); !seen[s] {
			seen[s] = true
			list = append(list, x.concept(word))
		}
	}
	for i, t := range tokens {
		for _, word := range x.sayings(t) {
			add(word)
		}
		// "time zone" may be written in one word here.
		if i > 0 {
			if joined := tokens[i-1].text + t.text; x.has(joined) {
				add(joined)
			}
		}
	}
	return list
}

// sayings returns the words to look up for a token: itself when the index
// knows it, else its pieces, or the two known words it is made of.
func (x *wordIndex) sayings(t token) []string {
	switch {
	case t.unspaced:
		return t.parts
	case x.has(t.text):
		return []string{t.text}
	case len(t.parts) > 0:
		return t.parts
	}
	// Both halves are at least three letters: shorter ones are chance.
	for i := 3; i+3 <= len(t.text); i++ {
		if x.has(t.text[:i]) && x.has(t.text[i:]) {
			return []string{t.text[:i], t.text[i:]}
		}
	}
	return []string{t.text}
}

func (x *wordIndex) has(word string) bool {
	_, known := x.terms[stem(word)]
	return known
}

func (x *wordIndex) concept(word string) concept {
	s := stem(word)
	c := concept{most: x.rarest}
	if t, known := x.terms[s]; known {
		c.most = x.idf[t]
		c.alternatives = append(c.alternatives, alternative{term: t, weight: 1})
	}
	for _, verb := range verbClass[s] {
		if t, known := x.terms[verb]; known {
			c.alternatives = append(c.alternatives, alternative{term: t, weight: kindred})
		}
	}
	if len(c.alternatives) > 0 {
		return c
	}
	for i, fix := range x.lexicon.near(word) {
		weight := oneTypo
		if fix.distance > 1 {
			weight = twoTypos
		}
		if i > 0 && fix.distance > 1 {
			break
		}
		c.alternatives = append(c.alternatives, alternative{term: x.terms[stem(fix.word)], weight: weight, spelt: true})
	}
	return c
}
