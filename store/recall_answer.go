package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"kota/store/semantic"
)

// A Sort is the order of what was found.
type Sort string

const (
	Relevance   Sort = "relevance" // the best answer first; the zero Sort does the same
	NewestFirst Sort = "newest"    // by the time of the last change
	OldestFirst Sort = "oldest"
	KeyOrder    Sort = "key"
)

// A Query asks for memories.
type Query struct {
	Text   string    // a key, words, a question; "" asks for all that Filter chooses
	Filter           // narrows the answer
	Since  time.Time // it was last changed then or later
	Sort   Sort
	Limit  int    // at least 1
	Cursor string // Next of the answer before; "" for the first part
	Rivals int    // how many hits an Unsure answer has, when that is more than Limit

	// Similar returns the memories that mean what Text means, whatever its
	// words. It is asked where words leave doubt, or more than one hit is wanted.
	// Nil is never asked.
	Similar func(context.Context) []semantic.Near
}

// CursorAt is the cursor of the part after so many hits.
func (q Query) CursorAt(skip int) string { return string(EncodeJSON(place{skip, q.Text, q.Sort})) }

// Offset is how many hits come before the part that the cursor names. It returns
// ErrInvalid for a cursor that is not of this query.
func (q Query) Offset() (int, error) {
	if q.Cursor == "" {
		return 0, nil
	}
	p := place{}
	if err := json.Unmarshal([]byte(q.Cursor), &p); err != nil || p.Skip < 0 || p.Text != q.Text || p.Sort != q.Sort {
		return 0, fmt.Errorf("%w: cursor %q", ErrInvalid, q.Cursor)
	}
	return p.Skip, nil
}

// A Confidence says what the best hit of an answer is worth.
type Confidence string

const (
	Sure   Confidence = "high" // it has every word that tells what was asked for, and no other does: it may be taken for the answer
	Unsure Confidence = "low"  // it is one of some candidates
	None   Confidence = "none" // nothing that is kept shares a telling word: a hit is no more than a pointer
)

// An Answer is what Recall found, the best first.
type Answer struct {
	Hits       []Hit
	Confidence Confidence
	Nearest    []string // up to three keys that come nearest, when Confidence is None
	Next       string   // cursor of the next part; "" after the last
	Unindexed  int      // memories that were not looked at, because the index cannot be written
}

// A Hit is one memory found.
type Hit struct {
	Memory  *Memory
	Score   float64 // 0 to 1; comparable within one answer, and roughly between answers
	Why     Why
	Snippet string // the text around the match, one line of at most 160 runes
}

// A Why says how a memory came to be found.
type Why string

const (
	Exact        Why = "exact"        // the query is its key
	Word         Why = "word"         // it has words of the query
	Spelling     Why = "spelling"     // it has words much like those of the query
	Abbreviation Why = "abbreviation" // the query shortens its key
)

// Meaning says that a memory means what the query means, and has none of its
// words, or few.
const Meaning Why = "meaning"

// A place is where a ranked answer goes on.
type place struct {
	Skip int    `json:"skip"`
	Text string `json:"text"`
	Sort Sort   `json:"sort"`
}
