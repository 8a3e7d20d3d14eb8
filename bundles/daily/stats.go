package daily

import (
	"context"
	"strings"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/daily/internal/stats"
	"kota/metadata"
	"kota/store"
)

type statsIn struct {
	From   string `json:"from,omitempty" doc:"2026-11-01, last month; default 30 days back"`
	To     string `json:"to,omitempty"`
	Metric string `json:"metric,omitempty" doc:"mood, energy or a name: with its course"`
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

func (d *daily) stats(ctx context.Context, in statsIn) (stats.Answer, error) {
	var p days.Problems
	c := d.At(d.Zone())
	asked := stats.Days(&p, in.From, in.To, c)
	metric := ""
	if in.Metric != "" {
		var err error
		if metric, err = store.NormalizeName(in.Metric); err != nil {
			p.Add("metric", `mood, energy or the name of a metric such as "sleep"`, in.Metric)
		}
	}
	if err := p.Err(); err != nil {
		return stats.Answer{}, err
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return stats.Answer{}, err
	}
	out, err := stats.Count(ctx, diary, asked, metric, c.Date)
	if in.From == "" {
		out.Note = strings.TrimSpace(out.Note + ` These are the usual 30 days: "from" names others.`)
	}
	return out, rows.Explain(err)
}
