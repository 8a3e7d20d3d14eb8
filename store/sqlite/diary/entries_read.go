package diary

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kota/store"
	"kota/store/sqlite"
)

// Entries returns the entries that a filter chooses, by day and by moment
// within it, those without one last, and the cursor of the next part, "" after
// the last. What is added or removed between two parts neither repeats nor hides
// another entry. It returns ErrInvalid for a date that there is not, a metric
// that can have no such name, a limit below 1, and a cursor that is not its own.
func (d *Store) Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error) {
	found, next, err := d.entries(ctx, f, p)
	if err != nil {
		return nil, "", fmt.Errorf("list entries: %w", sqlite.Classify(err))
	}
	return found, next, nil
}

func (d *Store) entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error) {
	if p.Limit < 1 {
		return nil, "", fmt.Errorf("%w: limit %d is below 1", store.ErrInvalid, p.Limit)
	}
	where, args, err := entriesWhere(f, d.owner)
	if err != nil {
		return nil, "", err
	}
	order, behind := "date, "+inDay+", id", " AND (date, "+inDay+", id) > (?, ?, ?)"
	if p.Newest {
		order, behind = "date DESC, "+inDay+" DESC, id DESC", " AND (date, "+inDay+", id) < (?, ?, ?)"
	}
	if p.Cursor != "" {
		after, err := entriesAfter(p)
		if err != nil {
			return nil, "", err
		}
		where, args = where+behind, append(args, after...)
	}
	found, err := d.inOrder(ctx, where, args, order, p.Limit+1)
	if err != nil || len(found) <= p.Limit {
		return found, "", err
	}
	found = found[:p.Limit]
	last := found[p.Limit-1]
	return found, string(store.EncodeJSON([]any{last.Date, placeInDay(last), last.ID})), nil
}

// Entries without a moment stand behind the others of their day. inDay is the
// expression of the index of days, and untimed the number in it.
const (
	inDay   = "ifnull(moment, 253402300800000)"
	untimed = 253402300800000
)

// placeInDay is the inDay of an entry.
func placeInDay(e *store.DayEntry) int64 {
	if e.Moment.IsZero() {
		return untimed
	}
	return e.Moment.UnixMilli()
}

// The index of days has only what is in the search index. The rest is little,
// and found by being stale.
const (
	settledEntries = " FROM entries WHERE stale = 0 AND "
	freshEntries   = " FROM entries INDEXED BY entries_stale WHERE stale = 1 AND "
)

// inOrder reads the first entries of a condition, in an order.
func (d *Store) inOrder(ctx context.Context, where string, args []any, order string, limit int) ([]*store.DayEntry, error) {
	end := where + " ORDER BY " + order + " LIMIT ?)"
	query := "SELECT * FROM (SELECT * FROM (SELECT " + entryTable.all() + settledEntries + end + " UNION ALL SELECT * FROM (SELECT " + entryTable.all() + freshEntries + end +
		") ORDER BY " + order + " LIMIT ?"
	return entryTable.scanAll(d.db.Read(ctx).Query(query, slices.Concat(args, []any{limit}, args, []any{limit, limit})...))
}

// entriesAfter is the place that the cursor names.
func entriesAfter(p store.EntryPage) ([]any, error) {
	date, moment, id := "", int64(0), ""
	place := []any{&date, &moment, &id}
	if err := json.Unmarshal([]byte(p.Cursor), &place); err != nil || len(place) != 3 || store.DiaryNumber(store.EntryLetter, id) == 0 {
		return nil, fmt.Errorf("%w: cursor %q", store.ErrInvalid, p.Cursor)
	}
	return []any{date, moment, store.DiaryNumber(store.EntryLetter, id)}, nil
}

// Entry returns the entry with that id. It returns ErrNotFound when there is
// none or it is deleted.
func (d *Store) Entry(ctx context.Context, id string) (*store.DayEntry, error) {
	return entryTable.read(ctx, d, id)
}

// entriesWhere is the condition of a filter. Only placeholders vary with what is
// asked, never the text between them.
func entriesWhere(f store.EntryFilter, owner string) (string, []any, error) {
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
		name, err := store.Name(f.Type)
		if err != nil {
			return "", nil, err
		}
		add("type = ?", name)
	}
	if f.Section != "" {
		add("section = ?", store.CleanLabel(f.Section))
	}
	for _, tag := range store.TagList(f.Tags) {
		add("EXISTS (SELECT 1 FROM json_each(tags) WHERE json_each.value = ? COLLATE NOCASE)", tag)
	}
	if f.Link != "" {
		add("EXISTS (SELECT 1 FROM json_each(links) WHERE json_each.value = ?)", store.CleanLabel(f.Link))
	}
	for _, r := range f.Metrics {
		if err := metricWhere(r, add); err != nil {
			return "", nil, err
		}
	}
	return strings.Join(where, " AND "), args, nil
}

// metricWhere adds the conditions of a range.
func metricWhere(r store.MetricRange, add func(condition string, args ...any)) error {
	column, path, err := metricColumn(r.Name)
	if err != nil {
		return err
	}
	add(column+" IS NOT NULL", path...)
	if r.Min != nil {
		add(column+" >= ?", append(slices.Clone(path), *r.Min)...)
	}
	if r.Max != nil {
		add(column+" <= ?", append(slices.Clone(path), *r.Max)...)
	}
	return nil
}

// metricColumn is the expression for a metric of an entry, with its arguments.
func metricColumn(name string) (string, []any, error) {
	name, err := store.Name(name)
	if err != nil {
		return "", nil, err
	}
	if name == store.MoodName || name == store.EnergyName {
		return name, nil, nil
	}
	return "json_extract(metrics, ?)", []any{`$."` + name + `"`}, nil
}
