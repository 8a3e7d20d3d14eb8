package fakecalendar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// listEvents serves one page of a calendar's events.
func listEvents(c *fakeapi.Call) (any, error) {
	calendar, role, err := requestedCalendar(c, "freeBusyReader")
	if err != nil {
		return nil, err
	}
	v, err := viewOf(c, calendar, role)
	if err != nil {
		return nil, err
	}
	from, to, err := timeSpan(c)
	if err != nil {
		return nil, err
	}
	sync, err := synchronize(c, calendar, from, to)
	if err != nil {
		return nil, err
	}
	from, to, v.brief = sync.token.From, sync.token.To, sync.changesOnly && c.Query.Get("showDeleted") != "true"
	single := c.Query.Get("singleEvents") == "true"
	if c.Query.Get("orderBy") == "startTime" && !single {
		return nil, calendarProblem(400, "global", "badRequest", "The requested ordering is not available for the particular query.")
	}
	wanted := eventFilter(c, calendar)
	var events []*fakeEvent
	for _, e := range calendar.all() {
		calendar.completeConference(e)
		for _, listed := range calendar.listed(e, from, to, single) {
			if matchesEvent(c, listed, v) && sync.includes(listed, calendar.within(listed, from, to), wanted(listed)) {
				events = append(events, listed)
			}
		}
	}
	events = append(events, sync.removedInstances(v, single)...)
	key := calendar.order(c.Query.Get("orderBy"))
	slices.SortFunc(events, func(a, b *fakeEvent) int { return cmp.Compare(key(a), key(b)) })
	page, next, err := fakeapi.Paginate(c, events, 250, 2500, key)
	if err != nil {
		return nil, err
	}
	return sync.finish(v.list(page), next), nil
}

// listed returns what a list contains for a stored event. For single events
// these are the instances; changed instances come from the series.
func (c *fakeCalendar) listed(e *fakeEvent, from, to time.Time, single bool) []*fakeEvent {
	switch {
	case !single || !e.recurs() && e.series() == "":
		return []*fakeEvent{e}
	case e.recurs():
		return c.expand(e, from, to)
	case c.events[e.series()] != nil:
		return nil
	}
	return []*fakeEvent{e} // an instance whose series is not in this calendar
}

// timeSpan reads timeMin and timeMax; a missing one is zero.
func timeSpan(c *fakeapi.Call) (from, to time.Time, err error) {
	from, _ = time.Parse(time.RFC3339, c.Query.Get("timeMin")) // checked against the document
	to, _ = time.Parse(time.RFC3339, c.Query.Get("timeMax"))
	if !from.IsZero() && !to.IsZero() && !from.Before(to) {
		return from, to, timeRangeEmpty()
	}
	return from.Truncate(time.Second), to.Truncate(time.Second), nil
}

// within reports whether the event ends after from and starts before to. A zero
// time is no limit. For a series it reports whether that is so for an instance.
func (c *fakeCalendar) within(e *fakeEvent, from, to time.Time) bool {
	if e.data["start"] == nil {
		return true // a cancelled instance of which only the id is known
	}
	if from.IsZero() && to.IsZero() {
		return true
	}
	if e.recurs() {
		return c.hasInstance(e, from, to)
	}
	start, end := c.bounds(e)
	return (from.IsZero() || end.After(from)) && (to.IsZero() || start.Before(to))
}

// order returns the function for the sort key of a list.
func (c *fakeCalendar) order(orderBy string) func(*fakeEvent) string {
	switch orderBy {
	case "startTime":
		return func(e *fakeEvent) string {
			start, _ := c.bounds(e)
			return fmt.Sprintf("%020d %s", start.Unix()+1<<40, e.id)
		}
	case "updated":
		return func(e *fakeEvent) string { return e.text("updated") + " " + e.id }
	}
	return func(e *fakeEvent) string { return e.id }
}

// list returns a page of events as the API returns it.
func (v view) list(events []*fakeEvent) fakeapi.Object {
	items := []fakeapi.Object{}
	for _, e := range events {
		items = append(items, v.show(e))
	}
	out := fakeapi.Object{
		"kind":             "calendar#events",
		"etag":             etag(v.calendar.changes*2 + v.calendar.etag),
		"summary":          v.calendar.data["summary"],
		"description":      str(v.calendar.data["description"]),
		"updated":          stamp(v.calendar.updated),
		"timeZone":         v.zone.String(),
		"accessRole":       v.role,
		"defaultReminders": []any{},
		"items":            items,
	}
	if entry := calendarListOf(v.user).entry(v.calendar); entry != nil && entry.data["defaultReminders"] != nil {
		out["defaultReminders"] = entry.data["defaultReminders"]
	}
	return out
}

// eventFilter returns a function that reports whether the query wants an event,
// judged only by the event's status. A list of series contains their cancelled
// instances.
func eventFilter(c *fakeapi.Call, calendar *fakeCalendar) func(*fakeEvent) bool {
	deleted, single := c.Query.Get("showDeleted") == "true", c.Query.Get("singleEvents") == "true"
	return func(e *fakeEvent) bool {
		series := calendar.events[e.series()]
		return !e.cancelled() || deleted || !single && series != nil && !series.cancelled()
	}
}

// matchesEvent reports whether the query finds the event, apart from its time.
func matchesEvent(c *fakeapi.Call, e *fakeEvent, v view) bool {
	if uid := c.Query.Get("iCalUID"); uid != "" && uid != e.text("iCalUID") {
		return false
	}
	if types := c.Query["eventTypes"]; len(types) > 0 && !slices.Contains(types, e.text("eventType")) {
		return false
	}
	for _, word := range strings.Fields(strings.ToLower(c.Query.Get("q"))) {
		if v.hides(e) || !strings.Contains(searchable(e), word) {
			return false
		}
	}
	return hasProperties(e, "private", c.Query["privateExtendedProperty"]) &&
		hasProperties(e, "shared", c.Query["sharedExtendedProperty"])
}

// searchable returns the text in which q is searched.
func searchable(e *fakeEvent) string {
	texts := []string{e.text("summary"), e.text("description"), e.text("location")}
	people, _ := e.data["attendees"].([]any)
	for _, person := range append(slices.Clone(people), e.data["organizer"]) {
		fields, _ := person.(fakeapi.Object)
		texts = append(texts, str(fields["displayName"]), str(fields["email"]))
	}
	place, _ := e.data["workingLocationProperties"].(fakeapi.Object)
	office, _ := place["officeLocation"].(fakeapi.Object)
	custom, _ := place["customLocation"].(fakeapi.Object)
	texts = append(texts, str(office["buildingId"]), str(office["deskId"]), str(office["label"]), str(custom["label"]))
	return strings.ToLower(strings.Join(texts, "\n"))
}

// hasProperties reports whether the event has all the wanted extended
// properties, written name=value.
func hasProperties(e *fakeEvent, kind string, wanted []string) bool {
	extended, _ := e.data["extendedProperties"].(fakeapi.Object)
	properties, _ := extended[kind].(fakeapi.Object)
	return !slices.ContainsFunc(wanted, func(pair string) bool {
		name, value, _ := strings.Cut(pair, "=")
		return properties[name] != value
	})
}
