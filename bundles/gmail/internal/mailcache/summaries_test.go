package mailcache

import (
	"context"
	"errors"
	"slices"
	"testing"

	"kota/store"
)

// A cache knows two messages up to a position in the history.
type fakeCache struct {
	at      uint64
	err     error
	updated []store.MailUpdate
}

func (c *fakeCache) History(context.Context) (uint64, error)       { return c.at, c.err }
func (c *fakeCache) Forget(context.Context) error                  { return c.err }
func (c *fakeCache) SentHeaders(context.Context) ([]string, error) { return nil, c.err }

func (c *fakeCache) Update(_ context.Context, u store.MailUpdate) error {
	c.updated = append(c.updated, u)
	return c.err
}

func (c *fakeCache) Summaries(context.Context, []string) (map[string]*store.MailSummary, uint64, error) {
	return map[string]*store.MailSummary{"a": {ID: "a", Labels: []string{"INBOX"}}, "b": {ID: "b", Labels: []string{"INBOX", "UNREAD"}}}, c.at, c.err
}

func TestCachedSummariesHaveCurrentLabels(t *testing.T) {
	changes := []store.MailChange{
		{History: 10, ID: "a", Removed: []string{"INBOX"}}, {History: 12, ID: "b", Removed: []string{"UNREAD"}},
		{History: 13, ID: "c", Added: []string{"INBOX"}}, {History: 14, ID: "a", Deleted: true},
	}
	for name, c := range map[string]struct {
		cache    *fakeCache
		from, to uint64
		want     map[string][]string // labels by id
	}{
		"all of the changes":                  {&fakeCache{at: 9}, 9, 14, map[string][]string{"b": {"INBOX"}}},
		"some are in the cache already":       {&fakeCache{at: 13}, 9, 14, map[string][]string{"b": {"INBOX", "UNREAD"}}},
		"the cache is ahead of what was read": {&fakeCache{at: 20}, 9, 14, map[string][]string{"a": {"INBOX"}, "b": {"INBOX", "UNREAD"}}},
		"history between them is missing":     {&fakeCache{at: 8}, 9, 14, nil},
		"nothing was known before":            {&fakeCache{at: 9}, 0, 14, nil},
		"the database fails":                  {&fakeCache{at: 9, err: errors.New("disk")}, 9, 14, nil},
	} {
		known := historyDelta{cache: c.cache, from: c.from, to: c.to, changes: changes}.cachedSummaries(t.Context(), []string{"a", "b"})
		if len(known) != len(c.want) {
			t.Errorf("%s: got %v", name, known)
		}
		for id, labels := range c.want {
			if known[id] == nil || !slices.Equal(known[id].Labels, labels) {
				t.Errorf("%s: got %v of %s, want %v", name, known[id], id, labels)
			}
		}
	}
	if known := (historyDelta{to: 14}).cachedSummaries(t.Context(), []string{"a"}); len(known) != 0 {
		t.Errorf("without a database: got %v", known)
	}
}

// A summary without text is not stored, and a known summary is not written again.
func TestSaveStoresOnlyNewSummaries(t *testing.T) {
	for name, c := range map[string]struct {
		from, to uint64
		fresh    []*store.MailSummary
		updates  int
		heads    int
	}{
		"nothing is new":     {9, 9, nil, 0, 0},
		"only history":       {9, 14, nil, 1, 0},
		"a message":          {9, 9, []*store.MailSummary{{ID: "a"}}, 1, 1},
		"an unread message":  {9, 9, []*store.MailSummary{{ID: "a", Size: -1}}, 0, 0},
		"one of each":        {9, 14, []*store.MailSummary{{ID: "a", Size: -1}, {ID: "b"}}, 1, 1},
		"the first of all":   {0, 14, []*store.MailSummary{{ID: "a"}}, 1, 1},
		"nothing, the first": {0, 14, nil, 1, 0},
	} {
		stored := &fakeCache{}
		historyDelta{cache: stored, from: c.from, to: c.to}.save(t.Context(), c.fresh)
		if len(stored.updated) != c.updates || c.updates == 1 && len(stored.updated[0].Summaries) != c.heads {
			t.Errorf("%s: got %+v", name, stored.updated)
		}
	}
}
