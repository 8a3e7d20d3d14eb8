package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// The texts in the events that the test below reads, makes and changes.
var calendarCanaries = map[string]string{
	"title":                 "canarytitle",
	"description":           "canarydescription",
	"location":              "canarylocation",
	"guest":                 "canaryguest@example.com",
	"comment":               "canarycomment",
	"title that is made":    "canarymadetitle",
	"place that is made":    "canarymadeplace",
	"guest who is asked":    "canaryinvited@example.com",
	"text that is added":    "canaryquick",
	"search":                "canarysearch",
	"calendar that is made": "canarycalendar",
}

// canaryHome has events with canaries, and a call of every calendar action
// about them.
type canaryHome struct {
	*testHome
	read, changed, moved, deleted, bobsEvent string // events; the last is Bob's, with Ann as a guest
	work                                     string // a calendar of Ann's
}

func newCanaryHome(t *testing.T) *canaryHome {
	d := &canaryHome{testHome: newCalendarHome(t, "log: debug\nsend: allow\ntaint: off\n")}
	a, b := d.google.User(ann), d.google.User(bob)
	d.work = a.AddCalendar(bundletest.GoogleCalendar{Summary: calendarCanaries["calendar that is made"]})
	for _, id := range []*string{&d.read, &d.changed, &d.moved, &d.deleted} {
		*id = a.AddEvent("primary", d.event(bob, calendarCanaries["guest"]))
	}
	d.bobsEvent = b.AddEvent("primary", d.event(ann, calendarCanaries["guest"]))
	return d
}

func (d *canaryHome) event(guests ...string) object {
	e := hourEvent(9, calendarCanaries["title"], guests...)
	e["description"], e["location"] = calendarCanaries["description"], calendarCanaries["location"]
	return e
}

// sampleCalls returns arguments for a call of each action.
func (d *canaryHome) sampleCalls() map[string]object {
	return map[string]object{
		"calendar_list_calendars": {},
		"calendar_list_events":    {"from": someday, "calendars": []string{"all"}},
		"calendar_get_event":      {"event_id": d.read},
		"calendar_create_event": {
			"title": calendarCanaries["title that is made"], "start": someday + "T11:00", "location": calendarCanaries["place that is made"],
			"attendees": []string{calendarCanaries["guest who is asked"]}, "notify": "all",
		},
		"calendar_quick_add":          {"text": calendarCanaries["text that is added"] + " tomorrow 12:00"},
		"calendar_update_event":       {"event_id": d.changed, "title": calendarCanaries["title that is made"], "notify": "all"},
		"calendar_delete_event":       {"event_id": d.deleted, "notify": "all"},
		"calendar_move_event":         {"event_id": d.moved, "to": d.work, "notify": "all"},
		"calendar_respond_event":      {"event_id": d.bobsEvent, "answer": "yes", "comment": calendarCanaries["comment"]},
		"calendar_find_slots":         {"attendees": []string{bob, calendarCanaries["guest"]}, "from": someday, "to": someday},
		"calendar_check_availability": {"start": someday + "T10:00", "attendees": []string{bob, calendarCanaries["guest"]}},
		"calendar_list_changes":       {},
		"calendar_manage_calendar":    {"operation": "create", "name": calendarCanaries["calendar that is made"]},
		"calendar_undo":               {},
	}
}

// Requests and answers concern only the client and Google. The log, even at
// debug level, has only what was called and what went wrong. stdout has only
// the protocol.
func TestLogContainsNoEventText(t *testing.T) {
	t.Parallel()
	d := newCanaryHome(t)
	canaries := d.homeSecrets()
	for name, canary := range calendarCanaries {
		canaries[name] = canary
	}
	calls := d.sampleCalls()
	tools := regexp.MustCompile(`(?m)^### (calendar_\w+)$`).FindAllStringSubmatch(d.must("describe", "calendar"), -1)
	for _, tool := range tools {
		if calls[tool[1]] == nil {
			t.Errorf("%s is not called here", tool[1])
		}
	}
	if len(tools) != len(calls) {
		t.Errorf("%d tools are called, and there are %d", len(calls), len(tools))
	}
	all := toolCall("search", "kota_discover_bundles", object{"query": calendarCanaries["search"]}) +
		toolCall("searched", "calendar_list_events", object{"query": calendarCanaries["search"]})
	for tool, args := range calls {
		all += toolCall(tool, tool, args) + toolCall("entry "+tool, "kota_entry_point", object{
			"bundle": "calendar", "action": strings.TrimPrefix(tool, "calendar_"), "args": object{"canarytitle": "canarydescription"},
		})
	}

	output := ""
	serve := func(fault string) string {
		t.Helper()
		stdout, stderr, status := d.runWith(strings.NewReader(initializeLine+all), nil, "serve")
		if status != 0 || !strings.Contains(stderr, "calendar_list_events") {
			t.Errorf("%s: status %d; the log says nothing of a call: %s", fault, status, stderr)
		}
		isProtocol(t, fault, stdout)
		output += stderr
		return stdout
	}
	if stdout := serve(""); !strings.Contains(stdout, calendarCanaries["title"]) || !strings.Contains(stdout, calendarCanaries["text that is added"]) {
		t.Errorf("the events were not read and made: %s", stdout)
	}
	if len(d.google.Invitations()) == 0 {
		t.Error("nobody was invited")
	}
	quoted := strings.Join([]string{calendarCanaries["title"], calendarCanaries["description"], calendarCanaries["guest"]}, " ")
	for _, methods := range [][]string{{"events.list", "events.get", "calendarList.list", "freebusy.query"}, {"events.insert", "events.patch", "events.delete", "events.move", "calendars.insert"}} {
		for _, fault := range []bundletest.GoogleFault{
			{Status: 400, Message: quoted}, {Status: 403, Reason: quoted, Message: quoted}, {Status: 410, Message: quoted}, {Status: 412, Message: quoted},
			{Nth: 1, Status: 503, Message: quoted}, {Nth: 1, Answer: bundletest.GoogleGarbage}, {Nth: 1, Answer: bundletest.GoogleHTML}, {Nth: 1, Answer: bundletest.GoogleTruncated},
		} {
			withdraw := []func(){}
			for _, method := range methods {
				fault.Method = "calendar." + method
				withdraw = append(withdraw, d.google.Fault(fault))
			}
			serve(fmt.Sprintf("%+v", fault))
			for _, back := range withdraw {
				back()
			}
		}
	}
	for name, canary := range d.homeSecrets() {
		canaries["new "+name] = canary
	}
	for name, canary := range canaries {
		if i := strings.Index(output, canary); i >= 0 {
			t.Errorf("the %s is in the log: …%s", name, output[max(0, i-200):i+len(canary)])
		}
	}
	d.checkNoFileContains(d.homeSecrets())
}

// isProtocol checks that every line is a message of JSON-RPC.
func isProtocol(t *testing.T, of, stdout string) {
	t.Helper()
	lines := bufio.NewScanner(strings.NewReader(stdout))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m struct {
			Version string `json:"jsonrpc"`
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil || m.Version != "2.0" {
			t.Errorf("%s: stdout has %q", of, lines.Text())
		}
	}
}
