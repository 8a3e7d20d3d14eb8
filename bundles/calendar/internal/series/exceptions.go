package series

import (
	"context"
	"fmt"
	"slices"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// Exceptions returns the instances of a series that differ from it, deleted ones included,
// ordered by their original start. It returns TOO_LARGE if there are more than KOTA reads.
func Exceptions(ctx context.Context, a *agenda.Agenda, t *Target) ([]*calendarapi.Event, error) {
	request := a.API.Events.List(t.Calendar.Id).ICalUID(t.Series.ICalUID).ShowDeleted(true).MaxResults(exceptionPageSize).Context(ctx)
	found := []*calendarapi.Event{}
	for range maxExceptionPages {
		page, err := request.Do()
		if err != nil {
			return nil, fmt.Errorf("list the changed events of the series: %w", err)
		}
		for _, e := range page.Items {
			if _, ok := eventtime.OriginalStart(e, t.Zone); ok && e.RecurringEventId == t.Series.Id {
				found = append(found, e)
			}
		}
		if page.NextPageToken == "" {
			slices.SortStableFunc(found, func(a, b *calendarapi.Event) int { return OriginalStart(a, t.Zone).Compare(OriginalStart(b, t.Zone)) })
			return found, nil
		}
		request.PageToken(page.NextPageToken)
	}
	return nil, metadata.Errorf(metadata.TooLarge, "more than %d events of the series were changed individually", maxExceptionPages*exceptionPageSize).
		WithHint("Change one instance at a time with scope this, or the series in Google Calendar.")
}

const (
	exceptionPageSize = 2500 // Google's maximum page size
	maxExceptionPages = 40   // maximum number of pages read
)

// OriginalStart returns the start that the rule of the series gives the instance e, or the
// zero time if e is no instance.
func OriginalStart(e *calendarapi.Event, zone *time.Location) time.Time {
	s, _ := eventtime.OriginalStart(e, zone)
	return s.Start
}

// An Exception is an instance that was changed by hand.
type Exception struct {
	ID       string `json:"event_id"`
	Title    string `json:"title"`
	When     string `json:"when"`
	Original string `json:"instead_of,omitempty"` // time that the rule gives the instance; "" if it was not moved
}

// DescribeException returns the row of an instance that was changed by hand.
func (t *Target) DescribeException(one *calendarapi.Event) Exception {
	row := Exception{ID: one.Id, Title: budget.Brief(htmltext.Line(one.Summary), eventtext.MaxTitle), When: event.When(one, t.Zone)}
	original, ok := eventtime.OriginalStart(one, t.Zone)
	if is, known := eventtime.Of(one, t.Zone); ok && known && !is.Start.Equal(original.Start) {
		row.Original = original.Words(t.Zone)
	}
	return row
}

// HasInstance reports whether the rule of the series gives an instance at the original
// start of the exception.
func HasInstance(series, exception *calendarapi.Event, zone *time.Location) bool {
	original, ok := eventtime.OriginalStart(exception, zone)
	s, known := eventtime.Of(series, zone)
	if !ok || !known || s.AllDay != original.AllDay || len(series.Recurrence) == 0 {
		return false
	}
	set, err := RecurrenceOf(series, zone)
	if err != nil {
		return false
	}
	found, _ := set.Between(original.Start, original.Start.Add(time.Second), 1)
	return len(found) == 1 && found[0].Equal(original.Start)
}
