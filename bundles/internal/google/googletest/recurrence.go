package googletest

import "time"

// expand returns the events that stand for the event between the two times.
func (c *fakeCalendar) expand(e *fakeEvent, from, to time.Time) []*fakeEvent {
	return []*fakeEvent{e}
}

// instance returns the instance with that id of a series of the calendar, as
// the series makes it, or nil.
func (c *fakeCalendar) instance(id string) *fakeEvent { return nil }

// lastEnd is when the last instance of the series ends, or a time after the
// given one if that is later.
func (c *fakeCalendar) lastEnd(e *fakeEvent, after time.Time) time.Time {
	return after.Add(time.Second)
}
