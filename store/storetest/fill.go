package storetest

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"kota/store"
)

// Bulk remembers many entries at once.
type Bulk interface {
	SetMany(ctx context.Context, entries []store.Entry) ([]store.Written, error)
}

// Fill remembers n memories under keys of their own: texts of 20 to 39 words
// in eight categories, with two tags each. It does not index them. Of the same
// n they are the same.
func Fill(ctx context.Context, m Bulk, n int) error {
	s := NewSpeaker(uint64(n))
	for done := 0; done < n; {
		entries := make([]store.Entry, min(1000, n-done))
		for i := range entries {
			entries[i] = s.entry(done + i)
		}
		if _, err := m.SetMany(ctx, entries); err != nil {
			return err
		}
		done += len(entries)
	}
	return nil
}

// Key makes up a key of two or three words that ends with i.
func (s *Speaker) Key(i int) string {
	return strings.ReplaceAll(s.Say(2+s.IntN(2)), " ", "_") + "_" + strconv.Itoa(i)
}

func (s *Speaker) entry(i int) store.Entry {
	value, _ := json.Marshal(s.Say(20 + s.IntN(20))) // a text always marshals
	category := s.words[s.IntN(8)]
	return store.Entry{
		Key:      s.Key(i),
		Value:    value,
		Category: &category,
		Tags:     strings.Fields(s.Say(2)),
	}
}
