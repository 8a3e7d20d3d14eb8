package fakecalendar

import "kota/bundles/internal/google/googletest/fakeapi"

// patchEvent changes the fields in the body: null clears a field, an object is
// patched recursively, an array is replaced
// (developers.google.com/workspace/calendar/api/guides/performance#patch).
func patchEvent(c *fakeapi.Call) (any, error) {
	e, body, err := newEdit(c, "writerWithoutPrivateAccess")
	if err != nil {
		return nil, err
	}
	if err := e.load(c.Vars["eventId"]); err != nil {
		return nil, err
	}
	e.next = clone(e.before)
	merge(e.next, without(body, ignoredEventFields))
	return e.commit(body)
}

func merge(into, patch fakeapi.Object) {
	for name, value := range patch {
		inner, nested := value.(fakeapi.Object)
		old, isObject := into[name].(fakeapi.Object)
		switch {
		case value == nil:
			delete(into, name)
		case nested && isObject:
			merge(old, inner)
		case nested:
			added := fakeapi.Object{}
			merge(added, inner)
			into[name] = added
		default:
			into[name] = value
		}
	}
}

// deleteEvent cancels the event, which stays readable. Deleting it again gives
// an error.
func deleteEvent(c *fakeapi.Call) (any, error) {
	e, _, err := newEdit(c, "writerWithoutPrivateAccess")
	if err != nil {
		return nil, err
	}
	if err := e.load(c.Vars["eventId"]); err != nil {
		return nil, err
	}
	if e.event.cancelled() {
		return nil, calendarProblem(410, "global", "deleted", "Resource has been deleted")
	}
	if err := e.checkUpdates(); err != nil {
		return nil, err
	}
	e.next = clone(e.before)
	e.next["status"] = "cancelled"
	e.next["updated"] = stamp(c.Server.Now())
	e.store()
	return nil, nil
}
