package memorytest

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// A plainBM25 ranks memories as a simple server with an index does: the question's words joined
// by OR, without stop words, stemmed, by BM25. It is the baseline for Recall.
type plainBM25 struct {
	keys   []string
	counts []map[string]int // for each memory, the number of each stem
	sizes  []float64
	docs   map[string]float64 // the number of memories with the stem
	mean   float64            // the mean size of a memory
}

func newPlainBM25(memories []evaluationMemory) *plainBM25 {
	p := &plainBM25{docs: map[string]float64{}}
	for _, k := range memories {
		count, size := map[string]int{}, 0.0
		value := ""
		if err := json.Unmarshal(k.Value, &value); err != nil {
			value = string(k.Value)
		}
		for _, stem := range plainStems(k.Key + " " + value + " " + strings.Join(k.Tags, " ")) {
			count[stem]++
			size++
		}
		for stem := range count {
			p.docs[stem]++
		}
		p.keys, p.counts, p.sizes = append(p.keys, k.Key), append(p.counts, count), append(p.sizes, size)
		p.mean += size / float64(len(memories))
	}
	return p
}

// rank returns the keys of all memories with a word of the question, best first.
func (p *plainBM25) rank(question string) []string {
	const k1, b = 1.2, .75
	scores := map[string]float64{}
	for _, stem := range plainStems(question) {
		n := float64(len(p.keys))
		weight := math.Log(1 + (n-p.docs[stem]+.5)/(p.docs[stem]+.5))
		for i, count := range p.counts {
			if tf := float64(count[stem]); tf > 0 {
				scores[p.keys[i]] += weight * tf * (k1 + 1) / (tf + k1*(1-b+b*p.sizes[i]/p.mean))
			}
		}
	}
	found := slices.DeleteFunc(slices.Clone(p.keys), func(key string) bool { return scores[key] == 0 })
	slices.SortStableFunc(found, func(x, y string) int { return cmp.Compare(scores[y], scores[x]) })
	return found
}

// plainStopWords are the words that the baseline ignores.
const plainStopWords = " a an and are as at be by did do does for from had has have he her his how i in is it its my of on or our she that the their they this to was we were what when where which who whom whose why will with you your "

func plainStems(text string) []string {
	stems := []string{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if !strings.Contains(plainStopWords, " "+word+" ") {
			stems = append(stems, english.Stem(word, true))
		}
	}
	return stems
}
