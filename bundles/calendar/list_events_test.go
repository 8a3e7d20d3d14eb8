package calendar_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// A row is an event in a list, with the fields that tests check.
type row struct {
	ID       string   `json:"event_id"`
	Account  string   `json:"account"`
	Calendar string   `json:"calendar"`
	AlsoOn   []string `json:"also_on"`
	Title    string   `json:"title"`
	When     string   `json:"when"`
	Length   string   `json:"duration"`
	Zone     string   `json:"zone"`
	Guests   string   `json:"guests"`
	MyAnswer string   `json:"my_answer"`
}

type eventList struct {
	Timezone  string
	From, To  string
	Events    []row
	Next      string `json:"next_cursor"`
	Note      string
	Calendars []struct{ Calendar, Error, Hint string } `json:"calendar_errors"`
	Errors    []struct{ Account, Error string }        `json:"account_errors"`
}

func (l eventList) titles() []string {
	all := []string{}
	for _, e := range l.Events {
		all = append(all, e.Title)
	}
	return all
}

// eventAt returns an event of that length. Its start has an offset or is a date.
func eventAt(title, start string, length time.Duration) map[string]any {
	if len(start) == len(time.DateOnly) {
		day, err := time.Parse(time.DateOnly, start)
		if err != nil {
			panic(err) // the tests use valid days
		}
		return map[string]any{"summary": title, "start": args{"date": start}, "end": args{"date": day.Add(length).Format(time.DateOnly)}}
	}
	t, err := time.Parse("2006-01-02T15:04Z07:00", start)
	if err != nil {
		panic(err)
	}
	return map[string]any{"summary": title, "start": args{"dateTime": t.Format(time.RFC3339)}, "end": args{"dateTime": t.Add(length).Format(time.RFC3339)}}
}

const day = 24 * time.Hour

func TestListEventsSortsByStart(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", eventAt("Lunch", "2026-11-24T12:00+01:00", time.Hour))
	d.ann.AddEvent("primary", eventAt("Fair", "2026-11-24", 3*day))
	d.ann.AddEvent("primary", eventAt("Call", "2026-11-24T09:00+09:00", 30*time.Minute)) // 01:00 in Amsterdam
	d.ann.AddEvent("primary", eventAt("Before", "2026-11-23T22:00+01:00", 2*time.Hour))
	d.ann.AddEvent("primary", eventAt("After", "2026-11-25T00:00+01:00", time.Hour))
	series := eventAt("Stand-up", "2026-11-02T09:15+01:00", 15*time.Minute)
	series["recurrence"] = []string{"RRULE:FREQ=WEEKLY;BYDAY=TU"}
	series["start"].(args)["timeZone"], series["end"].(args)["timeZone"] = "Europe/Amsterdam", "Europe/Amsterdam"
	d.ann.AddEvent("primary", series)

	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"from": "2026-11-24", "to": "2026-11-24"})
	if want := []string{"Fair", "Call", "Stand-up", "Lunch"}; !cmp.Equal(got.titles(), want) {
		t.Fatal(cmp.Diff(want, got.titles()))
	}
	if got.Timezone != zone.String() || got.From != "2026-11-24T00:00+01:00" || got.To != "2026-11-25T00:00+01:00" || got.Next != "" {
		t.Errorf("got %+v", got)
	}
	if lunch := got.Events[3]; lunch.When != "Tue 2026-11-24 12:00–13:00 +01:00" || lunch.Length != "1h" || lunch.Calendar != "" {
		t.Errorf("got %+v", lunch)
	}
	if fair := got.Events[0]; fair.When != "Tue 2026-11-24 – Thu 2026-11-26, all day" || fair.Length != "3 days" {
		t.Errorf("got %+v", fair)
	}
}

func TestListEventsDaysFollowAnswerZone(t *testing.T) {
	d := newFixture(t)
	tokyo := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Tokyo", Zone: "Asia/Tokyo"})
	honolulu := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Honolulu", Zone: "Pacific/Honolulu"})
	for _, id := range []string{tokyo, honolulu} {
		d.ann.AddEvent(id, eventAt("Monday", "2026-11-23", day))
		d.ann.AddEvent(id, eventAt("Tuesday", "2026-11-24", day))
		d.ann.AddEvent(id, eventAt("Wednesday", "2026-11-25", day))
	}
	for _, zone := range []string{"Asia/Tokyo", "Pacific/Honolulu", "Europe/Amsterdam", "Pacific/Kiritimati"} {
		got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": []string{"Tokyo", "Honolulu"}, "from": "2026-11-24", "to": "2026-11-24", "timezone": zone})
		if want := []string{"Tuesday", "Tuesday"}; !cmp.Equal(got.titles(), want) || got.Timezone != zone {
			t.Errorf("%s: got %v in %s", zone, got.titles(), got.Timezone)
		}
	}
}

func TestListEventsDefaultsToOneWeek(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", eventAt("Over", "2026-11-21T11:00+01:00", time.Hour))
	d.ann.AddEvent("primary", eventAt("Running", "2026-11-21T11:30+01:00", time.Hour))
	d.ann.AddEvent("primary", eventAt("Last", "2026-11-28T11:59+01:00", time.Hour))
	d.ann.AddEvent("primary", eventAt("Too late", "2026-11-28T12:00+01:00", time.Hour))
	if got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{}); !cmp.Equal(got.titles(), []string{"Running", "Last"}) {
		t.Errorf("got %v", got.titles())
	}
}

