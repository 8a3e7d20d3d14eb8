package calendar

import (
	"context"
	"fmt"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/timeparse"
)

// A repeats describes the recurrence of a series.
type repeats struct {
	Words string     `json:"words"`
	Lines []string   `json:"lines"`          // RFC 5545
	Next  []instance `json:"next,omitempty"` // for a series: the next instances
}

// An instance is one event of a series.
type instance struct {
	ID   string `json:"event_id"`
	When string `json:"when"`
}

// mostNext is how many instances of a series are shown.
const mostNext = 3

// repeatsOf returns the recurrence of an event. It returns nil if the event does not
// repeat, or if the user may not see its series.
func repeatsOf(ctx context.Context, from *agenda.Source, e *calendarapi.Event, zone *time.Location) (*repeats, error) {
	if e.RecurringEventId != "" {
		series, err := from.Agenda.Get(ctx, from.Entry.Id, e.RecurringEventId)
		if err != nil || len(series.Recurrence) == 0 {
			return nil, ctx.Err()
		}
		return rule(from, series), nil
	}
	if len(e.Recurrence) == 0 {
		return nil, nil
	}
	r := rule(from, e)
	if e.Status == event.Cancelled {
		return r, nil
	}
	page, err := from.Agenda.API.Events.Instances(from.Entry.Id, e.Id).TimeMin(timeparse.RFC3339(from.Agenda.Now().UTC())).
		MaxResults(mostNext).Fields("items(id,status,start,end)").Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("list instances: %w", err)
	}
	for _, one := range page.Items {
		if s, ok := eventtime.Of(one, from.Zone); ok && one.Status != event.Cancelled && len(r.Next) < mostNext {
			r.Next = append(r.Next, instance{one.Id, s.Words(zone)})
		}
	}
	return r, nil
}

// rule returns the recurrence of a series.
func rule(from *agenda.Source, series *calendarapi.Event) *repeats {
	const mostLines, mostOfLine = 20, 500
	r := &repeats{Lines: []string{}}
	for i, line := range series.Recurrence {
		if i == mostLines {
			r.Lines = append(r.Lines, fmt.Sprintf("and %d more", len(series.Recurrence)-mostLines))
			break
		}
		r.Lines = append(r.Lines, eventtext.Cut(htmltext.Line(line), mostOfLine))
	}
	s, _ := eventtime.Of(series, from.Zone)
	r.Words = eventtext.Rule(series.Recurrence, s)
	return r
}
