package fakecalendar

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"maps"
	"reflect"
	"slices"
	"time"
)

// droppedInstances is what a calendar remembers about events that it no longer has.
type droppedInstances struct {
	byID      map[string]*droppedInstance // by id
	forgotten uint64                      // sync tokens before this change have expired
	since     time.Time                   // when they were forgotten
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
	was := &fakeEvent{id: e.id, data: e.expandedData}
	e.expandedData = e.data
	if was.data == nil || !was.recurs() {
		return
	}
	reach := c.expansionEnd(was.data, time.Time{})
	yielded := map[string]bool{}
	for _, at := range c.starts(e.data, reach) {
		yielded[c.instanceID(e, at)] = true
		delete(c.dropped.byID, c.instanceID(e, at))
	}
	for _, one := range c.exceptions(e) {
		at := c.originalStart(one)
		switch {
		case e.recurs() && c.instanceID(e, at) == one.id && c.hasInstanceAt(e, at):
			before := one.data
			c.updateInherited(one, c.newInstance(was, at), c.newInstance(e, at))
			c.updateGuestsOfException(one, before, was, e)
		default:
			delete(c.events, one.id)
			c.drop(one, true)
			c.updateGuestsOfException(c.dropped.byID[one.id].event, one.data, was, e)
		}
	}
	for _, at := range c.starts(was.data, reach) {
		if id := c.instanceID(was, at); !yielded[id] && c.dropped.byID[id] == nil {
			c.drop(c.newInstance(was, at), false)
		}
	}
}

// updateGuestsOfException updates the copies of an exception for those of its guests who do
// not have the series.
func (c *fakeCalendar) updateGuestsOfException(one *fakeEvent, before fakeapi.Object, series ...*fakeEvent) {
	if !c.organizes(one.data) || reflect.DeepEqual(one.data, before) {
		return
	}
	for _, person := range guestsOf(before) {
		user := userAt(c.server, person)
		if user == nil || calendarListOf(user).primary == c || slices.ContainsFunc(series, func(e *fakeEvent) bool { return guestOf(e.data, calendarListOf(user).primary.id) != nil }) {
			continue
		}
		calendarListOf(user).primary.updateGuestCopy(one, before)
	}
}

// drop records that the series no longer has the instance.
func (c *fakeCalendar) drop(one *fakeEvent, stored bool) {
	gone := maps.Clone(one.data)
	gone["status"] = "cancelled"
	if c.dropped.byID == nil {
		c.dropped.byID = map[string]*droppedInstance{}
	}
	c.dropped.byID[one.id] = &droppedInstance{&fakeEvent{id: one.id, data: gone, etag: one.etag, change: c.changes}, stored}
}

// updateInherited updates those fields of the exception that were equal to the series'.
func (c *fakeCalendar) updateInherited(one, was, is *fakeEvent) {
	next := clone(one.data)
	for name := range merged(was.data, is.data) {
		if name == "status" || !reflect.DeepEqual(one.data[name], was.data[name]) {
			continue
		}
		next[name] = is.data[name]
		if is.data[name] == nil {
			delete(next, name)
		}
	}
	switch {
	case is.cancelled() && !one.cancelled():
		next["status"], one.cancelledWithSeries = "cancelled", true
	case one.cancelledWithSeries && !is.cancelled():
		next["status"], one.cancelledWithSeries = is.data["status"], false
	}
	if !reflect.DeepEqual(next, one.data) {
		one.data = next
		c.put(one)
	}
}

func merged(a, b fakeapi.Object) fakeapi.Object {
	all := fakeapi.Object{}
	for name := range a {
		all[name] = true
	}
	for name := range b {
		all[name] = true
	}
	return all
}

// originalStart returns when the instance starts by its series: midnight in UTC
// for whole days.
func (c *fakeCalendar) originalStart(one *fakeEvent) time.Time {
	original, _ := one.data["originalStartTime"].(fakeapi.Object)
	if on, err := time.Parse(time.DateOnly, str(original["date"])); err == nil {
		return on
	}
	return c.instant(original)
}
