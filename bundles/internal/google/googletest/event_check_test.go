package googletest_test

import (
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// The rules are those in the reference of Events and in guides/errors.
func TestInvalidEventsAreRefused(t *testing.T) {
	s := googletest.New(t)
	events := calendarOf(t, s, ada).Events
	at := func(date, dateTime, zone string) *calendar.EventDateTime {
		return &calendar.EventDateTime{Date: date, DateTime: dateTime, TimeZone: zone}
	}
	ten, eleven := at("", "2026-03-02T10:00:00Z", ""), at("", "2026-03-02T11:00:00Z", "")
	reminders := func(minutes ...int64) *calendar.EventReminders {
		r := &calendar.EventReminders{ForceSendFields: []string{"UseDefault"}}
		for _, m := range minutes {
			r.Overrides = append(r.Overrides, &calendar.EventReminder{Method: "popup", Minutes: m})
		}
		return r
	}
	for name, c := range map[string]struct {
		event  calendar.Event
		reason string
	}{
		"no end":                    {calendar.Event{Start: ten}, "required"},
		"end before start":          {calendar.Event{Start: eleven, End: ten}, "timeRangeEmpty"},
		"no length":                 {calendar.Event{Start: ten, End: ten}, "timeRangeEmpty"},
		"an all-day event of none":  {calendar.Event{Start: at("2026-03-02", "", ""), End: at("2026-03-02", "", "")}, "timeRangeEmpty"},
		"a date and a time":         {calendar.Event{Start: at("2026-03-02", "", ""), End: eleven}, "invalid"},
		"both in one":               {calendar.Event{Start: at("2026-03-02", "2026-03-02T10:00:00Z", ""), End: eleven}, "invalid"},
		"a zone of nowhere":         {calendar.Event{Start: at("", "2026-03-02T10:00:00", "Mars/Phobos"), End: eleven}, "invalid"},
		"a time of nowhere":         {calendar.Event{Start: at("", "2026-03-02T10:00:00", ""), End: eleven}, "required"},
		"a day that is none":        {calendar.Event{Start: at("", "2026-02-30T10:00:00Z", ""), End: eleven}, "badRequest"},
		"a series in no zone":       {calendar.Event{Start: ten, End: eleven, Recurrence: []string{"RRULE:FREQ=DAILY"}}, "required"},
		"a line of no recurrence":   {calendar.Event{Start: at("", "2026-03-02T10:00:00Z", "UTC"), End: at("", "2026-03-02T11:00:00Z", "UTC"), Recurrence: []string{"DTSTART:20260302T100000Z"}}, "invalid"},
		"an id of other letters":    {calendar.Event{Id: "hello-world", Start: ten, End: eleven}, "invalid"},
		"an id of four":             {calendar.Event{Id: "abcd", Start: ten, End: eleven}, "invalid"},
		"a guest of no address":     {calendar.Event{Start: ten, End: eleven, Attendees: []*calendar.EventAttendee{{DisplayName: "Ann"}}}, "required"},
		"an address of none":        {calendar.Event{Start: ten, End: eleven, Attendees: []*calendar.EventAttendee{{Email: "Ann"}}}, "invalid"},
		"a colour of none":          {calendar.Event{Start: ten, End: eleven, ColorId: "12"}, "invalid"},
		"a visibility of none":      {calendar.Event{Start: ten, End: eleven, Visibility: "secret"}, "invalid"},
		"six reminders":             {calendar.Event{Start: ten, End: eleven, Reminders: reminders(1, 2, 3, 4, 5, 6)}, "invalid"},
		"a reminder too early":      {calendar.Event{Start: ten, End: eleven, Reminders: reminders(40321)}, "invalid"},
		"default reminders and own": {calendar.Event{Start: ten, End: eleven, Reminders: &calendar.EventReminders{Overrides: reminders(5).Overrides}}, "cannotUseDefaultRemindersAndSpecifyOverride"},
		"a source of no site":       {calendar.Event{Start: ten, End: eleven, Source: &calendar.EventSource{Url: "file:///etc"}}, "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := events.Insert("primary", &c.event).SendUpdates("none").Do()
			requireProblem(t, err, 400, c.reason)
		})
	}
	if left := s.User(ada).Events("primary"); len(left) != 0 {
		t.Errorf("something was stored: %v", left)
	}
}

