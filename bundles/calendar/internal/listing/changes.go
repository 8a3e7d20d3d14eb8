package listing

import (
	"context"
	"slices"
	"time"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/google"
	"kota/bundles/internal/untrusted"
)

// ChangesArgs are the arguments of calendar_list_changes.
type ChangesArgs struct {
	Cursor    string   `json:"cursor,omitempty" doc:"of the previous answer; without: start now"`
	Calendars []string `json:"calendars,omitempty" alias:"calendar" max:"50" doc:"names or ids, or [\"all\"]; default primary"`
	Timezone  string   `json:"timezone,omitempty" doc:"IANA; default yours"`
	Limit     int      `json:"limit,omitempty" alias:"max_results,count" default:"25" min:"1" max:"50"`
	Account   string   `json:"account,omitempty" doc:"name or address; \"*\": all"`
}

// ChangesPage holds the changes since a cursor.
type ChangesPage struct {
	Timezone  string                 `json:"timezone"` // zone of every when
	Changed   []changedRow           `json:"changed"`  // ordered by start
	Deleted   []deletedRow           `json:"deleted"`
	Cursor    string                 `json:"cursor"`          // cursor for the next call
	More      bool                   `json:"more,omitempty"`  // the next call returns more changes
	Reset     bool                   `json:"reset,omitempty"` // the changes since the cursor are unknown in the calendars that Note names
	Note      string                 `json:"note,omitempty"`
	Calendars []agenda.CalendarError `json:"calendar_errors,omitempty"`
	Errors    []google.AccountError  `json:"account_errors,omitempty"`
}

// A changedRow is an event that is new or changed. A series is one row.
type changedRow struct {
	eventtext.Row
	New     bool   `json:"new,omitempty"`
	Repeats string `json:"repeats,omitempty"`    // rule of a series; When is then its first event
	From    string `json:"moved_from,omitempty"` // original time of a moved instance

	start time.Time
}

// A deletedRow is a deleted event. Google may know only its id.
type deletedRow struct {
	ID       string `json:"event_id"`
	Account  string `json:"account,omitempty"`
	Calendar string `json:"calendar,omitempty"`
	Title    string `json:"title,omitempty"`
	When     string `json:"when,omitempty"` // time of the event; for an instance, its original time
	Series   string `json:"series_id,omitempty"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"`
}

// Changes lists the changes since the cursor, and returns the next cursor.
func Changes(ctx context.Context, c *agenda.Agendas, in ChangesArgs) (ChangesPage, error) {
	var p eventtime.Problems
	zone := p.Zone("timezone", in.Timezone, nil)
	if err := p.Err(); err != nil {
		return ChangesPage{}, err
	}
	w, err := newChangesCall(ctx, c, in)
	if err != nil {
		return ChangesPage{}, err
	}
	if zone == nil {
		zone = c.Zone()
	}
	perCalendar := make([]calendarChanges, len(w.Sources))
	each := max(1, in.Limit/max(1, len(w.Sources)))
	failed, err := w.Each(ctx, func(ctx context.Context, i int) (err error) {
		perCalendar[i], err = changesSince(ctx, &w.Sources[i], w.states[i], int64(each))
		return err
	})
	if err != nil {
		return ChangesPage{}, w.explainError(err, in.Cursor)
	}
	out := ChangesPage{Timezone: zone.String(), Changed: []changedRow{}, Deleted: []deletedRow{}, Note: w.Note, Calendars: failed, Errors: w.Failed}
	var resetCalendars []string
	for i, changes := range perCalendar {
		if changes.next == nil {
			continue // this calendar failed: the next call reads the same changes again
		}
		w.addChanges(ctx, &out, i, changes, zone)
		w.states[i] = *changes.next
		out.More, out.Reset = out.More || changes.more, out.Reset || changes.reset
		if changes.reset {
			resetCalendars = append(resetCalendars, agenda.Title(w.Sources[i].Entry))
			w.Sources[i].Set.TitleProvenance(ctx, w.Sources[i].Entry)
		}
	}
	if out.Reset {
		out.Note = "Google no longer has the changes since that cursor in " + agenda.JoinNames(resetCalendars) +
			". " + bundles.WithoutHiddenTools(ctx, "Look at the events with calendar_list_events. Go on from the new cursor.")
	}
	slices.SortStableFunc(out.Changed, func(a, b changedRow) int { return a.start.Compare(b.start) })
	out.Cursor = arguments.EncodeCursor(changesCursor{Account: w.account, States: w.states})
	out.shorten()
	return out, nil
}

// addChanges adds the changes of a calendar to the answer.
func (w *changesCall) addChanges(ctx context.Context, out *ChangesPage, i int, changes calendarChanges, zone *time.Location) {
	from := &w.Sources[i]
	name := ""
	if w.HasSeveralSources() {
		name = agenda.Label(from.Entry)
	}
	for _, e := range changes.events {
		s, known := eventtime.Of(e, from.Zone)
		original, moved := eventtime.OriginalStart(e, from.Zone)
		if e.Status == event.Cancelled {
			row := deletedRow{ID: e.Id, Account: from.AccountIn(w.Selection), Calendar: name, Series: e.RecurringEventId}
			if e.Summary != "" {
				row.Title, row.Provenance = eventtext.Title(e, from.Entry), eventtext.Provenance(ctx, e, from.Entry, "")
			}
			if moved {
				row.When = original.Words(zone)
			} else if known {
				row.When = s.Words(zone)
			}
			out.Deleted = append(out.Deleted, row)
			continue
		}
		row := changedRow{Row: eventtext.RowOf(ctx, e, from.Entry, from.Zone, zone), start: s.Start}
		row.Account, row.Calendar = from.AccountIn(w.Selection), name
		reserved := 0
		if len(e.Recurrence) > 0 {
			row.Repeats = budget.Brief(eventtext.DescribeRule(e.Recurrence, s), eventtext.MaxTitle)
			reserved = eventtext.CostOfName + budget.Tokens(row.Repeats)
		}
		if moved && known && !original.Start.Equal(s.Start) {
			row.From = original.Words(zone)
			reserved = eventtext.CostOfWhen
		}
		row.Fit(reserved)
		created, err := time.Parse(time.RFC3339, e.Created)
		row.New = err == nil && e.RecurringEventId == "" && created.Unix() >= w.states[i].Since
		out.Changed = append(out.Changed, row)
	}
}

// shorten removes the less important fields of all rows in Changed if the answer is too
// long.
func (out *ChangesPage) shorten() {
	if budget.Size(out) <= budget.DefaultSize {
		return
	}
	for i := range out.Changed {
		row := &out.Changed[i]
		row.Location, row.Guests, row.Meet, row.Organizer = "", "", "", ""
	}
}
