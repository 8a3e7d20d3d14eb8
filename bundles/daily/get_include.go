package daily

import (
	"cmp"
	"context"
	"slices"

	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// A metricOut sums up a metric over days.
type metricOut struct {
	Name  string   `json:"name"`
	Count int      `json:"count"`          // number of values
	Mean  *float64 `json:"mean,omitempty"` // for numbers
	Sum   *float64 `json:"sum,omitempty"`  // for two or more numbers
	Min   *float64 `json:"min,omitempty"`  // if min and max differ
	Max   *float64 `json:"max,omitempty"`
	True  *int     `json:"true,omitempty"` // for yes/no metrics: the number of yes

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of the name
}

type tasksOut struct {
	Open     []taskOut `json:"open"` // the most urgent first
	Done     []taskOut `json:"done,omitempty"`
	MoreDone int       `json:"more_done,omitempty"`
	Count    int       `json:"open_count"`
	Overdue  int       `json:"overdue_count,omitempty"`
}

type taskOut struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Due     string `json:"due,omitempty"`
	Overdue int    `json:"overdue_days,omitempty"`
	Carried string `json:"carried_from,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

type titleOut struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Title string `json:"title"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

func titleOf(ctx context.Context, doc *store.Document) titleOut {
	return titleOut{doc.ID, doc.Type, doc.Title, untrusted.MarkDiary(ctx, doc.Source)}
}

// Limits on what an answer lists besides the entries.
const (
	maxMetrics     = 20
	maxTasksListed = 20
	maxDocuments   = 20
)

// include adds the metrics, tasks and documents that the call asks for.
func (d *daily) include(ctx context.Context, diary Diary, out *getOut, include []string) error {
	filter := store.EntryFilter{From: out.From, To: out.To}
	if slices.Contains(include, "metrics") {
		metrics, err := rows.Measure(ctx, diary, filter)
		if err != nil {
			return err
		}
		metrics = rows.SortByDays(metrics)
		for _, one := range metrics[:min(len(metrics), maxMetrics)] {
			out.Metrics = append(out.Metrics, metricOf(ctx, one))
		}
		out.MoreMetrics = len(metrics) - len(out.Metrics)
	}
	if slices.Contains(include, "tasks") {
		on := out.To
		if on == "" {
			on, _ = d.DayOf(d.Now().In(d.Zone()))
		}
		list, err := diary.Tasks(ctx, rows.TaskDay(d.Today().From(), on, cmp.Or(out.From, rows.FirstDate), on, maxTasksListed))
		if err != nil {
			return err
		}
		out.Tasks = tasksOf(ctx, list)
	}
	if slices.Contains(include, "documents") {
		documents, err := diary.Documents(ctx, store.DocumentFilter{From: out.From, To: out.To}, maxDocuments+1)
		if err != nil {
			return err
		}
		out.MoreDocuments = len(documents) > maxDocuments
		for _, one := range documents[:min(len(documents), maxDocuments)] {
			out.Documents = append(out.Documents, titleOf(ctx, one))
		}
	}
	return nil
}

func metricOf(ctx context.Context, m store.MetricSummary) metricOut {
	out := metricOut{Name: m.Name, Count: m.Count, Provenance: untrusted.MarkDiary(ctx, m.Source)}
	if m.IsBool {
		yes := int(m.Sum)
		out.True = &yes
		return out
	}
	mean, sum := rows.Round(m.Mean()), rows.Round(m.Sum)
	out.Mean = &mean
	if m.Count > 1 {
		out.Sum = &sum
	}
	if m.Min != m.Max {
		out.Min, out.Max = &m.Min, &m.Max
	}
	return out
}

func tasksOf(ctx context.Context, list store.TaskList) *tasksOut {
	out := &tasksOut{Open: []taskOut{}, MoreDone: list.DoneCount - len(list.Done), Count: list.OpenCount, Overdue: list.OverdueCount}
	for _, one := range list.Open {
		out.Open = append(out.Open, taskOut{one.ID, rows.Shorten(one.Text, rows.Brief), one.Due, one.Overdue, one.CarriedFrom, untrusted.MarkDiary(ctx, one.Source)})
	}
	for _, one := range list.Done {
		out.Done = append(out.Done, taskOut{ID: one.ID, Text: rows.Shorten(one.Text, rows.Brief), Provenance: untrusted.MarkDiary(ctx, one.Source)})
	}
	return out
}
