package app

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"kota/bundles/daily/sources"
	"kota/store"
	"kota/store/tables/memory"
)

// maxDueMemories is the maximum number of expiring memories that are read.
const maxDueMemories = 20

// dayMemories returns the memories that expire before a time, the soonest
// first, without secrets. It considers only the maxDueMemories that changed last.
// It reads the store directly, because memory_list sorts by key. It returns
// TOOL_NOT_FOUND if memory_list is not available.
func (a *App) dayMemories(ctx context.Context, until time.Time) (sources.Found[sources.Memory], error) {
	found := sources.Found[sources.Memory]{}
	if err := a.checkAvailable("memory", "memory_list"); err != nil {
		return found, err
	}
	db, err := a.OpenDB(ctx)
	if err != nil {
		return found, err
	}
	due, next, err := memory.New(db, Owner).List(ctx, store.Filter{Ending: until}, store.Page{Order: store.Newest, Limit: maxDueMemories})
	if err != nil {
		return found, err
	}
	slices.SortStableFunc(due, func(a, b *store.Memory) int { return a.Expires.Compare(b.Expires) })
	for _, m := range due {
		if m.Secret {
			continue
		}
		found.Items = append(found.Items, sources.Memory{Key: m.Key, Text: plainText(m.Value), Source: m.Source, Ends: m.Expires})
	}
	if next != "" {
		found.More = 1
	}
	return found, nil
}

// plainText returns a value as people read it: a text without its quotes.
func plainText(value json.RawMessage) string {
	text := ""
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}
