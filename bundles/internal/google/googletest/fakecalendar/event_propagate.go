package fakecalendar

import (
	"maps"
	"reflect"
	"slices"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// propagate applies a stored change to the other copies of the event. A guest's
// change goes to the organizer first. The organizer's copy then goes to all
// guests on this server, whether or not they get mail.
func (e *edit) propagate() {
	if e.next["privateCopy"] == true {
		return
	}
	organizerCalendar, event := e.calendar, e.event
	if !organizerCalendar.organizes(e.next) {
		if organizerCalendar, event = e.updateOrganizer(); organizerCalendar == nil {
			return
		}
	}
	organizerCalendar.updateGuests(event, e.before)
}

// updateGuests updates the copies of present and former guests from the organizer's
// copy.
func (c *fakeCalendar) updateGuests(event *fakeEvent, before fakeapi.Object) {
	for _, person := range slices.Concat(guestsOf(event.data), guestsOf(before)) {
		if user := userAt(c.server, person); user != nil && calendarListOf(user).primary != c {
			calendarListOf(user).primary.updateGuestCopy(event, before)
		}
	}
}

func userAt(s *fakeapi.Server, person any) *fakeapi.Account {
	fields, _ := person.(fakeapi.Object)
	if address := str(fields["email"]); isUser(s, address) {
		return s.Account(address)
	}
	return nil
}

// updateOrganizer applies a guest's change to the organizer's copy on this
// server. A guest who deletes the event declines it. It returns the organizer's
// calendar and copy, or nil without one.
func (e *edit) updateOrganizer() (*fakeCalendar, *fakeEvent) {
	organizer, _ := e.next["organizer"].(fakeapi.Object)
	organizerCalendar := calendarAt(e.call.Server, str(organizer["email"]))
	if organizerCalendar == nil {
		return nil, nil
	}
	event := organizerCalendar.event(e.event.id)
	if event == nil || event.cancelled() {
		return nil, nil
	}
	data := clone(e.next)
	data["status"] = event.data["status"]
	if own := guestOf(data, e.calendar.id); own != nil && e.next["status"] == "cancelled" {
		own["responseStatus"] = "declined"
	}
	organizerCalendar.setSharedFields(event, data)
	return organizerCalendar, event
}

// updateGuestCopy makes a guest's copy like the organizer's, or cancels it for a former
// guest.
func (c *fakeCalendar) updateGuestCopy(event *fakeEvent, before fakeapi.Object) {
	copied := c.event(event.id)
	invited := guestOf(event.data, c.id) != nil
	if copied == nil {
		if !invited {
			return
		}
		copied = &fakeEvent{id: event.id}
	}
	data := clone(event.data)
	if !invited {
		data["status"] = "cancelled"
	}
	deletedByGuest := copied.data != nil && copied.cancelled() && str(before["status"]) != "cancelled" && guestOf(before, c.id) != nil
	if deletedByGuest {
		data["status"] = "cancelled" // the guest has deleted it
	}
	c.setSharedFields(copied, data)
}

// setSharedFields sets the shared fields in a copy of an event, and keeps the copy's own
// fields. A new copy begins with the default reminders.
func (c *fakeCalendar) setSharedFields(event *fakeEvent, data fakeapi.Object) {
	next := shared(clone(data))
	own := event.data
	if own == nil {
		own = fakeapi.Object{"reminders": fakeapi.Object{"useDefault": true}}
		for _, name := range []string{"transparency", "visibility"} {
			if data[name] != nil {
				own[name] = data[name]
			}
		}
	}
	for _, name := range personalFields {
		if own[name] != nil {
			next[name] = own[name]
		}
	}
	properties, _ := own["extendedProperties"].(fakeapi.Object)
	if properties["private"] != nil {
		both, _ := next["extendedProperties"].(fakeapi.Object)
		both = maps.Clone(both)
		if both == nil {
			both = fakeapi.Object{}
		}
		both["private"] = properties["private"]
		next["extendedProperties"] = both
	}
	date := []string{"updated"}
	if event.data == nil || !reflect.DeepEqual(without(event.data, date), without(next, date)) {
		event.data = next
		c.put(event)
	}
}
