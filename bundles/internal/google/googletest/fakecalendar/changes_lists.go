package fakecalendar

import (
	"maps"
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/rrule"
)

// eventSync is the synchronization of a list of events.
type eventSync struct {
	synchronization
	calendar *fakeCalendar
	updated  time.Time // updatedMin
}

// maxUpdatedAge is how far in the past updatedMin may be. Google says only "too
// far"; the fake assumes four weeks.
const maxUpdatedAge = 28 * rrule.Day

// synchronize reads and checks the sync token, the page token and updatedMin.
// With a sync token or updatedMin, a client asks only for changed events. from
// and to are the time span of the list.
func synchronize(c *fakeapi.Call, calendar *fakeCalendar, from, to time.Time) (*eventSync, error) {
	s := &eventSync{calendar: calendar, synchronization: synchronization{
		call:      c,
		token:     syncToken{List: calendar.id, Number: calendar.changes, From: from, To: to},
		forgotten: calendar.dropped.forgotten,
		// Calendar API reference, Events: list, syncToken.
		restricting: []string{"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax", "updatedMin"},
		complete:    []string{"showDeleted"},
	}}
	if err := s.read(); err != nil {
		return nil, err
	}
	s.updated, _ = time.Parse(time.RFC3339, c.Query.Get("updatedMin")) // checked against the document
	if !s.updated.IsZero() && (s.updated.Before(calendar.server.Now().Add(-maxUpdatedAge)) || s.updated.Before(calendar.dropped.since)) {
		return nil, atParameter(calendarProblem(410, "calendar", "updatedMinTooLongAgo",
			"The requested minimum modification time lies too far in the past."), "updatedMin")
	}
	return s, nil
}

// includes reports whether the list contains the event. within says that the
// event is in the time span, and filtered that it passes the filters. A list of
// changes contains every stored event that has changed, because it may have
// left the time span or the filters.
func (s *eventSync) includes(e *fakeEvent, within, filtered bool) bool {
	switch {
	case s.changesOnly:
		stored := s.calendar.events[e.id] == e
		return e.change > s.after && (stored || within)
	case !s.updated.IsZero():
		updated, _ := time.Parse(time.RFC3339, e.text("updated"))
		return within && (filtered || e.cancelled()) && !updated.Before(s.updated)
	}
	return within && filtered
}

// removedInstances returns the instances that the list must name although they no longer
// exist. Those that never differed from their series are only in a list of
// single events.
func (s *eventSync) removedInstances(v view, single bool) []*fakeEvent {
	if !s.changesOnly {
		return nil
	}
	var all []*fakeEvent
	for _, id := range slices.Sorted(maps.Keys(s.calendar.dropped.byID)) {
		d := s.calendar.dropped.byID[id]
		known := d.stored || single && s.calendar.within(d.event, s.token.From, s.token.To)
		if known && d.event.change > s.after && matchesEvent(s.call, d.event, v) {
			all = append(all, d.event)
		}
	}
	return all
}

// synchronizeCalendars reads and checks the sync token and the page token of a
// list of calendars (Calendar API reference, CalendarList: list, syncToken).
func synchronizeCalendars(c *fakeapi.Call) (*synchronization, error) {
	s := &synchronization{
		call:        c,
		token:       syncToken{List: "calendars of " + strings.ToLower(c.Account.Address), Number: calendarsOf(c.Server).etags},
		forgotten:   calendarListOf(c.Account).forgotten,
		restricting: []string{"minAccessRole", "showOwnOrganizationOnly"},
		complete:    []string{"showDeleted", "showHidden"},
	}
	return s, s.read()
}

// includesEntry reports whether a list of calendars contains the entry. A list
// of changes contains it only if the entry itself has changed, not its calendar:
// "If only read-only fields such as calendar properties or ACLs have changed,
// the entry won't be returned" (Calendar API reference, CalendarList: list,
// syncToken).
func (s *synchronization) includesEntry(l *listEntry) bool {
	if s.changesOnly {
		return l.etag > s.after
	}
	return (!l.deleted || s.call.Query.Get("showDeleted") == "true") &&
		(l.data["hidden"] != true || s.call.Query.Get("showHidden") == "true")
}
