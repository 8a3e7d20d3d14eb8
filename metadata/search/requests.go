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
	outOfScope int   // the label of requests out of scope
	absent     []int // the labels of actions that are not in the index
}

// newRequestModel returns a requestModel for the entries. It returns nil if model is nil or
// knows none of the entries.
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

// The weights and limits of fuse. They were chosen with requests of authors whose requests the
// classifier had not seen: see docs/project/benchmarks.md.
const (
	wordWeight    = 2.0   // factor of Evidence.Words; the logarithm of Evidence.Request has the factor 1
	minRequest    = 0.002 // added to Evidence.Request before the logarithm, so that words can outweigh it
	rankedHits    = 10    // how many of the best hits by words count
	clauseWeight  = -0.9  // added to the score of the evidence for a clause; about 4 ln 0.8
	minOffered    = 0.01  // the minimum probability of a hit that words did not find
	minAlone      = 0.1   // without hits by words, no hit fits if all probabilities are below this
	surelyOutside = 0.5   // no hit fits above this probability of outside, if the classifier knows the best hit by words
	maybeOutside  = 0.2   // no hit fits above this probability of outside, if no hit by words fits
	absentWeight  = 0.6   // share of a hidden action's probability that counts as outside; the request may need a visible action too
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

// fuse returns a hit for each entry that the query may ask for, in any order. The parameter
// hits has the hits by words, the best first. In a query for several things, the best evidence
// counts for each entry: of the whole query or of a clause.
func (x *Index) fuse(query string, hits []Hit) []Hit {
	m := x.requests
	probabilities := m.model.Probabilities(query)
	if probabilities == nil {
		return hits
	}
	evidence, outside := m.weigh(probabilities, hits, ""), m.outside(probabilities)
	for _, clause := range clauses(query) {
		probabilities := m.model.Probabilities(clause)
		if probabilities == nil {
			continue
		}
		outside = min(outside, m.outside(probabilities))
		found, _ := x.find(clause)
		for entry, e := range m.weigh(probabilities, x.sortHits(found), clause) {
			if e.score() > evidence[entry].score() {
				evidence[entry] = e
			}
		}
	}
	return m.fused(hits, evidence, outside)
}

// fused returns a hit for each hit by words and each entry that is probable enough. If the
// query is probably outside, no hit fits: see Hit.Fits.
func (m *requestModel) fused(hits []Hit, evidence []Evidence, outside float64) []Hit {
	found := map[int]Hit{}
	for _, h := range hits {
		found[h.Entry] = h
	}
	best, maxRequest := math.Inf(-1), 0.0
	for entry, e := range evidence {
		if best = max(best, e.score()); m.knows(entry) {
			maxRequest = max(maxRequest, e.Request)
		}
	}
	weak, top := outside > maybeOutside || maxRequest < minAlone, minScore
	if len(hits) > 0 {
		weak = hits[0].weak && outside > maybeOutside || m.knows(hits[0].Entry) && outside > surelyOutside
		top = max(top, hits[0].Score)
	}
	var list []Hit
	for entry, e := range evidence {
		h, byWords := found[entry]
		if !byWords {
			if !m.knows(entry) || e.Request < minOffered {
				continue
			}
			h = Hit{Entry: entry, MatchKind: MatchRequest}
		}
		h.Score, h.Evidence, h.weak = top*math.Exp((e.score()-best)/wordWeight), e, weak
		list = append(list, h)
	}
	return list
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

// weigh returns the evidence for each entry. The parameter probabilities is by label. The
// parameter hits has the hits by words, the best first. The clause is "" for the whole query.
func (m *requestModel) weigh(probabilities []float64, hits []Hit, clause string) []Evidence {
	words := make([]float64, len(m.label))
	for _, h := range hits[:min(rankedHits, len(hits))] {
		words[h.Entry] = h.Score / hits[0].Score
	}
	highest := slices.Max(probabilities)
	list := make([]Evidence, len(m.label))
	for entry, l := range m.label {
		request := highest // so that words decide between an unknown action and the most probable action
		if l >= 0 {
			request = probabilities[l]
		}
		list[entry] = Evidence{Words: words[entry], Request: request, Clause: clause}
	}
	return list
}
