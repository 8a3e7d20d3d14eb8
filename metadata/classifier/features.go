package classifier

import (
	"math"
	"slices"

	"kota/metadata/words"
)

// A feature is a bucket of the hash table and its value for a text.
type feature struct {
	bucket int
	value  float64
}

const (
	maxWords = 64 // words of a text; later words are ignored
	minGram  = 3  // characters of the shortest n-gram
	maxGram  = 5  // characters of the longest n-gram
)

// features returns the features of a text: its words and its character n-grams. The two
// groups have the same total weight. As a vector, the result has length 1, so a long text counts
// no more than a short text.
func (m *Model) features(text string) []feature {
	wordBuckets, gramBuckets := buckets(text, m.logSize)
	list := append(m.weighted(wordBuckets), m.weighted(gramBuckets)...)
	normalize(list)
	return list
}

// weighted returns each bucket once. Its value is its idf times its number of occurrences,
// scaled so that the vector has length 1.
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

// normalize scales the values so that the vector has length 1.
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

// buckets returns the buckets of the words of a text, then the buckets of its n-grams. All
// numbers count as the same word.
func buckets(text string, logSize int) (wordBuckets, gramBuckets []int) {
	mask := uint32(1)<<logSize - 1
	add := func(to *[]int, kind byte, runes []rune) {
		*to = append(*to, int(hash(kind, runes)&mask))
	}
	for _, t := range words.Split(text, maxWords) {
		if isNumber(t.Text) {
			add(&wordBuckets, 'w', []rune("0"))
			continue
		}
		runes := []rune("<" + t.Text + ">")
		add(&wordBuckets, 'w', runes)
		for n := minGram; n <= maxGram; n++ {
			for i := 0; i+n <= len(runes); i++ {
				add(&gramBuckets, 'g', runes[i:i+n])
			}
		}
	}
	return wordBuckets, gramBuckets
}

func isNumber(word string) bool {
	for _, r := range word {
		if r < '0' || r > '9' {
			return false
		}
	}
	return word != ""
}

// hash returns a 32-bit FNV-1a hash of the runes. The parameter kind makes the hashes of words
// and n-grams different. At the end it mixes the bits, because the low bits select the bucket.
func hash(kind byte, runes []rune) uint32 {
	h := (2166136261 ^ uint32(kind)) * 16777619
	for _, r := range runes {
		h = (h ^ uint32(r)) * 16777619
	}
	h ^= h >> 16
	h *= 0x85ebca6b
	return h ^ h>>13
}
