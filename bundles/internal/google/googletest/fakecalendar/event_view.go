package fakecalendar

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// view is how events are shown: to which reader, in which zone, with how many
// attendees.
type view struct {
	calendar  *fakeCalendar
	role      string
	user      *fakeapi.Account
	zone      *time.Location
	attendees int  // the maximum number of attendees; 0 means all
	brief     bool // a deleted event has only the fields of cancelledInstance
}

// viewOf returns the view that the call requests.
func viewOf(c *fakeapi.Call, calendar *fakeCalendar, role string) (view, error) {
	v := view{calendar: calendar, role: role, user: c.Account, zone: calendar.zone()}
	if name := c.Query.Get("timeZone"); name != "" {
		zone, err := loadZone(name)
		if err != nil {
			return v, invalidValue("Invalid time zone definition.")
		}
		v.zone = zone
	}
	v.attendees, _ = strconv.Atoi(c.Query.Get("maxAttendees")) // checked against the document
	return v, nil
}

// clone copies decoded JSON, so that stored data is not shared.
func clone(object fakeapi.Object) fakeapi.Object {
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // the fake built a value without JSON
	}
	var copied fakeapi.Object
	if err := json.Unmarshal(data, &copied); err != nil {
		panic(err)
	}
	return copied
}

// show returns the event as the API returns it.
func (v view) show(e *fakeEvent) fakeapi.Object {
	out := clone(e.data)
	out["kind"], out["id"], out["etag"] = "calendar#event", e.id, etag(e.etag)
	for _, name := range []string{"start", "end", "originalStartTime"} {
		if out[name] != nil {
			out[name] = timeIn(out[name], v.zone)
		}
	}
	if e.cancelled() && (v.brief || e.series() != "") {
		return cancelledInstance(out)
	}
	if v.hides(e) {
		return v.withoutDetails(out)
	}
	link := base64.RawURLEncoding.EncodeToString([]byte(e.id + " " + v.calendar.id))
	out["htmlLink"] = "https://www.google.com/calendar/event?eid=" + link
	if link := hangoutLink(e.data); link != "" {
		out["hangoutLink"] = link
	}
	for _, name := range []string{"creator", "organizer"} {
		v.markSelf(out[name])
	}
	if source, ok := out["source"]; ok && source != nil && !sameAddress(out["creator"], v.user.Address) {
		delete(out, "source") // "Can only be seen or modified by the creator of the event"
	}
	v.showAttendees(out)
	return out
}

// hides reports whether the reader may not see the event's details. A reader
// needs at least the role "reader", and for private events "writer".
func (v view) hides(e *fakeEvent) bool {
	private := e.text("visibility") == "private" || e.text("visibility") == "confidential"
	return ranks[v.role] < ranks["reader"] || private && ranks[v.role] < ranks["writer"]
}

// withoutDetails keeps the fields that are visible without access to details.
func (v view) withoutDetails(out fakeapi.Object) fakeapi.Object {
	kept := fakeapi.Object{"visibility": "private"}
	for _, name := range []string{"kind", "id", "etag", "status", "created", "updated", "start", "end", "recurrence",
		"recurringEventId", "originalStartTime", "iCalUID", "sequence", "eventType", "transparency"} {
		if value, ok := out[name]; ok {
			kept[name] = value
		}
	}
	return kept
}

func (v view) markSelf(person any) {
	if sameAddress(person, v.calendar.id) {
		person.(fakeapi.Object)["self"] = true
	}
}

// sameAddress reports whether the person of a decoded event has that address.
func sameAddress(person any, address string) bool {
	fields, _ := person.(fakeapi.Object)
	email, _ := fields["email"].(string)
	return strings.EqualFold(email, address)
}

// showAttendees marks the reader and the organizer. If the reader may not see
// the other attendees, or there are more attendees than requested, it keeps only
// the reader.
func (v view) showAttendees(out fakeapi.Object) {
	guests, _ := out["attendees"].([]any)
	organizes := sameAddress(out["organizer"], v.calendar.id)
	for _, guest := range guests {
		v.markSelf(guest)
		if organizer, _ := out["organizer"].(fakeapi.Object); sameAddress(guest, str(organizer["email"])) {
			guest.(fakeapi.Object)["organizer"] = true
		}
	}
	hidden := out["guestsCanSeeOtherGuests"] == false && !organizes
	if !hidden && (v.attendees == 0 || len(guests) <= v.attendees) {
		return
	}
	out["attendees"] = slices.DeleteFunc(guests, func(guest any) bool { return guest.(fakeapi.Object)["self"] != true })
	out["attendeesOmitted"] = true
}

func str(value any) string {
	s, _ := value.(string)
	return s
}

func getEvent(c *fakeapi.Call) (any, error) {
	calendar, role, err := requestedCalendar(c, "freeBusyReader")
	if err != nil {
		return nil, err
	}
	e := calendar.event(c.Vars["eventId"])
	if e == nil {
		return nil, notFound()
	}
	calendar.completeConference(e)
	if err := checkConditions(c, e.etag); err != nil {
		return nil, err
	}
	v, err := viewOf(c, calendar, role)
	if err != nil {
		return nil, err
	}
	return v.show(e), nil
}
