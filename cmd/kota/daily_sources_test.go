package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
)

// briefing is the answer of daily_briefing.
type briefing struct {
	Foreign                                    string
	Calendar, Tasks, Mail, Memories, Yesterday struct {
		Status, Reason string
		Unread         []string
		Items          []map[string]any
	}
}

// briefing returns the briefing of someday.
func (d *testHome) briefing() briefing {
	d.t.Helper()
	var answer briefing
	if err := json.Unmarshal([]byte(d.must("call", "daily_briefing", "date="+someday)), &answer); err != nil {
		d.t.Fatal(err)
	}
	return answer
}

func TestBriefingReadsEnabledSources(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles = "memory: on, daily: on, gmail: on, calendar: on"
	d.configure("timezone: Europe/Amsterdam")
	ann := d.google.User(ann)
	ann.AddEvent("primary", hourEvent(8, "Stand-up"))
	family := ann.AddCalendar(bundletest.GoogleCalendar{Summary: "Family"})
	ann.AddEvent(family, object{"summary": "Birthday of Bob", "start": object{"date": someday}, "end": object{"date": nextDay(t, someday)}})
	d.must("call", "memory_set", "key=voucher", "value=Use the voucher", "ttl=3d")
	got := d.briefing()
	var when []string
	for _, e := range got.Calendar.Items {
		when = append(when, e["title"].(string)+" "+e["when"].(string))
	}
	slices.Sort(when)
	if want := []string{"Birthday of Bob all day", "Stand-up 09:00–10:00"}; !slices.Equal(when, want) || got.Calendar.Status != "ok" || got.Foreign == "" {
		t.Errorf("the calendar: got %+v", got.Calendar)
	}
	if got.Memories.Status != "ok" || got.Memories.Items[0]["text"] != "Use the voucher" {
		t.Errorf("memories: got %+v", got.Memories)
	}
	if got.Mail.Status != "empty" || got.Tasks.Status != "empty" {
		t.Errorf("got %+v", got)
	}
}

func TestBriefingListsImportantMailFirst(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles = "daily: on, gmail: on"
	d.configure("")
	for i, labels := range [][]string{{"CATEGORY_UPDATES", "STARRED"}, {"IMPORTANT"}, {}, {"CATEGORY_PROMOTIONS"}} {
		d.google.User(ann).Deliver(bundletest.GoogleMail{From: "Bob <" + bob + ">", To: ann, Subject: fmt.Sprint(i), Text: "x", Labels: append(labels, "INBOX", "UNREAD")})
	}
	subjects := ""
	for _, m := range d.briefing().Mail.Items {
		subjects += m["subject"].(string)
	}
	if subjects != "0123" { // the mail delivered last comes last
		t.Errorf("they come as %s", subjects)
	}
}

func nextDay(t *testing.T, date string) string {
	t.Helper()
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	return day.AddDate(0, 0, 1).Format(time.DateOnly)
}

func TestBriefingExplainsUnconnectedSource(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bundles, lines, reason string
	}{
		"off":        {"daily: on, memory: on, calendar: off, gmail: on", "", "kota bundles enable calendar"},
		"signed out": {"daily: on, calendar: on, gmail: on", "", "not signed in: run `kota auth"},
		"hidden":     {"daily: on, calendar: on, gmail: on", "profile: home\nprofiles: {home: {bundles: [daily]}}", "no connected bundle can look it up"},
		"explained":  {"daily: on, calendar: on, gmail: on", "explain_hidden: on\nprofile: home\nprofiles: {home: {bundles: [daily]}}", `profile "home"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestHome(t)
			d.bundles = c.bundles
			d.configure(c.lines)
			if got := d.briefing(); got.Calendar.Status != "not_connected" || !strings.Contains(got.Calendar.Reason, c.reason) || got.Calendar.Items != nil {
				t.Errorf("got %+v", got.Calendar)
			}
		})
	}
}

func TestBriefingReportsUnreadableCalendar(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles = "daily: on, gmail: on, calendar: on"
	d.configure("")
	d.google.Close()
	got := d.briefing()
	if got.Calendar.Status != "failed" || got.Calendar.Reason == "" || got.Mail.Status != "failed" || got.Tasks.Status != "empty" {
		t.Errorf("got %+v", got)
	}
}

func TestBriefingNamesUnreadableCalendarOfTwo(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles = "daily: on, gmail: on, calendar: on"
	d.configure("")
	ann := d.google.User(ann)
	ann.AddEvent("primary", hourEvent(8, "Stand-up"))
	ann.AddEvent(ann.AddCalendar(bundletest.GoogleCalendar{Summary: "Family"}), hourEvent(9, "Dentist"))
	d.google.Fault(bundletest.GoogleFault{Method: "calendar.events.list", Nth: 1, Status: 404})
	got := d.briefing().Calendar
	if got.Status != "ok" || len(got.Items) != 1 || len(got.Unread) != 1 || !strings.HasPrefix(got.Unread[0], "calendar ") || !strings.Contains(got.Unread[0], "NOT_FOUND") {
		t.Errorf("got %+v", got)
	}
}
