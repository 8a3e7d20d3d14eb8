package daily

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/entry"
	"kota/bundles/daily/internal/rows"
	"kota/metadata"
	"kota/store"
)

type searchIn struct {
	Query   string            `json:"query,omitempty" alias:"q,text" doc:"words; without them: all that match the other arguments, newest first"`
	From    string            `json:"from,omitempty" doc:"\"2026-11-01\", \"last month\""`
	To      string            `json:"to,omitempty"`
	Type    string            `json:"type,omitempty"`
	Tags    []string          `json:"tags,omitempty" doc:"all of them"`
	Metrics map[string]bounds `json:"metrics,omitempty" doc:"also mood and energy: {\"mood\": {\"max\": 2}}"`
	Link    string            `json:"link,omitempty" doc:"\"event:abc\""`
	Limit   int               `json:"limit,omitempty" alias:"max_results,count" default:"10" min:"1" max:"50"`
	Cursor  string            `json:"cursor,omitempty"`
}

// bounds are the limits of a metric's values. Without limits any value matches.
type bounds struct {
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

type searchOut struct {
	Hits       []hit         `json:"hits"`
	Confidence string        `json:"confidence,omitempty" enum:"high,low,none"` // of the hits; "" without a query
	Documents  []documentHit `json:"documents,omitempty"`                       // the best documents for the query; without a query, those of the type
	NextCursor string        `json:"next_cursor,omitempty"`
	Unindexed  int           `json:"unindexed,omitempty"` // entries that were not searched, because too many are not indexed yet or the index cannot be written
}

// A hit is an entry with the reason for the match. Its text is the part around the match.
// Without a query there is no reason, and the text is the beginning.
type hit struct {
	Date string `json:"date"`
	entry.Row
	Why   string  `json:"why,omitempty" enum:"exact,word,spelling,abbreviation,meaning"`
	Score float64 `json:"score,omitempty"`
}

// A documentHit is a document. Its text is the part around the match, or "" without
// a query.
type documentHit struct {
	titleOut
	Period string `json:"period,omitempty"`
	Text   string `json:"text,omitempty"`
}

// maxDocumentHits is the maximum number of documents that a search with a query
// shows.
const maxDocumentHits = 3

func (d *daily) searchAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "search", Effect: metadata.Reads,
		Summary:     "Find entries by words, type, tags, dates, metrics or a link.",
		Description: "Tolerates misspelling. Words find plans, reviews and notes too.",
		Tags:        []string{"find", "query", "journal"},
		Aliases:     metadata.Aliases{"search find query: - log entries journal"},
		Examples: []metadata.Example{
			{Title: "By words", Args: searchIn{Query: "dentist"}},
			{Title: "Low days of last month", Args: searchIn{From: "last month", To: "last month", Metrics: map[string]bounds{"mood": atMost(2)}}},
		},
		Errors: []metadata.Code{metadata.ValidationError},
		Notes: []string{
			"confidence high: the first is the answer; low: one of several candidates; none: nothing in the log answers.",
			"from and to may be weeks and months: from means their first day, to their last.",
			"A metric that is true or false counts as 1 or 0.",
			"documents are on the first page only, and not with tags, metrics or link. With a query they are the best three of the given type and days; with a type but no query, all of that type in the given days, up to limit. daily_get {id} shows one in full.",
		},
	}, d.search)
}

func atMost(x float64) bounds { return bounds{Max: &x} }

