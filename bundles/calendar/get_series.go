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

// A recurrenceOut describes the recurrence of a series.
type recurrenceOut struct {
	Words string     `json:"words"`
	Lines []string   `json:"lines"`          // RFC 5545
	Next  []instance `json:"next,omitempty"` // at most maxNextInstances; absent for an instance and for a deleted series
}

// An instance is one event of a series.
type instance struct {
	ID   string `json:"event_id"`
	When string `json:"when"`
}

// maxNextInstances is the maximum number of next instances in an answer.
const maxNextInstances = 3

// recurrenceOf returns the recurrence of an event. It returns nil if the event does not
// repeat, or if its series cannot be read.
func recurrenceOf(ctx context.Context, from *agenda.Source, e *calendarapi.Event, zone *time.Location) (*recurrenceOut, error) {
	if e.RecurringEventId != "" {
		series, err := from.Agenda.Get(ctx, from.Entry.Id, e.RecurringEventId)
		if err != nil || len(series.Recurrence) == 0 {
			return nil, ctx.Err()
		}
		return describeSeries(from, series), nil
	}
	if len(e.Recurrence) == 0 {
		return nil, nil
	}
	r := describeSeries(from, e)
	if e.Status == event.Cancelled {
		return r, nil
	}
	page, err := from.Agenda.API.Events.Instances(from.Entry.Id, e.Id).TimeMin(timeparse.RFC3339(from.Agenda.Now().UTC())).
		MaxResults(maxNextInstances).Fields("items(id,status,start,end)").Context(ctx).Do()
	if err != nil {
		return nil, fmt.Errorf("list instances: %w", err)
	}
	for _, one := range page.Items {
		if s, ok := eventtime.Of(one, from.Zone); ok && one.Status != event.Cancelled && len(r.Next) < maxNextInstances {
			r.Next = append(r.Next, instance{one.Id, s.Words(zone)})
		}
	}
	return r, nil
}

// describeSeries returns the recurrence of a series, without its next instances.
func describeSeries(from *agenda.Source, series *calendarapi.Event) *recurrenceOut {
	const maxLines, maxLineChars = 20, 500
	r := &recurrenceOut{Lines: []string{}}
	for i, line := range series.Recurrence {
		if i == maxLines {
			r.Lines = append(r.Lines, fmt.Sprintf("and %d more", len(series.Recurrence)-maxLines))
			break
		}
		r.Lines = append(r.Lines, eventtext.Cut(htmltext.Line(line), maxLineChars))
	}
	s, _ := eventtime.Of(series, from.Zone)
	r.Words = eventtext.DescribeRule(series.Recurrence, s)
	return r
}
