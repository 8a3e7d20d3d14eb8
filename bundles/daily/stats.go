package daily

import (
	"context"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type statsIn struct {
	From   string `json:"from,omitempty" doc:"2026-11-01, last month; default 30 days back"`
	To     string `json:"to,omitempty"`
	Metric string `json:"metric,omitempty" doc:"mood, energy or a name: with its course"`
}

type statsOut struct {
	From       string         `json:"from"`
	To         string         `json:"to"`
	Days       int            `json:"days"`
	LoggedDays int            `json:"logged_days"` // that have an entry
	Entries    int            `json:"entries"`
	Backfilled int            `json:"backfilled,omitempty"` // of them, logged after their day had ended
	Types      map[string]int `json:"types,omitempty"`      // entries of each
	Metrics    []trend        `json:"metrics"`
	More       int            `json:"more_metrics,omitempty"` // the least common are left out
	Course     *course        `json:"course,omitempty"`       // of the metric that was asked for
	Streaks    *streaksOut    `json:"streaks,omitempty"`
	Gaps       *gapsOut       `json:"gaps,omitempty"`
	OnThisDay  []earlierYear  `json:"on_this_day,omitempty"`
	Note       string         `json:"note,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of types, or of the metrics that note names
}

func (d *daily) statsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "stats", Effect: metadata.Reads,
		Summary: "Tell means, changes, streaks and gaps of the log, and this day in other years.",
		Tags:    []string{"trend", "average", "statistics", "habit"},
		Examples: []metadata.Example{
			{Title: "The last 30 days", Args: statsIn{}},
			{Title: "Sleep last month", Args: statsIn{From: "last month", Metric: "sleep"}},
		},
		Errors: []metadata.Code{metadata.ValidationError},
		Notes: []string{
			"before and change compare with as many days right before from. mean is of the values, a_day of the sums of the days that have any; yes and no count as 1 and 0, also in the mean of a metric that is a number elsewhere.",
			"A streak is of days with an entry that was logged on the day itself; filled counts back-filled days too. The current one may end yesterday while today has no entry yet. Streaks are of the whole log; gaps are of the days that are asked for, from the first that was ever logged, today only once it is over.",
			"course has a point for each day of up to 31, for each week of up to half a year, else for each month.",
		},
	}, d.stats)
}

// usualDays is how many days are looked at when none are named.
const usualDays = 30

func (d *daily) stats(ctx context.Context, in statsIn) (statsOut, error) {
	var p days.Problems
	c := d.At(d.Zone())
	asked := statsDays(&p, in, c)
	metric := ""
	if in.Metric != "" {
		var err error
		if metric, err = store.Name(in.Metric); err != nil {
			p.Add("metric", `mood, energy or the name of a metric such as "sleep"`, in.Metric)
		}
	}
	if err := p.Err(); err != nil {
		return statsOut{}, err
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return statsOut{}, err
	}
	out, err := count(ctx, diary, asked, metric, c.Date)
	if in.From == "" {
		out.Note = strings.TrimSpace(out.Note + ` These are the usual 30 days: "from" names others.`)
	}
	return out, rows.Explain(err)
}

// statsDays reads the days that statistics are of. They end today at the latest:
// what is to come has no entries.
func statsDays(p *days.Problems, in statsIn, c days.Present) days.Span {
	asked := days.Span{To: c.Date}
	if in.To != "" {
		last, _ := p.Days("to", in.To, c)
		asked.To = min(last.To, c.Date)
	}
	if in.From == "" {
		asked.From = days.AddDays(asked.To, 1-usualDays)
		return asked
	}
	first, ok := p.Days("from", in.From, c)
	if in.To == "" && first.From != first.To { // a week or a month by itself
		asked.To = min(first.To, c.Date)
	}
	if asked.From = first.From; ok && asked.From > asked.To {
		p.Add("from", "not after "+asked.To, in.From)
	}
	return asked
}

// tallies are what statistics are made of, as the diary counts it.
type tallies struct {
	all       []store.DayFacts // of the whole log, up to today
	now, then []store.Measured // of the days that are asked for, and of as many before them
	types     []store.TypeCount
	years     []*store.DayEntry // of the same day in other years
}

// tally counts, everything at the same time.
func tally(ctx context.Context, diary Diary, asked, before days.Span, today string) (tallies, error) {
	var t tallies
	all, ctx := panicsafe.WithContext(ctx, 5)
	all.Go(func() (err error) { t.all, err = diary.Days(ctx, store.EntryFilter{To: today}); return err })
	all.Go(func() (err error) { t.now, err = diary.Measures(ctx, rows.Between(asked.From, asked.To)); return err })
	all.Go(func() (err error) {
		t.then, err = diary.Measures(ctx, rows.Between(before.From, before.To))
		return err
	})
	all.Go(func() (err error) { t.types, err = diary.Types(ctx, rows.Between(asked.From, asked.To)); return err })
	all.Go(func() (err error) { t.years, err = diary.OnThisDay(ctx, asked.To, mostYears); return err })
	return t, all.Wait()
}

// count puts the statistics of some days together.
func count(ctx context.Context, diary Diary, asked days.Span, metric, today string) (statsOut, error) {
	out := statsOut{From: asked.From, To: asked.To, Days: asked.Length()}
	before := days.Span{From: days.AddDays(asked.From, -out.Days), To: days.AddDays(asked.From, -1)}
	t, err := tally(ctx, diary, asked, before, today)
	if err != nil {
		return out, err
	}
	facts := within(t.all, asked)
	out.LoggedDays = len(facts)
	for _, day := range facts {
		out.Entries, out.Backfilled = out.Entries+day.Entries, out.Backfilled+day.Backfilled
	}
	now, then := rows.ByDays(rows.Figures(facts, t.now)), rows.Figures(within(t.all, before), t.then)
	if metric != "" {
		return out, out.follow(ctx, diary, asked, metric, now, then)
	}
	out.Metrics, out.More = trends(ctx, now, then)
	began := today
	if len(t.all) > 0 {
		began = t.all[0].Date
	}
	out.Streaks, out.Gaps, out.OnThisDay = streaksOf(t.all, today), gapsOf(facts, asked, began, today), otherYears(ctx, t.years)
	out.Types = map[string]int{}
	sources := []string{}
	for _, one := range t.types[:min(len(t.types), mostTypes)] {
		if out.Types[one.Type] = one.Count; !slices.Contains(usualTypes(), one.Type) {
			sources = append(sources, one.Source)
		}
	}
	out.markNames(ctx, sources)
	return out, nil
}

// markNames says whose words names are that were logged with these sources.
func (out *statsOut) markNames(ctx context.Context, sources []string) {
	for _, source := range sources {
		if whose := untrusted.Logged(ctx, source); whose != nil {
			out.Provenance = whose
		}
	}
}
