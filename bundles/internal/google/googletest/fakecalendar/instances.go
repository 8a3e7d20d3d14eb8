package fakecalendar

import (
	"errors"
	"maps"
	"slices"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/rrule"
)

// horizon is how far a series is expanded without a timeMax, and maxHorizon the
// maximum with one. Both count from the start of the series, or from now if
// that is later. Google gives no numbers; the fake has to stop somewhere.
const (
	horizon    = 10 * 366 * rrule.Day
	maxHorizon = 10 * horizon
)

// recurrence returns an event's recurrence, or nil without one. Its error is
// Google's.
func (c *fakeCalendar) recurrence(data fakeapi.Object) (*rrule.Recurrence, error) {
	list, _ := data["recurrence"].([]any)
	if len(list) == 0 {
		return nil, nil
	}
	var lines []string
	for _, line := range list {
		lines = append(lines, str(line))
	}
	r, err := rrule.Parse(lines, c.seriesStart(data))
	if errors.Is(err, rrule.ErrRule) {
		return nil, invalidValue("Invalid recurrence rule.")
	}
	return r, err
}

// seriesStart returns where a stored series starts; an all-day series has no
// zone.
func (c *fakeCalendar) seriesStart(data fakeapi.Object) rrule.Start {
	start, _ := data["start"].(fakeapi.Object)
	if start["date"] != nil {
		on, err := time.Parse(time.DateOnly, str(start["date"]))
		if err != nil {
			panic(err) // only valid days are stored
		}
		return rrule.StartOn(on)
	}
	zone, err := loadZone(start["timeZone"])
	if err != nil {
		panic(err) // only valid zones are stored
	}
	return rrule.StartAt(c.instant(start), zone)
}

// eventTime returns at as an EventDateTime in the zone of the series, or as a
// date for an all-day series.
func eventTime(series rrule.Start, at time.Time) fakeapi.Object {
	if series.Zone == nil {
		return fakeapi.Object{"date": at.Format(time.DateOnly)}
	}
	return fakeapi.Object{"dateTime": at.In(series.Zone).Format(time.RFC3339), "timeZone": series.Zone.String()}
}

// starts returns the starts of the instances before the time, or none if the
// event is not a series. For all-day series they are midnights in UTC.
func (c *fakeCalendar) starts(data fakeapi.Object, before time.Time) []time.Time {
	r, err := c.recurrence(data)
	if err != nil {
		panic(err) // only valid rules are stored
	}
	if r == nil {
		return nil
	}
	return r.Starts(before)
}

// expansionEnd returns the time until which the series is expanded for a query
// that ends at to. If to is zero, the query has no end.
func (c *fakeCalendar) expansionEnd(data fakeapi.Object, to time.Time) time.Time {
	from := c.instant(data["start"])
	if now := c.server.Now(); from.Before(now) {
		from = now
	}
	switch {
	case to.IsZero():
		return from.Add(horizon)
	case to.After(from.Add(maxHorizon)):
		return from.Add(maxHorizon)
	}
	return to.Add(rrule.Day) // an all-day instance may start later in UTC than in its zone
}

// expand returns the series' instances that may be between the two times, and
// all its exceptions. The caller must check the time of each.
func (c *fakeCalendar) expand(e *fakeEvent, from, to time.Time) []*fakeEvent {
	stored := c.exceptions(e)
	isStored := map[string]bool{}
	for _, exception := range stored {
		isStored[exception.id] = true
	}
	start, end := c.bounds(e)
	length := end.Sub(start) + rrule.Day // because days are longer when clocks are set back
	instances := stored
	for _, at := range c.starts(e.data, c.expansionEnd(e.data, to)) {
		if isStored[c.instanceID(e, at)] || !from.IsZero() && at.Add(length).Before(from) {
			continue
		}
		instances = append(instances, c.newInstance(e, at))
	}
	return instances
}

// hasInstance reports whether the series has an instance between the two times.
// A cancelled series counts only its cancelled instances, and any other series
// only the rest.
func (c *fakeCalendar) hasInstance(e *fakeEvent, from, to time.Time) bool {
	return slices.ContainsFunc(c.expand(e, from, to), func(instance *fakeEvent) bool {
		return instance.cancelled() == e.cancelled() && c.within(instance, from, to)
	})
}

// exceptions returns the stored instances of the series, including cancelled
// ones.
func (c *fakeCalendar) exceptions(e *fakeEvent) []*fakeEvent {
	var all []*fakeEvent
	for _, event := range c.all() {
		if event.series() == e.id {
			all = append(all, event)
		}
	}
	return all
}

// newInstance generates the instance that starts at the time. It has the length of the
// first instance ("the same exact duration", RFC 5545 3.8.5.3), in days for an
// all-day series. Until it is changed, it has the etag of the series.
func (c *fakeCalendar) newInstance(e *fakeEvent, at time.Time) *fakeEvent {
	data := maps.Clone(e.data)
	delete(data, "recurrence")
	first, last := c.seriesStart(e.data), c.seriesStart(fakeapi.Object{"start": e.data["end"]})
	length := last.At.Sub(first.At)
	data["start"], data["end"] = eventTime(first, at), eventTime(last, at.Add(length))
	data["recurringEventId"] = e.id
	data["originalStartTime"] = data["start"]
	return &fakeEvent{id: c.instanceID(e, at), data: data, etag: e.etag, change: e.change}
}
