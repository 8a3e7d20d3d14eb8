package daily

import (
	"context"

	"kota/bundles"
	"kota/bundles/daily/internal/briefing"
	"kota/bundles/daily/internal/days"
	"kota/metadata"
)

type briefingIn struct {
	Date string `json:"date,omitempty" doc:"2026-11-24, tomorrow; default today"`
}

func (d *daily) briefingAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "briefing", Effect: metadata.Reads,
		Summary: "Brief the user on a day: calendar, tasks, mail, what is due or open.",
		Tags:    []string{"morning", "agenda", "overview", "today"},
		Aliases: metadata.Aliases{"get show daily morning: briefing"},
		Examples: []metadata.Example{
			{Title: "This morning", Args: briefingIn{}},
			{Title: "Tomorrow", Args: briefingIn{Date: "tomorrow"}},
		},
		Errors: []metadata.Code{metadata.ValidationError},
		Notes: []string{
			"Each part has a status: ok; empty: it was read and has nothing; not_connected: it is off or nobody is signed in; failed: it could not be read, so its content is unknown; stale: it could not be read, and the result of an earlier briefing in this session is shown. reason says why. Never say that a part is free or empty unless its status is empty.",
			"unread names the calendars or accounts of a part that could not be read. more says what was omitted and which call shows it.",
			"calendar has the events of every ticked calendar; mail has the unread mail in the inbox now, for any date; memories has those that expire within a week; yesterday has what the day before left open.",
			"KOTA waits at most 8 seconds for each source. The answer has at most 1,500 tokens.",
		},
	}, d.briefing)
}

func (d *daily) briefing(ctx context.Context, in briefingIn) (briefing.Briefing, error) {
	now := d.Now().In(d.Zone())
	date, why := d.DayOf(now)
	if in.Date != "" {
		named, err := d.Day("date", in.Date, days.ReadOptions{})
		if err != nil {
			return briefing.Briefing{}, err
		}
		date, why = named.From(), ""
	}
	return d.briefer.Brief(ctx, date, why, now)
}
