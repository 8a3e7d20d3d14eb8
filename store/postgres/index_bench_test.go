package postgres

import (
	"strconv"
	"testing"
	"time"

	"kota/store/storetest"
	"kota/store/tables/memory"
)

// BenchmarkRecall measures recall, like the benchmark of package memory in SQLite.
func BenchmarkRecall(b *testing.B) {
	for _, size := range storetest.BenchSizes(b) {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
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
			counter.trips = 0
			questions := storetest.MeasureRecall(b, m)
			b.ReportMetric(float64(counter.trips)/float64(questions), "trips")
		})
	}
}
