package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
)

// linkTarget is what daily_get returns for a link.
type linkTarget struct{ Title, Status, Reason string }

// followLinks logs an entry with links and returns their targets.
func (d *testHome) followLinks(links ...string) (to map[string]linkTarget, foreign string) {
	d.t.Helper()
	d.mustCall("daily_log", object{"text": "x", "links": links})
	var answer struct {
		Foreign string
		Linked  []struct {
			Link string
			linkTarget
		}
	}
	raw := d.must("call", "daily_get", `{"include": ["memories", "events", "mail"]}`)
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		d.t.Fatal(err)
	}
	to = map[string]linkTarget{}
	for _, one := range answer.Linked {
		to[one.Link] = one.linkTarget
	}
	return to, answer.Foreign
}

func TestLinksShowTargetsAndMissingOnes(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles = "memory: on, daily: on, gmail: on, calendar: on"
	d.configure("timezone: Europe/Amsterdam")
	ann := d.google.User(ann)
	event := ann.AddEvent("primary", hourEvent(8, "Stand-up"))
	dentist := ann.AddEvent(ann.AddCalendar(bundletest.GoogleCalendar{Summary: "Family"}), hourEvent(9, "Dentist"))
	cancelled := ann.AddEvent("primary", hourEvent(10, "Lunch"))
	ann.DeleteEvent("primary", cancelled)
	mail := ann.Deliver(bundletest.GoogleMail{From: "Bob <bob@example.org>", To: "ann@example.org", Subject: "The roof", Text: "It leaks."}).ID
	d.must("call", "memory_set", "key=voucher", "value=Use the voucher")
	got, foreign := d.followLinks("memory:voucher", "memory:nothing", "event:"+event, "event:"+dentist, "event:"+cancelled, "event:0123456789abcdef", "event:%%%", "mail:"+mail, "mail:18f2a9c0d1e2f3a4")
	for link, one := range got {
		if (one.Reason == "") != (one.Status == "") {
			t.Errorf("%s: %+v", link, one)
		}
		got[link] = linkTarget{one.Title, one.Status, ""}
	}
	want := map[string]linkTarget{
		"memory:voucher": {Title: "Use the voucher"}, "memory:nothing": {Status: "gone"},
		"event:" + event: {Title: "Stand-up, " + got["event:"+event].timeText()}, "event:" + dentist: {Title: "Dentist, " + got["event:"+dentist].timeText()},
		"event:" + cancelled: {Status: "gone"}, "event:0123456789abcdef": {Status: "gone"}, "event:%%%": {Status: "gone"},
		"mail:" + mail: {Title: "The roof, from Bob"}, "mail:18f2a9c0d1e2f3a4": {Status: "gone"},
	}
	if !cmp.Equal(got, want) || foreign == "" {
		t.Errorf("%s\nforeign: %q", cmp.Diff(want, got), foreign)
	}
	if !strings.Contains(got["event:"+event].Title, someday+" 09:00–10:00") {
		t.Errorf("the event is %q", got["event:"+event].Title)
	}
}

// timeText returns the part of an event's title after the comma.
func (l linkTarget) timeText() string {
	_, when, _ := strings.Cut(l.Title, ", ")
	return when
}

func TestUnreadableLinkIsNotReportedMissing(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles = "memory: off, daily: on, gmail: on, calendar: on"
	d.configure("")
	d.google.Fault(bundletest.GoogleFault{Method: "calendar.events.get", Status: 403, Reason: "forbidden"})
	d.google.Fault(bundletest.GoogleFault{Method: "gmail.users.messages.get", Status: 401})
	got, foreign := d.followLinks("memory:voucher", "event:0123456789abcdef", "mail:18f2a9c0d1e2f3a4")
	for link, want := range map[string][2]string{
		"memory:voucher":         {"not_connected", "kota bundles enable memory"},
		"event:0123456789abcdef": {"failed", "access"},
		"mail:18f2a9c0d1e2f3a4":  {"not_connected", "kota auth login"},
	} {
		if one := got[link]; one.Status != want[0] || !strings.Contains(one.Reason, want[1]) || one.Title != "" || foreign != "" {
			t.Errorf("%s: %+v, foreign %q", link, one, foreign)
		}
	}
}
