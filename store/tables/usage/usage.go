// Package usage stores how often tools were called, by day, channel and outcome, and
// which tools were called together. Start at Store.Add.
package usage

import (
	"context"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Store holds the usage counts of one owner.
type Store struct {
	db    engine.DB
	owner any
}

// New returns a handle on the usage counts of an owner. It does not access the database.
func New(db engine.DB, owner string) *Store { return &Store{db: db, owner: db.Owner(owner)} }

// daysBefore returns the date n days before day. It returns ErrInvalid if day is not a date.
func daysBefore(day string, n int) (string, error) {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return "", fmt.Errorf("%w: the day %q is not a date", store.ErrInvalid, day)
	}
	return t.AddDate(0, 0, -n).Format(time.DateOnly), nil
}

// Add adds counts in one transaction, and removes days and pairs beyond UsageDays and
// MaxUsagePairs. day is the current date of the user: "2026-11-20".
func (u *Store) Add(ctx context.Context, day string, used []store.UsageCount, pairs []store.ToolPair) error {
	oldest, err := daysBefore(day, store.UsageDays)
	if err != nil {
		return fmt.Errorf("count usage: %w", err)
	}
	err = u.db.Write(ctx, func(t engine.Tx) error {
		for _, one := range used {
			if err := u.add(t, one); err != nil {
				return err
			}
		}
		for _, pair := range pairs {
			if err := u.addPair(t, day, pair); err != nil {
				return err
			}
		}
		return u.prune(t, oldest)
	})
	if err != nil {
		return fmt.Errorf("count usage: %w", err)
	}
	return nil
}

func (u *Store) add(t engine.Tx, one store.UsageCount) error {
	return t.Exec(`INSERT INTO usage (owner, day, tool, door, code, count, tokens_in, tokens_out) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (owner, day, tool, door, code) DO UPDATE SET count = usage.count + excluded.count,
			tokens_in = usage.tokens_in + excluded.tokens_in, tokens_out = usage.tokens_out + excluded.tokens_out`,
		u.owner, one.Day, one.Tool, one.Channel, one.Code, one.Count, one.TokensIn, one.TokensOut)
}

func (u *Store) addPair(t engine.Tx, day string, pair store.ToolPair) error {
	return t.Exec(`INSERT INTO usage_pairs (owner, tool, other, count, day) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (owner, tool, other) DO UPDATE SET count = usage_pairs.count + excluded.count,
			day = CASE WHEN usage_pairs.day < excluded.day THEN excluded.day ELSE usage_pairs.day END`,
		u.owner, pair.Tool, pair.Other, pair.Count, day)
}

func (u *Store) prune(t engine.Tx, oldest string) error {
	for _, query := range []string{
		"DELETE FROM usage WHERE owner = ? AND day < ?",
		"DELETE FROM usage_pairs WHERE owner = ? AND day < ?",
	} {
		if err := t.Exec(query, u.owner, oldest); err != nil {
			return err
		}
	}
	// MATERIALIZED: PostgreSQL may otherwise select the rarest pairs again for each pair.
	return t.Exec(`WITH rarest AS MATERIALIZED (
			SELECT tool, other FROM usage_pairs WHERE owner = ?1 ORDER BY count DESC, day DESC, tool, other LIMIT 1000000000 OFFSET ?2)
		DELETE FROM usage_pairs WHERE owner = ?1 AND (tool, other) IN (SELECT tool, other FROM rarest)`, u.owner, store.MaxUsagePairs)
}

// Between returns the counts from firstDay until the day before endDay. For each tool, channel
// and code it sums the days.
func (u *Store) Between(ctx context.Context, firstDay, endDay string) ([]store.UsageCount, error) {
	used, err := u.between(ctx, firstDay, endDay)
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	return used, nil
}

func (u *Store) between(ctx context.Context, firstDay, endDay string) ([]store.UsageCount, error) {
	rows, err := u.db.Read(ctx).Query(`SELECT tool, door, code, CAST(sum(count) AS bigint), CAST(sum(tokens_in) AS bigint), CAST(sum(tokens_out) AS bigint) FROM usage
		WHERE owner = ? AND day >= ? AND day < ? GROUP BY tool, door, code ORDER BY tool, door, code`, u.owner, firstDay, endDay)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []store.UsageCount{}
	for rows.Next() {
		var one store.UsageCount
		if err := rows.Scan(&one.Tool, &one.Channel, &one.Code, &one.Count, &one.TokensIn, &one.TokensOut); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Pairs returns the pairs of tools, most frequent first, then by name.
func (u *Store) Pairs(ctx context.Context) ([]store.ToolPair, error) {
	pairs, err := u.pairs(ctx)
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	return pairs, nil
}

func (u *Store) pairs(ctx context.Context) ([]store.ToolPair, error) {
	rows, err := u.db.Read(ctx).Query("SELECT tool, other, count FROM usage_pairs WHERE owner = ? ORDER BY count DESC, tool, other", u.owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []store.ToolPair{}
	for rows.Next() {
		var pair store.ToolPair
		if err := rows.Scan(&pair.Tool, &pair.Other, &pair.Count); err != nil {
			return nil, err
		}
		all = append(all, pair)
	}
	return all, rows.Err()
}

// Clear removes all counts.
func (u *Store) Clear(ctx context.Context) error {
	err := u.db.Write(ctx, func(t engine.Tx) error {
		for _, query := range []string{"DELETE FROM usage WHERE owner = ?", "DELETE FROM usage_pairs WHERE owner = ?"} {
			if err := t.Exec(query, u.owner); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("clear usage: %w", err)
	}
	return nil
}