func TestListEventsAllMeansShownCalendars(t *testing.T) {
	d := newFixture(t)
	for _, one := range []fakecalendar.Calendar{
		{Summary: "Family"}, {Summary: "Old", Unselected: true}, {Summary: "Gone", Hidden: true}, {Summary: "Busy", Role: "freeBusyReader"},
	} {
		id := d.ann.AddCalendar(one)
		if one.Role == "" {
			d.ann.AddEvent(id, eventAt(one.Summary, "2026-11-24T10:00+01:00", time.Hour))
		}
	}
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": []string{"all"}})
	if want := []string{"Family"}; !cmp.Equal(got.titles(), want) || got.Events[0].Calendar != "Family" {
		t.Errorf("got %+v", got.Events)
	}
	if !strings.Contains(got.Note, "Old") || !strings.Contains(got.Note, "Gone") || strings.Contains(got.Note, "Family") {
		t.Errorf("it says %q", got.Note)
	}
	if got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": "Old"}); !cmp.Equal(got.titles(), []string{"Old"}) {
		t.Errorf("by its name: got %v", got.titles())
	}
}

func TestListEventsShowsBusyWithoutTitle(t *testing.T) {
	d := newFixture(t)
	owner := d.google.User(bob)
	owner.AddEvent("primary", eventAt("Interview at a competitor", "2026-11-24T10:00+01:00", time.Hour))
	owner.ShareCalendar("primary", ann, "freeBusyReader")
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": bob, "timezone": "Europe/Amsterdam"})
	if len(got.Events) != 1 || got.Events[0].Title != "(busy)" || got.Events[0].When != "Tue 2026-11-24 10:00–11:00 +01:00" {
		t.Errorf("got %+v", got.Events)
	}
}

func TestEventInSeveralCalendarsIsListedOnce(t *testing.T) {
	d := newFixture(t)
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	same := eventAt("Review", "2026-11-24T10:00+01:00", time.Hour)
	same["id"] = "kickoff0001"
	d.ann.AddEvent(team, same)
	d.ann.AddEvent("primary", same)
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": []string{"Team", "primary"}})
	if len(got.Events) != 1 || got.Events[0].Calendar != "primary" || !cmp.Equal(got.Events[0].AlsoOn, []string{"Team"}) {
		t.Errorf("got %+v", got.Events)
	}
}

// A call may name a calendar by its name in a row, even if that is shortened.
func TestCalendarNameInRowFindsCalendar(t *testing.T) {
	d := newFixture(t)
	for _, name := range []string{"primary", "Harbour lights and tides of the northern coast", "Gärtnerei", "z.b.hrvatska.2026@resource.example.com"} {
		id := name
		if name != "primary" {
			id = d.ann.AddCalendar(fakecalendar.Calendar{Summary: name})
		}
		d.ann.AddEvent(id, eventAt(name, "2026-11-24T10:00+01:00", time.Hour))
	}
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": "all"})
	for _, row := range got.Events {
		found := bundletest.Must[struct{ Title string }](t, d.bundle, "calendar_get_event", args{"event_id": row.ID, "calendar": row.Calendar})
		if found.Title == "" || row.Calendar == "" {
			t.Errorf("in %q there is %+v", row.Calendar, found)
		}
	}
	if len(got.Events) != 4 {
		t.Errorf("got %+v", got.Events)
	}
}

func TestListEventsOfAllAccountsTogether(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: "ann@example.org"})
	d.google.User("ann@example.org").SetZone("Asia/Tokyo")
	d.ann.AddEvent("primary", eventAt("Swim", "2026-11-24T08:00+01:00", time.Hour))
	d.google.User("ann@example.org").AddEvent("primary", eventAt("Review", "2026-11-24T15:30+09:00", time.Hour))
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"account": "*"})
	if !cmp.Equal(got.titles(), []string{"Review", "Swim"}) || got.Events[0].Account != "work" || got.Events[1].Account != "home" || got.Timezone != zone.String() {
		t.Errorf("got %+v", got)
	}
	if _, err := bundletest.Answer[eventList](t, d.bundle, "calendar_list_events", args{"account": "*", "calendars": "Team"}); bundletest.ProblemPath(t, err) != "calendars" {
		t.Errorf("got %v", err)
	}
}

func TestListEventsOfTenCalendarsTakesTwoRoundTrips(t *testing.T) {
	d := newFixture(t)
	ids := []string{ann}
	for i := range 9 {
		id := d.ann.AddCalendar(fakecalendar.Calendar{Summary: fmt.Sprint("Calendar ", i), Zone: []string{"", "Asia/Tokyo"}[i%2]})
		ids = append(ids, id)
		for n := range 20 {
			d.ann.AddEvent(id, eventAt(fmt.Sprint(i, n), fmt.Sprintf("2026-11-%02dT%02d:00+01:00", 23+n%7, 8+i), time.Hour))
		}
	}
	d.lockstep = &fakeapi.Lockstep{TB: t, Name: lastPathPart}
	d.lockstep.Expect([]string{"calendarList"}, slices.Repeat([]string{"events"}, len(ids)))
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": "all", "from": "2026-11-23", "to": "2026-11-29", "limit": 50})
	d.lockstep.Done()
	if len(got.Events) != 50 || got.Next == "" {
		t.Errorf("got %d events, cursor %q", len(got.Events), got.Next)
	}
}

// lastPathPart returns the last word of a request's path.
func lastPathPart(r *http.Request) string {
	return r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
}
