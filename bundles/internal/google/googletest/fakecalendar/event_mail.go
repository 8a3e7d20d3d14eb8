package fakecalendar

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"reflect"
	"slices"
	"strings"
)

// An Invitation is a mail about an event that Google would have sent.
type Invitation struct {
	By       string // address of the user whose call it was
	To       string
	Calendar string // id of the calendar the call was about
	EventID  string
	Kind     string // "invite", "update", "cancel" or "reply"
	Summary  string
}

// Invitations returns the mails about events so far, in the order of sending.
// What sendUpdates does not ask for is not sent.
func Invitations(s *fakeapi.Server) []Invitation {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return slices.Clone(calendarsOf(s).invitations)
}

// ExplicitUpdates makes a change of an event that has guests a violation when
// it does not say in sendUpdates who is told.
func ExplicitUpdates(s *fakeapi.Server) { calendarsOf(s).explicit = true }

// checkUpdates reports what a client must not leave to Google: whom to mail.
func (e *edit) checkUpdates() error {
	query, s := e.call.Query, e.call.Server
	if query.Has("sendNotifications") {
		s.Report(e.call.Method.ID + ": sendNotifications is deprecated: use sendUpdates")
		return wrong("sendNotifications is deprecated")
	}
	if calendarsOf(s).explicit && !query.Has("sendUpdates") && len(guestsOf(e.before))+len(guestsOf(e.next)) > 0 {
		s.Report(e.call.Method.ID + ": an event with guests is changed without sendUpdates")
		return wrong("sendUpdates is missing")
	}
	return nil
}

// mail notes who is mailed what of the stored change.
func (e *edit) mail() {
	if reflect.DeepEqual(withoutTimes(e.before), withoutTimes(e.next)) {
		return
	}
	if !e.calendar.organizes(e.next) {
		e.mailFromGuest()
		return
	}
	was, is := e.before["status"] == "cancelled", e.next["status"] == "cancelled"
	for _, person := range guestsOf(e.next) {
		switch address := str(person.(fakeapi.Object)["email"]); {
		case is:
			if !was {
				e.send(address, "cancel")
			}
		case was || e.inserted || guestOf(e.before, address) == nil:
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
	if is && !was {
		e.mailGuestsOfOne()
	}
}

// mailGuestsOfOne tells those who are invited only to an instance of a cancelled series.
func (e *edit) mailGuestsOfOne() {
	for _, one := range e.calendar.exceptions(e.event) {
		for _, person := range guestsOf(one.data) {
			if address := str(person.(fakeapi.Object)["email"]); one.fallen && guestOf(e.next, address) == nil {
				e.send(address, "cancel")
			}
		}
	}
}

// withoutTimes is what of an event its guests are told of.
func withoutTimes(event fakeapi.Object) fakeapi.Object {
	return without(shared(clone(event)), []string{"updated", "sequence"})
}

// mailFromGuest tells the organizer the answer, those whom the guest has
// invited that they are, and all of what else the guest was let change.
func (e *edit) mailFromGuest() {
	organizer, _ := e.next["organizer"].(fakeapi.Object)
	rest := []string{"attendees", "status"}
	changed := !reflect.DeepEqual(without(withoutTimes(e.before), rest), without(withoutTimes(e.next), rest))
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
	s, who := e.call.Server, e.call.Query.Get("sendUpdates")
	if who != "all" && (who != "externalOnly" || isUser(s, to)) || strings.EqualFold(to, e.calendar.id) {
		return
	}
	calendarsOf(s).invitations = append(calendarsOf(s).invitations, Invitation{
		By: e.call.Account.Address, To: to, Calendar: e.calendar.id, EventID: e.event.id, Kind: kind, Summary: str(e.next["summary"]),
	})
}
