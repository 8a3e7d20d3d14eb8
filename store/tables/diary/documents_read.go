package diary

import (
	"context"
	"fmt"
	"strings"

	"kota/store"
	"kota/store/tables/index"
)

// Document returns the document with that id. It returns ErrNotFound if it does not exist or is
// deleted.
func (d *Store) Document(ctx context.Context, id string) (*store.Document, error) {
	return documentTable.read(ctx, d, id)
}

// Documents returns the documents that match a filter, last changed first, at most limit. It
// returns ErrInvalid for a limit below 1, an invalid type name and an invalid date.
func (d *Store) Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error) {
	found, err := d.documents(ctx, f, limit)
	if err != nil {
		return nil, fmt.Errorf("list documents: %w", err)
	}
	return found, nil
}

func (d *Store) documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error) {
	if limit < 1 {
		return nil, fmt.Errorf("%w: limit %d is below 1", store.ErrInvalid, limit)
	}
	where, args, err := documentsWhere(f, d.owner)
	if err != nil {
		return nil, err
	}
	return documentTable.scanAll(d.db.Read(ctx).Query("SELECT "+documentTable.allColumns()+" FROM documents WHERE "+where+" ORDER BY updated DESC, id DESC LIMIT ?", append(args, limit)...))
}

// documentsWhere returns the SQL condition of a filter, with its arguments.
func documentsWhere(f store.DocumentFilter, owner any) (string, []any, error) {
	where, args := "owner = ? AND deleted IS NULL", []any{owner}
	if f.Type != "" {
		name, err := store.NormalizeName(f.Type)
		if err != nil {
			return "", nil, err
		}
		where, args = where+" AND type = ?", append(args, name)
	}
	if f.Period != "" {
		where, args = where+" AND period = ?", append(args, strings.TrimSpace(f.Period))
	}
	for _, bound := range []struct{ operator, date string }{{">=", f.From}, {"<=", f.To}} {
		if bound.date == "" {
			continue
		}
		if err := store.CheckDate(bound.date); err != nil {
			return "", nil, err
		}
		// All dates have the same length, and so do all weeks and all months. Texts of the same
		// length sort by time.
		where += " AND period " + bound.operator + " CASE length(period) WHEN 10 THEN ? WHEN 8 THEN ? WHEN 7 THEN ? END"
		args = append(args, bound.date, store.WeekOf(bound.date), bound.date[:len("2026-11")])
	}
	return where, args, nil
}

// SearchDocuments searches documents like SearchEntries searches entries: by the words of their
// titles, bodies, fields, types and periods. A match in the title ranks higher than one
// elsewhere.
func (d *Store) SearchDocuments(ctx context.Context, q store.DiaryQuery, f store.DocumentFilter) (store.SearchResult[store.Document], error) {
	where, args, err := documentsWhere(f, d.owner)
	if err != nil {
		return store.SearchResult[store.Document]{}, fmt.Errorf("search documents: %w", err)
	}
	found, err := searchTable(ctx, d, documentTable, documentIndex, q, index.Scope{Where: where, Args: args}, nil, func(d *store.Document) string { return d.Body })
	if err != nil {
		return store.SearchResult[store.Document]{}, fmt.Errorf("search documents: %w", err)
	}
	return found, nil
}
