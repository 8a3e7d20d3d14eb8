package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// List returns the memories that match a filter, and the cursor of the next part, "" after the
// last. Memories added or removed between two parts neither repeat nor hide another memory. It
// returns ErrInvalid for a limit below 1 and for a text that is no cursor. A cursor is only valid
// for the same filter and order.
func (m *Store) List(ctx context.Context, f store.Filter, p store.Page) ([]*store.Memory, string, error) {
	found, next, err := m.list(ctx, f, p)
	if err != nil {
		return nil, "", fmt.Errorf("list memories: %w", err)
	}
	return found, next, nil
}

func (m *Store) list(ctx context.Context, f store.Filter, p store.Page) ([]*store.Memory, string, error) {
	if p.Limit < 1 {
		return nil, "", fmt.Errorf("%w: limit %d is below 1", store.ErrInvalid, p.Limit)
	}
	where, args := memoriesWhere(m.db, f, m.owner, m.db.Now())
	after, afterArgs, err := pageAfter(p)
	if err != nil {
		return nil, "", err
	}
	found, err := m.readOrdered(ctx, where+after, append(args, afterArgs...), orderSQL(p.Order), p.Limit+1)
	if err != nil || len(found) <= p.Limit {
		return found, "", err
	}
	found = found[:p.Limit]
	return found, orderCursor(p.Order, found[p.Limit-1]), nil
}

// scanMemories reads and closes rows.
func scanMemories(rows engine.Rows) ([]*store.Memory, error) {
	defer rows.Close()
	found := []*store.Memory{}
	for rows.Next() {
		one, err := scanMemory(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

// memoriesWhere returns the SQL condition of a filter, with its arguments. Values are only passed
// as arguments, never in the SQL text.
func memoriesWhere(db engine.DB, f store.Filter, owner any, now time.Time) (string, []any) {
	where, args := []string{"owner = ?"}, []any{owner}
	add := func(condition string, more ...any) {
		where = append(where, condition)
		args = append(args, more...)
	}
	if f.Archived {
		add("(deleted IS NOT NULL OR expires <= ?)", now.UnixMilli())
	} else {
		add("deleted IS NULL AND (expires IS NULL OR expires > ?)", now.UnixMilli())
	}
	if f.Category != "" {
		add("category = ?", f.Category)
	}
	for _, tag := range f.Tags {
		add(db.Dialect().HasElement("tags", "?", false), tag)
	}
	if from, to := store.NormalizedKeyRange(f.Prefix); from != "" {
		if dividedFrom, dividedTo := store.DividedKeyRange(f.Prefix); dividedFrom != "" {
			start := store.CleanKey(f.Prefix)
			add("(norm >= ? AND norm < ? OR norm >= ? AND norm < ? AND substr(key, 1, length(?)) = ?)", from, to, dividedFrom, dividedTo, start, start)
		} else {
			add("norm >= ? AND norm < ?", from, to)
		}
	} else if start := store.CleanKey(f.Prefix); start != "" {
		add("key >= ? AND key < ?", start, start[:len(start)-1]+string(start[len(start)-1]+1)) // only separators, which no norm contains
	}
	if !f.Before.IsZero() {
		add("updated < ?", f.Before.UnixMilli())
	}
	if part := strings.TrimSpace(f.Source); part != "" {
		add(containsSource.For(db), part)
	}
	if f.Pinned {
		add("pinned = 1")
	}
	if !f.Ending.IsZero() {
		add("expires < ?", f.Ending.UnixMilli())
	}
	return strings.Join(where, " AND "), args
}

// containsSource is the condition that the source contains a text. The case of ASCII letters does
// not matter; that of other letters does, as lower of SQLite does not change them.
var containsSource = engine.Stmt{
	SQLite:   "instr(lower(source), lower(?)) > 0",
	Postgres: `strpos(lower(source), lower(CAST(? AS text) COLLATE "C")) > 0`,
}

func orderSQL(o store.Order) string {
	if o == store.Newest {
		return newestFirst
	}
	return keyOrder
}

const (
	keyOrder    = "norm, key, id"
	newestFirst = "updated DESC, id DESC"
	oldestFirst = "updated, id"
)

// readOrdered reads the first limit memories that match a condition, in one of the orders.
func (m *Store) readOrdered(ctx context.Context, where string, args []any, order string, limit int) ([]*store.Memory, error) {
	from := "SELECT " + columns + " FROM memories "
	query, queryArgs := from+"WHERE "+where, args
	if order != keyOrder {
		// The index on updated only has rows that are in the search index. The other rows are
		// few; the index on stale finds them.
		end := " ORDER BY " + order + " LIMIT ?) AS "
		query = ofStale("SELECT * FROM (" + from + "WHERE " + where + " AND stale = 0" + end + "indexed" +
			" UNION ALL SELECT * FROM (" + from + " INDEXED BY memories_stale WHERE " + where + " AND stale = 1" + end + "stale").For(m.db)
		queryArgs = slices.Concat(args, []any{limit}, args, []any{limit})
	}
	rows, err := m.db.Read(ctx).Query(query+" ORDER BY "+order+" LIMIT ?", append(slices.Clone(queryArgs), limit)...)
	if err != nil {
		return nil, err
	}
	return scanMemories(rows)
}

// orderCursor returns the cursor after a memory: its sort key, and its id, because two memories
// may have the same sort key.
func orderCursor(o store.Order, last *store.Memory) string {
	if o == store.Newest {
		return string(store.EncodeJSON([]any{strconv.FormatInt(last.Updated.UnixMilli(), 10), last.ID}))
	}
	return string(store.EncodeJSON([]any{last.Key, last.ID}))
}

// pageAfter returns the SQL condition, with its arguments, that excludes everything up to the
// cursor.
func pageAfter(p store.Page) (string, []any, error) {
	if p.Cursor == "" {
		return "", nil, nil
	}
	key, id := "", int64(0)
	cursor := []any{&key, &id}
	if err := json.Unmarshal([]byte(p.Cursor), &cursor); err != nil || len(cursor) != 2 {
		return "", nil, &store.CursorError{Cursor: p.Cursor}
	}
	if p.Order == store.ByKey {
		return " AND (norm, key, id) > (?, ?, ?)", []any{store.NormalizeKey(key), key, id}, nil
	}
	updated, err := strconv.ParseInt(key, 10, 64)
	if err != nil {
		return "", nil, &store.CursorError{Cursor: p.Cursor}
	}
	return " AND (updated, id) < (?, ?)", []any{updated, id}, nil
}
