package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"kota/store/sqlite"
	"kota/store/storetest"
	"kota/store/tables/memory"
)

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
	for _, size := range storetest.BenchSizes(b) {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			m := openFilled(b, size)
			storetest.MeasureRecall(b, m)
			if size <= 100_000 {
				b.ReportMetric(shareOfBest(b, m, size, 30), "of-top5")
			}
		})
	}
}
