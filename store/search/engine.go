package search

import (
	"context"
	"slices"
	"time"
)

// A Source is the documents of one table that may be found, as a database keeps
// them. Documents have numbers, the newest the highest.
type Source interface {
	// Stems returns the terms with one of these stems, and how many documents have
	// each. The empty term is that of every document.
	Stems(ctx context.Context, stems []string) ([]Term, error)
	// Spelled returns terms of so many letters that begin with a prefix; with backward
	// those whose letters in reverse order do.
	Spelled(ctx context.Context, size int, prefix string, backward bool, limit int) ([]Term, error)
	// Containing returns terms that have all of the trigrams.
	Containing(ctx context.Context, trigrams []string, limit int) ([]Term, error)
	// Known returns those of the terms that occur.
	Known(ctx context.Context, terms []string) ([]Term, error)
	// Postings returns the numbers of the newest documents that have one of the words
	// in a column, and all of the labels, the newest first.
	Postings(ctx context.Context, in Column, words, labels []string, limit int) ([]int64, error)
	// Documents reads those of the documents that may be found, in the order given, at
	// most limit.
	Documents(ctx context.Context, ids []int64, limit int) ([]*Candidate, error)
}

// A Column is a part of a document.
type Column int

// The columns that are looked up.
const (
	Anywhere Column = iota // key, labels and body
	Keys
	Initials // of the words of the key
)

// Find returns the documents that have words of a text, scored, in any order. The
// category and tags of each have the labels. fresh are documents that the source does
// not have as they are.
func Find(ctx context.Context, x Source, text string, labels []string, fresh []*Candidate, now time.Time) ([]*Candidate, error) {
	wants, err := meant(ctx, x, queryTermsOf(text), fresh)
	if err != nil {
		return nil, err
	}
	found, err := candidates(ctx, x, wants, labels)
	if err != nil {
		return nil, err
	}
	found = mergeFresh(found, fresh)
	scoreAll(wants, found, now)
	return slices.DeleteFunc(found, func(c *Candidate) bool { return c.Score == 0 }), nil
}

// Score scores documents by the words of a text.
func Score(ctx context.Context, x Source, text string, found []*Candidate, now time.Time) error {
	wants, err := meant(ctx, x, queryTermsOf(text), nil)
	if err == nil {
		scoreAll(wants, found, now)
	}
	return err
}

func scoreAll(wants []queryTerm, found []*Candidate, now time.Time) {
	s := newScorer(wants, now)
	for _, c := range found {
		s.score(c)
	}
}
