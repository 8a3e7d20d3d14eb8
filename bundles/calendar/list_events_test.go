package calendar_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/calendar"
	"kota/bundles/internal/google/googletest"
	"kota/metadata"
)

// A row is an event in a list, as far as tests look at it.
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

// at is an event of that length, whose start has an offset or is a date.
func at(title, start string, length time.Duration) map[string]any {
	if len(start) == len(time.DateOnly) {
		day, err := time.Parse(time.DateOnly, start)
		if err != nil {
			panic(err) // the tests' own days exist
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

func TestEventsAreListedInTheOrderOfTheirStarts(t *testing.T) {
	d := newDesk(t)
	d.ann.AddEvent("primary", at("Lunch", "2026-11-24T12:00+01:00", time.Hour))
	d.ann.AddEvent("primary", at("Fair", "2026-11-24", 3*day))
	d.ann.AddEvent("primary", at("Call", "2026-11-24T09:00+09:00", 30*time.Minute)) // 01:00 here
	d.ann.AddEvent("primary", at("Before", "2026-11-23T22:00+01:00", 2*time.Hour))
	d.ann.AddEvent("primary", at("After", "2026-11-25T00:00+01:00", time.Hour))
	series := at("Stand-up", "2026-11-02T09:15+01:00", 15*time.Minute)
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

func TestADayIsADayOfTheAnswersZone(t *testing.T) {
	d := newDesk(t)
	tokyo := d.ann.AddCalendar(googletest.Calendar{Summary: "Tokyo", Zone: "Asia/Tokyo"})
	honolulu := d.ann.AddCalendar(googletest.Calendar{Summary: "Honolulu", Zone: "Pacific/Honolulu"})
	for _, id := range []string{tokyo, honolulu} {
		d.ann.AddEvent(id, at("Monday", "2026-11-23", day))
		d.ann.AddEvent(id, at("Tuesday", "2026-11-24", day))
		d.ann.AddEvent(id, at("Wednesday", "2026-11-25", day))
	}
	for _, zone := range []string{"Asia/Tokyo", "Pacific/Honolulu", "Europe/Amsterdam", "Pacific/Kiritimati"} {
		got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": []string{"Tokyo", "Honolulu"}, "from": "2026-11-24", "to": "2026-11-24", "timezone": zone})
		if want := []string{"Tuesday", "Tuesday"}; !cmp.Equal(got.titles(), want) || got.Timezone != zone {
			t.Errorf("%s: got %v in %s", zone, got.titles(), got.Timezone)
		}
	}
}

func TestWithoutBoundsAWeekFromNowIsListed(t *testing.T) {
	d := newDesk(t)
	d.ann.AddEvent("primary", at("Over", "2026-11-21T11:00+01:00", time.Hour))
	d.ann.AddEvent("primary", at("Running", "2026-11-21T11:30+01:00", time.Hour))
	d.ann.AddEvent("primary", at("Last", "2026-11-28T11:59+01:00", time.Hour))
	d.ann.AddEvent("primary", at("Too late", "2026-11-28T12:00+01:00", time.Hour))
	if got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{}); !cmp.Equal(got.titles(), []string{"Running", "Last"}) {
		t.Errorf("got %v", got.titles())
	}
}

func TestAllCalendarsAreThoseThatAreShown(t *testing.T) {
	d := newDesk(t)
	for _, one := range []googletest.Calendar{
		{Summary: "Family"}, {Summary: "Old", Unselected: true}, {Summary: "Gone", Hidden: true}, {Summary: "Busy", Role: "freeBusyReader"},
	} {
		id := d.ann.AddCalendar(one)
		if one.Role == "" {
			d.ann.AddEvent(id, at(one.Summary, "2026-11-24T10:00+01:00", time.Hour))
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

func TestWhoMaySeeTheTimeAloneIsToldThatItIsTaken(t *testing.T) {
	d := newDesk(t)
	owner := d.google.User(bob)
	owner.AddEvent("primary", at("Interview at a competitor", "2026-11-24T10:00+01:00", time.Hour))
	owner.ShareCalendar("primary", ann, "freeBusyReader")
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": bob, "timezone": "Europe/Amsterdam"})
	if len(got.Events) != 1 || got.Events[0].Title != "(busy)" || got.Events[0].When != "Tue 2026-11-24 10:00–11:00 +01:00" {
		t.Errorf("got %+v", got.Events)
	}
}

func TestAnEventOfSeveralCalendarsIsListedOnce(t *testing.T) {
	d := newDesk(t)
	team := d.ann.AddCalendar(googletest.Calendar{Summary: "Team"})
	same := at("Review", "2026-11-24T10:00+01:00", time.Hour)
	same["id"] = "kickoff0001"
	d.ann.AddEvent(team, same)
	d.ann.AddEvent("primary", same)
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": []string{"Team", "primary"}})
	if len(got.Events) != 1 || got.Events[0].Calendar != "primary" || !cmp.Equal(got.Events[0].AlsoOn, []string{"Team"}) {
		t.Errorf("got %+v", got.Events)
	}
}

// What a row calls a calendar is what another call may name it by, shortened as
// it may be.
func TestTheNameInARowFindsTheCalendar(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"primary", "Harbour lights and tides of the northern coast", "Gärtnerei", "z.b.hrvatska.2026@resource.example.com"} {
		id := name
		if name != "primary" {
			id = d.ann.AddCalendar(googletest.Calendar{Summary: name})
		}
		d.ann.AddEvent(id, at(name, "2026-11-24T10:00+01:00", time.Hour))
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

// The pages of a list are the list, whatever the calendars, their zones and
// the sizes of the pages: nothing is lost and nothing is there twice.
func TestPagesPutTogetherAreTheWholeList(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	zones := []string{"Europe/Amsterdam", "Asia/Tokyo", "Pacific/Honolulu", "Pacific/Kiritimati", "America/New_York"}
	for round := range 8 {
		d := newDesk(t)
		names := []string{"primary"}
		var made []map[string]any
		for i := range 3 {
			name := fmt.Sprint("Calendar ", i)
			id := d.ann.AddCalendar(googletest.Calendar{Summary: name, Zone: zones[random.IntN(len(zones))]})
			names = append(names, name)
			for n := range random.IntN(25) {
				start := time.Date(2026, 11, 20+random.IntN(12), random.IntN(3)*8, 0, 0, 0, time.UTC)
				text := start.Format("2006-01-02T15:04Z07:00")
				if random.IntN(3) == 0 {
					text = start.Format(time.DateOnly)
				}
				made = append(made, at(fmt.Sprintf("%d.%d", i, n), text, time.Duration(1+random.IntN(3))*day))
				d.ann.AddEvent(id, made[len(made)-1])
			}
		}
		search := args{"calendars": names, "from": "2026-11-22", "to": "2026-11-29", "timezone": zones[random.IntN(len(zones))], "limit": 100}
		whole := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", search)
		if want, got := during(t, made, "2026-11-22", "2026-11-30", location(whole.Timezone)), slices.Sorted(slices.Values(whole.titles())); whole.Next != "" || !cmp.Equal(got, want) {
			t.Fatalf("round %d: with cursor %q (-want +got):\n%s", round, whole.Next, cmp.Diff(want, got))
		}
		var pages []row
		search["limit"] = 1 + random.IntN(6)
		for page := 0; ; page++ {
			got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", search)
			pages = append(pages, got.Events...)
			if got.Next == "" {
				break
			}
			if len(got.Events) != search["limit"] || page > 100 {
				t.Fatalf("round %d: a page of %d, with a cursor", round, len(got.Events))
			}
			search = args{"cursor": got.Next, "limit": 1 + random.IntN(6)}
		}
		if !cmp.Equal(pages, whole.Events) {
			t.Errorf("round %d: the pages differ (-whole +pages):\n%s", round, cmp.Diff(whole.Events, pages))
		}
	}
}

// during are the sorted titles of the events that take place on the days from
// the first until before the last in the zone.
func during(t *testing.T, events []map[string]any, first, last string, zone *time.Location) []string {
	t.Helper()
	moment := func(side any) time.Time {
		of := side.(args)
		text, layout := of["dateTime"], time.RFC3339
		if text == nil {
			text, layout = of["date"], time.DateOnly
		}
		m, err := time.ParseInLocation(layout, text.(string), zone)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	titles := []string{}
	for _, e := range events {
		if moment(e["start"]).Before(moment(args{"date": last})) && moment(e["end"]).After(moment(args{"date": first})) {
			titles = append(titles, e["summary"].(string))
		}
	}
	slices.Sort(titles)
	return titles
}

func TestAPageMayBeEmptyAndNotTheLast(t *testing.T) {
	d := newDesk(t)
	d.ann.AddEvent("primary", at("Lunch", "2026-11-24T12:00+01:00", time.Hour))
	pages := 0
	d.over = func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if query := r.URL.Query(); strings.HasSuffix(r.URL.Path, "/events") {
				if pages++; pages < 4 {
					body := io.NopCloser(strings.NewReader(fmt.Sprintf(`{"kind": "calendar#events", "items": [], "nextPageToken": "%d"}`, pages)))
					return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: r}, nil
				} else if query.Get("pageToken") != "3" {
					t.Errorf("the page %q is asked for", query.Get("pageToken"))
				} else {
					r = r.Clone(r.Context())
					query.Del("pageToken")
					r.URL.RawQuery = query.Encode()
				}
			}
			return next.RoundTrip(r)
		})
	}
	if got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{}); !cmp.Equal(got.titles(), []string{"Lunch"}) {
		t.Errorf("got %v", got.titles())
	}
}

func TestACalendarThatIsForbiddenIsNamed(t *testing.T) {
	d := newDesk(t)
	d.ann.AddCalendar(googletest.Calendar{Summary: "Team"})
	for _, status := range []int{http.StatusForbidden, http.StatusGone} {
		d.google.Fault(googletest.Fault{Method: "calendar.events.list", Nth: 1, Status: status})
		got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": "all"})
		if len(got.Calendars) != 1 || got.Calendars[0].Error == "" || got.Calendars[0].Hint == "" {
			t.Errorf("%d: got %+v", status, got.Calendars)
		}
	}
}

func TestAnAnswerNeverExceedsItsRoom(t *testing.T) {
	d := newDesk(t)
	for i := range 100 {
		e := at(strings.Repeat("会議", 30), "2026-11-24T10:00+01:00", time.Duration(i+1)*time.Hour)
		e["location"] = strings.Repeat("Raum ", 40)
		d.ann.AddEvent("primary", e)
	}
	seen := map[string]bool{}
	search := args{"limit": 100, "to": "2026-12-10"}
	for range 10 {
		got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", search)
		if size := len([]rune(jsonOf(t, got))); size > 25_000 {
			t.Errorf("the answer has %d characters", size)
		}
		for _, e := range got.Events {
			seen[e.ID] = true
		}
		if got.Next == "" {
			break
		}
		search = args{"limit": 100, "cursor": got.Next}
	}
	if len(seen) != 100 {
		t.Errorf("%d of 100 events were listed", len(seen))
	}
}

func TestACalendarThatCannotBeReadIsNamedAndSpoilsNothing(t *testing.T) {
	d := newDesk(t)
	d.ann.AddEvent("primary", at("Lunch", "2026-11-24T12:00+01:00", time.Hour))
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": []string{"primary", "nobody@example.org"}})
	if !cmp.Equal(got.titles(), []string{"Lunch"}) || len(got.Calendars) != 1 {
		t.Fatalf("got %+v", got)
	}
	if failed := got.Calendars[0]; failed.Calendar != "nobody@example.org" || failed.Error != string(metadata.NotFound) || failed.Hint == "" {
		t.Errorf("got %+v", failed)
	}
	if _, err := bundletest.Answer[eventList](t, d.bundle, "calendar_list_events", args{"calendars": "nobody@example.org"}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("alone: got %v", err)
	}
}

func TestACalendarThatFailsForATimeGoesOnWhereItWas(t *testing.T) {
	d := newDesk(t)
	team := d.ann.AddCalendar(googletest.Calendar{Summary: "Team"})
	for i := range 6 {
		d.ann.AddEvent("primary", at(fmt.Sprint("mine ", i), fmt.Sprintf("2026-11-24T%02d:00+01:00", 8+i), time.Hour))
		d.ann.AddEvent(team, at(fmt.Sprint("team ", i), fmt.Sprintf("2026-11-24T%02d:30+01:00", 8+i), time.Hour))
	}
	broken := true
	d.over = func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if broken && strings.Contains(r.URL.Path, "group.calendar") {
				return nil, fmt.Errorf("no network")
			}
			return next.RoundTrip(r)
		})
	}
	var titles []string
	search := args{"calendars": []string{"primary", "Team"}, "limit": 4}
	for page := range 5 {
		broken = page == 0
		got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", search)
		if (len(got.Calendars) == 1) != broken {
			t.Errorf("page %d: got %+v", page, got.Calendars)
		}
		t.Logf("%+v", got)
		titles = append(titles, got.titles()...)
		if got.Next == "" {
			break
		}
		search = args{"cursor": got.Next, "limit": 4}
	}
	if want := []string{"mine 0", "mine 1", "mine 2", "mine 3", "team 0", "team 1", "team 2", "team 3", "mine 4", "team 4", "mine 5", "team 5"}; !cmp.Equal(titles, want) {
		t.Error(cmp.Diff(want, titles))
	}
}

