package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

func TestRespondToMail(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn(`, "iCalUID": "u1@elsewhere.example"`)
	d.invitationFiles = map[string]string{"mail1": invitationFile("REQUEST", "UID:u1@elsewhere.example")}
	got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"message_id": "mail1", "answer": "yes"})
	if got.Status != "answered" || got.Added || got.Event.ID != id || d.answersOf(id) != "ann@example.com accepted, cleo@example.com accepted" {
		t.Errorf("got %+v, %s", got, d.answersOf(id))
	}
	d.google.User(bob).ChangeEvent("primary", id, `{"start": {"dateTime": "2026-11-24T15:00:00+01:00"}, "end": {"dateTime": "2026-11-24T16:00:00+01:00"}}`)
	got = bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": d.invitationFiles["mail1"], "answer": "no"})
	if got.Status != "answered" || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "changed since") || got.Event.When != "Tue 2026-11-24 15:00–16:00 +01:00" {
		t.Errorf("of an old mail: %+v", got)
	}
}

func TestRespondAddsMissingEvent(t *testing.T) {
	d := newFixture(t)
	file := invitationFile("REQUEST", "DESCRIPTION:Come\\nsoon\u202e", "LOCATION:Hall", "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;TZID=W. Europe Standard Time:20261201T120000",
		"ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.com", "ATTENDEE;PARTSTAT=TENTATIVE;ROLE=OPT-PARTICIPANT:mailto:cleo@example.com", "ATTENDEE:mailto:broken")
	dry := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": file, "answer": "maybe", "dry_run": true})
	if dry.Status != "dry_run" || !dry.Added || dry.Event.When != "Tue 2026-11-24 12:00–13:00 +01:00" || len(d.ann.Events("primary")) != 0 {
		t.Errorf("dry run: %+v, %d events", dry, len(d.ann.Events("primary")))
	}
	got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": file, "answer": "maybe", "notify": "all"})
	events := d.ann.Events("primary")
	if got.Status != "answered" || !got.Added || got.Before != "waiting" || got.Mailed != bob || len(events) != 1 || len(d.mailKinds()) != 1 {
		t.Fatalf("got %+v, %d events, mailed %v", got, len(events), d.mailKinds())
	}
	e := events[0]
	guests := jsonOf(t, e["attendees"])
	for _, want := range []string{`"email":"ann@example.com"`, `"responseStatus":"tentative"`, `"optional":true`, `"email":"cleo@example.com"`} {
		if !strings.Contains(guests, want) {
			t.Errorf("the guests are %s: no %s", guests, want)
		}
	}
	if e["iCalUID"] != "talk@elsewhere.example" || e["description"] != "Come\nsoon" || e["location"] != "Hall" || strings.Contains(guests, "broken") || strings.Contains(guests, "accepted") ||
		jsonOf(t, e["recurrence"]) != `["RRULE:FREQ=WEEKLY;COUNT=3","EXDATE;TZID=Europe/Berlin:20261201T120000"]` || !strings.Contains(jsonOf(t, e["organizer"]), bob) {
		t.Errorf("got %s", jsonOf(t, e))
	}
	again := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": file, "answer": "maybe", "notify": "all"})
	if again.Status != "already" || again.Added || len(d.mailKinds()) != 1 {
		t.Errorf("again: %+v, mailed %v", again, d.mailKinds())
	}
	bundletest.Must[struct{}](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
	if left := d.ann.Events("primary"); len(left) != 0 {
		t.Errorf("undone: %v", left)
	}
}

func TestRespondToMailForOneDate(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn(`, "iCalUID": "u1@elsewhere.example", "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=3"]`)
	second := id + "_20261201T110000Z"
	file := invitationFile("REQUEST", "UID:u1@elsewhere.example", "RECURRENCE-ID;TZID=W. Europe Standard Time:20261201T120000")
	got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": file, "answer": "no"})
	if got.Event.ID != second || !strings.HasPrefix(d.answersOf(second), "ann@example.com declined") || !strings.HasPrefix(d.answersOf(id), "ann@example.com needsAction") {
		t.Errorf("got %+v; %s; %s", got, d.answersOf(second), d.answersOf(id))
	}
	got = bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": file, "answer": "yes", "scope": "all"})
	if got.Event.ID != id || !strings.HasPrefix(d.answersOf(id), "ann@example.com accepted") {
		t.Errorf("all: got %+v; %s", got, d.answersOf(id))
	}
	whole := invitationFile("REQUEST", "UID:u1@elsewhere.example", "RRULE:FREQ=WEEKLY;COUNT=3")
	_, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": whole, "answer": "yes", "scope": "this"})
	if bundletest.ProblemPath(t, err) != "scope" {
		t.Errorf("one of the series, without which: %v", err)
	}
	got = bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": whole, "answer": "maybe"})
	if got.Event.ID != id {
		t.Errorf("the series: got %+v", got)
	}
}

func TestRespondIgnoresCancellation(t *testing.T) {
	d := newFixture(t)
	id := d.inviteAnn(`, "iCalUID": "u1@elsewhere.example"`)
	for _, file := range []string{invitationFile("CANCEL", "UID:u1@elsewhere.example"), invitationFile("REQUEST", "UID:u1@elsewhere.example", "STATUS:CANCELLED"), invitationFile("CANCEL", "UID:other")} {
		got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": file, "answer": "yes", "notify": "all"})
		if got.Status != "not_answered" || got.Answer != "" || len(got.Notes) != 1 || !strings.HasPrefix(d.answersOf(id), "ann@example.com needsAction") {
			t.Errorf("got %+v, %s", got, d.answersOf(id))
		}
		if there := strings.Contains(file, "UID:u1"); there != (got.Event != nil) || there != strings.Contains(got.Notes[0], "calendar_delete_event") {
			t.Errorf("got %+v", got)
		}
	}
	d.google.User(bob).DeleteEvent("primary", id)
	got := bundletest.Must[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": invitationFile("CANCEL", "UID:u1@elsewhere.example"), "answer": "yes"})
	if got.Event != nil || !strings.Contains(got.Notes[0], "no longer in the calendar") {
		t.Errorf("got %+v", got)
	}
}

func TestRespondExplainsFilesThatAreNoInvitation(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: "ann@work.example"})
	series := strings.Replace(invitationFile("REQUEST"), "END:VCALENDAR", "BEGIN:VEVENT\r\nUID:second\r\nDTSTART:20261124T120000Z\r\nEND:VEVENT\r\nEND:VCALENDAR", 1)
	for name, c := range map[string]struct{ file, says string }{
		"published":                   {invitationFile("PUBLISH"), "asks nobody"},
		"without a method":            {strings.Replace(invitationFile("x", "ATTENDEE:none"), "METHOD:x\r\n", "", 1), "asks nobody"},
		"without an organizer":        {invitationFile("REQUEST", "ORGANIZER:invalid:nomail"), "who invites"},
		"a guest's answer":            {invitationFile("REPLY"), "answer to an invitation"},
		"a counter-proposal":          {invitationFile("COUNTER"), "another time"},
		"a declined counter-proposal": {invitationFile("DECLINECOUNTER"), "declines a time"},
		"a refresh request":           {invitationFile("REFRESH"), "program"},
		"an unknown method":           {invitationFile("SHOUT"), "its method is unknown"},
		"of two events":               {series, "several events"},
		"for somebody else":           {invitationFile("REQUEST", "ATTENDEE:mailto:cleo@example.com"), "cleo@example.com"},
		"for another account":         {invitationFile("REQUEST", "ATTENDEE:mailto:ann@work.example"), "account work"},
		"the user's own event":        {invitationFile("REQUEST", "ORGANIZER:mailto:ann@example.com"), "own event"},
		"in an unknown zone":          {invitationFile("REQUEST", "DTSTART;TZID=Nowhere:20261124T120000"), "Nowhere"},
		"one date of a series":        {invitationFile("REQUEST", "RECURRENCE-ID:20261124T110000Z"), "one date of a series"},
		"every second":                {invitationFile("REQUEST", "RRULE:FREQ=SECONDLY"), "SECONDLY"},
		"in the year 0":               {invitationFile("REQUEST", "DTSTART:00000101T000000Z"), "year 0"},
		"with a long UID":             {invitationFile("REQUEST", "UID:"+strings.Repeat("x", 2000)), "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": c.file, "answer": "yes"})
			e := bundletest.AsError(t, err)
			if e.Code != metadata.Refused || !strings.Contains(e.Message, c.says) || e.Hint == "" {
				t.Errorf("got %s %v, hint %q", e.Code, e, e.Hint)
			}
		})
	}
	if left := d.ann.Events("primary"); len(left) > 0 {
		t.Errorf("something was added: %v", left)
	}
}

func TestRespondReportsAddedButUnanswered(t *testing.T) {
	d := newFixture(t)
	d.google.Fault(fakeapi.Fault{Method: "calendar.events.patch", Status: 403})
	_, err := bundletest.Answer[respondAnswer](t, d.bundle, "calendar_respond_event", args{"ics": invitationFile("REQUEST"), "answer": "yes"})
	e := bundletest.AsError(t, err)
	if e.Code != metadata.Refused || !strings.Contains(e.Message, "added") || !strings.Contains(e.Hint, "undo_id") || len(d.ann.Events("primary")) != 1 {
		t.Errorf("got %s %v, hint %q", e.Code, e, e.Hint)
	}
}

func TestRespondToMailNeedsMailBundle(t *testing.T) {
	d := newFixture(t)
	d.deps.Invitation = nil
	_, err := bundletest.Answer[respondAnswer](t, calendar.New(d.deps), "calendar_respond_event", args{"message_id": "mail1", "answer": "yes"})
	if e := bundletest.AsError(t, err); e.Code != metadata.Unavailable || !strings.Contains(e.Hint, "gmail") {
		t.Errorf("got %v", err)
	}
}
