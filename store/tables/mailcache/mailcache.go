// Package mailcache stores what lists show of the messages of a mailbox. It is only a
// cache: after Store.Forget, KOTA can read everything again from the mailbox.
package mailcache

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Store holds the cache of one mailbox.
type Store struct {
	db      engine.DB
	owner   any
	account string
}

// New returns a handle on the cache of an owner's mailbox. It does not access the database.
func New(db engine.DB, owner, account string) *Store {
	return &Store{db: db, owner: db.Owner(owner), account: strings.ToLower(account)}
}

// History returns the history id up to which the cached labels are current, or 0 if nothing is
// cached.
func (m *Store) History(ctx context.Context) (uint64, error) {
	history, err := m.history(m.db.Read(ctx))
	if err != nil {
		return 0, fmt.Errorf("read mail state: %w", err)
	}
	return history, nil
}

func (m *Store) history(from engine.Querier) (uint64, error) {
	history := int64(0)
	err := from.Row("SELECT history FROM mail_state WHERE owner = ? AND account = ?", m.owner, m.account).Scan(&history)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return uint64(history), err
}

// Summaries returns the cached summaries of these messages, by id, and the history id up to which
// their labels are current. The history id is 0 if none of them is cached.
func (m *Store) Summaries(ctx context.Context, ids []string) (map[string]*store.MailSummary, uint64, error) {
	summaries, history, err := m.summaries(ctx, ids)
	if err != nil {
		return nil, 0, fmt.Errorf("read mail: %w", err)
	}
	return summaries, history, nil
}

// SentHeaders returns the headers To and Cc of the cached messages that the user sent, newest first.
func (m *Store) SentHeaders(ctx context.Context) ([]string, error) {
	sent, err := engine.Strings(m.db.Read(ctx), `SELECT headers FROM mail WHERE owner = ? AND account = ? AND labels LIKE '%"SENT"%' ORDER BY date DESC`, m.owner, m.account)
	if err != nil {
		return nil, fmt.Errorf("read sent mail: %w", err)
	}
	found := []string{}
	for _, text := range sent {
		summary := store.MailSummary{}
		if err := json.Unmarshal([]byte(text), &summary.Headers); err != nil {
			return nil, fmt.Errorf("%w: sent mail: %w", store.ErrCorrupt, err)
		}
		for _, name := range []string{"To", "Cc"} {
			if value := summary.Header(name); value != "" {
				found = append(found, value)
			}
		}
	}
	return found, nil
}

func (m *Store) summaries(ctx context.Context, ids []string) (map[string]*store.MailSummary, uint64, error) {
	from := m.db.Read(ctx)
	rows, err := from.Query(`
		SELECT s.history, m.id, m.thread, m.date, m.size, m.snippet, m.headers, m.labels
		FROM mail m JOIN mail_state s ON s.owner = m.owner AND s.account = m.account
		WHERE m.owner = ? AND m.account = ? AND `+from.Dialect().Among("m.id", "?"),
		m.owner, m.account, engine.List[string](ids))
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	heads, history := map[string]*store.MailSummary{}, int64(0)
	for rows.Next() {
		h, date, headers, labels := &store.MailSummary{}, int64(0), "", ""
		if err := rows.Scan(&history, &h.ID, &h.Thread, &date, &h.Size, &h.Snippet, &headers, &labels); err != nil {
			return nil, 0, err
		}
		h.Date = time.UnixMilli(date).UTC()
		if err := errors.Join(json.Unmarshal([]byte(headers), &h.Headers), json.Unmarshal([]byte(labels), &h.Labels)); err != nil {
			return nil, 0, fmt.Errorf("%w: mail %s: %w", store.ErrCorrupt, h.ID, err)
		}
		heads[h.ID] = h
	}
	return heads, uint64(history), rows.Err()
}
