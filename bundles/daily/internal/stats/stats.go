// Package stats sums up the log: means compared with the days before, streaks, gaps, and
// the same day in other years. Streaks do not count back-filled days; separate filled
// streaks do.
//
// Start at Count.
package stats

import (
	"context"
	"slices"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// A Diary sums up the log.
type Diary interface {
	Days(ctx context.Context, f store.EntryFilter) ([]store.DaySummary, error)
	Measure(ctx context.Context, metric string, f store.EntryFilter) ([]store.PeriodSummary, error)
	Measures(ctx context.Context, f store.EntryFilter) ([]store.MetricSummary, error)
	Types(ctx context.Context, f store.EntryFilter) ([]store.TypeCount, error)
	OnThisDay(ctx context.Context, date string, limit int) ([]*store.DayEntry, error)
}

// An Answer holds the statistics of some days.
type Answer struct {
	From       string         `json:"from"`
	To         string         `json:"to"`
	Days       int            `json:"days"`
	LoggedDays int            `json:"logged_days"` // number of days with an entry
	Entries    int            `json:"entries"`
	Backfilled int            `json:"backfilled,omitempty"` // of these, logged after their day had ended
	Types      map[string]int `json:"types,omitempty"`      // number of entries of each of the most common types
	Metrics    []trend        `json:"metrics"`
	More       int            `json:"more_metrics,omitempty"` // number of less common metrics that are left out
	TimeSeries *timeSeries    `json:"course,omitempty"`       // of the requested metric
	Streaks    *streaksOut    `json:"streaks,omitempty"`
	Gaps       *gapsOut       `json:"gaps,omitempty"`
	OnThisDay  []earlierYear  `json:"on_this_day,omitempty"`
	Note       string         `json:"note,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of types, or of the metrics named in note
}

// defaultDays is the default number of days.
const defaultDays = 30

// Days reads the span of the statistics. It ends today at the latest.
func Days(p *days.Problems, from, to string, c days.CallTime) days.Span {
	asked := days.Span{To: c.Date}
	if to != "" {
		last, _ := p.Days("to", to, c)
		asked.To = min(last.To, c.Date)
	}
	if from == "" {
		asked.From = days.AddDays(asked.To, 1-defaultDays)
		return asked
	}
	first, ok := p.Days("from", from, c)
	if to == "" && first.From != first.To { // a week or a month without "to"
		asked.To = min(first.To, c.Date)
	}
	if asked.From = first.From; ok && asked.From > asked.To {
		p.Add("from", "not after "+asked.To, from)
	}
	return asked
}

// diaryCounts are the counts from the diary that statistics are computed from.
type diaryCounts struct {
	all       []store.DaySummary    // the whole log up to today
	now, then []store.MetricSummary // the requested days, and the same number of days before
	types     []store.TypeCount
	years     []*store.DayEntry // the same day in other years
}

// readCounts reads all counts at the same time.
func readCounts(ctx context.Context, diary Diary, asked, before days.Span, today string) (diaryCounts, error) {
	var t diaryCounts
	all, ctx := panicsafe.WithContext(ctx, 5)
	all.Go(func() (err error) { t.all, err = diary.Days(ctx, store.EntryFilter{To: today}); return err })
	all.Go(func() (err error) {
		t.now, err = diary.Measures(ctx, rows.EntriesBetween(asked.From, asked.To))
		return err
	})
	all.Go(func() (err error) {
		t.then, err = diary.Measures(ctx, rows.EntriesBetween(before.From, before.To))
		return err
	})
	all.Go(func() (err error) {
		t.types, err = diary.Types(ctx, rows.EntriesBetween(asked.From, asked.To))
		return err
	})
	all.Go(func() (err error) { t.years, err = diary.OnThisDay(ctx, asked.To, maxYears); return err })
	return t, all.Wait()
}

// Count computes the statistics of the requested days. With a metric it returns
// only the counts of days and entries, and that metric with its time series.
func Count(ctx context.Context, diary Diary, asked days.Span, metric, today string) (Answer, error) {
	out := Answer{From: asked.From, To: asked.To, Days: asked.Length()}
	before := days.Span{From: days.AddDays(asked.From, -out.Days), To: days.AddDays(asked.From, -1)}
	t, err := readCounts(ctx, diary, asked, before, today)
	if err != nil {
		return out, err
	}
	facts := daysWithin(t.all, asked)
	out.LoggedDays = len(facts)
	for _, day := range facts {
		out.Entries, out.Backfilled = out.Entries+day.Entries, out.Backfilled+day.Backfilled
	}
	now, then := rows.SortByDays(rows.SummarizeDays(facts, t.now)), rows.SummarizeDays(daysWithin(t.all, before), t.then)
	if metric != "" {
		return out, out.addTimeSeries(ctx, diary, asked, metric, now, then)
	}
	out.Metrics, out.More = trends(ctx, now, then)
	began := today
	if len(t.all) > 0 {
		began = t.all[0].Date
	}
	out.Streaks, out.Gaps, out.OnThisDay = streaksOf(t.all, today), gapsOf(facts, asked, began, today), otherYears(ctx, t.years)
	out.Types = map[string]int{}
	sources := []string{}
	for _, one := range t.types[:min(len(t.types), maxTypes)] {
		if out.Types[one.Type] = one.Count; !slices.Contains(suggestedTypes(), one.Type) {
			sources = append(sources, one.Source)
		}
	}
	out.setProvenance(ctx, sources)
	return out, nil
}

// setProvenance sets the provenance of the answer if one of the sources is untrusted.
func (out *Answer) setProvenance(ctx context.Context, sources []string) {
	for _, source := range sources {
		if whose := untrusted.MarkDiary(ctx, source); whose != nil {
			out.Provenance = whose
		}
	}
}
