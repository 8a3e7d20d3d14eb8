package postgres

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
	"kota/store/tables/memory"
)

// BenchmarkRecall measures recall among 1,000 memories, or those in KOTA_BENCH_SIZES, such as
// "10000,100000", like the benchmark of package memory in SQLite.
func BenchmarkRecall(b *testing.B) {
	sizes := os.Getenv("KOTA_BENCH_SIZES")
	if sizes == "" {
		sizes = "1000"
	}
	for text := range strings.SplitSeq(sizes, ",") {
		size, err := strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text, func(b *testing.B) {
			url := newDatabase(b).role(b, "CREATEROLE", true)
			s, err := Open(b.Context(), url, Options{Version: "test"})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Close() })
			db, err := s.Tenant(b.Context(), "ann")
			if err != nil {
				b.Fatal(err)
			}
			counter := &tripCounter{DB: db}
			m := memory.New(counter, "ann")
			start := time.Now()
			if err := storetest.Fill(b.Context(), m, size); err != nil {
				b.Fatal(err)
			}
			filled := time.Since(start)
			if err := m.Index(b.Context()); err != nil {
				b.Fatal(err)
			}
			bytes := int64(0)
			_ = db.Read(b.Context()).Row("SELECT pg_total_relation_size('blocks') + pg_total_relation_size('terms') + pg_total_relation_size('docs')").Scan(&bytes)
			b.Logf("stored %d memories in %v, indexed them in %v, index of %d bytes each", size, filled, time.Since(start)-filled, bytes/int64(size))
			asked := storetest.NewTextGenerator(7).Questions(300)
			took := []time.Duration{}
			counter.trips = 0
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
			b.ReportMetric(float64(counter.trips)/float64(len(took)), "trips")
		})
	}
}