func (d *daily) search(ctx context.Context, in searchIn) (searchOut, error) {
	var p days.Problems
	c := d.At(d.Zone())
	span := p.Bounds(in.From, in.To, c)
	filter := store.EntryFilter{From: span.From, To: span.To, Type: in.Type, Tags: entry.SplitTags(in.Tags), Metrics: readRanges(&p, in.Metrics), Link: in.Link}
	if in.Type != "" {
		entry.CheckName(&p, "type", in.Type)
	}
	if in.Link != "" {
		entry.CheckLink(&p, "link", in.Link)
	}
	const most = 2000
	if n := utf8.RuneCountInString(in.Query); n > most {
		p.Add("query", "at most "+strconv.Itoa(most)+" characters", strconv.Itoa(n)+" characters")
	}
	asked, cursor := []any{filter, strings.TrimSpace(in.Query)}, ""
	p.Cursor(in.Cursor, asked, &cursor)
	if err := p.Err(); err != nil {
		return searchOut{}, err
	}
	diary, err := d.diary(ctx)
	if err != nil {
		return searchOut{}, err
	}
	if strings.TrimSpace(in.Query) == "" {
		out, next, err := d.browse(ctx, diary, filter, store.EntryPage{Newest: true, Limit: in.Limit, Cursor: cursor})
		out.NextCursor = days.EncodeCursor(next, asked)
		if err == nil && in.Cursor == "" && in.Type != "" && in.matchesDocuments() {
			out.Documents, err = listDocuments(ctx, diary, documentFilter(filter), in.Limit)
		}
		return out, err
	}
	found, err := diary.SearchEntries(ctx, store.DiaryQuery{Text: in.Query, Limit: in.Limit, Cursor: cursor}, filter)
	if err != nil {
		return searchOut{}, rows.Explain(err)
	}
	out := searchOut{Hits: make([]hit, 0, len(found.Hits)), Confidence: string(found.Confidence), NextCursor: days.EncodeCursor(found.Next, asked), Unindexed: found.Unindexed}
	for _, h := range found.Hits {
		one := hit{Date: h.Row.Date, Row: entry.RowOf(ctx, h.Row, rows.Brief, d.Zone()), Why: string(h.MatchKind), Score: rows.Round(h.Score)}
		one.Text, one.Cut = rows.Fence(h.Snippet, one.Provenance), h.Snippet != h.Row.Text
		out.Hits = append(out.Hits, one)
	}
	if in.Cursor == "" && in.matchesDocuments() {
		out.Documents, err = searchDocuments(ctx, diary, in.Query, documentFilter(filter))
	}
	return out, rows.Explain(err)
}

// matchesDocuments reports whether all filters also apply to documents.
func (in searchIn) matchesDocuments() bool { return in.Link == "" && len(in.Tags)+len(in.Metrics) == 0 }

// documentFilter returns the document filter with the type and the days of an entry filter.
func documentFilter(f store.EntryFilter) store.DocumentFilter {
	return store.DocumentFilter{Type: f.Type, From: f.From, To: f.To}
}

// listDocuments returns the documents that match a filter, the most recently changed first.
func listDocuments(ctx context.Context, diary Diary, of store.DocumentFilter, limit int) ([]documentHit, error) {
	found, err := diary.Documents(ctx, of, limit)
	hits := make([]documentHit, 0, len(found))
	for _, one := range found {
		hits = append(hits, documentHit{titleOf(ctx, one), one.Period, ""})
	}
	return hits, rows.Explain(err)
}

// searchDocuments returns the best matches for the words, at most
// maxDocumentHits.
func searchDocuments(ctx context.Context, diary Diary, words string, of store.DocumentFilter) ([]documentHit, error) {
	found, err := diary.SearchDocuments(ctx, store.DiaryQuery{Text: words, Limit: maxDocumentHits}, of)
	if err != nil {
		return nil, err
	}
	hits := make([]documentHit, 0, len(found.Hits))
	for _, h := range found.Hits {
		hits = append(hits, documentHit{titleOf(ctx, h.Row), h.Row.Period, h.Snippet})
	}
	return hits, nil
}

// browse returns one page of the entries that match a filter, the newest first. It also
// returns the store's cursor of the next page, "" after the last.
func (d *daily) browse(ctx context.Context, diary Diary, filter store.EntryFilter, page store.EntryPage) (searchOut, string, error) {
	entries, next, err := diary.Entries(ctx, filter, page)
	if err != nil {
		return searchOut{}, "", rows.Explain(err)
	}
	out := searchOut{Hits: make([]hit, 0, len(entries))}
	for _, e := range entries {
		out.Hits = append(out.Hits, hit{Date: e.Date, Row: entry.RowOf(ctx, e, rows.Brief, d.Zone())})
	}
	return out, next, nil
}

// readRanges reads the filters on metrics.
func readRanges(p *days.Problems, given map[string]bounds) []store.MetricRange {
	ranges := make([]store.MetricRange, 0, len(given))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		one := given[name]
		entry.CheckName(p, "metrics."+name, name)
		if one.Min != nil && one.Max != nil && *one.Min > *one.Max {
			p.Add("metrics."+name+".max", "not below min", strconv.FormatFloat(*one.Max, 'g', -1, 64))
		}
		ranges = append(ranges, store.MetricRange{Name: name, Min: one.Min, Max: one.Max})
	}
	return ranges
}
