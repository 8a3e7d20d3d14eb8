package search

import (
	"strings"

	"kota/metadata/wordvectors"
	"kota/store"
)

// The constants of meaning. They were chosen with the tune sets of memorytest.
const (
	minNearness  = 0.3  // the similarity of two words below which they have nothing in common
	nearQuality  = 0.5  // the quality of a word that is as near as possible
	meaningShare = 0.15 // share of the meaning of the whole text in a score, at most
	meaningOfAll = 0.1  // part of this share for a candidate that has every significant word
	shortestNear = 3    // letters; shorter words are mostly of other languages
	minCommon    = 3    // candidates; what fewer texts have in common may be the answer itself
	maxCompared  = 30   // maximum number of candidates whose whole text is compared: the best
)

// A meaning compares English words by their vectors: "cake" is near "bread". Near words are weak
// evidence. They are never certain and never significant, so they do not raise the confidence.
type meaning struct {
	asked    []askedWord            // by query term
	compares bool                   // at least one of them is known
	near     map[string][]termMatch // by term of the index; nil for a term without near words
	whole    wordvectors.Vector     // the mean of the words of the query
	share    float64                // of the meaning of the whole text in a score: less if words have no vector
}

// An askedWord is a word of the query.
type askedWord struct {
	vector wordvectors.Vector
	known  bool // false also for a generic word and for what may be a name: Anna is not nearly Maria
}

func newMeaning(terms []queryTerm) *meaning {
	m := &meaning{asked: make([]askedWord, len(terms)), near: map[string][]termMatch{}}
	compared, all := 0.0, 0.0
	for i, w := range terms {
		if w.capital || w.literal {
			continue
		}
		vector, weight, known := wordvectors.Lookup(w.word)
		m.whole.Add(&vector, weight)
		if w.generic() {
			continue
		}
		m.asked[i] = askedWord{vector, known && len(w.word) >= shortestNear}
		m.compares = m.compares || m.asked[i].known
		all += w.weight
		if known {
			compared += w.weight
		}
	}
	m.whole.Normalize()
	if all > 0 {
		m.share = meaningShare * compared / all
	}
	return m
}

// matches returns the words of the query that a term is near.
func (m *meaning) matches(term string) []termMatch {
	if !m.compares || len(term) < shortestNear {
		return nil
	}
	near, seen := m.near[term]
	if seen {
		return near
	}
	vector, _, known := wordvectors.Lookup(term)
	if !known {
		return nil // to ask again takes less than to remember all unknown terms
	}
	for i := range m.asked {
		if !m.asked[i].known || stopWords()[term] {
			continue
		}
		if similarity := vector.Dot(&m.asked[i].vector); similarity > minNearness {
			near = append(near, termMatch{term: i, quality: nearQuality * (similarity - minNearness) / (1 - minNearness), matchKind: store.MatchMeaning, near: true})
		}
	}
	m.near[term] = near
	return near
}

// add lets a share of each score say how similar the meaning of the whole text is to that of the
// query. It compares only the best candidates, and of long texts only the best passage. found must be sorted
// by score.
func (m *meaning) add(found []*Candidate) {
	if m.share == 0 {
		return
	}
	best := found[:min(len(found), maxCompared)]
	texts := make([]wordvectors.Vector, len(best))
	common := wordvectors.Vector{} // what all have in common, which says nothing about one of them
	for i, c := range best {
		texts[i] = c.meaning()
		common.Add(&texts[i], 1/float64(len(best)))
	}
	if len(best) < minCommon {
		common = wordvectors.Vector{}
	}
	asked := without(m.whole, &common)
	for i, c := range found {
		c.Score *= 1 - m.share
		if i < len(best) && c.Score > 0 {
			similarity := 0.0
			if texts[i] != (wordvectors.Vector{}) {
				text := without(texts[i], &common)
				similarity = max(0, text.Dot(&asked))
			}
			if c.matchesAll {
				similarity = 1 - meaningOfAll*(1-similarity)
			}
			c.Score += m.share * similarity
		}
	}
}

// meaning returns the mean of the words of a short text or of the best passage, or the zero vector.
func (c *Candidate) meaning() wordvectors.Vector {
	mean := wordvectors.Vector{}
	text := c.passage
	if text == "" && len(c.Indexed.Body) <= longBody {
		text = c.Indexed.Key + " " + c.Indexed.Body
	}
	for term := range strings.FieldsSeq(text) {
		if vector, weight, known := wordvectors.Lookup(term); known && !stopWords()[term] {
			mean.Add(&vector, weight)
		}
	}
	mean.Normalize()
	return mean
}

func without(v wordvectors.Vector, common *wordvectors.Vector) wordvectors.Vector {
	v.Add(common, -1)
	v.Normalize()
	return v
}
