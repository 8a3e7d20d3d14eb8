// Package prefill gathers what the diary and the calendar know of a period, as Markdown
// for the start of a plan or a review. The text says what could not be read and never
// shows it as empty. Untrusted content marks the flow's answer as untrusted.
//
// Start at Gatherer.For.
package prefill

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/document"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/daily/sources"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
	"kota/bundles/staged"
	"kota/store"
)

// Limits of the gathered text. The text says if entries, tasks, events or
// numbers are left out.
const (
	maxEntries     = 60 // entries that are quoted
	maxShown       = 20 // tasks in each state, and events of a day
	maxMetrics     = 20
	maxQuoteLength = 160 // characters of a quoted text
)

// A Diary is the part of the store that a period needs.
type Diary interface {
	Days(ctx context.Context, f store.EntryFilter) ([]store.DaySummary, error)
	Measures(ctx context.Context, f store.EntryFilter) ([]store.MetricSummary, error)
	Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error)
	Tasks(ctx context.Context, day store.TaskQuery) (store.TaskList, error)
	Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error)
}

// A Gatherer gathers what is known of a period.
type Gatherer struct {
	days.Clock
	Open   func(context.Context) (Diary, error)
	Events func(ctx context.Context, date, zone string) (sources.Found[sources.Event], error) // nil: no calendar
	Log    func() *slog.Logger                                                                // nil discards
}

// Empty returns the values of a period with an empty diary and no calendar.
func Empty() map[string]any {
	return map[string]any{
		"events": notConnected, "entries": "Nothing was logged.", "numbers": "", "tasks_open": "", "tasks_done": "", "tasks_dropped": "", "missing": "", "before": "",
	}
}

// For returns the function that gathers the values for a document, each as Markdown. It
// gathers only the values that the template uses. Without content, "events" and
// "entries" say so, and each other value is "".
func (g Gatherer) For(template string) func(context.Context, staged.Document) (map[string]any, error) {
	return func(ctx context.Context, doc staged.Document) (map[string]any, error) {
		known := Empty()
		p, ok := days.ParseName(doc.Period)
		if !ok {
			return known, nil
		}
		diary, err := g.Open(ctx)
		if err != nil {
			return nil, err
		}
		parts := []struct {
			name   string
			gather func(context.Context, Diary, days.Period) (string, error)
		}{
			{"events", g.events}, {"entries", g.quoteEntries}, {"numbers", g.numbers}, {"missing", g.missingDays},
			{"tasks_open", g.openTasks}, {"tasks_done", g.doneTasks}, {"tasks_dropped", g.droppedTasks},
			{"before", earlierDocument(doc.Type)},
		}
		for _, part := range parts {
			if !strings.Contains(template, "."+part.name) {
				continue
			}
			if known[part.name], err = part.gather(ctx, diary, p); err != nil {
				return nil, rows.Explain(err)
			}
		}
		return known, nil
	}
}

// earlierDocument returns a function that quotes an earlier document. A plan of a day or week
// starts with the "next" field of the review of the period before. A review of a day or week
// starts with the plan of its period. For other types the function returns "".
func earlierDocument(name string) func(context.Context, Diary, days.Period) (string, error) {
	return func(ctx context.Context, diary Diary, p days.Period) (string, error) {
		of, field := map[string]string{"day_review": "day_plan", "week_review": "week_plan"}[name], []string{"focus", "goals", "must"}
		for _, k := range document.Kinds() {
			if k.Next == name {
				of, field, p = k.Name, []string{"next"}, p.Before()
			}
		}
		if of == "" {
			return "", nil
		}
		return excerpt(ctx, diary, of, p, field)
	}
}

// excerpt returns some fields of the document of a type and period, with its id. It
// returns "" if there is no such document.
func excerpt(ctx context.Context, diary Diary, name string, p days.Period, fields []string) (string, error) {
	found, err := diary.Documents(ctx, store.DocumentFilter{Type: name, Period: p.Name()}, 1)
	if err != nil || len(found) == 0 {
		return "", err
	}
	untrusted.MarkDiary(ctx, found[0].Source) // marks the flow's answer as untrusted
	answers := map[string]any{}
	if err := json.Unmarshal(found[0].Fields, &answers); err != nil {
		return "", fmt.Errorf("read the fields of %s: %w", found[0].ID, err)
	}
	lines := []string{}
	for _, field := range fields {
		switch answer := answers[field].(type) {
		case string:
			lines = append(lines, "- "+htmltext.Line(answer))
		case []any:
			for _, one := range answer {
				lines = append(lines, "- "+htmltext.Line(fmt.Sprint(one)))
			}
		}
	}
	if len(lines) == 0 {
		return "", nil
	}
	return found[0].Title + " [" + found[0].ID + "]:\n\n" + strings.Join(lines, "\n"), nil
}
