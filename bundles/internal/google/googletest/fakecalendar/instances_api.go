package fakecalendar

import (
	"cmp"
	"slices"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/rrule"
)

// checkRecurrence refuses rules that Google would refuse, and rules of an
// instance: the API documents recurrence only for series.
func (c *fakeCalendar) checkRecurrence(event fakeapi.Object) error {
	if lines, _ := event["recurrence"].([]any); len(lines) == 0 {
		delete(event, "recurrence")
		return nil
	}
	if event["recurringEventId"] != nil {
		return invalidValue("Cannot turn an instance of a recurring event into a recurring event itself.")
	}
	_, err := c.recurrence(event)
	return err
}

// listInstances serves one page of a series' instances, in the order of their
// original starts. Unlike in a list, timeMin is inclusive.
//
// For an event that is not a series, the fake assumes an error.
func listInstances(c *fakeapi.Call) (any, error) {
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
	series := calendar.event(c.Vars["eventId"])
	if series == nil {
		return nil, notFound()
	}
	if !series.recurs() {
		return nil, calendarProblem(400, "global", "badRequest", "Bad Request")
	}
	wants, err := instanceFilter(c, calendar)
	if err != nil {
		return nil, err
	}
	if !from.IsZero() {
		from = from.Add(-time.Nanosecond)
	}
	instances := slices.DeleteFunc(calendar.expand(series, from, to), func(instance *fakeEvent) bool {
		return !wants(instance) || !calendar.within(instance, from, to)
	})
	key := func(instance *fakeEvent) string {
		return calendar.originalStart(instance).UTC().Format(rrule.UTCFormat)
	}
	slices.SortFunc(instances, func(a, b *fakeEvent) int { return cmp.Compare(key(a), key(b)) })
	page, next, err := fakeapi.Paginate(c, instances, 250, 2500, key)
	if err != nil {
		return nil, err
	}
	return pageOf(v.list(page), next), nil
}

// instanceFilter returns a function that reports whether the query wants an
// instance, without regard to timeMin and timeMax. The parameter originalStart
// is a time with any offset for a timed series, and a date for an all-day one.
func instanceFilter(c *fakeapi.Call, calendar *fakeCalendar) (func(*fakeEvent) bool, error) {
	isShown := func(instance *fakeEvent) bool {
		return !instance.cancelled() || c.Query.Get("showDeleted") == "true"
	}
	original := c.Query.Get("originalStart")
	if original == "" {
		return isShown, nil
	}
	at, err := time.Parse(time.RFC3339, original)
	isDay := false
	if err != nil {
		at, err = time.Parse(time.DateOnly, original)
		isDay = true
	}
	if err != nil {
		return nil, invalidValue("Invalid value for: originalStart")
	}
	return func(instance *fakeEvent) bool {
		start, _ := instance.data["originalStartTime"].(fakeapi.Object)
		return isShown(instance) && isDay == (start["date"] != nil) && calendar.originalStart(instance).Equal(at)
	}, nil
}

// cancelledInstance returns all that the API shows of a cancelled instance: its
// "guaranteed" fields (Calendar API reference, Events, status).
func cancelledInstance(out fakeapi.Object) fakeapi.Object {
	kept := fakeapi.Object{}
	for _, name := range []string{"kind", "id", "etag", "status", "recurringEventId", "originalStartTime"} {
		if value, ok := out[name]; ok {
			kept[name] = value
		}
	}
	return kept
}