func TestEventsOfEveryAccountAreListedTogether(t *testing.T) {
	d := newDesk(t)
	d.people = append(d.people, calendar.Account{Name: "work", Address: "ann@example.org"})
	d.google.User("ann@example.org").Zone("Asia/Tokyo")
	d.ann.AddEvent("primary", at("Swim", "2026-11-24T08:00+01:00", time.Hour))
	d.google.User("ann@example.org").AddEvent("primary", at("Review", "2026-11-24T15:30+09:00", time.Hour))
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"account": "*"})
	if !cmp.Equal(got.titles(), []string{"Review", "Swim"}) || got.Events[0].Account != "work" || got.Events[1].Account != "home" || got.Timezone != zone.String() {
		t.Errorf("got %+v", got)
	}
	if _, err := bundletest.Answer[eventList](t, d.bundle, "calendar_list_events", args{"account": "*", "calendars": "Team"}); bundletest.ProblemPath(t, err) != "calendars" {
		t.Errorf("got %v", err)
	}
}

func TestAWeekOfTenCalendarsTakesTwoRoundTrips(t *testing.T) {
	d := newDesk(t)
	ids := []string{ann}
	for i := range 9 {
		id := d.ann.AddCalendar(googletest.Calendar{Summary: fmt.Sprint("Calendar ", i), Zone: []string{"", "Asia/Tokyo"}[i%2]})
		ids = append(ids, id)
		for n := range 20 {
			d.ann.AddEvent(id, at(fmt.Sprint(i, n), fmt.Sprintf("2026-11-%02dT%02d:00+01:00", 23+n%7, 8+i), time.Hour))
		}
	}
	d.rounds = &googletest.Lockstep{TB: t, Name: lastOf}
	d.rounds.Expect([]string{"calendarList", "timezone"}, slices.Repeat([]string{"events"}, len(ids)))
	got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": "all", "from": "2026-11-23", "to": "2026-11-29", "limit": 50})
	d.rounds.Done()
	if len(got.Events) != 50 || got.Next == "" {
		t.Errorf("got %d events, cursor %q", len(got.Events), got.Next)
	}
}

