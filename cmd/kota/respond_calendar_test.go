package main

import (
	"fmt"
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

func TestInvitationIsAnsweredFromItsMail(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	id := d.google.User(bob).AddEvent("primary", hourEvent(14, "Occasion", ann))
	uid, _ := d.google.User(bob).Event("primary", id)["iCalUID"].(string)
	start := strings.ReplaceAll(someday, "-", "") + "T140000Z"
	file := strings.Join([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Occasions//EN", "METHOD:REQUEST", "BEGIN:VEVENT", "UID:" + uid, "DTSTAMP:" + start, "DTSTART:" + start, "DURATION:PT1H",
		"SUMMARY:Occasion", "ORGANIZER:mailto:" + bob, "ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:" + ann, "END:VEVENT", "END:VCALENDAR", "",
	}, "\r\n")
	mail := d.google.User(ann).Deliver(bundletest.GoogleMail{
		From: bob, To: ann, Subject: "Invitation: Occasion", Text: "Do you come?",
		Attachments: []bundletest.GoogleAttachment{{Name: "invite.ics", Type: "text/calendar; method=REQUEST", Data: []byte(file)}},
	})
	answer := d.mustCall("calendar_respond_event", object{"message_id": mail.ID, "answer": "yes"})
	if event := fmt.Sprint(d.google.User(bob).Event("primary", id)); answer.Status != "answered" || !strings.Contains(event, "responseStatus:accepted") {
		t.Errorf("answered %s, and Bob has %s", answer.raw, event)
	}

	d.bundles = "gmail: off, calendar: on"
	d.configure("")
	if _, failure := d.call("calendar_respond_event", object{"message_id": mail.ID, "answer": "no"}); failure == nil || failure.Code != "UNAVAILABLE" || !strings.Contains(failure.Hint, "event_id") {
		t.Errorf("with mail off: %+v", failure)
	}
	plain := d.google.User(ann).Deliver(bundletest.GoogleMail{From: bob, To: ann, Subject: "Hello", Text: "No invitation."})
	d.bundles = "gmail: on, calendar: on"
	d.configure("")
	if _, failure := d.call("calendar_respond_event", object{"message_id": plain.ID, "answer": "no"}); failure == nil || failure.Code == "INTERNAL" || failure.Hint == "" {
		t.Errorf("a mail without an invitation: %+v", failure)
	}
}
