package store

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A DiaryQuery asks for what was logged or written down.
type DiaryQuery struct {
	Text   string // words or a question; at least one character that is not white space
	Limit  int    // at least 1
	Cursor string // Next of the answer before; "" for the first part
}

// CursorAt is the cursor of the part after so many hits.
func (q DiaryQuery) CursorAt(skip int) string { return string(EncodeJSON([]any{skip, q.Text})) }

// Offset checks the query and returns where the part begins.
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
	place := []any{&skip, &text}
	if err := json.Unmarshal([]byte(q.Cursor), &place); err != nil || len(place) != 2 || text != q.Text || skip < 0 {
		return 0, fmt.Errorf("%w: cursor %q", ErrInvalid, q.Cursor)
	}
	return skip, nil
}

// A Found is what a search of the diary found, the best first.
type Found[T any] struct {
	Hits       []FoundRow[T]
	Confidence Confidence
	Next       string // cursor of the next part; "" after the last
	Unindexed  int    // rows that were not looked at, because the index cannot be written
}

// A FoundRow is one row found.
type FoundRow[T any] struct {
	Row     *T
	Score   float64 // 0 to 1; comparable within one answer
	Why     Why
	Snippet string // the text around the match, one line of at most 160 runes
}
