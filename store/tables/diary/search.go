package diary

import (
	"context"
	"fmt"
	"strings"

	"kota/store"
	"kota/store/engine"
	"kota/store/search"
	"kota/store/tables/index"
)

// SearchEntries searches the entries that match a filter by the words of q.Text, like Recall
// searches memories. It finds inflected and misspelled words. An entry ranks higher the more
// significant words it has in its text, type, section, tags and metric names. It returns
// ErrInvalid for an empty text, a limit below 1, a cursor of another text, and an invalid filter.
func (d *Store) SearchEntries(ctx context.Context, q store.DiaryQuery, f store.EntryFilter) (store.SearchResult[store.DayEntry], error) {
	where, args, err := entriesWhere(d.db.Read(ctx), f, d.owner)
	if err != nil {
		return store.SearchResult[store.DayEntry]{}, fmt.Errorf("search entries: %w", err)
	}
	kind, _ := store.NormalizeName(f.Type) // entriesWhere has refused an invalid one
	in, labels := index.Scope{Where: where, Args: args}, search.Terms(strings.Join(append(store.TagList(f.Tags), kind, f.Section), " "))
	found, err := searchTable(ctx, d, entryTable, entryIndex, q, in, labels, func(e *store.DayEntry) string { return e.Text })
	if err != nil {
		return store.SearchResult[store.DayEntry]{}, fmt.Errorf("search entries: %w", err)
	}
	return found, nil
}

// searchTable returns the part of the ranked rows of a table that q asks for. text returns the
// text of a row for snippets.
func searchTable[T any](ctx context.Context, d *Store, s table[T], ix index.Index, q store.DiaryQuery, in index.Scope, labels []string, text func(*T) string) (store.SearchResult[T], error) {
	skip, err := q.Offset()
	if err != nil {
		return store.SearchResult[T]{}, err
	}
	candidates, unindexed, err := ix.Within(d.db, in).Match(ctx, q.Text, labels)
	if err != nil {
		return store.SearchResult[T]{}, err
	}
	search.SortByScore(candidates)
	found := store.SearchResult[T]{Hits: []store.SearchHit[T]{}, Confidence: search.ConfidenceOf(candidates), Unindexed: unindexed}
	skip = min(skip, len(candidates)) // the cursor may not come from KOTA
	part := candidates[skip:][:min(q.Limit, len(candidates)-skip)]
	if skip+len(part) < len(candidates) {
		found.Next = q.CursorAt(skip + len(part))
	}
	rows, err := s.byNumbers(ctx, d, part)
	if err != nil {
		return store.SearchResult[T]{}, err
	}
	for _, c := range part {
		if row := rows[c.ID]; row != nil { // it may have been erased meanwhile
			found.Hits = append(found.Hits, store.SearchHit[T]{Row: row, Score: c.Score, MatchKind: c.MatchKind, Snippet: search.Snippet(text(row), c.Matched)})
		}
	}
	return found, nil
}

// byNumbers reads the rows of candidates, by row number.
func (s table[T]) byNumbers(ctx context.Context, d *Store, found []*search.Candidate) (map[int64]*T, error) {
	ids := make([]int64, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	q := d.db.Read(ctx)
	rows, err := s.scanAll(q.Query("SELECT "+s.allColumns()+" FROM "+s.table+" WHERE "+q.Dialect().Among("id", "?")+" AND owner = ?", engine.List[int64](ids), d.owner))
	byNumber := make(map[int64]*T, len(rows))
	for _, row := range rows {
		byNumber[s.number(row)] = row
	}
	return byNumber, err
}

// Index adds everything written so far to the search index. Searches do that themselves. Call
// Index after bulk work, which would make the next search slow.
func (d *Store) Index(ctx context.Context) error {
	for _, ix := range []index.Index{entryIndex, documentIndex} {
		if err := ix.IndexAll(ctx, d.db); err != nil {
			return fmt.Errorf("index the diary: %w", err)
		}
	}
	return nil
}
