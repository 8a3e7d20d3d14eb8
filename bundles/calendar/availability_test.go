package calendar_test

import (
	"slices"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

type availabilityAnswer struct {
	Answer, When, Timezone string
	People                 []struct {
		Who, Status, Local, Why string
		Busy                    []string
		Events                  []struct {
			ID                    string `json:"event_id"`
			Title, When, Calendar string
			Times                 int
		}
	}
	Next  *struct{ Start, When string } `json:"next_free"`
	Notes []string
}

// status returns each person with their status: "you free, bob@example.org busy".
func (a availabilityAnswer) status() string {
	list := []string{}
	for _, p := range a.People {
		list = append(list, p.Who+" "+p.Status)
	}
	return strings.Join(list, ", ")
}

func TestCheckAvailabilityShowsBusyPeopleWithTimes(t *testing.T) {
	d := newFixture(t)
	id := addMeeting(d.ann, "primary", "Review", "2026-11-24T15:00:00+01:00", "2026-11-24T16:00:00+01:00")
	newYork := d.sharingUser(bob, "America/New_York")
	addMeeting(newYork, "primary", "Secret", "2026-11-24T09:30:00-05:00", "2026-11-24T10:15:00-05:00")
	got := bundletest.Must[availabilityAnswer](t, d.bundle, "calendar_check_availability", args{"start": "2026-11-24 15:30", "duration": "30m", "attendees": []string{bob, "stranger@example.net"}})
	if got.Answer != "busy" || got.status() != "you busy, bob@example.org busy, stranger@example.net unknown" || got.When != "Tue 2026-11-24 15:30–16:00 +01:00" {
		t.Errorf("got %+v", got)
	}
	mine, bobs := got.People[0], got.People[1]
	if len(mine.Events) != 1 || mine.Events[0].ID != id || mine.Events[0].Title != "Review" || mine.Events[0].When != "Tue 2026-11-24 15:00–16:00 +01:00" || len(mine.Busy) > 0 {
		t.Errorf("the user: %+v", mine)
	}
	if !slices.Equal(bobs.Busy, []string{"Tue 2026-11-24 15:30–16:15 +01:00"}) || bobs.Local != "America/New_York Tue 09:30–10:00" || len(bobs.Events) > 0 {
		t.Errorf("of the other: %+v", bobs)
	}
	if got.People[2].Why == "" || got.Next == nil || got.Next.When != "Tue 2026-11-24 16:15–16:45 +01:00" {
		t.Errorf("got %+v, next %+v", got.People[2], got.Next)
	}
}

func TestCheckAvailabilityAnswersFreeBusyOrUnknown(t *testing.T) {
	d := newFixture(t)
	d.sharingUser(bob, "Europe/Berlin")
	addMeeting(d.ann, "primary", "Holiday", "2026-12-24", "2026-12-27")
	addMeeting(d.ann, "primary", "Birthday", "2026-12-01", "2026-12-02", `, "transparency": "transparent"`)
	addMeeting(d.ann, "primary", "Ends", "2026-11-24T14:00:00+01:00", "2026-11-24T15:00:00+01:00")
	addMeeting(d.ann, "primary", "Night", "2026-11-25T19:00:00+01:00", "2026-11-25T20:00:00+01:00")
	addMeeting(d.ann, "primary", "Fair", "2027-03-28", "2027-03-29")
	addMeeting(d.ann, "primary", "Late", "2027-03-29T23:30:00+02:00", "2027-03-29T23:45:00+02:00")
	family := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Family"})
	addMeeting(d.ann, family, "School", "2026-11-26T09:00:00+01:00", "2026-11-26T10:00:00+01:00")
	for name, c := range map[string]struct {
		args args
		want string
		next string
	}{
		"free":                               {args{"start": "2026-11-24 15:00", "attendees": bob}, "free", ""},
		"overlapping by a minute":            {args{"start": "2026-11-24 14:59", "end": "15:30"}, "busy", "Tue 2026-11-24 15:30–16:01 +01:00"},
		"one person is unknown":              {args{"start": "2026-11-24 15:00", "attendees": []string{bob, "stranger@example.net"}}, "unknown", ""},
		"a whole day":                        {args{"start": "2026-12-24"}, "busy", "Sun 2026-12-27, all day"},
		"days":                               {args{"start": "2026-12-22", "end": "2026-12-23"}, "free", ""},
		"days with a busy last day":          {args{"start": "2026-12-22", "end": "2026-12-24"}, "busy", "Sun 2026-12-27 – Tue 2026-12-29, all day"},
		"a day of 23 hours":                  {args{"start": "2027-03-28"}, "busy", "Tue 2027-03-30, all day"},
		"shown as free":                      {args{"start": "2026-12-01"}, "free", ""},
		"an evening":                         {args{"start": "2026-11-25 19:30", "duration": "2h"}, "busy", "Wed 2026-11-25 21:30–23:30 +01:00"},
		"a day and a night":                  {args{"start": "2026-11-25 19:30", "duration": "30h"}, "busy", "Fri 2026-11-27 01:30 – Sat 2026-11-28 07:30 +01:00"},
		"another calendar":                   {args{"start": "2026-11-26 09:00", "calendars": "family"}, "busy", "Thu 2026-11-26 10:00–11:00 +01:00"},
		"another calendar that is not named": {args{"start": "2026-11-26 09:00"}, "free", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := bundletest.Must[availabilityAnswer](t, d.bundle, "calendar_check_availability", c.args)
			next := ""
			if got.Next != nil {
				next = got.Next.When
			}
			if got.Answer != c.want || next != c.next {
				t.Errorf("got %s, next %s; %+v", got.Answer, next, got.People)
			}
		})
	}
}

