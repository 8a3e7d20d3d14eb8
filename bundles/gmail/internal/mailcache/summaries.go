package mailcache

import (
	"context"
	"slices"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/panicsafe"
	"kota/store"
)

// Summaries returns the summaries of the messages that list returns, in that order. It
// omits messages that were deleted meanwhile.
//
// Only the labels of a message can change, so the summary is fetched once and stored in
// the database. The mailbox's history, which is read while list runs, updates the labels.
// A list of known messages therefore costs one round trip. A failing database only makes
// it slower.
func Summaries(ctx context.Context, m *mailbox.Mailbox, list func(context.Context) ([]string, error)) ([]*store.MailSummary, error) {
	var ids []string
	var p historyDelta
	group, groupCtx := panicsafe.WithContext(ctx, 3)
	group.Go(func() (err error) {
		ids, err = list(groupCtx)
		return err
	})
	group.Go(func() (err error) {
		p, err = syncHistory(groupCtx, m)
		return err
	})
	group.Go(func() error {
		_, err := m.Labels(groupCtx) // fills the cache for callers that show label names
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	known := p.cachedSummaries(ctx, ids)
	missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return known[id] != nil || p.isDeleted(id) })
	fresh, err := fetchSummaries(ctx, m, missing)
	if err != nil {
		return nil, err
	}
	p.save(ctx, fresh)
	for _, h := range fresh {
		known[h.ID] = h
	}
	summaries := make([]*store.MailSummary, 0, len(ids))
	for _, id := range ids {
		if known[id] != nil {
			summaries = append(summaries, known[id])
		}
	}
	return summaries, nil
}

// SummariesOf returns the summaries of messages with known ids.
func SummariesOf(ctx context.Context, m *mailbox.Mailbox, ids []string) ([]*store.MailSummary, error) {
	return Summaries(ctx, m, func(context.Context) ([]string, error) { return ids, nil })
}

// A historyDelta is what changed in a mailbox between two positions of its history.
type historyDelta struct {
	cache    mailbox.Cache // nil if the database cannot be used
	from, to uint64        // from is 0 if nothing before to is known
	changes  []store.MailChange
}

// cachedSummaries returns the cached messages with their current labels. A database error
// counts as an empty cache.
func (d historyDelta) cachedSummaries(ctx context.Context, ids []string) map[string]*store.MailSummary {
	none := map[string]*store.MailSummary{}
	if d.cache == nil || len(ids) == 0 {
		return none
	}
	summaries, at, err := d.cache.Summaries(ctx, ids)
	if err != nil || at < d.to && (d.from == 0 || at < d.from) {
		return none // the history between at and p is missing
	}
	for _, c := range d.changes {
		h := summaries[c.ID]
		switch {
		case h == nil || c.History <= at:
		case c.Deleted:
			delete(summaries, c.ID)
		default:
			h.Apply(c)
		}
	}
	return summaries
}

func (d historyDelta) isDeleted(id string) bool {
	return slices.ContainsFunc(d.changes, func(c store.MailChange) bool { return c.ID == id && c.Deleted })
}

// save stores the changes, and the summaries that were fetched after them. It ignores
// errors, because they do not affect the answer.
func (d historyDelta) save(ctx context.Context, fresh []*store.MailSummary) {
	fresh = slices.DeleteFunc(slices.Clone(fresh), func(h *store.MailSummary) bool { return h.Size < 0 })
	if d.cache == nil || d.from == d.to && len(fresh) == 0 {
		return
	}
	_ = d.cache.Update(ctx, store.MailUpdate{From: d.from, To: d.to, Changes: d.changes, Summaries: fresh})
}

// openCache returns the cache of the mailbox with that address, and its position in the
// history. It returns nil if the database cannot be used.
func openCache(ctx context.Context, m *mailbox.Mailbox, address string) (mailbox.Cache, uint64) {
	mail, err := m.Stores.Cache(ctx, address)
	if err != nil {
		return nil, 0
	}
	history, err := mail.History(ctx)
	if err != nil {
		return nil, 0
	}
	return mail, history
}

// syncHistory reads what happened in the mailbox since the cache was last updated.
func syncHistory(ctx context.Context, m *mailbox.Mailbox) (historyDelta, error) {
	address, now, err := m.AddressAndHistory(ctx)
	if err != nil {
		return historyDelta{}, err
	}
	p := historyDelta{to: now}
	if p.cache, p.from = openCache(ctx, m, address); p.from != 0 {
		since, err := EventsSince(ctx, m, HistoryPoint{ID: p.from}, maxSyncPages)
		switch {
		case err != nil:
			return historyDelta{}, err
		case !since.Expired && since.Page == "":
			p.to, p.changes = since.To, labelChanges(since.Records)
			return p, nil
		}
		// Too old or too much: updating the cache would cost more than fetching again.
		if err := p.cache.Forget(ctx); err != nil {
			p.cache = nil
		}
		p.from, p.to = 0, 0
	}
	if p.to == 0 && p.cache != nil {
		_, p.to, err = m.Profile(ctx)
	}
	return p, err
}
