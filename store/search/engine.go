package search

import (
	"context"
	"slices"
	"time"
)

// A Source provides the searchable documents of one table in a database. Each document has an id;
// the newest has the highest. Each method that has several questions may ask the database all of
// them at once.
type Source interface {
	// Stems returns the terms with one of these stems, and the number of documents of each. The
	// empty term stands for all documents, and has the empty stem.
	Stems(ctx context.Context, stems []string) ([]Term, error)
	// Similar returns the answer to each query. Each lookup in it returns at most limit terms.
	Similar(ctx context.Context, queries []SimilarQuery, limit int) ([]SimilarTerms, error)
	// Postings returns a function that answers each query, by its position. The answers are the ids
	// of documents that match the query and have all of the labels, the newest first. The caller
	// asks in the order of the queries, and stops when it needs no more.
	Postings(ctx context.Context, labels []string, queries []PostingsQuery) func(position int) ([]int64, error)
	// Documents reads the documents with these ids, in the given order, at most limit. It omits
	// documents that are not searchable.
	Documents(ctx context.Context, ids []int64, limit int) ([]*Candidate, error)
	// Texts returns the texts of the documents with these ids, by id. It omits the last ones if all
	// together are longer than limit bytes.
	Texts(ctx context.Context, ids []int64, limit int) (map[int64]string, error)
}

// A SimilarQuery asks which terms of the index are similar to a word.
type SimilarQuery struct {
	Spelled  []Spelling
	Trigrams []string // terms that contain all of them, unless there are none
	Parts    []string // those of them that are in the index
}

// A Spelling describes terms of Size letters that begin with Prefix. If Backward is true, the
// reversed terms begin with it.
type Spelling struct {
	Size     int
	Prefix   string
	Backward bool
}

// SimilarTerms is the answer to a SimilarQuery.
type SimilarTerms struct{ Spelled, Containing, Parts []Term }

// A PostingsQuery asks for documents that have one of the words in a column.
type PostingsQuery struct {
	Column Column
	Words  []string
	Docs   int // about how many documents match
	Limit  int // of the ids that are returned: the newest
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
	if err := scoreAll(ctx, x, text, terms, found, now); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(c *Candidate) bool { return c.Score == 0 }), nil
}

// Score sets the scores of found for the words of text. It changes the order of found.
func Score(ctx context.Context, x Source, text string, found []*Candidate, now time.Time) error {
	terms, err := resolveTerms(ctx, x, splitQuery(text), nil)
	if err != nil {
		return err
	}
	return scoreAll(ctx, x, text, terms, found, now)
}

func scoreAll(ctx context.Context, x Source, text string, terms []queryTerm, found []*Candidate, now time.Time) error {
	s := newScorer(terms, now)
	s.negated = !s.hasOnlyStopWords() && negates(Terms(text))
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
