package availability

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/panicsafe"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

// A Booking is the time that an event will take.
type Booking struct {
	Title  string
	Spans  []eventtime.Span // the instances, if it is a series
	Event  string           // id of the event, which cannot conflict with itself; "" for a new event
	Series string           // id of the event's series, or ""
}

// A Conflict is an event that conflicts with a booking.
type Conflict struct {
	ID       string `json:"event_id"`
	Title    string `json:"title"`
	When     string `json:"when"`
	Calendar string `json:"calendar,omitempty"`  // name of its calendar; "" for the primary one
	Times    int    `json:"times,omitempty"`     // number of conflicting instances of a series; the row shows the first of them
	Same     bool   `json:"duplicate,omitempty"` // the event has the title and the time of the booking

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // says that others may have written some of the text; nil if the user wrote it all
}

// Conflicts are the known conflicts of a booking.
type Conflicts struct {
	Rows    []Conflict
	More    int           // number of conflicts that Rows leaves out
	Unknown []UnknownTime // calendars that could not be read
}

// An UnknownTime names a person or a calendar whose time is unknown.
type UnknownTime struct {
	Who string `json:"who"`
	Why string `json:"why"`

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // provenance of the name in Who
}

// FindConflicts returns the events at the time of the booking, from the user's primary
// calendar and from target. Their times are in displayZone. Events that do not block the
// time are not conflicts: cancelled, declined and free ones, and working locations.
// However, an event with the same title and time is listed unless it is cancelled.
//
// Calendars that cannot be read are listed as unknown. If none can be read, FindConflicts
// returns the error of the first.
func FindConflicts(ctx context.Context, a *agenda.Agenda, target *calendarapi.CalendarListEntry, b Booking, displayZone *time.Location) (Conflicts, error) {
	if len(b.Spans) == 0 {
		return Conflicts{}, nil
	}
	set, err := a.Calendars(ctx)
	if err != nil {
		return Conflicts{}, err
	}
	calendars := []*calendarapi.CalendarListEntry{set.Primary()}
	if target.Id != calendars[0].Id {
		calendars = append(calendars, target)
	}
	return conflictsIn(ctx, a, set, calendars, b, displayZone)
}

// conflictsIn is FindConflicts for the given calendars.
func conflictsIn(ctx context.Context, a *agenda.Agenda, set *agenda.Set, calendars []*calendarapi.CalendarListEntry, b Booking, displayZone *time.Location) (Conflicts, error) {
	slices.SortFunc(b.Spans, func(a, b eventtime.Span) int { return a.Start.Compare(b.Start) })
	found, errs := make([][]timedEvent, len(calendars)), make([]error, len(calendars))
	all := panicsafe.New(len(calendars))
	for i, e := range calendars {
		all.Go(func() error {
			found[i], errs[i] = eventsDuring(ctx, a, e, a.ZoneOf(e), b)
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return Conflicts{}, err // a panic
	}
	c := Conflicts{}
	for i, e := range calendars {
		if errs[i] != nil {
			c.Unknown = append(c.Unknown, UnknownTime{agenda.ShortTitle(e), unreadReason(errs[i]), set.TitleProvenance(ctx, e)})
			continue
		}
		c.Rows = append(c.Rows, b.conflicts(ctx, found[i], e, displayZone)...)
	}
	if len(c.Unknown) == len(calendars) {
		return Conflicts{}, errs[0]
	}
	c.More = max(0, len(c.Rows)-maxConflicts)
	c.Rows = c.Rows[:min(len(c.Rows), maxConflicts)]
	return c, nil
}

// unreadReason returns the reason why a calendar could not be read.
func unreadReason(err error) string {
	switch code := metadata.CodeOf(err); code {
	case metadata.NotFound:
		return "there is no such calendar, or it is not shared with you"
	case metadata.Refused:
		return "it is not shared with you"
	default:
		return "Google did not answer: " + string(code)
	}
}

// A timedEvent is an event with its time.
type timedEvent struct {
	*calendarapi.Event
	at eventtime.Span
}

// conflictFields are the API fields that the search for conflicts needs.
const conflictFields = "nextPageToken,items(id,summary,status,start,end,transparency,eventType,recurringEventId,visibility,organizer(self),attendees(self,responseStatus)," + eventtext.ProvenanceFields + ")"

// eventsDuring returns the calendar's events from the first start to the last end of the
// booking, ordered by start.
func eventsDuring(ctx context.Context, a *agenda.Agenda, calendar *calendarapi.CalendarListEntry, zone *time.Location, b Booking) ([]timedEvent, error) {
	from, to := b.bounds()
	call := a.API.Events.List(calendar.Id).Context(ctx).TimeMin(from.Format(time.RFC3339)).TimeMax(to.Format(time.RFC3339)).
		SingleEvents(true).OrderBy("startTime").MaxResults(agenda.PageSize).MaxAttendees(1).Fields(conflictFields)
	list := []timedEvent{}
	for range agenda.MaxPages {
		page, err := call.Do()
		if err != nil {
			return nil, fmt.Errorf("list the events at that time: %w", err)
		}
		for _, e := range page.Items {
			if at, ok := eventtime.Of(e, zone); ok && e.Status != "cancelled" {
				list = append(list, timedEvent{e, at})
			}
		}
		if page.NextPageToken == "" {
			slices.SortStableFunc(list, func(a, b timedEvent) int { return a.at.Start.Compare(b.at.Start) })
			return list, nil
		}
		call.PageToken(page.NextPageToken)
	}
	return nil, metadata.Errorf(metadata.TooLarge, "there are more than %d events in that time", agenda.MaxPages*agenda.PageSize)
}

const maxConflicts = 10

// ErrBlocked returns the error of a call that does nothing because there are, or may be,
// conflicts. action is the past participle of what was not done, such as "created".
func (c Conflicts) ErrBlocked(action string) error {
	if len(c.Unknown) > 0 {
		return metadata.Errorf(metadata.Conflict, "it is unknown whether the time is free, because %s could not be read: nothing was %s", c.Unknown[0].Who, action).
			WithHint("Repeat the call with on_conflict \"warn\" to do it anyway.")
	}
	e := metadata.Errorf(metadata.Conflict, "%s at that time: nothing was %s", eventtext.Counted(len(c.Rows)+c.More, "event is", "events are"), action).
		WithHint("Choose another time with calendar_find_slots, or repeat the call with on_conflict \"warn\" if the user agrees.")
	for _, row := range c.Rows {
		e.Problems = append(e.Problems, metadata.Problem{Path: "start", Expected: "a free time", Got: strconv.Quote(row.Title) + ", " + row.When})
	}
	return e
}
