package fakecalendar

import (
	"maps"
	"reflect"
	"slices"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// edit is a change of an event by a client.
type edit struct {
	call     *fakeapi.Call
	calendar *fakeCalendar
	role     string     // the user's role in the calendar
	event    *fakeEvent // as stored; new if inserted
	inserted bool
	before   fakeapi.Object // the data before the change; nil if inserted
	next     fakeapi.Object // the data after it
}

// ignoredEventFields are the fields that a client may send without effect.
var ignoredEventFields = []string{
	"kind", "etag", "htmlLink", "hangoutLink", "created", "updated", "creator", "organizer", "locked", "attendeesOmitted",
	"recurringEventId", "originalStartTime", "endTimeUnspecified", "gadget", "iCalUID", "privateCopy", "id",
}

// newEdit starts a change by a user with at least minRole, and returns the
// request's body.
func newEdit(c *fakeapi.Call, minRole string) (*edit, fakeapi.Object, error) {
	calendar, role, err := requestedCalendar(c, minRole)
	if err != nil {
		return nil, nil, err
	}
	var body fakeapi.Object
	if err := c.Decode(&body); err != nil {
		return nil, nil, err
	}
	return &edit{call: c, calendar: calendar, role: role}, body, nil
}

// load loads the stored event of the call, if the request's conditions are met.
func (e *edit) load(id string) error {
	e.event = e.calendar.event(id)
	if e.event == nil {
		return notFound()
	}
	e.calendar.completeConference(e.event)
	if err := checkConditions(e.call, e.event.etag); err != nil {
		return err
	}
	e.before = clone(e.event.data)
	return nil
}

// without returns a copy of the object without the named fields.
func without(object fakeapi.Object, names []string) fakeapi.Object {
	kept := maps.Clone(object)
	for _, name := range names {
		delete(kept, name)
	}
	return kept
}

// commit checks the event, stores it and updates the other copies. A request
// without a change keeps the etag.
func (e *edit) commit(body fakeapi.Object) (any, error) {
	for _, check := range []func(fakeapi.Object) error{e.check, e.checkGuestMayChange, e.updateSequence} {
		if err := check(body); err != nil {
			return nil, err
		}
	}
	if err := e.checkUpdates(); err != nil {
		return nil, err
	}
	if e.next = clone(e.next); e.inserted || !reflect.DeepEqual(e.before, e.next) {
		e.store()
	}
	return e.answer()
}

// store stores the event, updates the other copies and sends the mail about it.
func (e *edit) store() {
	e.event.data = e.next
	e.calendar.put(e.event)
	e.propagate()
	e.mail()
}

// personalFields are the fields that may differ between the copies of an event.
var personalFields = []string{"reminders", "colorId", "eventLabelId", "transparency", "visibility"}

// updateSequence increases the sequence if the event's time changes, and sets
// the field updated. If only personalFields change, it does not set the field.
func (e *edit) updateSequence(body fakeapi.Object) error {
	if e.inserted {
		return nil
	}
	now, _ := e.before["sequence"].(float64)
	if given, ok := body["sequence"].(float64); ok && given < now {
		return invalidValue("Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.")
	}
	if slices.ContainsFunc([]string{"start", "end", "recurrence"}, e.changes) {
		given, _ := e.next["sequence"].(float64)
		e.next["sequence"] = max(now+1, given)
	}
	if !reflect.DeepEqual(without(e.before, personalFields), without(clone(e.next), personalFields)) {
		e.next["updated"] = stamp(e.calendar.server.Now())
	}
	return nil
}

// changes reports whether the edit changes the field.
func (e *edit) changes(name string) bool {
	return !reflect.DeepEqual(e.before[name], clone(fakeapi.Object{name: e.next[name]})[name])
}

// answer returns the event as the client gets it.
func (e *edit) answer() (any, error) {
	v, err := viewOf(e.call, e.calendar, e.role)
	if err != nil {
		return nil, err
	}
	return v.show(e.event), nil
}
