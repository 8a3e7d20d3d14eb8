package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	neighbours = 12  // looked at on each side of a place in the index of keys
	alikeLeast = 0.4 // share of common trigrams from which two keys are called similar
)

// Similar returns up to limit keys that look like key but are not it, the
// most similar first: another spelling, or words in common. It looks at those
// that stand near it in the index, so it takes the same short time for any
// number of memories and may miss one; it is a hint that a thing may be
// remembered already.
func (m *Memories) Similar(ctx context.Context, key string, limit int) ([]string, error) {
	return m.alike(ctx, key, alikeLeast, limit)
}

// alike is Similar with another share of trigrams to have in common. At 0 it
// returns keys as long as there are any.
func (m *Memories) alike(ctx context.Context, key string, least float64, limit int) ([]string, error) {
	key = cleanKey(key)
	norm := Normal(key)
	candidates := map[string]float64{}
	for _, place := range places(norm) {
		for _, query := range []string{keysBelow, keysAbove} {
			if err := m.nearby(ctx, query, place, key, norm, candidates); err != nil {
				return nil, fmt.Errorf("look for keys like %q: %w", key, named(err))
			}
		}
	}
	similar := make([]string, 0, len(candidates))
	for other, score := range candidates {
		if score >= least {
			similar = append(similar, other)
		}
	}
	slices.SortFunc(similar, func(a, b string) int {
		return cmp.Or(cmp.Compare(candidates[b], candidates[a]), strings.Compare(a, b))
	})
	return similar[:min(limit, len(similar))], nil
}

const (
	keysBelow = "SELECT key, norm FROM memories WHERE owner = ? AND norm < ?" + isLive + " ORDER BY norm DESC, key DESC LIMIT ?"
	keysAbove = "SELECT key, norm FROM memories WHERE owner = ? AND norm >= ?" + isLive + " ORDER BY norm, key LIMIT ?"
)

// places are where keys like norm stand in the index: at norm itself, and at
// its words in another order.
func places(norm string) []string {
	places := []string{norm}
	words := strings.Fields(norm)
	if len(words) > 1 && len(words) < 5 {
		slices.Reverse(words)
		places = append(places, strings.Join(words, " "))
	}
	return places
}

func (m *Memories) nearby(ctx context.Context, query, place, key, norm string, candidates map[string]float64) error {
	stmt, err := m.db.stmt(ctx, query)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(ctx, m.owner, place, m.db.now().UnixMilli(), neighbours)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var other, otherNorm string
		if err := rows.Scan(&other, &otherNorm); err != nil {
			return err
		}
		if other != key {
			candidates[other] = dice(norm, otherNorm)
		}
	}
	return rows.Err()
}
