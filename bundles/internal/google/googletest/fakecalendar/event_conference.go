package fakecalendar

import (
	"fmt"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// PendingConferences makes each new conference pending: in the answer to the
// request for it, and then for the given number of reads of the event. See
// "Add video and phone conferences" in the Calendar API guide, Create events.
func PendingConferences(s *fakeapi.Server, reads int) { calendarsOf(s).pending = reads + 1 }

// FailingConferences makes every request for a conference fail. The failure
// shows when the request is no longer pending.
func FailingConferences(s *fakeapi.Server) { calendarsOf(s).failing = true }

// setConference changes the conference only for a client that declares support
// with conferenceDataVersion=1. A request creates a conference, unless its
// requestId is that of the last request.
func (e *edit) setConference(body fakeapi.Object) error {
	if e.call.Query.Get("conferenceDataVersion") != "1" {
		e.restore("conferenceData")
		return nil
	}
	conference, _ := body["conferenceData"].(fakeapi.Object)
	request, _ := conference["createRequest"].(fakeapi.Object)
	if request == nil {
		return nil
	}
	if str(request["requestId"]) == "" {
		return requiredMissing("Missing conference request id.")
	}
	old, _ := e.before["conferenceData"].(fakeapi.Object)
	last, _ := old["createRequest"].(fakeapi.Object)
	if last["requestId"] == request["requestId"] {
		e.restore("conferenceData")
		return nil
	}
	key, _ := request["conferenceSolutionKey"].(fakeapi.Object)
	if kind := str(key["type"]); kind != "" && kind != "hangoutsMeet" {
		return invalidValue("Invalid conference type value.")
	}
	s := e.call.Server
	e.next["conferenceData"] = fakeapi.Object{"createRequest": fakeapi.Object{
		"requestId":             request["requestId"],
		"conferenceSolutionKey": fakeapi.Object{"type": "hangoutsMeet"},
		"status":                fakeapi.Object{"statusCode": "pending"},
	}}
	e.event.pending = calendarsOf(s).pending
	if calendarsOf(s).pending == 0 {
		createConference(s, e.next)
	}
	return nil
}

// createConference answers the event's request for a conference.
func createConference(s *fakeapi.Server, event fakeapi.Object) {
	data := event["conferenceData"].(fakeapi.Object)
	request := data["createRequest"].(fakeapi.Object)
	if calendarsOf(s).failing {
		request["status"] = fakeapi.Object{"statusCode": "failure"}
		return
	}
	letters := strings.Map(func(digit rune) rune {
		if digit >= '0' && digit <= '9' {
			return digit - '0' + 'a'
		}
		return digit
	}, fmt.Sprintf("%010x", s.NextID())[6:16])
	code := letters[:3] + "-" + letters[3:7] + "-" + letters[7:]
	request["status"] = fakeapi.Object{"statusCode": "success"}
	data["conferenceId"] = code
	data["conferenceSolution"] = fakeapi.Object{"key": fakeapi.Object{"type": "hangoutsMeet"}, "name": "Google Meet"}
	data["entryPoints"] = []any{
		fakeapi.Object{"entryPointType": "video", "uri": "https://meet.google.com/" + code, "label": "meet.google.com/" + code},
	}
}

// completeConference completes a pending conference after enough reads, which changes the
// event.
func (c *fakeCalendar) completeConference(e *fakeEvent) {
	if e.pending == 0 {
		return
	}
	if e.pending--; e.pending > 0 {
		return
	}
	if data, _ := e.data["conferenceData"].(fakeapi.Object); data["createRequest"] == nil {
		return
	}
	e.data = clone(e.data)
	createConference(c.server, e.data)
	c.put(e)
	if c.organizes(e.data) {
		c.updateGuests(e, e.data)
	}
}

// hangoutLink returns the address of the event's video conference, or "".
func hangoutLink(event fakeapi.Object) string {
	data, _ := event["conferenceData"].(fakeapi.Object)
	points, _ := data["entryPoints"].([]any)
	for _, point := range points {
		if entry := point.(fakeapi.Object); entry["entryPointType"] == "video" {
			return str(entry["uri"])
		}
	}
	return ""
}
