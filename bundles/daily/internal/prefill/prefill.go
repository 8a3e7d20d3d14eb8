// Package prefill gathers what the diary and the calendar have of a period, as
// Markdown that a plan or a review starts with. What could not be read is said, and
// never shown as empty. The flow is told of what others wrote.
//
// Gatherer.For is where to start.
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

// What a starter shows at most: more is told by how many there are.
const (
	mostEntries = 60 // entries that are quoted
	mostShown   = 20 // tasks of each state, and events of a day
	mostMetrics = 20
	mostQuoted  = 160 // characters of an entry
)

// A Diary is what the store keeps of a period.
type Diary interface {
	Days(ctx context.Context, f store.EntryFilter) ([]store.DayFacts, error)
	Measures(ctx context.Context, f store.EntryFilter) ([]store.Measured, error)
	Entries(ctx context.Context, f store.EntryFilter, p store.EntryPage) ([]*store.DayEntry, string, error)
	Tasks(ctx context.Context, day store.TaskDay) (store.TaskList, error)
	Documents(ctx context.Context, f store.DocumentFilter, limit int) ([]*store.Document, error)
}

// A Gatherer gathers what is known of a period.
type Gatherer struct {
	days.Clock
	Open   func(context.Context) (Diary, error)
	Events func(ctx context.Context, date, zone string) (sources.Found[sources.Event], error) // nil: there is no calendar
	Log    func() *slog.Logger                                                                // nil discards
}

// Nothing is what templates see of a period in which nothing was kept,
// without a calendar.
func Nothing() map[string]any {
	return map[string]any{
		"events": notConnected, "entries": "Nothing was logged.", "numbers": "", "tasks_open": "", "tasks_done": "", "tasks_dropped": "", "missing": "", "before": "",
	}
}

// For gathers what is kept of the period of a document, each part as
// Markdown, "" where there is nothing to say.
func (g Gatherer) For(template string) func(context.Context, staged.Document) (map[string]any, error) {
	return func(ctx context.Context, doc staged.Document) (map[string]any, error) {
		known := Nothing()
		p, ok := days.Named(doc.Period)
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
			{"events", g.events}, {"entries", g.quoted}, {"numbers", g.numbers}, {"missing", g.missing},
			{"tasks_open", g.openTasks}, {"tasks_done", g.doneTasks}, {"tasks_dropped", g.droppedTasks},
			{"before", before(doc.Type)},
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

// before is what was written before that a document goes on from: for a plan
// what the review of the period before wanted taken up, for a review the plan.
func before(name string) func(context.Context, Diary, days.Period) (string, error) {
	return func(ctx context.Context, diary Diary, p days.Period) (string, error) {
		of, field := map[string]string{"day_review": "day_plan", "week_review": "week_plan"}[name], []string{"focus", "goals", "must"}
		for _, k := range document.Kinds() {
			if k.After == name {
				of, field, p = k.Name, []string{"next"}, p.Before()
			}
		}
		if of == "" {
			return "", nil
		}
		return excerpt(ctx, diary, of, p, field)
	}
}

// excerpt is what the document of a type and period says in some fields, with
// its id, "" when there is none.
func excerpt(ctx context.Context, diary Diary, name string, p days.Period, fields []string) (string, error) {
	found, err := diary.Documents(ctx, store.DocumentFilter{Type: name, Period: p.Name()}, 1)
	if err != nil || len(found) == 0 {
		return "", err
	}
	untrusted.Logged(ctx, found[0].Source) // the flow says so in its answer
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
