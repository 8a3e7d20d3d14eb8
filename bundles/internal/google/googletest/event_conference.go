package googletest

import (
	"fmt"
	"strings"
)

// pendingConferences makes Google take its time over a new conference: it is
// pending in the answer to the request for it, and so many times that the event
// is read after that (Calendar API guide, Create events, "Add video and phone conferences").
func pendingConferences(s *core, reads int) { calendarsOf(s).pending = reads + 1 }

// failingConferences makes every request for a conference fail, when it is no
// longer pending.
func failingConferences(s *core) { calendarsOf(s).failing = true }

// setConference changes the conference only for a client that says it supports
// conferences, with conferenceDataVersion=1. A request for one is answered with
// a conference; one with the requestId of the last request is ignored.
func (e *edit) setConference(body object) error {
	if e.call.query.Get("conferenceDataVersion") != "1" {
		e.restore("conferenceData")
		return nil
	}
	given, _ := body["conferenceData"].(object)
	request, _ := given["createRequest"].(object)
	if request == nil {
		return nil
	}
	if str(request["requestId"]) == "" {
		return missing("Missing conference request id.")
	}
	old, _ := e.before["conferenceData"].(object)
	last, _ := old["createRequest"].(object)
	if last["requestId"] == request["requestId"] {
		e.restore("conferenceData")
		return nil
	}
	key, _ := request["conferenceSolutionKey"].(object)
	if kind := str(key["type"]); kind != "" && kind != "hangoutsMeet" {
		return wrong("Invalid conference type value.")
	}
	s := e.call.server
	e.next["conferenceData"] = object{"createRequest": object{
		"requestId":             request["requestId"],
		"conferenceSolutionKey": object{"type": "hangoutsMeet"},
		"status":                object{"statusCode": "pending"},
	}}
	e.event.pending = calendarsOf(s).pending
	if calendarsOf(s).pending == 0 {
		confer(s, e.next)
	}
	return nil
}

// confer answers the event's request for a conference.
func confer(s *core, event object) {
	data := event["conferenceData"].(object)
	request := data["createRequest"].(object)
	if calendarsOf(s).failing {
		request["status"] = object{"statusCode": "failure"}
		return
	}
	letters := strings.Map(func(digit rune) rune {
		if digit >= '0' && digit <= '9' {
			return digit - '0' + 'a'
		}
		return digit
	}, fmt.Sprintf("%010x", s.nextID())[6:16])
	code := letters[:3] + "-" + letters[3:7] + "-" + letters[7:]
	request["status"] = object{"statusCode": "success"}
	data["conferenceId"] = code
	data["conferenceSolution"] = object{"key": object{"type": "hangoutsMeet"}, "name": "Google Meet"}
	data["entryPoints"] = []any{
		object{"entryPointType": "video", "uri": "https://meet.google.com/" + code, "label": "meet.google.com/" + code},
	}
}

// settle lets a pending conference come true when it has been read often
// enough: the event has changed then.
func (c *fakeCalendar) settle(e *fakeEvent) {
	if e.pending == 0 {
		return
	}
	if e.pending--; e.pending > 0 {
		return
	}
	if data, _ := e.data["conferenceData"].(object); data["createRequest"] == nil {
		return
	}
	e.data = clone(e.data)
	confer(c.server, e.data)
	c.put(e)
	if c.organizes(e.data) {
		c.carry(e, e.data)
	}
}

// hangoutLink is where the event's video conference is, or "".
func hangoutLink(event object) string {
	data, _ := event["conferenceData"].(object)
	points, _ := data["entryPoints"].([]any)
	for _, point := range points {
		if of := point.(object); of["entryPointType"] == "video" {
			return str(of["uri"])
		}
	}
	return ""
}
