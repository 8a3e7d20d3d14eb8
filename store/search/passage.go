package search

import (
	"context"
	"strings"
)

const (
	longBody       = 300       // length of IndexedDocument.Body, in bytes, above which a text is long
	maxReread      = 30        // maximum number of long texts that are read again: the best
	maxRereadBytes = 128 << 10 // maximum length of these texts together
	passageChunks  = 20        // length of a passage: about one turn of a conversation
	passageShare   = .75       // share of the passage in the score of a long text
)

// judgePassages reads the best of the long texts of found again, and lowers their scores by what
// their best passages lack. The words of a question may all occur in a long text without having to
// do with each other. The other long texts lose as much as the worst of these, so that none gains by
// not being read. found may change its order.
func (s *scorer) judgePassages(ctx context.Context, x Source, found []*Candidate) error {
	SortByScore(found)
	long, ids := []*Candidate{}, []int64{}
	for _, c := range found {
		if len(c.Indexed.Body) > longBody {
			long, ids = append(long, c), append(ids, c.ID)
		}
	}
	if len(long) == 0 {
		return nil
	}
	texts, err := x.Texts(ctx, ids[:min(len(ids), maxReread)], maxRereadBytes)
	if err != nil {
		return err
	}
	least := 1.0
	for _, c := range long {
		factor := least
		if text := texts[c.ID]; text != "" {
			c.passage = s.bestPassage(text)
			passage := *c
			passage.Indexed.Body = c.passage
			s.score(&passage)
			factor = 1 - passageShare + passageShare*passage.Relevance
			least = min(least, factor)
			c.matchesAll = passage.matchesAll
		}
		c.Relevance *= factor
		c.Score *= factor
	}
	return nil
}

// bestPassage returns the terms of the passage of text with the most of the query, by weight.
func (s *scorer) bestPassage(text string) string {
	all := chunks(text)
	matches := make([][]termMatch, len(all))
	for i, c := range all {
		for term := range c.terms() {
			matches[i] = append(matches[i], s.matchesOf(term)...)
		}
	}
	best, most := 0, 0.0
	seen := make([]float64, len(s.terms))
	for i := range all {
		if len(matches[i]) == 0 {
			continue // a better passage begins at the next match
		}
		clear(seen)
		sum := 0.0
		for _, here := range matches[i:min(len(all), i+passageChunks)] {
			for _, m := range here {
				if m.quality > seen[m.term] {
					sum += (m.quality - seen[m.term]) * s.terms[m.term].weight
					seen[m.term] = m.quality
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
