package search

import (
	"math"
	"slices"

	"kota/metadata/classifier"
)

// A requestModel joins the hits by words with a classifier of requests. Its labels are indexes
// in model.Labels.
type requestModel struct {
	model      *classifier.Model
	label      []int // by entry: its label; -1 if the classifier does not know the entry
	known      []int // the entries with a label
	outOfScope int   // the label of requests out of scope
	absent     []int // the labels of actions that are not in the index
}

// newRequestModel returns a requestModel for the entries. It returns nil if model is nil,
// knows none of the entries, or has no label for requests out of scope.
func newRequestModel(model *classifier.Model, entries []Entry) *requestModel {
	if model == nil {
		return nil
	}
	m := &requestModel{model: model, outOfScope: slices.Index(model.Labels, classifier.OutOfScope)}
	for i, e := range entries {
		m.label = append(m.label, slices.Index(model.Labels, e.Tool))
		if m.knows(i) {
			m.known = append(m.known, i)
		}
	}
	if len(m.known) == 0 || m.outOfScope < 0 {
		return nil
	}
	for l := range model.Labels {
		if l != m.outOfScope && !slices.Contains(m.label, l) {
			m.absent = append(m.absent, l)
		}
	}
	return m
}

// The weights and limits of rank. They were chosen with requests of authors whose requests the
// classifier had not seen: see docs/project/benchmarks.md.
const (
	wordWeight   = 2.0   // factor of Evidence.Words; the logarithm of Evidence.Request has the factor 1
	minRequest   = 0.002 // added to Evidence.Request before the logarithm, so that words can outweigh it
	rankedHits   = 10    // how many of the best hits by words count
	clauseWeight = -0.9  // added to the score of the evidence for a clause: with equal words, it must be exp(0.9) = 2.5 times as probable to win over the whole query
	minOffered   = 0.01  // the minimum probability of a hit without evidence by words
	absentWeight = 0.6   // share of an absent action's probability in outside; the request may need a visible action too
)

// Evidence says why an entry is a hit of a query. It is zero for a query that names an action
// exactly, and for an index without a classifier.
type Evidence struct {
	Words   float64 // the score by words, divided by that of the best hit by words
	Request float64 // the classifier's probability of the action; if it does not know the action, its highest probability
	Clause  string  // the clause of the query that the evidence is about; "" for the whole query
}

// score returns the weighted sum of the evidence, with probabilities as logarithms.
func (e Evidence) score() float64 {
	s := math.Log(e.Request+minRequest) + wordWeight*e.Words
	if e.Clause != "" {
		s += clauseWeight
	}
	return s
}

// rank returns a hit for each entry that the query may ask for, in any order. The hits of the
// clauses are by words, the best first. In a query for several things, the best evidence counts
// for each entry: of the whole query or of a clause.
func (m *requestModel) rank(query string, whole clause, clauses []clause) []Hit {
	probabilities := m.model.Probabilities(query)
	if probabilities == nil {
		return whole.hits
	}
	candidates := m.candidates(whole.hits)
	m.addEvidence(candidates, probabilities, whole)
	outside := m.outside(probabilities)
	for _, c := range clauses {
		if probabilities := m.model.Probabilities(c.text); probabilities != nil {
			outside = min(outside, m.outside(probabilities))
			m.addEvidence(candidates, probabilities, c)
		}
	}
	return m.ranked(whole, candidates, outside)
}

// A candidate is an entry that the query may ask for.
type candidate struct {
	Hit
	score float64 // of the evidence; -Inf before there is any
}

// candidates returns the hits, and the entries that the classifier knows.
func (m *requestModel) candidates(hits []Hit) []candidate {
	found := make([]bool, len(m.label)) // by entry
	list := make([]candidate, 0, len(hits)+len(m.known))
	for _, h := range hits {
		found[h.Entry] = true
		list = append(list, candidate{h, math.Inf(-1)})
	}
	for _, entry := range m.known {
		if !found[entry] {
			list = append(list, candidate{Hit{Entry: entry, MatchKind: MatchRequest}, math.Inf(-1)})
		}
	}
	return list
}

// ranked returns the candidates that are probable enough. If no entry probably answers the query,
// no hit fits: see Hit.Fits.
func (m *requestModel) ranked(whole clause, candidates []candidate, outside float64) []Hit {
	best, request, byWords := math.Inf(-1), 0.0, 0.0
	for _, c := range candidates {
		if best = max(best, c.score); m.knows(c.Entry) {
			request = max(request, c.Evidence.Request)
		}
	}
	top := minScore
	if len(whole.hits) > 0 {
		byWords = whole.hits[0].Score
		top = max(top, byWords)
	}
	weak := doubt(outside, request, byWords, whole.outside) > maxDoubt
	switch {
	case len(whole.hits) == 0:
		weak = weak || request < minAlone
	case !m.knows(whole.hits[0].Entry): // request is about other entries
		weak = whole.hits[0].weak && outside > maxOutside
	}
	list := make([]Hit, 0, len(candidates))
	for _, c := range candidates {
		switch {
		case c.Evidence.Words > 0:
		case c.Evidence.Request < minOffered:
			continue
		case c.MatchKind == MatchWord: // its words are beyond rankedHits
			c.MatchKind = MatchRequest
		}
		c.Score, c.weak = top*math.Exp((c.score-best)/wordWeight), weak
		list = append(list, c.Hit)
	}
	return list
}

// The limits of silence. No hit fits if doubt exceeds maxDoubt. At 0.9, one request in fifty
// is wrongly left without an answer (cmd/bench -only finding). On tune.json, all values from 0.8 to
// 1.5 give the right results.
const (
	maxDoubt   = 0.9
	minAlone   = 0.1 // if no hit is by words, as for "qqqqqqqq", no hit fits below this probability
	maxOutside = 0.2 // if the classifier does not know the best hit by words, no hit fits above this
)

// doubt returns how improbable it is that an entry answers a query. outside is the probability that
// no entry does. request is the highest probability of an entry. byWords is the best score by words.
// topic is the score of the nearest topic out of scope. A logistic regression of the requests in
// cmd/bench -only finding gave the weights.
func doubt(outside, request, byWords, topic float64) float64 {
	return 0.52*math.Log(outside/(1-outside)) - 1.11*math.Log(request) - 5.7*byWords + 9.4*topic - 1.75
}

// knows reports whether the classifier was trained with requests for the entry.
func (m *requestModel) knows(entry int) bool { return m.label[entry] >= 0 }

// outside returns the probability that no entry answers the query.
func (m *requestModel) outside(probabilities []float64) float64 {
	sum := probabilities[m.outOfScope]
	for _, l := range m.absent {
		sum += absentWeight * probabilities[l]
	}
	return sum
}

// addEvidence gives each candidate the evidence of a clause, if that is better than the evidence
// that the candidate has. The parameter probabilities is by label.
func (m *requestModel) addEvidence(candidates []candidate, probabilities []float64, from clause) {
	byWords := map[int]float64{}
	for _, h := range from.hits[:min(rankedHits, len(from.hits))] {
		byWords[h.Entry] = h.Score / from.hits[0].Score
	}
	highest := slices.Max(probabilities)
	for i := range candidates {
		c := &candidates[i]
		request := highest // so that words decide between an unknown action and the most probable action
		if l := m.label[c.Entry]; l >= 0 {
			request = probabilities[l]
		}
		e := Evidence{Words: byWords[c.Entry], Request: request, Clause: from.text}
		if score := e.score(); score > c.score {
			c.Evidence, c.score = e, score
		}
	}
}
