package memory

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode"

	"kota/store"
)

// A Duplicate is a pair of memories that may say the same.
type Duplicate struct {
	One, Other *store.Memory
	Score      float64 // the share of their words that both have, up to 1
}

const (
	minShared = 0.5 // the least score of a pair
	// A word in more memories than this says little and does not count. Comparing all memories with it
	// would also take long.
	maxWithWord = 40
)

// Duplicates returns the pairs of memories whose keys and values share most words, the most similar
// first, at most limit. It leaves out secrets. It compares only memories that share a rare word, so its
// time grows little faster than the number of memories.
func Duplicates(ctx context.Context, memories Reader, limit int) ([]Duplicate, error) {
	var all []*store.Memory
	for cursor := ""; ; {
		part, next, err := memories.List(ctx, store.Filter{}, store.Page{Order: store.ByKey, Limit: 500, Cursor: cursor})
		if err != nil {
			return nil, fmt.Errorf("look for duplicates: %w", err)
		}
		for _, m := range part {
			if !m.Secret {
				all = append(all, m)
			}
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	words, with := make([][]uint64, len(all)), map[uint64][]int32{}
	seed := maphash.MakeSeed()
	for i, m := range all {
		words[i] = wordHashes(seed, m)
		for _, word := range words[i] {
			with[word] = append(with[word], int32(i))
		}
	}
	for i := range words {
		words[i] = slices.DeleteFunc(words[i], func(word uint64) bool { return len(with[word]) > maxWithWord })
	}
	var found []Duplicate
	common, rivals := make([]int32, len(all)), []int32{} // words that the others share with memory i
	for i := range all {
		for _, word := range words[i] {
			for _, j := range with[word] {
				if int(j) <= i {
					continue
				}
				if common[j]++; common[j] == 1 {
					rivals = append(rivals, j)
				}
			}
		}
		for _, j := range rivals {
			both := float64(common[j])
			if score := both / (float64(len(words[i])+len(words[j])) - both); score >= minShared { // Jaccard 1901
				found = append(found, Duplicate{all[i], all[j], score})
			}
			common[j] = 0
		}
		rivals = rivals[:0]
	}
	slices.SortStableFunc(found, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.One.Key, b.One.Key), cmp.Compare(a.Other.Key, b.Other.Key))
	})
	return found[:min(limit, len(found))], nil
}

// wordHashes returns the hashes of the words of a key and a value, sorted, each once.
func wordHashes(seed maphash.Seed, m *store.Memory) []uint64 {
	text := ""
	if json.Unmarshal(m.Value, &text) != nil {
		text = string(m.Value)
	}
	var hashes []uint64
	for word := range strings.FieldsFuncSeq(strings.ToLower(m.Key+" "+text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		hashes = append(hashes, maphash.String(seed, word))
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}
