package fakecalendar

import (
	"reflect"
	"slices"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// Invitation is a mail about an event that Google would have sent.
type Invitation struct {
	By       string // the address of the user who made the call
	To       string
	Calendar string // the id of the calendar of the call
	EventID  string
	Kind     string // "invite", "update", "cancel" or "reply"
	Summary  string
}

// Invitations returns the mails about events so far, in the order of sending.
// Only mails that sendUpdates requests are sent.
func Invitations(s *fakeapi.Server) []Invitation {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return slices.Clone(calendarsOf(s).invitations)
}

// ExplicitUpdates makes a request without sendUpdates a violation if it changes
// an event with guests.
func ExplicitUpdates(s *fakeapi.Server) { calendarsOf(s).explicit = true }

// checkUpdates rejects a call that uses sendNotifications, or that changes an event
// with guests without sendUpdates if the server requires it.
func (e *edit) checkUpdates() error {
	query, s := e.call.Query, e.call.Server
	if query.Has("sendNotifications") {
		s.Report(e.call.Method.ID + ": sendNotifications is deprecated: use sendUpdates")
		return invalidValue("sendNotifications is deprecated")
	}
	if calendarsOf(s).explicit && !query.Has("sendUpdates") && len(guestsOf(e.before))+len(guestsOf(e.next)) > 0 {
		s.Report(e.call.Method.ID + ": an event with guests is changed without sendUpdates")
		return invalidValue("sendUpdates is missing")
	}
	return nil
}

// mail records the mails about the stored change.
func (e *edit) mail() {
	if reflect.DeepEqual(withoutTimes(e.before), withoutTimes(e.next)) {
		return
	}
	if !e.calendar.organizes(e.next) {
		e.mailFromGuest()
		return
	}
	wasCancelled, isCancelled := e.before["status"] == "cancelled", e.next["status"] == "cancelled"
	for _, person := range guestsOf(e.next) {
		switch address := str(person.(fakeapi.Object)["email"]); {
		case isCancelled:
			if !wasCancelled {
				e.send(address, "cancel")
			}
		case wasCancelled || e.inserted || guestOf(e.before, address) == nil:
			e.send(address, "invite")
		default:
			e.send(address, "update")
		}
	}
	for _, person := range guestsOf(e.before) {
		if address := str(person.(fakeapi.Object)["email"]); guestOf(e.next, address) == nil {
			e.send(address, "cancel")
		}
	}
	if isCancelled && !wasCancelled {
		e.mailGuestsOfOne()
	}
}

// mailGuestsOfOne mails the guests who are invited only to an instance of a
// cancelled series.
func (e *edit) mailGuestsOfOne() {
	for _, exception := range e.calendar.exceptions(e.event) {
		for _, person := range guestsOf(exception.data) {
			if address := str(person.(fakeapi.Object)["email"]); exception.cancelledWithSeries && guestOf(e.next, address) == nil {
				e.send(address, "cancel")
			}
		}
	}
}

// withoutTimes returns the fields of an event about which its guests get mail.
func withoutTimes(event fakeapi.Object) fakeapi.Object {
	return without(shared(clone(event)), []string{"updated", "sequence"})
}

// mailFromGuest mails the answer to the organizer, and an invitation to each
// guest that this guest has added. If the guest has changed more than that, the
// organizer and the other guests get an update.
func (e *edit) mailFromGuest() {
	organizer, _ := e.next["organizer"].(fakeapi.Object)
	ignored := []string{"attendees", "status"}
	changed := !reflect.DeepEqual(without(withoutTimes(e.before), ignored), without(withoutTimes(e.next), ignored))
	kind := "reply"
	if changed {
		kind = "update"
	}
	e.send(str(organizer["email"]), kind)
	for _, person := range guestsOf(e.next) {
		switch address := str(person.(fakeapi.Object)["email"]); {
		case guestOf(e.before, address) == nil:
			e.send(address, "invite")
		case changed && !sameAddress(organizer, address):
			e.send(address, "update")
		}
	}
}

func (e *edit) send(to, kind string) {
	s, sendUpdates := e.call.Server, e.call.Query.Get("sendUpdates")
	if sendUpdates != "all" && (sendUpdates != "externalOnly" || isUser(s, to)) || strings.EqualFold(to, e.calendar.id) {
		return
	}
	calendarsOf(s).invitations = append(calendarsOf(s).invitations, Invitation{
		By: e.call.Account.Address, To: to, Calendar: e.calendar.id, EventID: e.event.id, Kind: kind, Summary: str(e.next["summary"]),
	})
}
