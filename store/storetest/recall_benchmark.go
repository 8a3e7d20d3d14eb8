package storetest

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/store"
)

// BenchSizes returns the numbers of memories for a benchmark: 1,000, or those in KOTA_BENCH_SIZES,
// such as "10000,100000".
func BenchSizes(b *testing.B) []int {
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

// MeasureRecall asks questions, and reports the median and the 95th percentile of the time that
// they take. It returns the number of questions.
func MeasureRecall(b *testing.B, m Memories) int {
	b.Helper()
	asked := NewTextGenerator(7).Questions(300)
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
	return len(took)
}
