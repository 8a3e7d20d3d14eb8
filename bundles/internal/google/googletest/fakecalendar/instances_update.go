package fakecalendar

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// droppedInstances is what a calendar remembers about instances that their
// series no longer have.
type droppedInstances struct {
	byID      map[string]*droppedInstance // by the id of the instance
	forgotten uint64                      // sync tokens before this change have expired
	since     time.Time                   // when those tokens expired
}

// droppedInstance is an instance that its series no longer has.
type droppedInstance struct {
	event  *fakeEvent
	stored bool // it differed from its series
}

// updateInstances updates the instances of a series after the series has changed. Google
// documents only one sentence about this in its guide: cutting a series off
// "also resets any exceptions happening after the target instance". When a
// series changes, the fake assumes:
//
//   - An exception stays while its original start is that of an instance. It
//     keeps the fields that it changed; the other fields follow the series.
//   - An exception whose original start is no longer that of an instance is
//     removed. All are removed if the time of the day changes.
//   - A cancelled series cancels its exceptions. Those that were not cancelled
//     before return with the series.
//   - A guest who is invited only to an exception gets only its changes.
func (c *fakeCalendar) updateInstances(e *fakeEvent) {
	old := &fakeEvent{id: e.id, data: e.expandedData}
	e.expandedData = e.data
	if old.data == nil || !old.recurs() {
		return
	}
	end := c.expansionEnd(old.data, time.Time{})
	yielded := map[string]bool{}
	for _, at := range c.starts(e.data, end) {
		yielded[c.instanceID(e, at)] = true
		delete(c.dropped.byID, c.instanceID(e, at))
	}
	for _, exception := range c.exceptions(e) {
		at := c.originalStart(exception)
		switch {
		case e.recurs() && c.instanceID(e, at) == exception.id && c.hasInstanceAt(e, at):
			before := exception.data
			c.updateInherited(exception, c.newInstance(old, at), c.newInstance(e, at))
			c.updateGuestsOfException(exception, before, old, e)
		default:
			delete(c.events, exception.id)
			c.drop(exception, true)
			c.updateGuestsOfException(c.dropped.byID[exception.id].event, exception.data, old, e)
		}
	}
	for _, at := range c.starts(old.data, end) {
		if id := c.instanceID(old, at); !yielded[id] && c.dropped.byID[id] == nil {
			c.drop(c.newInstance(old, at), false)
		}
	}
}

// updateGuestsOfException updates the copies of an exception for those of its guests who do
// not have the series.
func (c *fakeCalendar) updateGuestsOfException(exception *fakeEvent, before fakeapi.Object, series ...*fakeEvent) {
	if !c.organizes(exception.data) || reflect.DeepEqual(exception.data, before) {
		return
	}
	for _, person := range guestsOf(before) {
		user := userAt(c.server, person)
		if user == nil || calendarListOf(user).primary == c || slices.ContainsFunc(series, func(e *fakeEvent) bool { return guestOf(e.data, calendarListOf(user).primary.id) != nil }) {
			continue
		}
		calendarListOf(user).primary.updateGuestCopy(exception, before)
	}
}

// drop records that the series no longer has the instance.
func (c *fakeCalendar) drop(instance *fakeEvent, stored bool) {
	gone := maps.Clone(instance.data)
	gone["status"] = "cancelled"
	if c.dropped.byID == nil {
		c.dropped.byID = map[string]*droppedInstance{}
	}
	c.dropped.byID[instance.id] = &droppedInstance{&fakeEvent{id: instance.id, data: gone, etag: instance.etag, change: c.changes}, stored}
}

// updateInherited updates the fields that the exception inherited: those whose
// values are equal to the values in the old instance.
func (c *fakeCalendar) updateInherited(exception, old, current *fakeEvent) {
	next := clone(exception.data)
	for name := range merged(old.data, current.data) {
		if name == "status" || !reflect.DeepEqual(exception.data[name], old.data[name]) {
			continue
		}
		next[name] = current.data[name]
		if current.data[name] == nil {
			delete(next, name)
		}
	}
	switch {
	case current.cancelled() && !exception.cancelled():
		next["status"], exception.cancelledWithSeries = "cancelled", true
	case exception.cancelledWithSeries && !current.cancelled():
		next["status"], exception.cancelledWithSeries = current.data["status"], false
	}
	if !reflect.DeepEqual(next, exception.data) {
		exception.data = next
		c.put(exception)
	}
}

// merged returns an object with the field names of both objects.
func merged(a, b fakeapi.Object) fakeapi.Object {
	names := fakeapi.Object{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	return names
}

// originalStart returns the start that the series gives to the instance:
// midnight in UTC for whole days.
func (c *fakeCalendar) originalStart(instance *fakeEvent) time.Time {
	original, _ := instance.data["originalStartTime"].(fakeapi.Object)
	if on, err := time.Parse(time.DateOnly, str(original["date"])); err == nil {
		return on
	}
	return c.instant(original)
}
