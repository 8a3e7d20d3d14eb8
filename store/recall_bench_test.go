package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/store"
)

// sizes are the numbers of memories that the benchmarks run with: 1,000 or
// what KOTA_BENCH_SIZES says, as in "10000,100000".
func sizes(b *testing.B) []int {
	b.Helper()
	found := []int{}
	for text := range strings.SplitSeq(os.Getenv("KOTA_BENCH_SIZES"), ",") {
		if text == "" {
			continue
		}
		size, err := strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
		found = append(found, size)
	}
	if len(found) == 0 {
		return []int{1000}
	}
	return found
}

// A speaker makes up texts whose words are as unevenly common as those of a
// language (Zipf), from a vocabulary of pronounceable words.
type speaker struct {
	*rand.Rand
	words []string
	zipf  *rand.Zipf
}

func newSpeaker(seed uint64) *speaker {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	words := []string{}
	for len(words) < 60_000 {
		word := ""
		for range 1 + r.IntN(4) {
			word += string("bcdfghjklmnprstvwz"[r.IntN(18)]) + string("aeiou"[r.IntN(5)])
		}
		if r.IntN(2) == 0 {
			word += string("nrstlmd"[r.IntN(7)])
		}
		if !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	own := rand.New(rand.NewPCG(seed, 3))
	return &speaker{own, words, rand.NewZipf(own, 1.07, 4, uint64(len(words)-1))}
}

func (s *speaker) say(n int) string {
	said := make([]string, n)
	for i := range said {
		said[i] = s.words[s.zipf.Uint64()]
	}
	return strings.Join(said, " ")
}

// remembered opens a database with that many memories. It is kept in
// KOTA_BENCH_DIR for the next run, when that is set.
func remembered(b *testing.B, size int) *store.Memories {
	b.Helper()
	dir := os.Getenv("KOTA_BENCH_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("recall-%d.db", size))
	_, err := os.Stat(path)
	m := openAt(b, path, store.Options{}).Memories("kata")
	if err == nil {
		return m
	}
	s := newSpeaker(uint64(size))
	for done := 0; done < size; {
		entries := []store.Entry{}
		for range min(1000, size-done) {
			value := string(fmt.Appendf(nil, "%q", s.say(20+s.IntN(20))))
			category := s.words[s.IntN(8)]
			entries = append(entries, store.Entry{
				Key:      strings.ReplaceAll(s.say(2+s.IntN(2)), " ", "_") + "_" + strconv.Itoa(done+len(entries)),
				Value:    []byte(value),
				Category: &category,
				Tags:     strings.Fields(s.say(2)),
			})
		}
		if _, err := m.SetMany(b.Context(), entries); err != nil {
			b.Fatal(err)
		}
		done += len(entries)
	}
	start := time.Now()
	if err := m.Index(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Logf("indexed %d memories in %v", size, time.Since(start))
	return m
}

// questions are of 2 to 8 words, a fourth of them with a slip.
func (s *speaker) questions(n int) []string {
	asked := []string{}
	for range n {
		words := strings.Fields(s.say(2 + s.IntN(7)))
		if s.IntN(4) == 0 {
			at := s.IntN(len(words))
			if letters := []byte(words[at]); len(letters) >= 5 {
				swap := 1 + s.IntN(len(letters)-2)
				letters[swap], letters[swap+1] = letters[swap+1], letters[swap]
				words[at] = string(letters)
			}
		}
		asked = append(asked, "what is my "+strings.Join(words, " ")+"?")
	}
	return asked
}

func BenchmarkRecall(b *testing.B) {
	for _, size := range sizes(b) {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			m := remembered(b, size)
			asked := newSpeaker(7).questions(300)
			took := []time.Duration{}
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if _, err := m.Recall(b.Context(), store.Query{Text: asked[i%len(asked)], Limit: 8}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "µs-p95")
		})
	}
}
