package search

import (
	"math"
	"slices"

	"kota/metadata/classifier"
)

// A requestModel joins the ranking by words with a classifier of requests.
type requestModel struct {
	model      *classifier.Model
	label      []int // by entry; the label out of scope for an entry that the model does not know
	known      []bool
	outOfScope int
	absent     []int // the labels of no entry, except for the one out of scope
}

// newRequestModel returns the model for entries, or nil if it knows none of them.
func newRequestModel(model *classifier.Model, entries []Entry) *requestModel {
	if model == nil {
		return nil
	}
	m := &requestModel{model: model, outOfScope: slices.Index(model.Labels, classifier.OutOfScope)}
	any := false
	for _, e := range entries {
		l, known := slices.BinarySearch(model.Labels, e.Tool)
		if !known {
			// A request for an action that the model has never seen looks out of scope to it.
			l = m.outOfScope
		}
		m.label, m.known, any = append(m.label, l), append(m.known, known), any || known
	}
	if !any {
		return nil
	}
	for l := range model.Labels {
		if l != m.outOfScope && !slices.Contains(m.label, l) {
			m.absent = append(m.absent, l)
		}
	}
	return m
}

// The weights of the fusion. They were chosen by cross-validation on the requests of the
// repository: see docs/project/benchmarks.md.
const (
	ofWords       = 2.0   // the relative score of the words, beside the logarithm of a probability
	ofBundleSum   = 0.6   // the logarithm of the bundle's probability
	leastOdds     = 0.002 // added to a probability, so that words can outweigh it
	leastBundle   = 0.02
	wordHits      = 10   // how many hits by words count
	bundleHits    = 5    // how many of them support their bundle
	leastOffered  = 0.01 // the probability at which an entry is a hit without a word in common
	surelyOutside = 0.5  // the probability out of scope above which nothing fits
	ofAbsent      = 0.6  // the share of a hidden action's probability: a request may need it and a shown one
	maybeOutside  = 0.2  // the same, if nothing fits by words either
	ofClause      = -0.9 // added to the score of a clause; about 4 ln 0.8
)

// fuse returns the entries that a query asks for. hits are those found by words, the best
// first. A query for several things has the best score of the whole and of its clauses. fuse
// returns hits as they are if the query has no feature.
func (x *Index) fuse(query string, hits []Hit) []Hit {
	m, bundles := x.requests, x.words.bundle
	odds := m.model.Probabilities(query)
	if odds == nil {
		return hits
	}
	scores, outside := m.scores(odds, hits, bundles), m.outside(odds)
	for _, part := range clauses(query) {
		of, _ := x.find(part)
		odds := m.model.Probabilities(part)
		if odds == nil {
			continue
		}
		outside = min(outside, m.outside(odds))
		for entry, s := range m.scores(odds, x.sortHits(of), bundles) {
			scores[entry] = max(scores[entry], s+ofClause)
		}
	}
	byEntry := map[int]Hit{}
	for _, h := range hits {
		byEntry[h.Entry] = h
	}
	silent := len(hits) == 0 && outside > maybeOutside
	if len(hits) > 0 && m.known[hits[0].Entry] {
		silent = outside > surelyOutside || hits[0].weak && outside > maybeOutside
	} else if len(hits) > 0 {
		silent = hits[0].weak && outside > maybeOutside
	}
	best := math.Inf(-1)
	for _, s := range scores {
		best = max(best, s)
	}
	top := minScore
	if len(hits) > 0 {
		top = max(top, hits[0].Score)
	}
	var fused []Hit
	for entry, s := range scores {
		h, found := byEntry[entry]
		if !found {
			if !m.known[entry] || odds[m.label[entry]] < leastOffered {
				continue
			}
			h = Hit{Entry: entry, MatchKind: MatchRequest}
		}
		h.Score = top * math.Exp((s-best)/ofWords)
		h.weak = silent
		fused = append(fused, h)
	}
	return fused
}

// outside returns the probability that nothing here answers the query.
func (m *requestModel) outside(odds []float64) float64 {
	sum := odds[m.outOfScope]
	for _, l := range m.absent {
		sum += ofAbsent * odds[l]
	}
	return sum
}

// scores returns the fused score of each entry, a logarithm.
func (m *requestModel) scores(odds []float64, hits []Hit, bundles []int) []float64 {
	words, support := make([]float64, len(m.label)), map[int]float64{}
	for i, h := range hits[:min(wordHits, len(hits))] {
		words[h.Entry] = h.Score / hits[0].Score
		if i < bundleHits {
			support[bundles[h.Entry]] += 0.5 / float64(i+1)
		}
	}
	for entry, l := range m.label {
		if m.known[entry] {
			support[bundles[entry]] += odds[l]
		}
	}
	scores := make([]float64, len(m.label))
	for entry, l := range m.label {
		scores[entry] = math.Log(odds[l]+leastOdds) + ofWords*words[entry] + ofBundleSum*math.Log(support[bundles[entry]]+leastBundle)
	}
	return scores
}
