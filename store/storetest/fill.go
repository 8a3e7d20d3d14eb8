package storetest

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"kota/store"
)

// A BulkWriter stores many entries in one call.
type BulkWriter interface {
	SetMany(ctx context.Context, entries []store.Entry) ([]store.WriteResult, error)
}

// Fill stores n memories with different keys: texts of 20 to 39 words in eight categories, with
// two tags each. Fill does not index them. The same n always gives the same memories.
func Fill(ctx context.Context, m BulkWriter, n int) error {
	s := NewTextGenerator(uint64(n))
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

// Key returns a made-up key of two or three words that ends with i.
func (s *TextGenerator) Key(i int) string {
	return strings.ReplaceAll(s.Text(2+s.IntN(2)), " ", "_") + "_" + strconv.Itoa(i)
}

func (s *TextGenerator) entry(i int) store.Entry {
	value, _ := json.Marshal(s.Text(20 + s.IntN(20))) // a string always marshals
	category := s.words[s.IntN(8)]
	return store.Entry{
		Key:      s.Key(i),
		Value:    value,
		Category: &category,
		Tags:     strings.Fields(s.Text(2)),
	}
}