// lastOf is the last word of a request's path.
func lastOf(r *http.Request) string { return r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:] }

func TestAListThatCannotBeMeantIsRefused(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		args args
		path string
	}{
		{args{"timezone": "Mars/Phobos"}, "timezone"}, {args{"timezone": "Local"}, "timezone"}, {args{"timezone": "UTC+25"}, "timezone"},
		{args{"timezone": "../../etc/passwd"}, "timezone"},
		{args{"from": "2026-03-08T02:30", "timezone": "America/New_York"}, "from"},
		{args{"from": "2026-11-24", "to": "2026-11-23"}, "to"}, {args{"from": "2026-02-30"}, "from"}, {args{"from": "2020-01-01", "to": "2026-01-01"}, "to"},
		{args{"calendars": []string{"primary", "Nowhere"}}, "calendars[1]"}, {args{"calendars": "../../../etc"}, "calendars[0]"},
		{args{"event_types": "party"}, "event_types"}, {args{"limit": 0}, "limit"}, {args{"limit": 101}, "limit"},
		{args{"cursor": "bm8"}, "cursor"}, {args{"cursor": ""}, ""}, {args{"account": "nobody"}, "account"},
		{args{"query": strings.Repeat("x", 501)}, "query"}, {args{"calendars": slices.Repeat([]string{"primary"}, 51)}, "calendars"},
	} {
		_, err := bundletest.Answer[eventList](t, d.bundle, "calendar_list_events", c.args)
		if c.path == "" && err == nil {
			continue
		}
		if got := bundletest.ProblemPath(t, err); !strings.HasPrefix(got, c.path) {
			t.Errorf("%.80v: it is about %q", c.args, got)
		}
	}
}
