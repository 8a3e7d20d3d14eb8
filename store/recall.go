package store

import (
	"context"
	"encoding/json"
	"time"

	"kota/store/semantic"
)

// A Sort is the order of the results.
type Sort string

const (
	Relevance   Sort = "relevance" // best match first; the zero Sort does the same
	NewestFirst Sort = "newest"    // last changed first
	OldestFirst Sort = "oldest"
	KeyOrder    Sort = "key"
)

// A RecallQuery is a search of memories.
type RecallQuery struct {
	Text           string    // a key, words or a question; "" returns everything that matches Filter
	Filter                   // limits the results
	Since          time.Time // only memories last changed then or later
	Sort           Sort
	Limit          int    // at least 1
	Cursor         string // Next of the previous result; "" for the first part
	AmbiguousLimit int    // for low confidence: the maximum number of hits, if this is above Limit

	// Similar returns the memories whose meaning is close to Text. It is called if the confidence
	// of the search by words is not high, or if Limit is above 1. Nil: no search by meaning.
	Similar func(context.Context) []semantic.Match
}

// CursorAt returns the cursor of the part that begins after skip hits.
func (q RecallQuery) CursorAt(skip int) string {
	return string(EncodeJSON(recallCursor{skip, q.Text, q.Sort}))
}

// Offset returns the number of hits to skip. It returns ErrInvalid if Cursor was not made for
// this Text and Sort.
func (q RecallQuery) Offset() (int, error) {
	if q.Cursor == "" {
		return 0, nil
	}
	cursor := recallCursor{}
	if err := json.Unmarshal([]byte(q.Cursor), &cursor); err != nil || cursor.Skip < 0 || cursor.Text != q.Text || cursor.Sort != q.Sort {
		return 0, &CursorError{q.Cursor}
	}
	return cursor.Skip, nil
}

// A Confidence rates the best hit of a result. It depends on the significant words of the query:
// those that say what the query is about. A rival is another hit that has every significant word
// and is nearly as relevant.
type Confidence string

const (
	ConfidenceHigh Confidence = "high" // the best hit can be used as the answer: its key is the query, or it has every significant word of the query and no rival
	ConfidenceLow  Confidence = "low"  // the best hit lacks a significant word or has rivals, or only its meaning matches
	ConfidenceNone Confidence = "none" // no memory has a significant word or the meaning of the query: hits are only hints
)

// A RecallResult is the result of Recall, best hit first.
type RecallResult struct {
	Hits       []Hit
	Confidence Confidence
	Nearest    []string // up to three similar keys, if Confidence is ConfidenceNone
	Next       string   // cursor of the next part; "" after the last
	Unindexed  int      // memories that were not searched, because too many are not indexed yet or the index cannot be written
}

// A Hit is one memory found.
type Hit struct {
	Memory    *Memory
	Score     float64 // 0 to 1; comparable within one result, and roughly between results
	MatchKind MatchKind
	Snippet   string // the text around the match, one line of at most 160 runes
}

// A MatchKind says how a memory or a row of the diary matched.
type MatchKind string

const (
	MatchExact        MatchKind = "exact"        // the query is the key
	MatchWord         MatchKind = "word"         // it contains words of the query
	MatchSpelling     MatchKind = "spelling"     // it contains words spelled like those of the query
	MatchAbbreviation MatchKind = "abbreviation" // the query abbreviates the key
)

// MatchMeaning says that a memory is close in meaning to the query, and contains few or none of its
// words.
const MatchMeaning MatchKind = "meaning"

// A recallCursor is the content of a cursor: the number of hits to skip, and the text and order
// of the query.
type recallCursor struct {
	Skip int    `json:"skip"`
	Text string `json:"text"`
	Sort Sort   `json:"sort"`
}
