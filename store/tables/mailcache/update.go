package mailcache

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"kota/store"
	"kota/store/engine"
)

// Update stores new information in one transaction. Other processes may have stored newer
// information since u was fetched. Update then skips everything in u that could be outdated.
// Applying all later history to the cached labels therefore always gives the labels of the
// mailbox.
func (m *Store) Update(ctx context.Context, u store.MailUpdate) error {
	err := m.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		known, err := m.history(t)
		if err != nil || known > u.To {
			return err // another process has stored newer history: these summaries may lack changes since
		}
		switch {
		case known == 0:
			err = m.setHistory(t, u.To)
		case u.From != 0 && u.From <= known && known < u.To:
			err = m.advance(t, known, u)
		}
		if err != nil {
			return err
		}
		return m.storeSummaries(t, u.Summaries)
	})
	if err != nil {
		return fmt.Errorf("save mail: %w", err)
	}
	return nil
}

func (m *Store) setHistory(t engine.Tx, history uint64) error {
	return t.Exec("INSERT INTO mail_state (owner, account, history) VALUES (?, ?, ?) ON CONFLICT (owner, account) DO UPDATE SET history = excluded.history", m.owner, m.account, int64(history))
}

// advance applies the changes after known.
func (m *Store) advance(t engine.Tx, known uint64, u store.MailUpdate) error {
	for _, change := range u.Changes {
		if change.History <= known {
			continue
		}
		if err := m.applyChange(t, change); err != nil {
			return err
		}
	}
	return m.setHistory(t, u.To)
}

func (m *Store) applyChange(t engine.Tx, c store.MailChange) error {
	if c.Deleted {
		return t.Exec("DELETE FROM mail WHERE owner = ? AND account = ? AND id = ?", m.owner, m.account, c.ID)
	}
	labels := ""
	err := t.Row("SELECT labels FROM mail WHERE owner = ? AND account = ? AND id = ?", m.owner, m.account, c.ID).Scan(&labels)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	h := store.MailSummary{}
	if err := json.Unmarshal([]byte(labels), &h.Labels); err != nil {
		return fmt.Errorf("%w: mail %s: %w", store.ErrCorrupt, c.ID, err)
	}
	h.Apply(c)
	return t.Exec("UPDATE mail SET labels = ? WHERE owner = ? AND account = ? AND id = ?", engine.JSONArray(h.Labels), m.owner, m.account, c.ID)
}

func (m *Store) storeSummaries(t engine.Tx, heads []*store.MailSummary) error {
	if len(heads) == 0 {
		return nil
	}
	now := t.Now().UnixMilli()
	for _, h := range heads {
		labels := slices.Sorted(slices.Values(h.Labels))
		err := t.Exec(`INSERT INTO mail (owner, account, id, thread, date, size, snippet, headers, labels, kept)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (owner, account, id) DO UPDATE SET thread = excluded.thread, date = excluded.date, size = excluded.size,
				snippet = excluded.snippet, headers = excluded.headers, labels = excluded.labels, kept = excluded.kept`,
			m.owner, m.account, h.ID, h.Thread, h.Date.UnixMilli(), h.Size, h.Snippet, engine.JSONArray(h.Headers), engine.JSONArray(labels), now)
		if err != nil {
			return err
		}
	}
	// MATERIALIZED: PostgreSQL may otherwise select the oldest messages again for each message.
	return t.Exec(`WITH oldest AS MATERIALIZED (
			SELECT id FROM mail WHERE owner = ?1 AND account = ?2 ORDER BY kept DESC, id LIMIT 1000000000 OFFSET ?3)
		DELETE FROM mail WHERE owner = ?1 AND account = ?2 AND id IN (SELECT id FROM oldest)`, m.owner, m.account, store.MaxMail)
}

// Forget removes everything that is cached for the mailbox.
func (m *Store) Forget(ctx context.Context) error {
	err := m.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		if err := t.Exec("DELETE FROM mail WHERE owner = ? AND account = ?", m.owner, m.account); err != nil {
			return err
		}
		return t.Exec("DELETE FROM mail_state WHERE owner = ? AND account = ?", m.owner, m.account)
	})
	if err != nil {
		return fmt.Errorf("delete cached mail: %w", err)
	}
	return nil
}
