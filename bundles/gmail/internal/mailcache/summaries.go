package mailcache

import (
	"context"
	"slices"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/panicsafe"
	"kota/store"
)

// Summaries calls list for the ids of messages, and returns the summaries of these messages
// in the same order. It omits messages that were deleted meanwhile.
//
// Only the labels of a message can change, so KOTA fetches a summary once and stores it in
// the database. The mailbox's history, which KOTA reads while list runs, updates the
// labels. A list of known messages therefore costs one round trip. If the database fails,
// Summaries is only slower.
func Summaries(ctx context.Context, m *mailbox.Mailbox, list func(context.Context) ([]string, error)) ([]*store.MailSummary, error) {
	var ids []string
	var delta historyDelta
	group, groupCtx := panicsafe.WithContext(ctx, 3)
	group.Go(func() (err error) {
		ids, err = list(groupCtx)
		return err
	})
	group.Go(func() (err error) {
		delta, err = syncHistory(groupCtx, m)
		return err
	})
	group.Go(func() error {
		_, err := m.Labels(groupCtx) // fills the cache for callers that show label names
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	known := delta.cachedSummaries(ctx, ids)
	missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return known[id] != nil || delta.isDeleted(id) })
	fetched, err := fetchSummaries(ctx, m, missing)
	if err != nil {
		return nil, err
	}
	delta.save(ctx, fetched)
	for _, h := range fetched {
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

// SummariesOf is like Summaries for a list of ids.
func SummariesOf(ctx context.Context, m *mailbox.Mailbox, ids []string) ([]*store.MailSummary, error) {
	return Summaries(ctx, m, func(context.Context) ([]string, error) { return ids, nil })
}

// A historyDelta is what changed in a mailbox between two positions of its history.
type historyDelta struct {
	cache    mailbox.Cache // nil if the database cannot be used
	from, to uint64        // history ids; from is 0 if the cache is empty or too old
	changes  []store.MailChange
}

// cachedSummaries returns the cached summaries of these messages, by id, with their current
// labels. A database error counts as an empty cache.
func (d historyDelta) cachedSummaries(ctx context.Context, ids []string) map[string]*store.MailSummary {
	none := map[string]*store.MailSummary{}
	if d.cache == nil || len(ids) == 0 {
		return none
	}
	summaries, at, err := d.cache.Summaries(ctx, ids)
	if err != nil || at < d.to && (d.from == 0 || at < d.from) {
		return none // the delta does not cover the history after at
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
func (d historyDelta) save(ctx context.Context, fetched []*store.MailSummary) {
	fetched = slices.DeleteFunc(slices.Clone(fetched), func(h *store.MailSummary) bool { return h.Size < 0 })
	if d.cache == nil || d.from == d.to && len(fetched) == 0 {
		return
	}
	_ = d.cache.Update(ctx, store.MailUpdate{From: d.from, To: d.to, Changes: d.changes, Summaries: fetched})
}

// openCache returns the cache of the mailbox with that address, and the history id up to
// which the cache is current. It returns nil if the database cannot be used.
func openCache(ctx context.Context, m *mailbox.Mailbox, address string) (mailbox.Cache, uint64) {
	cache, err := m.Stores.Cache(ctx, address)
	if err != nil {
		return nil, 0
	}
	history, err := cache.History(ctx)
	if err != nil {
		return nil, 0
	}
	return cache, history
}

// syncHistory reads what happened in the mailbox since the cache was last updated. If that
// is unknown or too much, it empties the cache, and from is 0.
func syncHistory(ctx context.Context, m *mailbox.Mailbox) (historyDelta, error) {
	address, current, err := m.AddressAndHistory(ctx)
	if err != nil {
		return historyDelta{}, err
	}
	delta := historyDelta{to: current}
	if delta.cache, delta.from = openCache(ctx, m, address); delta.from != 0 {
		events, err := EventsSince(ctx, m, HistoryPoint{ID: delta.from}, maxSyncPages)
		switch {
		case err != nil:
			return historyDelta{}, err
		case !events.Expired && events.Page == "":
			delta.to, delta.changes = events.To, labelChanges(events.Records)
			return delta, nil
		}
		// The cache is too old, or there are too many events: fetching again is cheaper.
		if err := delta.cache.Forget(ctx); err != nil {
			delta.cache = nil
		}
		delta.from, delta.to = 0, 0
	}
	if delta.to == 0 && delta.cache != nil {
		_, delta.to, err = m.Profile(ctx)
	}
	return delta, err
}
