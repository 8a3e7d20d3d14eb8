package diary

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kota/store"
	"kota/store/engine"
)

// Entries returns the entries that match a filter, sorted by day and then by moment. An entry
// without a moment counts as the last of its day. If p.Newest is set, the order is reversed. It
// also returns the cursor of the next part, "" after the last. Rows added or removed between two
// parts neither repeat nor hide another entry. It returns ErrInvalid for an invalid date, type or
// metric name, a limit below 1, and a text that is no cursor.
func (d *Store) Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error) {
	found, next, err := d.entries(ctx, f, p)
	if err != nil {
		return nil, "", fmt.Errorf("list entries: %w", err)
	}
	return found, next, nil
}

func (d *Store) entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error) {
	if p.Limit < 1 {
		return nil, "", fmt.Errorf("%w: limit %d is below 1", store.ErrInvalid, p.Limit)
	}
	q := d.db.Read(ctx)
	where, args, err := entriesWhere(q, f, d.owner)
	if err != nil {
		return nil, "", err
	}
	moment := timeOrder.For(q)
	order, afterCursor := "date, "+moment+", id", " AND (date, "+moment+", id) > (?, ?, ?)"
	if p.Newest {
		order, afterCursor = "date DESC, "+moment+" DESC, id DESC", " AND (date, "+moment+", id) < (?, ?, ?)"
	}
	if p.Cursor != "" {
		after, err := parseEntryCursor(p)
		if err != nil {
			return nil, "", err
		}
		where, args = where+afterCursor, append(args, after...)
	}
	found, err := readOrdered(q, where, args, order, p.Limit+1)
	if err != nil || len(found) <= p.Limit {
		return found, "", err
	}
	found = found[:p.Limit]
	last := found[p.Limit-1]
	return found, string(store.EncodeJSON([]any{last.Date, timeOrderOf(last), last.ID})), nil
}

// Entries without a moment sort after the others of their day. timeOrder is the expression in the
// index entries_day, and untimedOrder its value for these entries.
const untimedOrder = 253402300800000

var timeOrder = engine.Stmt{SQLite: "ifnull(moment, 253402300800000)", Postgres: "coalesce(moment, 253402300800000)"}

// timeOrderOf returns the value of timeOrder for an entry.
func timeOrderOf(e *store.DayEntry) int64 {
	if e.Moment.IsZero() {
		return untimedOrder
	}
	return e.Moment.UnixMilli()
}

// The index entries_day only has rows that are in the search index. The other rows are few; queries
// find them by their column stale. SQLite must be told so.
const indexedEntries = " FROM entries WHERE stale = 0 AND "

var staleEntries = engine.Stmt{SQLite: " FROM entries INDEXED BY entries_stale WHERE stale = 1 AND ", Postgres: " FROM entries WHERE stale = 1 AND "}

// readOrdered reads the first limit entries that match a condition, in the given order.
func readOrdered(q engine.Querier, where string, args []any, order string, limit int) ([]*store.DayEntry, error) {
	columns, end := entryTable.allColumns(), where+" ORDER BY "+order+" LIMIT ?)"
	query := "SELECT * FROM (SELECT * FROM (SELECT " + columns + indexedEntries + end + " AS part1 UNION ALL SELECT * FROM (SELECT " + columns + staleEntries.For(q) + end +
		" AS part2) AS parts ORDER BY " + order + " LIMIT ?"
	return entryTable.scanAll(q.Query(query, slices.Concat(args, []any{limit}, args, []any{limit, limit})...))
}

// parseEntryCursor returns the position that the cursor names.
func parseEntryCursor(p store.EntryPage) ([]any, error) {
	date, moment, id := "", int64(0), ""
	cursor := []any{&date, &moment, &id}
	if err := json.Unmarshal([]byte(p.Cursor), &cursor); err != nil || len(cursor) != 3 || store.DiaryNumber(store.EntryPrefix, id) == 0 {
		return nil, &store.CursorError{Cursor: p.Cursor}
	}
	return []any{date, moment, store.DiaryNumber(store.EntryPrefix, id)}, nil
}

// Entry returns the entry with that id. It returns ErrNotFound if it does not exist or is
// deleted.
func (d *Store) Entry(ctx context.Context, id string) (*store.DayEntry, error) {
	return entryTable.read(ctx, d, id)
}

// entriesWhere returns the SQL condition of a filter, with its arguments. Values are only passed
// as arguments, never in the SQL text.
func entriesWhere(q engine.Querier, f store.EntryFilter, owner any) (string, []any, error) {
	where, args := []string{"owner = ?", "deleted IS NULL"}, []any{owner}
	add := func(condition string, more ...any) {
		where, args = append(where, condition), append(args, more...)
	}
	for _, bound := range []struct{ condition, date string }{{"date >= ?", f.From}, {"date <= ?", f.To}} {
		if bound.date == "" {
			continue
		}
		if err := store.CheckDate(bound.date); err != nil {
			return "", nil, err
		}
		add(bound.condition, bound.date)
	}
	if f.Type != "" {
		name, err := store.NormalizeName(f.Type)
		if err != nil {
			return "", nil, err
		}
		add("type = ?", name)
	}
	if f.Section != "" {
		add("section = ?", store.CleanLabel(f.Section))
	}
	for _, tag := range store.TagList(f.Tags) {
		add(q.Dialect().HasElement("tags", "?", true), tag)
	}
	if f.Link != "" {
		add(q.Dialect().HasElement("links", "?", false), store.CleanLabel(f.Link))
	}
	for _, r := range f.Metrics {
		if err := metricWhere(q, r, add); err != nil {
			return "", nil, err
		}
	}
	return strings.Join(where, " AND "), args, nil
}
