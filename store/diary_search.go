package store

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A DiaryQuery is a search of the diary.
type DiaryQuery struct {
	Text   string // words or a question; at least one character that is not white space
	Limit  int    // at least 1
	Cursor string // Next of the previous result; "" for the first part
}

// CursorAt returns the cursor of the part that begins after skip hits.
func (q DiaryQuery) CursorAt(skip int) string { return string(EncodeJSON([]any{skip, q.Text})) }

// Offset checks the query and returns the number of hits to skip. It returns ErrInvalid if Text
// is only white space, Limit is below 1, or Cursor was not made for Text.
func (q DiaryQuery) Offset() (int, error) {
	if strings.TrimSpace(q.Text) == "" {
		return 0, fmt.Errorf("%w: there is no text to search for", ErrInvalid)
	}
	if q.Limit < 1 {
		return 0, fmt.Errorf("%w: limit %d is below 1", ErrInvalid, q.Limit)
	}
	if q.Cursor == "" {
		return 0, nil
	}
	skip, text := 0, ""
	cursor := []any{&skip, &text}
	if err := json.Unmarshal([]byte(q.Cursor), &cursor); err != nil || len(cursor) != 2 || text != q.Text || skip < 0 {
		return 0, &CursorError{q.Cursor}
	}
	return skip, nil
}

// A SearchResult holds the results of a diary search, best first.
type SearchResult[T any] struct {
	Hits       []SearchHit[T]
	Confidence Confidence
	Next       string // cursor of the next part; "" after the last
	Unindexed  int    // rows that were not searched, because too many are not indexed yet or the index cannot be written
}

// A SearchHit is one row of the results.
type SearchHit[T any] struct {
	Row       *T
	Score     float64 // 0 to 1; comparable within one result
	MatchKind MatchKind
	Snippet   string // the text around the match, one line of at most 160 runes
}
