// Package listing lists the events of several calendars and accounts in one order, page
// by page. It also lists the changes since a cursor. If a calendar cannot be read, the
// answer names it and has the events of the other calendars. Start with [List] and
// [Changes].
package listing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/google"
	"kota/bundles/internal/timeparse"
)

// Args are the arguments of calendar_list_events.
type Args struct {
	From      string   `json:"from,omitempty" alias:"start,time_min" doc:"2026-11-24, tomorrow, next week; default now"`
	To        string   `json:"to,omitempty" alias:"end,time_max" doc:"a date includes its day; default a week, with query a year"`
	Query     string   `json:"query,omitempty" alias:"q" max:"500" doc:"words in title, text, place or guests"`
	Direction string   `json:"direction,omitempty" enum:"ahead,past" default:"ahead" doc:"past: until now, the latest first"`
	Calendars []string `json:"calendars,omitempty" alias:"calendar,calendar_ids" max:"50" doc:"names or ids, or [\"all\"]; default primary"`
	Types     []string `json:"event_types,omitempty" enum:"default,focus,ooo,working_location,birthday,from_gmail"`
	Timezone  string   `json:"timezone,omitempty" doc:"IANA; default yours"`
	Limit     int      `json:"limit,omitempty" alias:"max_results,count" default:"25" min:"1" max:"100"`
	Cursor    string   `json:"cursor,omitempty" doc:"next_cursor of the previous answer"`
	Account   string   `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

// Page is a page of events.
type Page struct {
	Timezone  string                 `json:"timezone"` // zone of every when
	From      string                 `json:"from"`
	To        string                 `json:"to"`
	Events    []eventtext.Row        `json:"events"` // ordered by start; with direction past, the latest first
	Next      string                 `json:"next_cursor,omitempty"`
	Note      string                 `json:"note,omitempty"`
	Calendars []agenda.CalendarError `json:"calendar_errors,omitempty"` // calendars that could not be read
	Errors    []google.AccountError  `json:"account_errors,omitempty"`  // accounts that could not be read
}

// List returns one page of the events that the arguments ask for.
func List(ctx context.Context, c *agenda.Agendas, in Args) (Page, error) {
	l, err := newListCall(ctx, c, in)
	if err != nil {
		return Page{}, err
	}
	results := make([]searchResult, len(l.Sources))
	failed, err := l.Each(ctx, func(ctx context.Context, i int) (err error) {
		results[i], err = eventsAfter(ctx, &l.Sources[i], l.search, l.startPosition(i), in.Limit+1)
		return err
	})
	if err != nil {
		return Page{}, err
	}
	rows, more := merge(results, in.Limit, l.order)
	out := Page{
		Timezone: l.zone.String(), From: timeparse.Stamp(l.From.In(l.zone)), To: timeparse.Stamp(l.To.In(l.zone)),
		Events: []eventtext.Row{}, Note: l.Note, Calendars: failed, Errors: l.Failed,
	}
	space := budget.DefaultSize - budget.Size(out) - maxCursorChars
	for i, one := range rows {
		row := l.row(ctx, one)
		if space -= budget.Size(row) + 1; space < 0 && i > 0 {
			rows, more = rows[:i], true
			break
		}
		out.Events = append(out.Events, row)
	}
	if more || len(l.Failed) > 0 && len(rows) > 0 { // the next page retries failed accounts
		out.Next = arguments.EncodeCursor(l.nextCursor(rows, failed))
	}
	return out, nil
}

// maxCursorChars is the number of characters that an answer reserves for its cursor.
const maxCursorChars = 2000

// A listCall is one call of list_events.
type listCall struct {
	agenda.Selection
	search
	cursor listCursor
}

// A search holds the criteria for events.
type search struct {
	eventtime.Window
	past  bool // the latest event comes first
	zone  *time.Location
	query string
	types []string // Google's names
}

// newListCall reads the search and the position of a call.
func newListCall(ctx context.Context, c *agenda.Agendas, in Args) (*listCall, error) {
	if in.Cursor != "" {
		return resumeList(ctx, c, in)
	}
	var p eventtime.Problems
	zone := p.Zone("timezone", in.Timezone, nil)
	if err := p.Err(); err != nil {
		return nil, err
	}
	selection, err := c.Select(ctx, in.Account, in.Calendars)
	if err != nil {
		return nil, err
	}
	if zone == nil {
		zone = c.Zone()
	}
	w, isDefault := p.Window(in.window(), timeparse.Context{Now: c.Now(), Zone: zone})
	if err := p.Err(); err != nil {
		return nil, err
	}
	l := &listCall{Selection: selection, search: search{Window: w, past: in.window().Past, zone: zone, query: in.Query, types: googleTypes(in.Types)}}
	if len(in.Calendars) == 0 && strings.TrimSpace(in.Query) != "" {
		l.Note = strings.TrimSuffix(`only the primary calendar: calendars ["all"] searches the others; `+l.Note, "; ")
	}
	if isDefault {
		l.Note = strings.TrimSuffix(in.defaultNote()+"; "+l.Note, "; ")
	}
	l.cursor = listCursor{
		Account: selection.Account(), Calendars: in.Calendars, Zone: zone.String(), From: w.From.Unix(), To: w.To.Unix(), Past: l.past,
		Query: in.Query, Types: in.Types, After: l.firstPosition(),
	}
	return l, nil
}

// window returns the window arguments of the call. The default length is a week, or a
// year with a query.
func (in Args) window() eventtime.WindowArgs {
	w := eventtime.WindowArgs{From: in.From, To: in.To, Past: in.Direction == Past, Days: 7}
	if strings.TrimSpace(in.Query) != "" {
		w.Years, w.Days = 1, 0
	}
	return w
}

// defaultNote returns the note with the length of the default window and the argument
// that extends it.
func (in Args) defaultNote() string {
	text := "looked a week "
	if in.window().Years > 0 {
		text = "searched a year "
	}
	if in.window().Past {
		return text + `back; use "from" to look further`
	}
	return text + `ahead; use "to" to look further, or direction "past" to look back`
}

// googleTypes returns Google's names of event types.
func googleTypes(types []string) []string {
	var all []string
	for _, t := range eventtext.Types {
		if slices.Contains(types, t[0]) {
			all = append(all, t[1])
		}
	}
	return all
}

// maxAlsoOn is the maximum number of other calendars that a row names.
const maxAlsoOn = 2

// row returns the row of an event, with the calendars that contain it.
func (l *listCall) row(ctx context.Context, one occurrence) eventtext.Row {
	row := eventtext.RowOf(ctx, one.event, one.from.Entry, one.from.Zone, l.zone)
	if l.HasSeveralSources() {
		row.Calendar = agenda.Label(one.from.Entry)
	}
	for i, other := range one.alsoIn {
		if i == maxAlsoOn {
			row.AlsoOn = append(row.AlsoOn, fmt.Sprintf("and %d more", len(one.alsoIn)-maxAlsoOn))
			break
		}
		row.AlsoOn = append(row.AlsoOn, budget.Brief(agenda.Title(other.Entry), eventtext.MaxName))
	}
	row.Account = one.from.AccountIn(l.Selection)
	row.Fit(0)
	return row
}

// Past is the direction that lists earlier events, the latest first.
const Past = "past"
