package daily

import (
	"context"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/entry"
	"kota/bundles/daily/internal/rows"
	"kota/bundles/internal/budget"
	"kota/metadata"
	"kota/store"
)

type getIn struct {
	Date    string   `json:"date,omitempty" alias:"day,week,month" doc:"\"2026-11-20\", \"yesterday\", \"last week\"; default today"`
	From    string   `json:"from,omitempty" doc:"or a period, with to"`
	To      string   `json:"to,omitempty"`
	ID      string   `json:"id,omitempty" doc:"or one entry, with its versions, or one document"`
	Include []string `json:"include,omitempty" enum:"metrics,tasks,documents,memories,events,mail" default:"metrics,tasks,documents" doc:"the last three: targets of links"`
	Detail  string   `json:"detail,omitempty" enum:"ids,brief,full" default:"brief"`
	Limit   int      `json:"limit,omitempty" alias:"max_results,count" default:"60" min:"1" max:"200"`
	Cursor  string   `json:"cursor,omitempty"`
}

type getOut struct {
	From          string      `json:"from,omitempty"`
	To            string      `json:"to,omitempty"`
	Why           string      `json:"why,omitempty"` // reason for these days
	Note          string      `json:"note,omitempty"`
	Days          []dayOut    `json:"days"`                     // the days with entries, in order
	Metrics       []metricOut `json:"metrics,omitempty"`        // the metrics with the most days first
	MoreMetrics   int         `json:"more_metrics,omitempty"`   // daily_stats shows one by its name
	Tasks         *tasksOut   `json:"tasks,omitempty"`          // at the end of the last day
	Documents     []titleOut  `json:"documents,omitempty"`      // of these days and of their weeks and months; the most recently changed first
	MoreDocuments bool        `json:"more_documents,omitempty"` // daily_search {type, from, to} lists the documents of a type
	Linked        []linkOut   `json:"linked,omitempty"`         // targets of the entries' links
	MoreLinks     int         `json:"more_links,omitempty"`
	Notice        string      `json:"foreign,omitempty"` // sources.UntrustedNotice, if others wrote titles in linked
	Document      *docOut     `json:"document,omitempty"`
	Versions      []version   `json:"versions,omitempty"` // of the entry or document, the newest first
	NextCursor    string      `json:"next_cursor,omitempty"`
}

type dayOut struct {
	Date    string      `json:"date"`
	Day     string      `json:"day"` // in words
	Entries []entry.Row `json:"entries"`
}

func (d *daily) getAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "get", Effect: metadata.Reads,
		Summary:     "Read the log of a day or a period, or one entry.",
		Description: "Includes metric totals and tasks.",
		Tags:        []string{"read", "journal", "diary", "day"},
		Aliases:     metadata.Aliases{"get read show view fetch list: - day log entry entries journal"},
		Examples: []metadata.Example{
			{Title: "Today", Args: getIn{}},
			{Title: "A week", Args: getIn{From: "2026-11-16", To: "2026-11-22"}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.NotFound},
		Notes: []string{
			"Words such as \"yesterday\" are relative to the user's current day; a weekday is the last one.",
			"brief cuts texts at 200 characters, full only if the answer would be too long; ids uses the fewest tokens. An entry requested by its id is complete.",
			"days only lists days with entries. Totals are for the whole period, also on each page.",
			"Open tasks are those on the last day of the period; done tasks are those completed in the period.",
			"With memories, events and mail in include, linked has the title of each link's target, or a status: gone (it no longer exists), not_connected or failed (unknown). Without them, no target is looked up.",
			"versions has the content before each change; daily_edit {id, version} restores one.",
		},
	}, d.get)
}

func (d *daily) get(ctx context.Context, in getIn) (getOut, error) {
	var p days.Problems
	c := d.At(d.Zone())
	if in.ID != "" && (in.Date != "" || in.From != "" || in.To != "" || in.Cursor != "") {
		p.Add("id", "omitted if a day or a period is given", in.ID)
	}
	asked := p.Span(in.Date, in.From, in.To, c)
	page := store.EntryPage{Limit: in.Limit}
	p.Cursor(in.Cursor, asked.CursorArguments(), &page.Cursor)
	if err := p.Err(); err != nil {
		return getOut{}, err
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return getOut{}, err
	}
	if isDocument(in.ID) {
		return d.getDocument(ctx, diary, in.ID)
	}
	if in.ID != "" {
		return d.getEntry(ctx, diary, in.ID, in.Include)
	}
	filter := store.EntryFilter{From: asked.From, To: asked.To}
	entries, next, err := diary.Entries(ctx, filter, page)
	if err != nil {
		return getOut{}, rows.Explain(err)
	}
	out := getOut{From: asked.From, To: asked.To, Why: asked.Why, Days: d.groupByDay(ctx, entries, in.Detail), NextCursor: days.EncodeCursor(next, asked.CursorArguments())}
	if err := d.addLinks(ctx, &out, entries, in.Include); err != nil {
		return getOut{}, err
	}
	if in.Date+in.From+in.To+in.Cursor == "" {
		out.Note = `This is only today; use "date", or "from" and "to", for other days.`
	}
	if in.Cursor != "" {
		return out, nil // the first page had the rest
	}
	return out, rows.Explain(d.include(ctx, diary, &out, in.Include))
}

// groupByDay groups entries by day. It shortens their texts to what detail asks for and to the
// size of an answer.
func (d *daily) groupByDay(ctx context.Context, entries []*store.DayEntry, detail string) []dayOut {
	groups := []dayOut{}
	limits := textLimits(entries, detail)
	for i, e := range entries {
		if len(groups) == 0 || groups[len(groups)-1].Date != e.Date {
			groups = append(groups, dayOut{Date: e.Date, Day: days.InWords(e.Date), Entries: []entry.Row{}})
		}
		last := &groups[len(groups)-1]
		if detail == "ids" {
			last.Entries = append(last.Entries, entry.Row{ID: e.ID, Type: e.Type})
			continue
		}
		last.Entries = append(last.Entries, entry.RowOf(ctx, e, limits[i], d.Zone()))
	}
	return groups
}

// textLimits returns how many characters of each text the answer shows.
func textLimits(entries []*store.DayEntry, detail string) []int {
	needs := make([]int, len(entries))
	for i, e := range entries {
		needs[i] = budget.Size(e.Text)
		if detail != "full" {
			needs[i] = min(needs[i], rows.Brief)
		}
	}
	return budget.Divide(needs, budget.DefaultSize, rows.Brief)
}