func TestCheckAvailabilityAtAmbiguousTime(t *testing.T) {
	d := newFixture(t)
	got := bundletest.Must[availabilityAnswer](t, d.bundle, "calendar_check_availability", args{"start": "2027-10-31 02:30", "duration": "30m"})
	if got.When != "Sun 2027-10-31 02:30 +02:00 – 02:00 +01:00" || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "twice") {
		t.Errorf("got %+v", got)
	}
}

func TestCheckAvailabilityRefusesInvalidArguments(t *testing.T) {
	d := newFixture(t)
	for path, wrong := range map[string][]args{
		"start":        {{"start": "sometime"}, {"start": "2027-03-28 02:30"}, {"start": "2026-02-30"}, {"start": "9999-01-01T00:00"}},
		"end":          {{"start": "2026-11-24 15:00", "end": "2026-11-24 14:00"}, {"start": "2026-11-24", "end": "2027-11-24"}, {"start": "2026-11-24 15:00", "end": "2026-11-24"}},
		"duration":     {{"start": "2026-11-24 15:00", "duration": "0m"}},
		"timezone":     {{"start": "2026-11-24 15:00", "timezone": "UTC+25"}},
		"attendees[0]": {{"start": "2026-11-24 15:00", "attendees": "Bob"}},
		"calendars[0]": {{"start": "2026-11-24 15:00", "calendars": "Nobody's"}},
		"account":      {{"start": "2026-11-24 15:00", "account": "*"}},
	} {
		for _, a := range wrong {
			_, err := bundletest.Answer[availabilityAnswer](t, d.bundle, "calendar_check_availability", a)
			if got := bundletest.ProblemPath(t, err); got != path {
				t.Errorf("%v: the problem is %s, want %s", a, got, path)
			}
			if e := bundletest.AsError(t, err); strings.Contains(e.Hint, "calendar_find_slots") {
				t.Errorf("%v: the hint names another tool: %s", a, e.Hint)
			}
		}
	}
}

func TestCheckAvailabilityTakesTwoRoundTrips(t *testing.T) {
	d := newFixture(t)
	d.lockstep = &fakeapi.Lockstep{TB: t, Name: requestName}
	d.lockstep.Expect([]string{"calendarList"}, []string{"freeBusy", "events"})
	bundletest.Must[availabilityAnswer](t, d.bundle, "calendar_check_availability", args{"start": "2026-11-24 15:00", "attendees": bob})
	d.lockstep.Done()
}
