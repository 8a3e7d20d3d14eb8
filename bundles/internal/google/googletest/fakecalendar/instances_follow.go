package fakecalendar

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"maps"
	"reflect"
	"slices"
	"time"
)

// past is what a calendar remembers of events it no longer has.
type past struct {
	dropped   map[string]*dropped // by id
	forgotten uint64              // sync tokens of changes before this one have expired
	since     time.Time           // when they were forgotten
}

// A dropped instance is one that its series no longer yields.
type dropped struct {
	event  *fakeEvent
	stored bool // it differed from its series
}

// follow brings the instances of a series up to what it has become. What
// Google does here is written nowhere but for one sentence of its guide, that
// cutting a series off "also resets any exceptions happening after the target
// instance". The fake assumes of a series that changes:
//
//   - An exception stays while its original start is that of an instance; what
//     it changed is its own, what it did not follows the series, field by field.
//   - An exception whose original start is no longer that of an instance goes,
//     unless the server has OrphanExceptions: so all do when the time of the
//     day changes.
//   - When the series is cancelled its exceptions are as well, and those that
//     were not cancelled before come back with it.
//   - Guests of an exception alone see of all that what becomes of theirs.
func (c *fakeCalendar) follow(e *fakeEvent) {
	was := &fakeEvent{id: e.id, data: e.was}
	e.was = e.data
	if was.data == nil || !was.recurs() {
		return
	}
	reach := c.reach(was.data, time.Time{})
	yielded := map[string]bool{}
	for _, at := range c.starts(e.data, reach) {
		yielded[c.instanceID(e, at)] = true
		delete(c.past.dropped, c.instanceID(e, at))
	}
	for _, one := range c.exceptions(e) {
		at := c.originalStart(one)
		switch {
		case e.recurs() && c.instanceID(e, at) == one.id && c.yields(e, at):
			before := one.data
			c.inherit(one, c.make(was, at), c.make(e, at))
			c.carryAlone(one, before, was, e)
		default:
			delete(c.events, one.id)
			c.drop(one, true)
			c.carryAlone(c.past.dropped[one.id].event, one.data, was, e)
		}
	}
	for _, at := range c.starts(was.data, reach) {
		if id := c.instanceID(was, at); !yielded[id] && c.past.dropped[id] == nil {
			c.drop(c.make(was, at), false)
		}
	}
}

// carryAlone updates the copies of an exception at those of its guests who do not have the
// series.
func (c *fakeCalendar) carryAlone(one *fakeEvent, before fakeapi.Object, series ...*fakeEvent) {
	if !c.organizes(one.data) || reflect.DeepEqual(one.data, before) {
		return
	}
	for _, person := range guestsOf(before) {
		user := userAt(c.server, person)
		if user == nil || diaryOf(user).primary == c || slices.ContainsFunc(series, func(e *fakeEvent) bool { return guestOf(e.data, diaryOf(user).primary.id) != nil }) {
			continue
		}
		diaryOf(user).primary.copy(one, before)
	}
}

// drop notes that the instance is gone.
func (c *fakeCalendar) drop(one *fakeEvent, stored bool) {
	gone := maps.Clone(one.data)
	gone["status"] = "cancelled"
	if c.past.dropped == nil {
		c.past.dropped = map[string]*dropped{}
	}
	c.past.dropped[one.id] = &dropped{&fakeEvent{id: one.id, data: gone, etag: one.etag, change: c.changes}, stored}
}

// inherit changes the exception where it was as its series made it.
func (c *fakeCalendar) inherit(one, was, is *fakeEvent) {
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
		next["status"], one.fallen = "cancelled", true
	case one.fallen && !is.cancelled():
		next["status"], one.fallen = is.data["status"], false
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

// originalStart is when the series starts the instance: midnight in UTC if all day.
func (c *fakeCalendar) originalStart(one *fakeEvent) time.Time {
	original, _ := one.data["originalStartTime"].(fakeapi.Object)
	if on, err := time.Parse(time.DateOnly, str(original["date"])); err == nil {
		return on
	}
	return c.instant(original)
}
