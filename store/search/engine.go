package search

import (
	"context"
	"slices"
	"time"
)

// A Source provides the searchable documents of one table in a database. Documents have
// numbers; the newest has the highest.
type Source interface {
	// Stems returns the terms with one of these stems, and the number of documents of
	// each. The empty term stands for every document.
	Stems(ctx context.Context, stems []string) ([]Term, error)
	// Spelled returns terms of size letters that begin with prefix. With backward, prefix
	// matches the letters in reverse order.
	Spelled(ctx context.Context, size int, prefix string, backward bool, limit int) ([]Term, error)
	// Containing returns terms that contain all of the trigrams.
	Containing(ctx context.Context, trigrams []string, limit int) ([]Term, error)
	// Known returns those of the terms that exist in the index.
	Known(ctx context.Context, terms []string) ([]Term, error)
	// Postings returns the numbers of the newest documents that have one of the words in
	// the column, and all of the labels. The newest is first.
	Postings(ctx context.Context, in Column, words, labels []string, limit int) ([]int64, error)
	// Documents reads at most limit of the searchable documents with these ids, in the
	// given order.
	Documents(ctx context.Context, ids []int64, limit int) ([]*Candidate, error)
}

// A Column is a part of a document.
type Column int

// These are the columns of a lookup.
const (
	Anywhere Column = iota // key, labels and body
	Keys
	Initials // of the key's words
)

// Find returns the documents that contain words of a text, with scores, in any order. The
// category and tags of each include all labels. fresh are documents whose current content
// the source does not have yet.
func Find(ctx context.Context, x Source, text string, labels []string, fresh []*Candidate, now time.Time) ([]*Candidate, error) {
	terms, err := resolveTerms(ctx, x, splitQuery(text), fresh)
	if err != nil {
		return nil, err
	}
	found, err := candidates(ctx, x, terms, labels)
	if err != nil {
		return nil, err
	}
	found = mergeFresh(found, fresh)
	scoreAll(terms, found, now)
	return slices.DeleteFunc(found, func(c *Candidate) bool { return c.Score == 0 }), nil
}

// Score scores documents by the words of a text.
func Score(ctx context.Context, x Source, text string, found []*Candidate, now time.Time) error {
	terms, err := resolveTerms(ctx, x, splitQuery(text), nil)
	if err == nil {
		scoreAll(terms, found, now)
	}
	return err
}

func scoreAll(terms []queryTerm, found []*Candidate, now time.Time) {
	s := newScorer(terms, now)
	for _, c := range found {
		s.score(c)
	}
}
