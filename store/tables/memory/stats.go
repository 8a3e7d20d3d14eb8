package memory

import (
	"context"
	"fmt"
	"time"

	"kota/store"
)

// Categories returns the categories in use, by name.
func (m *Store) Categories(ctx context.Context) ([]store.Category, error) {
	categories, err := m.categories(ctx)
	if err != nil {
		return nil, fmt.Errorf("list categories: %w", err)
	}
	return categories, nil
}

func (m *Store) categories(ctx context.Context) ([]store.Category, error) {
	rows, err := m.db.Read(ctx).Query("SELECT category, source, count(*), sum(octet_length(value)), max(updated) FROM memories WHERE owner = ?"+
		andVisible+" GROUP BY category, source ORDER BY category, source", m.owner, m.db.Now().UnixMilli())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	categories := []store.Category{}
	for rows.Next() {
		c, source, newest := store.Category{}, "", int64(0)
		if err := rows.Scan(&c.Name, &source, &c.Count, &c.Bytes, &newest); err != nil {
			return nil, err
		}
		c.Sources, c.Newest = []string{source}, time.UnixMilli(newest).UTC()
		categories = addCategory(categories, c)
	}
	return categories, rows.Err()
}

// addCategory adds the memories of one category and source to the sorted list of categories.
func addCategory(categories []store.Category, c store.Category) []store.Category {
	if len(categories) == 0 || categories[len(categories)-1].Name != c.Name {
		return append(categories, c)
	}
	last := &categories[len(categories)-1]
	last.Count, last.Bytes = last.Count+c.Count, last.Bytes+c.Bytes
	last.Sources = append(last.Sources, c.Sources...)
	if c.Newest.After(last.Newest) {
		last.Newest = c.Newest
	}
	return categories
}

// Stats counts the memories of the owner. It reads every row of the owner.
func (m *Store) Stats(ctx context.Context) (store.Stats, error) {
	s, now := store.Stats{}, m.db.Now().UnixMilli()
	err := m.db.Read(ctx).Aggregate(`
		SELECT count(*) FILTER (WHERE deleted IS NULL AND (expires IS NULL OR expires > ?2)),
		       count(*) FILTER (WHERE deleted IS NULL AND expires <= ?2),
		       count(*) FILTER (WHERE deleted IS NOT NULL),
		       coalesce(sum(octet_length(value)) FILTER (WHERE deleted IS NULL AND (expires IS NULL OR expires > ?2)), 0),
		       count(*) FILTER (WHERE stale = 1),
		       (SELECT count(*) FROM versions WHERE owner = ?1)
		FROM memories WHERE owner = ?1`, m.owner, now).
		Scan(&s.Memories, &s.Expired, &s.Deleted, &s.Bytes, &s.ToIndex, &s.Versions)
	if err != nil {
		return store.Stats{}, fmt.Errorf("count memories: %w", err)
	}
	s.FileBytes = m.db.FileBytes()
	return s, nil
}
