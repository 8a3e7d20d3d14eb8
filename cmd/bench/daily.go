package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/daily"
	"kota/bundles/daily/sources"
	"kota/cmd/bench/internal/report"
	"kota/entrypoint/pipeline"
	"kota/store"
	"kota/store/sqlite"
	"kota/store/storetest"
	"kota/store/tables/diary"
	"kota/store/tables/stages"
)

const (
	lastDay       = "2026-11-20" // the last day of the measured year
	dailyZone     = "Europe/Amsterdam"
	yearDays      = 365
	entriesPerDay = 20
	dailyRounds   = 40
	logRounds     = 25
	logsPerRound  = 40

	// slowestSource is how long the slowest source of a briefing takes. The
	// others are faster.
	slowestSource = 50 * time.Millisecond
)

// measureDaily measures the daily bundle. It compares logging with bare
// inserts, and reads a year with 20 entries a day. It also measures how much
// longer a briefing takes than its slowest source.
func measureDaily(ctx context.Context, b *bench) ([]report.Row, error) {
	logged, err := b.measureLog(ctx)
	if err != nil {
		return nil, err
	}
	read, err := b.measureYear(ctx)
	return append(logged, read...), err
}

// openDaily returns a router for the daily bundle, and its new database. The
// bundle's clock shows the day after the measured year.
func (b *bench) openDaily(ctx context.Context, name string) (localRouter, *sqlite.DB, error) {
	db, err := sqlite.Open(ctx, filepath.Join(b.scratch, name), sqlite.Options{})
	if err != nil {
		return localRouter{}, nil, err
	}
	zone, err := time.LoadLocation(dailyZone)
	if err != nil {
		return localRouter{}, nil, errors.Join(err, db.Close())
	}
	bundle := daily.New(daily.Deps{
		Diary:     func(context.Context) (daily.Diary, error) { return diary.New(db, owner), nil },
		Stages:    func(context.Context) (daily.StageStore, error) { return stages.New(db, owner), nil },
		Now:       func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, zone) },
		Zone:      func() *time.Location { return zone },
		DayStarts: func() time.Duration { return 4 * time.Hour },
		Sources:   slowSources(),
	})
	bundle.Enabled = true
	r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{bundle}, Auditor: newAuditor(db)})
	if err != nil {
		return localRouter{}, nil, errors.Join(err, db.Close())
	}
	return localRouter{r}, db, nil
}

// slowSources returns sources that answer, after a delay, with the data of a busy
// day.
func slowSources() sources.Set {
	return sources.Set{
		Events: func(context.Context, string, string) (sources.Found[sources.Event], error) {
			time.Sleep(slowestSource)
			return sources.Found[sources.Event]{Items: make([]sources.Event, 30)}, nil
		},
		Mail: func(context.Context) (sources.Found[sources.Mail], error) {
			time.Sleep(slowestSource / 2)
			return sources.Found[sources.Mail]{Items: make([]sources.Mail, 50)}, nil
		},
		Memories: func(context.Context, time.Time) (sources.Found[sources.Memory], error) {
			time.Sleep(slowestSource / 5)
			return sources.Found[sources.Memory]{Items: make([]sources.Memory, 10)}, nil
		},
	}
}

// measureLog compares the commits of daily_log with a bare INSERT at
// synchronous=FULL, in turns.
func (b *bench) measureLog(ctx context.Context) ([]report.Row, error) {
	db, insert, err := openBareTable(ctx, filepath.Join(b.scratch, "bare-daily.db"))
	if err != nil {
		return nil, fmt.Errorf("prepare the bare insert: %w", err)
	}
	defer db.Close()
	router, daysDB, err := b.openDaily(ctx, "log.db")
	if err != nil {
		return nil, err
	}
	defer daysDB.Close()
	text := strings.Repeat("a word or two ", 14)
	written := 0
	contenderOf := func(name string, write func(n int) error) report.Contender {
		return report.Contender{Name: name, Measure: func() (time.Duration, error) {
			start := time.Now()
			for range logsPerRound {
				written++
				if err := write(written); err != nil {
					return 0, err
				}
			}
			return time.Since(start) / logsPerRound, nil
		}}
	}
	contenders := []report.Contender{
		contenderOf("bare INSERT", func(n int) error {
			_, err := insert.ExecContext(ctx, fmt.Sprintf("key %d", n), text)
			return err
		}),
		contenderOf("the store", func(int) error {
			at := time.Now()
			_, err := diary.New(daysDB, owner).Log(ctx, store.LogRequest{Entries: []store.DayEntry{{Date: "2026-11-21", Moment: at, Zone: dailyZone, Type: "note", Text: text}}})
			return err
		}),
		contenderOf("daily_log", func(int) error {
			_, err := router.timeCall(ctx, "daily_log", object{"text": text})
			return err
		}),
	}
	if _, err := report.InTurns(1, contenders); err != nil { // warm up
		return nil, err
	}
	took, err := report.InTurns(logRounds, contenders)
	if err != nil {
		return nil, err
	}
	times, alone := report.MedianRatio(took[0], took[2]), report.MedianRatio(took[0], took[1])
	return []report.Row{report.AtLeast("daily_log, commits", "≥ 0.8 × bare INSERT, FULL", times, .8, "%.2f × (%.0f/s against %.0f/s; the store alone %.2f ×; medians of %d rounds)",
		times, 1/report.Median(took[2]).Seconds(), 1/report.Median(took[0]).Seconds(), alone, logRounds)}, nil
}

