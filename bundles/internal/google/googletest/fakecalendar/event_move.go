package fakecalendar

import "kota/bundles/internal/google/googletest/fakeapi"

// moveEvent moves the event to another calendar, which becomes its organizer
// (events.move). "Only default events can be moved", and a series only as a
// whole.
func moveEvent(c *fakeapi.Call) (any, error) {
	e, _, err := newEdit(c, "writerWithoutPrivateAccess")
	if err != nil {
		return nil, err
	}
	to, role, err := CalendarUser{c.Account}.calendarFor(c.Query.Get("destination"))
	if err != nil {
		return nil, err
	}
	if ranks[role] < ranks["writerWithoutPrivateAccess"] {
		return nil, needsAccess("writer")
	}
	if err := e.load(c.Vars["eventId"]); err != nil {
		return nil, err
	}
	switch {
	case e.event.cancelled():
		return nil, notFound()
	case e.event.text("eventType") != "default":
		return nil, badType("Only events of type default can be moved.")
	case e.event.series() != "":
		return nil, calendarProblem(400, "calendar", "cannotChangeOrganizerOfInstance", "Cannot change the organizer of an instance.")
	case !e.calendar.organizes(e.before):
		return nil, calendarProblem(403, "calendar", "forbiddenForNonOrganizer", "Only the organizer can move an event.")
	case to == e.calendar || to.events[e.event.id] != nil && !to.events[e.event.id].cancelled() && to.organizes(to.events[e.event.id].data):
		return nil, duplicate()
	}
	e.next = clone(e.before)
	if err := e.checkUpdates(); err != nil {
		return nil, err
	}
	return e.moveTo(to)
}

// moveTo stores the event and its exceptions in the other calendar, and cancels
// them here. If this calendar is a guest, the event itself stays here.
func (e *edit) moveTo(to *fakeCalendar) (any, error) {
	from, id := e.calendar, e.event.id
	for _, old := range from.all() {
		if old.id == id || old.series() == id {
			moved := &fakeEvent{id: old.id, data: clone(old.data)}
			moved.data["organizer"], moved.data["updated"] = to.organizer(), stamp(from.server.Now())
			to.put(moved)
			to.updateGuestsOfException(moved, old.data, e.event)
			if old.id != id && !old.cancelled() {
				old.data["status"] = "cancelled"
				from.put(old)
			}
		}
	}
	if guestOf(e.before, from.id) == nil {
		e.event.data = fakeapi.Object{"status": "cancelled", "iCalUID": e.before["iCalUID"], "start": e.before["start"], "end": e.before["end"]}
		from.put(e.event)
	}
	e.calendar, e.event = to, to.events[id]
	e.next = e.event.data
	e.propagate()
	for _, person := range guestsOf(e.next) {
		e.send(str(person.(fakeapi.Object)["email"]), "update")
	}
	return e.answer()
}

// importEvent adds a private copy of an event that somebody else organizes, or
// replaces the copy with the same iCalUID (events.import). It sends no mail.
func importEvent(c *fakeapi.Call) (any, error) {
	e, body, err := newEdit(c, "writerWithoutPrivateAccess")
	if err != nil {
		return nil, err
	}
	uid := str(body["iCalUID"])
	if uid == "" {
		return nil, requiredMissing("Missing iCalUID.")
	}
	if kind := str(body["eventType"]); kind != "" && kind != "default" {
		return nil, badType("Only events of type default can be imported.")
	}
	e.inserted, e.event = true, &fakeEvent{id: "_" + e.calendar.newEventID()}
	for _, old := range e.calendar.all() {
		if old.text("iCalUID") == uid && old.series() == "" {
			e.event = old
		}
	}
	e.next = e.calendar.newEventData(uid, c.Account.Address)
	merge(e.next, without(body, ignoredEventFields))
	if organizer, given := body["organizer"].(fakeapi.Object); given {
		e.next["organizer"] = without(organizer, []string{"self"})
	}
	if body["privateCopy"] == true {
		e.next["privateCopy"] = true
	}
	if err := e.check(body); err != nil {
		return nil, err
	}
	e.event.data = clone(e.next)
	e.calendar.put(e.event)
	return e.answer()
}
