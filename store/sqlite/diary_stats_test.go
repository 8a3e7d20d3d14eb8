package sqlite_test

import (
	"slices"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/diary"
)

// Values beyond MaxMetric, which an earlier KOTA may have stored, are not summed.
func TestOverflowingMetricValuesAreNotSummed(t *testing.T) {
	db := open(t)
	d := diary.New(db, "ann")
	for range 2 {
		e := noteEntry("2026-11-20", "x")
		e.Metrics = map[string]any{"km": store.MaxMetric, "w": 3}
		logOne(t, d, e)
	}
	logOne(t, d, noteEntry("2026-11-20", "spoilt"))
	err := db.Write(t.Context(), func(tx engine.Tx) error {
		return tx.Exec(`UPDATE entries SET metrics = '{"km":1e308,"w":-1e308}' WHERE text = 'spoilt'`)
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]store.Summary{
		"km": {Count: 2, Sum: 2 * store.MaxMetric, Min: store.MaxMetric, Max: store.MaxMetric},
		"w":  {Count: 2, Sum: 6, Min: 3, Max: 3},
	} {
		days := mustReturn[[]store.PeriodSummary](t)(d.Measure(t.Context(), name, store.EntryFilter{}))
		if len(days) != 1 || days[0].Summary != want {
			t.Errorf("%s day by day: got %+v, want %+v", name, days, want)
		}
		all := mustReturn[[]store.MetricSummary](t)(d.Measures(t.Context(), store.EntryFilter{}))
		if i := slices.IndexFunc(all, func(m store.MetricSummary) bool { return m.Name == name }); i < 0 || all[i].Summary != want {
			t.Errorf("%s: got %+v, want %+v", name, all, want)
		}
	}
}
