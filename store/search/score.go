package search

import (
	"math"
	"strings"
	"time"

	"kota/store"
)

// A Candidate is a document that may answer a query.
type Candidate struct {
	ID             int64
	Name           string // the key in its original form
	Indexed        IndexedDocument
	Updated        time.Time
	Importance     int
	Pinned         bool
	Uses           int
	Relevance      float64 // 0 to 1: how well the words match
	Score          float64 // 0 to 1: relevance with recency, importance and use
	matchesAll     bool    // it matches every significant word of the question
	lacksNegation  bool    // the query negates, and the document does not
	hasSignificant bool    // it matches at least one significant word, perhaps in part or misspelt
	passage        string  // of a long text that was read: the terms of the best passage
	MatchKind      store.MatchKind
	Matched        map[string]bool // the matching terms of the document
}

// The weight of a match depends on its column.
const (
	inKey    = 1.0
	inLabels = 0.85
	inBody   = 0.8
)

// A scorer compares candidates with the words of one query.
type scorer struct {
	terms       []queryTerm
	significant []bool                 // for each query term: whether it is significant
	matches     map[string][]termMatch // by term of the index
	meaning     *meaning               // for the terms of the index that are not in matches
	negated     bool                   // the query has a negation: see negates
	total       float64                // the weight of all query terms
	now         time.Time
}

// termMatch describes how a term of the index matches one query term.
type termMatch struct {
	term        int // index of the query term in scorer.terms
	quality     float64
	matchKind   store.MatchKind
	certain     bool // the term surely means the word
	significant bool // the term and the word are the same, or nearly, and the word is significant
	near        bool // the term is only near the word in meaning
}

func newScorer(terms []queryTerm, now time.Time) *scorer {
	s := &scorer{terms: terms, significant: significance(terms), matches: map[string][]termMatch{}, meaning: newMeaning(terms), now: now}
	for i, w := range terms {
		s.total += w.weight
		for _, t := range w.terms {
			s.matches[t.Text] = append(s.matches[t.Text], termMatch{term: i, quality: t.quality, matchKind: t.matchKind, certain: t.isCertain(w.word), significant: t.isClose(w.word) && !w.generic()})
		}
	}
	return s
}

// matchesOf returns the words of the query that a term of the index matches.
func (s *scorer) matchesOf(term string) []termMatch {
	if matches := s.matches[term]; len(matches) > 0 {
		return matches
	}
	return s.meaning.matches(term)
}

// score sets how well c matches. It computes which share of the query's words c contains, by
// weight, column and quality of the match. If the query lacks words of the key, score lowers
// the result by up to 15 %. Recency, importance and use only separate nearly equal candidates:
// together they change a score by at most 15 %.
func (s *scorer) score(c *Candidate) {
	best := make([]float64, len(s.terms))
	kinds := make([]store.MatchKind, len(s.terms))
	matched := make([]bool, len(s.terms))
	c.Matched = map[string]bool{}
	scan := func(column string, worth float64) {
		for term := range strings.FieldsSeq(column) {
			for _, a := range s.matchesOf(term) {
				if !a.near {
					c.Matched[term] = true
				}
				c.hasSignificant = c.hasSignificant || a.significant
				v := worth * a.quality
				if v > best[a.term] {
					best[a.term], kinds[a.term] = v, a.matchKind
				}
				if a.certain && v >= minQuality {
					matched[a.term] = true
				}
			}
		}
	}
	scan(c.Indexed.Key, inKey)
	scan(c.Indexed.Labels, inLabels)
	scan(c.Indexed.Body, inBody*lengthFactor(c.Indexed.Body))

	covered := 0.0
	heaviest := 0.0
	for i, v := range best {
		covered += v * s.terms[i].weight
		if share := v * s.terms[i].weight; share > heaviest {
			heaviest, c.MatchKind = share, kinds[i]
		}
	}
	if s.total > 0 {
		covered /= s.total
	}
	c.Relevance = covered * (.85 + .15*s.keyShare(c))
	c.Score = min(1, c.Relevance*s.boost(c))
	c.matchesAll = s.matchesAll(matched)
	c.lacksNegation = s.negated && !negates(strings.Fields(c.Indexed.Key+" "+c.Indexed.Body))
}

// lengthFactor lowers the weight of a word in a long text, where a match may be accidental.
func lengthFactor(body string) float64 {
	if len(body) <= longBody {
		return 1
	}
	return 1 / (1 + .08*math.Log2(float64(len(body))/longBody))
}

// keyShare returns the share of the key's words that the query contains.
func (s *scorer) keyShare(candidate *Candidate) float64 {
	if !s.contains(strings.Fields(candidate.Indexed.Key)) {
		return 0 // the terms of the key are in Indexed.Key, and most keys have none of the query
	}
	words, hit := 0, 0
	for _, c := range chunks(candidate.Name) {
		for _, part := range c.parts {
			words++
			if s.contains(part) || s.contains(c.joined) {
				hit++
			}
		}
	}
	if words == 0 {
		return 0
	}
	return float64(hit) / float64(words)
}

func (s *scorer) contains(spellings []string) bool {
	for _, term := range spellings {
		if len(s.matches[term]) > 0 {
			return true
		}
	}
	return false
}

// boost returns a factor near 1 for recency, importance and use, independent of the
// query.
func (s *scorer) boost(c *Candidate) float64 {
	age := max(0, s.now.Sub(c.Updated).Hours()/24)
	recency := math.Exp2(-age / 60)
	if c.Pinned {
		recency = 1
	}
	use := min(1, math.Log2(1+float64(c.Uses))/8)
	return .92 + .05*recency + .05*float64(c.Importance)/3 + .03*use
}
