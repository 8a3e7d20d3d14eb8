package search

import (
	"context"
	"slices"
	"time"
)

// A Source provides the searchable documents of one table in a database. Each document has an id;
// the newest has the highest.
type Source interface {
	// Stems returns the terms with one of these stems, and the number of documents of each. The
	// empty term stands for all documents, and has the empty stem.
	Stems(ctx context.Context, stems []string) ([]Term, error)
	// Spelled returns at most limit terms of size letters that begin with prefix. If backward is
	// true, the reversed terms begin with prefix.
	Spelled(ctx context.Context, size int, prefix string, backward bool, limit int) ([]Term, error)
	// Containing returns at most limit terms that contain all of the trigrams.
	Containing(ctx context.Context, trigrams []string, limit int) ([]Term, error)
	// Known returns the given terms that exist in the index.
	Known(ctx context.Context, terms []string) ([]Term, error)
	// Postings returns the ids of documents that have one of the words in the column, and all of
	// the labels. It returns at most limit of them, the newest first.
	Postings(ctx context.Context, in Column, words, labels []string, limit int) ([]int64, error)
	// Documents reads the documents with these ids, in the given order, at most limit. It omits
	// documents that are not searchable.
	Documents(ctx context.Context, ids []int64, limit int) ([]*Candidate, error)
	// Texts returns the texts of the documents with these ids, by id. It omits the last ones if all
	// together are longer than limit bytes.
	Texts(ctx context.Context, ids []int64, limit int) (map[int64]string, error)
}

// A Column is a part of a document.
type Column int

// The columns that Postings can search.
const (
	Anywhere Column = iota // key, labels and body
	Keys
	Initials // the initials of the key's words
)

// Find returns documents that contain words of a text, with scores, in any order. At most
// maxCandidates of them are from x; each of these has all labels in its category and tags. fresh
// are documents whose current content is not in the index yet.
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
	if err := scoreAll(ctx, x, terms, found, now); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(c *Candidate) bool { return c.Score == 0 }), nil
}

// Score sets the scores of found for the words of text.
func Score(ctx context.Context, x Source, text string, found []*Candidate, now time.Time) error {
	terms, err := resolveTerms(ctx, x, splitQuery(text), nil)
	if err != nil {
		return err
	}
	return scoreAll(ctx, x, terms, found, now)
}

func scoreAll(ctx context.Context, x Source, terms []queryTerm, found []*Candidate, now time.Time) error {
	s := newScorer(terms, now)
	for _, c := range found {
		s.score(c)
	}
	if err := s.judgePassages(ctx, x, found); err != nil {
		return err
	}
	SortByScore(found)
	s.meaning.add(found)
	s.dropPartsOfStopWords(found)
	return nil
}
