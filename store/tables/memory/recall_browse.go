package memory

import (
	"context"
	"encoding/json"
	"strconv"

	"kota/store"
	"kota/store/search"
)

// browse returns the results for a query without text: everything that matches the filter, newest
// first by default.
func (m *Store) browse(ctx context.Context, q store.RecallQuery) (store.RecallResult, error) {
	where, args := m.scopeOf(q)
	order, afterCursor := newestFirst, " AND (updated, id) < (?, ?)"
	switch q.Sort {
	case store.OldestFirst:
		order, afterCursor = oldestFirst, " AND (updated, id) > (?, ?)"
	case store.KeyOrder:
		order, afterCursor = keyOrder, " AND (norm, key, id) > (?, ?, ?)"
	}
	if q.Cursor != "" {
		after, err := parseBrowseCursor(q)
		if err != nil {
			return store.RecallResult{}, err
		}
		where, args = where+afterCursor, append(args, after...)
	}
	found, err := m.readOrdered(ctx, where, args, order, q.Limit+1)
	if err != nil {
		return store.RecallResult{}, err
	}
	answer := store.RecallResult{Hits: make([]store.Hit, 0, len(found)), Confidence: store.ConfidenceLow}
	if len(found) > q.Limit {
		found = found[:q.Limit]
		last := found[q.Limit-1]
		sortKey := strconv.FormatInt(last.Updated.UnixMilli(), 10)
		if q.Sort == store.KeyOrder {
			sortKey = last.Key
		}
		answer.Next = string(store.EncodeJSON([]any{q.Sort, sortKey, last.ID}))
	}
	for _, one := range found {
		answer.Hits = append(answer.Hits, store.Hit{Memory: one, Snippet: search.Snippet(search.PlainText(string(one.Value)), nil)})
	}
	if len(found) == 0 {
		answer.Confidence = store.ConfidenceNone
	}
	return answer, nil
}

// parseBrowseCursor returns the position that the cursor names: the sort key and id of the last
// memory of the previous part.
func parseBrowseCursor(q store.RecallQuery) ([]any, error) {
	errCursor := &store.CursorError{Cursor: q.Cursor}
	sort, sortKey, id := store.Sort(""), "", int64(0)
	cursor := []any{&sort, &sortKey, &id}
	if err := json.Unmarshal([]byte(q.Cursor), &cursor); err != nil || len(cursor) != 3 || sort != q.Sort {
		return nil, errCursor
	}
	if q.Sort == store.KeyOrder {
		return []any{store.NormalizeKey(sortKey), sortKey, id}, nil
	}
	updated, err := strconv.ParseInt(sortKey, 10, 64)
	if err != nil {
		return nil, errCursor
	}
	return []any{updated, id}, nil
}
