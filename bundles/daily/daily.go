// Package daily is the bundle for the user's days: the log, tasks, plans, reviews and a
// morning briefing. The briefing says whether a source is empty or could not be read.
//
// Each action has one file or a few files in this package. The packages below internal do
// the work:
//
//   - days finds the day that an argument means, rows asks for diary rows and shows them
//   - entry reads and shows entries, task lists and changes tasks
//   - document keeps plans, reviews and notes, prefill gathers what they start with
//   - briefing and stats compute their answers
//
// Package sources defines what other bundles contribute to a day. Package export writes
// the diary to a file. The program uses both.
package daily

import (
	"context"
	"embed"
	"log/slog"
	"time"

	"kota/bundles"
	"kota/bundles/daily/internal/briefing"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/sources"
	"kota/bundles/internal/persist"
	"kota/bundles/staged"
	"kota/metadata"
)

// Deps are the dependencies of the bundle.
type Deps struct {
	Diary     func(context.Context) (Diary, error) // called on each call of an action
	Stages    func(context.Context) (StageStore, error)
	Now       func() time.Time
	Zone      func() *time.Location // the user's zone, with an IANA name
	DayStarts func() time.Duration  // 0 to 12 hours after midnight; anything earlier belongs to the day before
	Sources   sources.Set           // the parts of a day that other bundles know
	Log       func() *slog.Logger   // nil discards

	// Templates returns the user's own document types in their order, without Prefill. Nil
	// means none.
	Templates func() []staged.DocumentType
}

type daily struct {
	days.Clock
	deps    Deps
	briefer *briefing.Briefer
}

// New returns the bundle. It does not use deps before the first call.
func New(deps Deps) bundles.Bundle {
	d := &daily{Clock: clockOf(deps), deps: deps}
	d.briefer = &briefing.Briefer{
		Clock: d.Clock, Sources: deps.Sources, Stages: deps.Stages, Log: deps.Log,
		Open: func(ctx context.Context) (briefing.Diary, error) { return d.diary(ctx) },
	}
	b := bundles.New(about(),
		d.logAction(),
		d.getAction(),
		d.editAction(),
		d.searchAction(),
		d.briefingAction(),
		d.taskAction(),
		d.planAction(),
		d.reviewAction(),
		d.statsAction(),
	)
	b.Instructions = "It stores the user's diary: read a day with daily_get before you talk about it. Log what they did, felt, ate or measured with daily_log."
	return b
}

// phrases lists how people ask for each action: see metadata.Bundle.
//
//go:embed phrases
var phrases embed.FS

func about() metadata.Bundle {
	return metadata.Bundle{
		Key:         "daily",
		Name:        "Daily Log",
		Description: "The day's log, tasks, plans, reviews and a morning briefing",
		Category:    metadata.Core,
		Tags:        []string{"daily", "journal", "log", "health", "planning"},
		Phrases:     phrases,
		Version:     "1",
		Relationships: []metadata.Relationship{
			{Type: metadata.RelatedTo, Bundle: "memory", Description: "Entries link to memories, and the briefing shows those that are due"},
			{Type: metadata.RelatedTo, Bundle: "calendar", Description: "The day's events are part of its plan and its briefing"},
			{Type: metadata.RelatedTo, Bundle: "gmail", Description: "Mail that waits for an answer is part of the briefing"},
		},
		Workflows: []metadata.Workflow{
			{
				Title: "Begin the day", Scenario: "Show the user the day, and write down their plan",
				Steps: []metadata.Step{
					{Tool: "daily_briefing", Args: map[string]any{}},
					{Tool: "daily_task", Args: map[string]any{"op": "add", "text": []string{"Call the plumber"}, "due": "friday"}},
				},
			},
			{
				Title: "Look back on a week", Scenario: "Read the log and the statistics, and start the review",
				Steps: []metadata.Step{
					{Tool: "daily_get", Args: map[string]any{"date": "this week", "detail": "brief"}},
					{Tool: "daily_stats", Args: map[string]any{"from": "this week"}},
					{Tool: "daily_review", Args: map[string]any{"type": "week_review", "period": "this week"}},
				},
			},
			{
				Title: "Log a meeting", Scenario: "Find the meeting in the calendar, and save its decisions and tasks",
				Steps: []metadata.Step{
					{Tool: "calendar_list_events", Args: map[string]any{"from": "today", "to": "today"}},
					{Tool: "daily_log", Args: map[string]any{"text": "Agreed on the budget with Anna", "tags": []string{"work"}, "tasks": []string{"Send the minutes"}}},
				},
			},
		},
	}
}

// diary returns the diary of the tenant.
func (d *daily) diary(ctx context.Context) (Diary, error) {
	diary, err := d.deps.Diary(ctx)
	return diary, persist.Explain(err)
}

func clockOf(deps Deps) days.Clock {
	return days.Clock{Now: deps.Now, Zone: deps.Zone, DayStarts: deps.DayStarts}
}
