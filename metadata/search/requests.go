package search

import (
	"math"
	"slices"

	"kota/metadata/classifier"
)

// A requestModel joins the ranking by words with a classifier of requests.
type requestModel struct {
	model      *classifier.Model
	label      []int // by entry; -1 for an entry that the model does not know
	outOfScope int
	absent     []int // the labels of no entry, except for the one out of scope
}

// newRequestModel returns the model for entries, or nil if it knows none of them.
func newRequestModel(model *classifier.Model, entries []Entry) *requestModel {
	if model == nil {
		return nil
	}
	m := &requestModel{model: model, outOfScope: slices.Index(model.Labels, classifier.OutOfScope)}
	for _, e := range entries {
		m.label = append(m.label, slices.Index(model.Labels, e.Tool))
	}
	if len(m.label) == 0 || slices.Max(m.label) < 0 {
		return nil
	}
	for l := range model.Labels {
		if l != m.outOfScope && !slices.Contains(m.label, l) {
			m.absent = append(m.absent, l)
		}
	}
	return m
}

// The weights of the fusion. They were chosen on requests by hands that the classifier had not
// seen: see docs/project/benchmarks.md.
const (
	wordWeight     = 2.0   // of the relative score of the words, beside the logarithm of a probability
	bundleWeight   = 0.6   // of the logarithm of the bundle's support
	minRequest     = 0.002 // added to a probability, so that words can outweigh it
	minSupport     = 0.02  // added to the support of a bundle
	rankedHits     = 10    // how many hits by words count
	supportingHits = 5     // how many of them support their bundle
	clauseWeight   = -0.9  // added to the score of a clause; about 4 ln 0.8
	minOffered     = 0.01  // the probability at which an entry is a hit without a word in common
	minAlone       = 0.1   // the probability that one action needs if no word fits
	surelyOutside  = 0.5   // the probability out of scope above which nothing fits
	maybeOutside   = 0.2   // the same, if nothing fits by words either
	absentWeight   = 0.6   // of a hidden action's probability: a request may need it and a shown one
)

// Evidence says why an entry is a hit of a query. It is empty for a query that names an action
// exactly, and for an index without a classifier.
type Evidence struct {
	Words   float64 // the score by words and phrases, 1 for the best hit by words
	Request float64 // the probability that requests like this one are for the action; the highest of all for an unknown action
	Bundle  float64 // how much the other evidence supports the bundle of the action
	Clause  string  // the part of the query that the evidence is about; "" for the whole query
}

// score returns the weighted sum, a logarithm.
func (e Evidence) score() float64 {
	s := math.Log(e.Request+minRequest) + wordWeight*e.Words + bundleWeight*math.Log(e.Bundle+minSupport)
	if e.Clause != "" {
		s += clauseWeight
	}
	return s
}

// fuse returns the entries that a query asks for. hits are those found by words, the best
// first. A query for several things has the best score of the whole and of its clauses. fuse
// returns hits as they are if the query has no feature.
func (x *Index) fuse(query string, hits []Hit) []Hit {
	m := x.requests
	odds := m.model.Probabilities(query)
	if odds == nil {
		return hits
	}
	evidence, outside := m.weigh(odds, hits, x.words.bundle, ""), m.outside(odds)
	for _, clause := range clauses(query) {
		odds := m.model.Probabilities(clause)
		if odds == nil {
			continue
		}
		outside = min(outside, m.outside(odds))
		found, _ := x.find(clause)
		for entry, e := range m.weigh(odds, x.sortHits(found), x.words.bundle, clause) {
			if e.score() > evidence[entry].score() {
				evidence[entry] = e
			}
		}
	}
	return m.fused(hits, evidence, outside)
}

// fused returns a hit for each entry with enough evidence. No hit fits if the query is probably
// outside.
func (m *requestModel) fused(hits []Hit, evidence []Evidence, outside float64) []Hit {
	found := map[int]Hit{}
	for _, h := range hits {
		found[h.Entry] = h
	}
	best, surest := math.Inf(-1), 0.0
	for entry, e := range evidence {
		if best = max(best, e.score()); m.knows(entry) {
			surest = max(surest, e.Request)
		}
	}
	weak, top := outside > maybeOutside || surest < minAlone, minScore
	if len(hits) > 0 {
		weak = hits[0].weak && outside > maybeOutside || m.knows(hits[0].Entry) && outside > surelyOutside
		top = max(top, hits[0].Score)
	}
	var all []Hit
	for entry, e := range evidence {
		h, byWords := found[entry]
		if !byWords {
			if !m.knows(entry) || e.Request < minOffered {
				continue
			}
			h = Hit{Entry: entry, MatchKind: MatchRequest}
		}
		h.Score, h.Evidence, h.weak = top*math.Exp((e.score()-best)/wordWeight), e, weak
		all = append(all, h)
	}
	return all
}

// knows reports whether the model was trained with requests for the entry.
func (m *requestModel) knows(entry int) bool { return m.label[entry] >= 0 }

// outside returns the probability that nothing here answers the query.
func (m *requestModel) outside(odds []float64) float64 {
	sum := odds[m.outOfScope]
	for _, l := range m.absent {
		sum += absentWeight * odds[l]
	}
	return sum
}

// weigh returns the evidence for each entry.
func (m *requestModel) weigh(odds []float64, hits []Hit, bundles []int, clause string) []Evidence {
	words, support := make([]float64, len(m.label)), map[int]float64{}
	for i, h := range hits[:min(rankedHits, len(hits))] {
		words[h.Entry] = h.Score / hits[0].Score
		if i < supportingHits {
			support[bundles[h.Entry]] += 0.5 / float64(i+1)
		}
	}
	for entry, l := range m.label {
		if l >= 0 {
			support[bundles[entry]] += odds[l]
		}
	}
	surest := slices.Max(odds)
	all := make([]Evidence, len(m.label))
	for entry, l := range m.label {
		request := surest // so that words decide between an unknown action and the surest known one
		if l >= 0 {
			request = odds[l]
		}
		all[entry] = Evidence{Words: words[entry], Request: request, Bundle: support[bundles[entry]], Clause: clause}
	}
	return all
}
