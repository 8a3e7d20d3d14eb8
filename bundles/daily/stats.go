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
	Metric string `json:"metric,omitempty" doc:"mood, energy or a name: with its values over time"`
}

func (d *daily) statsAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "stats", Effect: metadata.Reads,
		Summary: "Show averages, trends, streaks and gaps of the log, and this day in other years.",
		Tags:    []string{"trend", "average", "statistics", "habit"},
		Examples: []metadata.Example{
			{Title: "The last 30 days", Args: statsIn{}},
			{Title: "Sleep last month", Args: statsIn{From: "last month", Metric: "sleep"}},
		},
		Errors: []metadata.Code{metadata.ValidationError},
		Notes: []string{
			"before and change compare with the same number of days before from. mean is the average of the values, a_day the average of the daily totals, over days with a value; yes and no count as 1 and 0.",
			"A streak counts days with an entry that was logged on that day; filled also counts back-filled days. The current streak may end yesterday if today has no entry yet. Streaks cover the whole log. Gaps cover the given days since the first logged day, without today.",
			"course has one point per day for up to 31 days, per week for up to half a year, otherwise per month.",
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
		out.Note = strings.TrimSpace(out.Note + ` These are the default 30 days; use "from" for others.`)
	}
	return out, rows.Explain(err)
}