// measureYear measures reading a year of 20 entries a day.
func (b *bench) measureYear(ctx context.Context) ([]report.Row, error) {
	router, db, err := b.openDaily(ctx, "year.db")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	diary := diary.New(db, owner)
	if err := storetest.FillDays(ctx, diary, lastDay, yearDays, entriesPerDay); err != nil {
		return nil, err
	}
	if err := diary.Index(ctx); err != nil {
		return nil, err
	}
	questions, next := storetest.NewTextGenerator(7).Questions(dailyRounds+1), 0
	call := func(tool string, args func() object) report.Contender {
		return report.Contender{Name: tool, Measure: func() (time.Duration, error) { return router.timeCall(ctx, tool, args()) }}
	}
	contenders := []report.Contender{
		call("daily_get", func() object { return object{"from": "2026-11-09", "to": "2026-11-15", "limit": 200} }),
		call("daily_search", func() object {
			next++
			return object{"query": questions[next-1]}
		}),
		call("daily_stats", func() object { return object{"from": "2025-11-21", "to": lastDay} }),
		call("daily_briefing", func() object { return object{} }),
		{Name: "its slowest source", Measure: func() (time.Duration, error) {
			start := time.Now()
			time.Sleep(slowestSource)
			return time.Since(start), nil
		}},
	}
	if _, err := report.InTurns(1, contenders); err != nil { // warm up
		return nil, err
	}
	took, err := report.InTurns(dailyRounds, contenders)
	if err != nil {
		return nil, err
	}
	answer, err := router.call(ctx, "daily_get", object{"from": "2026-11-09", "to": "2026-11-15", "limit": 200})
	if err != nil {
		return nil, err
	}
	if err := checkLogged(answer); err != nil {
		return nil, err
	}
	week, search, stats := report.Median(took[0]), report.Quantile(took[1], .95), report.Median(took[2])
	more := report.Median(took[3]) - report.Median(took[4])
	format := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", report.Ms(d)) }
	return []report.Row{
		report.AtMost("daily_get of a week, 20 entries a day, p50", "≤ 5 ms", week, 5*time.Millisecond, "%s", format(week)),
		report.AtMost("daily_search in a year, p95", "≤ 25 ms", search, 25*time.Millisecond, "%s (p50 %s)", format(search), format(report.Median(took[1]))),
		report.AtMost("daily_stats over a year, p50", "≤ 50 ms", stats, 50*time.Millisecond, "%s (p95 %s)", format(stats), format(report.Quantile(took[2], .95))),
		report.AtMost("daily_briefing, p50", "≤ its slowest source + 10 ms", more, 10*time.Millisecond, "%s more (p95 %s)", format(more), format(report.Quantile(took[3], .95)-report.Median(took[4]))),
	}, nil
}

// checkLogged returns an error unless the answer has exactly the entries of a
// week.
func checkLogged(answer []byte) error {
	var got struct {
		Days []struct{ Entries []json.RawMessage }
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return err
	}
	entries := 0
	for _, day := range got.Days {
		entries += len(day.Entries)
	}
	if len(got.Days) != 7 || entries != 7*entriesPerDay {
		return fmt.Errorf("the week has %d entries of %d days, want %d of 7", entries, len(got.Days), 7*entriesPerDay)
	}
	return nil
}
