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
	for i := range all {
		for j := range rivals(words[i], with, i) {
			if score := sharedWords(words[i], words[j]); score >= minShared {
				found = append(found, Duplicate{all[i], all[j], score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.One.Key, b.One.Key), cmp.Compare(a.Other.Key, b.Other.Key))
	})
	return found[:min(limit, len(found))], nil
}

// rivals returns the memories after i that share a rare word with it.
func rivals(words []uint64, with map[uint64][]int32, i int) map[int32]bool {
	found := map[int32]bool{}
	for _, word := range words {
		for _, j := range with[word] {
			if int(j) > i {
				found[j] = true
			}
		}
	}
	return found
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

// sharedWords returns the share of words that two sorted lists have in common (Jaccard 1901).
func sharedWords(a, b []uint64) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch cmp.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	if common == 0 {
		return 0
	}
	return float64(common) / float64(len(a)+len(b)-common)
}
