package availability

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
)

// bounds returns the first start and the last end of the booking. The end is always after
// the start.
func (b Booking) bounds() (from, to time.Time) {
	from, to = b.Spans[0].Start, b.Spans[0].Start.Add(time.Second)
	for _, s := range b.Spans {
		if s.End.After(to) {
			to = s.End
		}
	}
	return from.UTC(), to.UTC()
}

// conflicts returns the events that conflict with the booking. A series appears once.
func (b Booking) conflicts(ctx context.Context, events []timedEvent, calendar *calendarapi.CalendarListEntry, displayZone *time.Location) []Conflict {
	rows := []Conflict{}
	series := map[string]int{}
	for _, e := range b.overlapping(events) {
		same := b.isDuplicate(e)
		if !same && !blocks(e.Event) {
			continue
		}
		if at, ok := series[e.RecurringEventId]; ok && e.RecurringEventId != "" {
			rows[at].Times = max(1, rows[at].Times) + 1
			continue
		}
		series[e.RecurringEventId] = len(rows)
		row := Conflict{ID: e.Id, Title: eventtext.Title(e.Event, calendar), When: e.at.Words(displayZone), Same: same, Provenance: eventtext.Provenance(ctx, e.Event, calendar, "")}
		if !calendar.Primary {
			row.Calendar = agenda.ShortTitle(calendar)
		}
		rows = append(rows, row)
	}
	return rows
}

// overlapping returns the events that overlap the booking and do not belong to it. Both
// lists must be ordered by start, so that one pass is enough.
func (b Booking) overlapping(events []timedEvent) []timedEvent {
	ends := make([]time.Time, len(b.Spans)) // the latest end of the spans up to each index
	for i, s := range b.Spans {
		ends[i] = s.End
		if i > 0 && ends[i-1].After(s.End) {
			ends[i] = ends[i-1]
		}
	}
	found := []timedEvent{}
	first := 0
	for _, e := range events {
		for first < len(b.Spans) && !ends[first].After(e.at.Start) {
			first++
		}
		if e.at.Start.Before(e.at.End) && !b.isBooked(e) && b.overlapsAny(first, e.at) {
			found = append(found, e)
		}
	}
	return found
}

// overlapsAny reports whether one of the booked spans, from index first on, overlaps the
// other span.
func (b Booking) overlapsAny(first int, other eventtime.Span) bool {
	for _, s := range b.Spans[first:] {
		if !s.Start.Before(other.End) {
			return false
		}
		if s.End.After(other.Start) {
			return true
		}
	}
	return false
}

// isBooked reports whether the event is the booked one, or an instance of its series.
func (b Booking) isBooked(e timedEvent) bool {
	return b.Event != "" && (e.Id == b.Event || e.RecurringEventId == b.Event) ||
		b.Series != "" && (e.Id == b.Series || e.RecurringEventId == b.Series)
}

// isDuplicate reports whether the event has the same title and time as the booked one.
func (b Booking) isDuplicate(e timedEvent) bool {
	if b.Title == "" || !strings.EqualFold(strings.TrimSpace(b.Title), strings.TrimSpace(e.Summary)) {
		return false
	}
	_, found := slices.BinarySearchFunc(b.Spans, e.at, func(s, other eventtime.Span) int {
		return cmp.Or(s.Start.Compare(other.Start), s.End.Compare(other.End))
	})
	return found
}

// blocks reports whether an event takes the user's time.
func blocks(e *calendarapi.Event) bool {
	return e.Status != "cancelled" && e.EventType != "workingLocation" && !event.IsFree(e)
}