// "the ID must be unique per calendar" (events.insert, id).
func TestEventIDIsUnique(t *testing.T) {
	s := googletest.New(t)
	events := calendarOf(t, s, ada).Events
	event := newEvent("Tea", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")
	event.Id = strings.Repeat("kota0", 10)
	if _, err := events.Insert("primary", event).Do(); err != nil {
		t.Fatal(err)
	}
	_, err := events.Insert("primary", event).Do()
	requireProblem(t, err, 409, "duplicate")
	s.User(ada).DeleteEvent("primary", event.Id)
	_, err = events.Insert("primary", event).Do()
	requireProblem(t, err, 409, "duplicate")
}

// Patch semantics (guides/performance#patch).
func TestAllDayEventBecomesTimedOnlyWithNulls(t *testing.T) {
	s := googletest.New(t)
	id := s.User(ada).AddEvent("primary", `{"summary": "Fair", "location": "Hall", "start": {"date": "2026-03-02"}, "end": {"date": "2026-03-04"}}`)
	events := calendarOf(t, s, ada).Events
	change := newEvent("", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")
	_, err := events.Patch("primary", id, change).Do()
	requireProblem(t, err, 400, "invalid")
	change.Start.NullFields, change.End.NullFields = []string{"Date"}, []string{"Date"}
	change.NullFields = []string{"Location"}
	got, err := events.Patch("primary", id, change).Do()
	if err != nil {
		t.Fatal(err)
	}
	if got.Start.Date != "" || got.Summary != "Fair" || got.Location != "" || got.Sequence != 1 {
		t.Errorf("got %+v", got)
	}
}

// "conferenceDataVersion: Version 0 assumes no conference data support".
func TestConferenceNeedsDataVersion(t *testing.T) {
	s := googletest.New(t, googletest.PendingConferences(1))
	events := calendarOf(t, s, ada).Events
	event := newEvent("Call", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")
	event.ConferenceData = &calendar.ConferenceData{CreateRequest: &calendar.CreateConferenceRequest{
		RequestId: "one", ConferenceSolutionKey: &calendar.ConferenceSolutionKey{Type: "hangoutsMeet"}}}
	without, err := events.Insert("primary", event).Do()
	if err != nil || without.ConferenceData != nil {
		t.Fatalf("got %+v, %v", without, err)
	}
	made, err := events.Insert("primary", event).ConferenceDataVersion(1).Do()
	if err != nil {
		t.Fatal(err)
	}
	if status := made.ConferenceData.CreateRequest.Status.StatusCode; status != "pending" || made.HangoutLink != "" {
		t.Errorf("got %s, %q", status, made.HangoutLink)
	}
	if pending, err := events.Get("primary", made.Id).Do(); err != nil || pending.HangoutLink != "" || pending.Etag != made.Etag {
		t.Errorf("got %+v, %v", pending, err)
	}
	ready, err := events.Get("primary", made.Id).Do()
	if err != nil {
		t.Fatal(err)
	}
	if ready.HangoutLink == "" || ready.ConferenceData.EntryPoints[0].Uri != ready.HangoutLink || ready.Etag == made.Etag {
		t.Errorf("got %+v", ready)
	}
	again, err := events.Patch("primary", made.Id, &calendar.Event{ConferenceData: event.ConferenceData}).ConferenceDataVersion(1).Do()
	if err != nil || again.HangoutLink != ready.HangoutLink {
		t.Errorf("a request ignored made %q of %q, %v", again.HangoutLink, ready.HangoutLink, err)
	}
	kept, err := events.Patch("primary", made.Id, &calendar.Event{Summary: "Chat", NullFields: []string{"ConferenceData"}}).Do()
	if err != nil || kept.HangoutLink != ready.HangoutLink {
		t.Errorf("got %+v, %v", kept, err)
	}
}

// Rules of guides/calendar-status.
func TestStatusEventRules(t *testing.T) {
	s := googletest.New(t)
	team := s.User(ada).AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	events := calendarOf(t, s, ada).Events
	focus := func() *calendar.Event {
		e := newEvent("Focus", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z")
		e.EventType, e.FocusTimeProperties = "focusTime", &calendar.EventFocusTimeProperties{ChatStatus: "doNotDisturb"}
		return e
	}
	made, err := events.Insert("primary", focus()).Do()
	if err != nil || made.EventType != "focusTime" {
		t.Fatalf("got %+v, %v", made, err)
	}
	_, err = events.Insert(team, focus()).Do()
	requireProblem(t, err, 400, "eventTypeRestriction")
	_, err = events.Patch("primary", made.Id, &calendar.Event{EventType: "default"}).Do()
	requireProblem(t, err, 400, "eventTypeRestriction")
	day := focus()
	day.Start, day.End = &calendar.EventDateTime{Date: "2026-03-02"}, &calendar.EventDateTime{Date: "2026-03-03"}
	_, err = events.Insert("primary", day).Do()
	requireProblem(t, err, 400, "eventTypeRestriction")
	bare := focus()
	bare.FocusTimeProperties = nil
	_, err = events.Insert("primary", bare).Do()
	requireProblem(t, err, 400, "required")
}
