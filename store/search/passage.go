package search

import (
	"context"
	"strings"
)

const (
	maxReread      = 30  // maximum number of candidates whose texts are read again: the best
	longBody       = 300 // length of IndexedDocument.Body, in bytes, above which a text is long
	maxPassageText = 64 << 10
	passageChunks  = 20  // length of a passage: about one turn of a conversation
	passageShare   = .75 // share of the passage in the score of a long text
)

// judgePassages reads the long texts among the best of found again, and judges each of them mostly
// by the passage with the most of the query. The words of a question may all occur in a long text
// without having to do with each other. found may change its order.
func (s *scorer) judgePassages(ctx context.Context, x Source, found []*Candidate) error {
	SortByScore(found)
	long, ids := []*Candidate{}, []int64{}
	for _, c := range found[:min(len(found), maxReread)] {
		if size := len(c.Indexed.Body); size > longBody && size <= maxPassageText {
			long, ids = append(long, c), append(ids, c.ID)
		}
	}
	if len(long) == 0 {
		return nil
	}
	texts, err := x.Texts(ctx, ids)
	if err != nil {
		return err
	}
	for _, c := range long {
		text := texts[c.ID]
		if text == "" || len(text) > maxPassageText {
			continue
		}
		passage := *c
		passage.Indexed.Body = s.bestPassage(text)
		s.score(&passage)
		c.Relevance *= 1 - passageShare + passageShare*passage.Relevance
		c.Score *= 1 - passageShare + passageShare*passage.Relevance
		c.matchesAll = passage.matchesAll
	}
	return nil
}

// bestPassage returns the terms of the passage of text with the most of the query, by weight.
func (s *scorer) bestPassage(text string) string {
	all := chunks(text)
	best, most := 0, 0.0
	for i := range all {
		if !s.matchesAny(all[i]) {
			continue // a better passage begins at the next match
		}
		seen := make([]float64, len(s.terms))
		sum := 0.0
		for _, c := range all[i:min(len(all), i+passageChunks)] {
			for term := range c.terms() {
				for _, m := range s.matches[term] {
					if m.quality > seen[m.term] {
						sum += (m.quality - seen[m.term]) * s.terms[m.term].weight
						seen[m.term] = m.quality
					}
				}
			}
		}
		if sum > most {
			best, most = i, sum
		}
	}
	terms := []string{}
	for _, c := range all[best:min(len(all), best+passageChunks)] {
		for term := range c.terms() {
			terms = append(terms, term)
		}
	}
	return strings.Join(terms, " ")
}

func (s *scorer) matchesAny(c chunk) bool {
	for term := range c.terms() {
		if len(s.matches[term]) > 0 {
			return true
		}
	}
	return false
}
