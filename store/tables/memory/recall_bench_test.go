package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/storetest"
	"kota/store/tables/memory"
)

// benchSizes returns the numbers of memories for the benchmarks: 1,000, or those in KOTA_BENCH_SIZES,
// such as "10000,100000".
func benchSizes(b *testing.B) []int {
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

// openFilled opens a database with that many memories. If KOTA_BENCH_DIR is set, it keeps the
// database there for the next run.
func openFilled(b *testing.B, size int) *memory.Store {
	b.Helper()
	dir := os.Getenv("KOTA_BENCH_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("recall-%d.db", size))
	_, err := os.Stat(path)
	m := memory.New(openAt(b, path, sqlite.Options{}), "kata")
	if err == nil {
		return m
	}
	if err := storetest.Fill(b.Context(), m, size); err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if err := m.Index(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Logf("indexed %d memories in %v", size, time.Since(start))
	return m
}

func BenchmarkRecall(b *testing.B) {
	for _, size := range benchSizes(b) {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			m := openFilled(b, size)
			asked := storetest.NewTextGenerator(7).Questions(300)
			took := []time.Duration{}
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if _, err := m.Recall(b.Context(), store.RecallQuery{Text: asked[i%len(asked)], Limit: 8}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "µs-p95")
			if size <= 100_000 {
				b.ReportMetric(shareOfBest(b, m, size, 30), "of-top5")
			}
		})
	}
}
