package classifier

import (
	"math"
	"slices"

	"kota/metadata/words"
)

// A feature is a bucket of the hash table and its value in a text.
type feature struct {
	bucket int
	value  float64
}

const (
	maxWords = 64 // of a text; the rest is ignored
	minGram  = 3  // letters of the shortest n-gram
	maxGram  = 5
)

// features returns the features of a text: its words, and the n-grams of their letters. Both
// groups have the same total weight, so a long text counts no more than a short one.
func (m *Model) features(text string) []feature {
	ws, grams := buckets(text, m.logSize)
	all := append(m.weighted(ws), m.weighted(grams)...)
	normalize(all)
	return all
}

// weighted returns the buckets with their idf weights, as a vector of length 1.
func (m *Model) weighted(buckets []int) []feature {
	slices.Sort(buckets)
	var list []feature
	for _, b := range buckets {
		idf := float64(m.idf[b]) * float64(m.idfUnit)
		if last := len(list) - 1; last >= 0 && list[last].bucket == b {
			list[last].value += idf
			continue
		}
		list = append(list, feature{b, idf})
	}
	normalize(list)
	return list
}

func normalize(list []feature) {
	sum := 0.0
	for _, f := range list {
		sum += f.value * f.value
	}
	if sum == 0 {
		return
	}
	length := math.Sqrt(sum)
	for i := range list {
		list[i].value /= length
	}
}

// buckets returns the buckets of the words and of the n-grams of a text. Every number counts
// as the same word.
func buckets(text string, logSize int) (ws, grams []int) {
	mask := uint32(1)<<logSize - 1
	add := func(to *[]int, kind byte, runes []rune) {
		*to = append(*to, int(hash(kind, runes)&mask))
	}
	for _, t := range words.Split(text, maxWords) {
		if isNumber(t.Text) {
			add(&ws, 'w', []rune("0"))
			continue
		}
		runes := []rune("<" + t.Text + ">")
		add(&ws, 'w', runes)
		add(&ws, 's', []rune(words.Stem(t.Text)))
		for n := minGram; n <= maxGram; n++ {
			for i := 0; i+n <= len(runes); i++ {
				add(&grams, 'g', runes[i:i+n])
			}
		}
	}
	return ws, grams
}

func isNumber(word string) bool {
	for _, r := range word {
		if r < '0' || r > '9' {
			return false
		}
	}
	return word != ""
}

// hash is 32-bit FNV-1a with a final mix, because the low bits select the bucket.
func hash(kind byte, runes []rune) uint32 {
	h := (2166136261 ^ uint32(kind)) * 16777619
	for _, r := range runes {
		h = (h ^ uint32(r)) * 16777619
	}
	h ^= h >> 16
	h *= 0x85ebca6b
	return h ^ h>>13
}
