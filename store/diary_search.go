package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// A DiaryQuery asks for what was logged or written down.
type DiaryQuery struct {
	Text   string // words or a question; at least one character that is not white space
	Limit  int    // at least 1
	Cursor string // Next of the answer before; "" for the first part
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

// SearchEntries finds entries by the words of a text among those that a filter
// chooses, as Recall finds memories: inflected, misspelt, and the more telling
// words an entry has in its text, type, section, tags and names of metrics, the
// better. It returns ErrInvalid for a text without anything to search, a limit
// below 1, a filter as Entries does, and a cursor that is not of this text.
func (d *Diary) SearchEntries(ctx context.Context, q DiaryQuery, f EntryFilter) (Found[DayEntry], error) {
	where, args, err := entriesWhere(f, d.owner)
	if err != nil {
		return Found[DayEntry]{}, fmt.Errorf("search entries: %w", err)
	}
	kind, _ := Name(f.Type) // where has refused a bad one
	in := scope{where: where, args: args, labels: terms(strings.Join(append(cleanList(f.Tags), kind, f.Section), " "))}
	found, err := search(ctx, d, entryShelf, entryIndex, q, in, func(e *DayEntry) string { return e.Text })
	if err != nil {
		return Found[DayEntry]{}, fmt.Errorf("search entries: %w", named(err))
	}
	return found, nil
}

// search ranks the rows of a shelf.
func search[T any](ctx context.Context, d *Diary, s shelf[T], ix index, q DiaryQuery, in scope, text func(*T) string) (Found[T], error) {
	skip, err := q.offset()
	if err != nil {
		return Found[T]{}, err
	}
	candidates, unindexed, err := d.db.match(ctx, ix, q.Text, in)
	if err != nil {
		return Found[T]{}, err
	}
	bestFirst(candidates)
	found := Found[T]{Hits: []FoundRow[T]{}, Confidence: confidence(candidates), Unindexed: unindexed}
	skip = min(skip, len(candidates)) // a cursor may be made up
	part := candidates[skip:][:min(q.Limit, len(candidates)-skip)]
	if skip+len(part) < len(candidates) {
		found.Next = q.cursor(skip + len(part))
	}
	rows, err := s.byNumbers(ctx, d, part)
	if err != nil {
		return Found[T]{}, err
	}
	for _, c := range part {
		if row := rows[c.id]; row != nil { // it may have been erased meanwhile
			found.Hits = append(found.Hits, FoundRow[T]{row, c.score, c.why, snippet(text(row), c.matched)})
		}
	}
	return found, nil
}

// byNumbers reads the rows of candidates.
func (s shelf[T]) byNumbers(ctx context.Context, d *Diary, found []*candidate) (map[int64]*T, error) {
	ids := make([]int64, len(found))
	for i, c := range found {
		ids[i] = c.id
	}
	rows, err := s.scanAll(reading{ctx, d.db}.query("SELECT "+s.all()+" FROM "+s.table+" WHERE id IN (SELECT value FROM json_each(?))", list(ids)))
	byNumber := make(map[int64]*T, len(rows))
	for _, row := range rows {
		byNumber[s.number(row)] = row
	}
	return byNumber, err
}

func (q DiaryQuery) cursor(skip int) string { return string(encode([]any{skip, q.Text})) }

// offset checks the query and returns where the part begins.
func (q DiaryQuery) offset() (int, error) {
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

// Index takes everything written so far into the search index. Searches do so
// by themselves; this is for bulk work, which would make the next one slow.
func (d *Diary) Index(ctx context.Context) error {
	for _, ix := range []index{entryIndex, documentIndex} {
		if _, err := d.db.drain(ctx, ix, math.MaxInt, largeBatch); err != nil {
			return fmt.Errorf("index the diary: %w", named(err))
		}
	}
	return nil
}
