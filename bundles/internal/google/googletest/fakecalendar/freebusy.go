package fakecalendar

import (
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/rrule"
)

// Limits of freeBusy.query. The numbers of calendars and members are from the
// reference (FreeBusyRequest). Google gives no number for the longest range;
// clients have found 90 days (calcom/cal.com#11962).
const (
	maxBusyCalendars = 50
	maxGroupMembers  = 100
	maxBusyRange     = 90 * rrule.Day
)

// busyQuery is the request of freeBusy.query.
type busyQuery struct {
	TimeMin  string `json:"timeMin"`
	TimeMax  string `json:"timeMax"`
	TimeZone string `json:"timeZone"`
	Group    *int   `json:"groupExpansionMax"`
	Calendar *int   `json:"calendarExpansionMax"`
	Items    []struct {
		ID string `json:"id"`
	} `json:"items"`

	from, to time.Time
	zone     *time.Location
}

// Group makes an address stand for several calendars in free and busy queries.
func Group(s *fakeapi.Server, address string, calendars ...string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	calendarsOf(s).groups[strings.ToLower(address)] = calendars
}

// FailFreeBusy makes the free and busy times of a calendar unknown for the
// reason, such as "internalError"; "" makes them known again. A calendar that
// its reader may not see is "notFound" in any case.
func FailFreeBusy(s *fakeapi.Server, calendarID, reason string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	calendarsOf(s).unknown[strings.ToLower(calendarID)] = reason
}

func queryFreeBusy(c *fakeapi.Call) (any, error) {
	var q busyQuery
	if err := c.Decode(&q); err != nil {
		return nil, err
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	groups, calendars := fakeapi.Object{}, fakeapi.Object{}
	var ids []string
	for _, item := range q.Items {
		members, isGroup := calendarsOf(c.Server).groups[strings.ToLower(item.ID)]
		switch {
		case !isGroup:
			ids = append(ids, item.ID)
		case len(members) > limit(q.Group, maxGroupMembers):
			groups[item.ID] = fakeapi.Object{"errors": unknown("groupTooBig")}
		default:
			groups[item.ID] = fakeapi.Object{"calendars": members}
			ids = append(ids, members...)
		}
	}
	for i, id := range ids {
		if i >= limit(q.Calendar, maxBusyCalendars) {
			calendars[id] = fakeapi.Object{"busy": []any{}, "errors": unknown("tooManyCalendarsRequested")}
			continue
		}
		calendars[id] = busyIn(c, id, &q)
	}
	answer := fakeapi.Object{"kind": "calendar#freeBusy", "timeMin": stamp(q.from), "timeMax": stamp(q.to), "calendars": calendars}
	if len(groups) > 0 {
		answer["groups"] = groups
	}
	return answer, nil
}

// limit returns the requested limit, or the maximum if none is requested.
func limit(requested *int, maximum int) int {
	if requested == nil {
		return maximum
	}
	return *requested
}

func unknown(reason string) []fakeapi.Object {
	return []fakeapi.Object{{"domain": "global", "reason": reason}}
}

// check refuses what Google would refuse. It assumes that Google refuses limits
// above the documented maxima.
func (q *busyQuery) check() error {
	for name, value := range map[string]string{"timeMin": q.TimeMin, "timeMax": q.TimeMax} {
		if value == "" {
			return requiredMissing("Missing %s parameter.", name)
		}
	}
	q.from, _ = time.Parse(time.RFC3339, q.TimeMin) // checked against the document
	q.to, _ = time.Parse(time.RFC3339, q.TimeMax)
	if !q.from.Before(q.to) {
		return timeRangeEmpty()
	}
	if q.to.Sub(q.from) > maxBusyRange {
		return atParameter(calendarProblem(400, "calendar", "timeRangeTooLong", "The requested time range is too long."), "timeMax")
	}
	if limit(q.Group, 1) < 1 || limit(q.Group, 1) > maxGroupMembers {
		return invalidValue("Invalid groupExpansionMax.")
	}
	if limit(q.Calendar, 1) < 1 || limit(q.Calendar, 1) > maxBusyCalendars {
		return invalidValue("Invalid calendarExpansionMax.")
	}
	if q.TimeZone == "" {
		q.TimeZone = "UTC"
	}
	zone, err := loadZone(q.TimeZone)
	if err != nil {
		return invalidValue("Invalid time zone definition.")
	}
	q.zone = zone
	return nil
}

// busyIn returns what is known about one calendar. For users who may see
// nothing, the calendar does not exist.
func busyIn(c *fakeapi.Call, id string, q *busyQuery) fakeapi.Object {
	calendar, _, err := CalendarUser{c.Account}.calendarFor(id)
	reason := ""
	if err != nil {
		reason = "notFound"
	} else if reason = calendarsOf(c.Server).unknown[strings.ToLower(calendar.id)]; reason == "" {
		reason = calendarsOf(c.Server).unknown[strings.ToLower(id)]
	}
	if reason != "" {
		return fakeapi.Object{"busy": []any{}, "errors": unknown(reason)}
	}
	busy := []fakeapi.Object{}
	for _, p := range calendar.busy(q.from, q.to) {
		busy = append(busy, fakeapi.Object{"start": p.from.In(q.zone).Format(time.RFC3339), "end": p.to.In(q.zone).Format(time.RFC3339)})
	}
	return fakeapi.Object{"busy": busy}
}

// period is a half-open interval: its end does not belong to it.
type period struct{ from, to time.Time }

// busy returns the busy periods of the calendar between the two times, in order
// and cut to that span. Periods that overlap or touch are merged.
func (c *fakeCalendar) busy(from, to time.Time) []period {
	var periods []period
	for _, e := range c.all() {
		for _, listed := range c.listed(e, from, to, true) {
			if !c.within(listed, from, to) || !c.occupies(listed) {
				continue
			}
			start, end := c.bounds(listed)
			if start.Before(from) {
				start = from
			}
			if end.After(to) {
				end = to
			}
			periods = append(periods, period{start, end})
		}
	}
	slices.SortFunc(periods, func(a, b period) int { return a.from.Compare(b.from) })
	var merged []period
	for _, p := range periods {
		last := len(merged) - 1
		switch {
		case last < 0 || p.from.After(merged[last].to):
			merged = append(merged, p)
		case p.to.After(merged[last].to):
			merged[last].to = p.to
		}
	}
	return merged
}

// occupies reports whether the event blocks the calendar's owner. Unanswered
// invitations block, declined ones do not.
func (c *fakeCalendar) occupies(e *fakeEvent) bool {
	answer := str(guestOf(e.data, c.id)["responseStatus"])
	return !e.cancelled() && e.text("transparency") != "transparent" && answer != "declined"
}
