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
	"kota/metadata"
)

func TestListEventsNamesForbiddenCalendar(t *testing.T) {
	d := newFixture(t)
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	for _, status := range []int{http.StatusForbidden, http.StatusGone} {
		d.google.Fault(fakeapi.Fault{Method: "calendar.events.list", Nth: 1, Status: status})
		got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", args{"calendars": "all"})
		if len(got.Calendars) != 1 || got.Calendars[0].Error == "" || got.Calendars[0].Hint == "" {
			t.Errorf("%d: got %+v", status, got.Calendars)
		}
	}
}

func TestUnreadableCalendarIsNamedAndOthersAreListed(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", eventAt("Lunch", "2026-11-24T12:00+01:00", time.Hour))
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

func TestListEventsResumesCalendarAfterFailure(t *testing.T) {
	d := newFixture(t)
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	for i := range 6 {
		d.ann.AddEvent("primary", eventAt(fmt.Sprint("mine ", i), fmt.Sprintf("2026-11-24T%02d:00+01:00", 8+i), time.Hour))
		d.ann.AddEvent(team, eventAt(fmt.Sprint("team ", i), fmt.Sprintf("2026-11-24T%02d:30+01:00", 8+i), time.Hour))
	}
	broken := true
	d.wrapTransport = func(next http.RoundTripper) http.RoundTripper {
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
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

func TestListEventsRefusesInvalidArguments(t *testing.T) {
	d := newFixture(t)
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

func TestListEventsResumesAccountAfterFailure(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: "ann@example.org"})
	work := d.google.User("ann@example.org")
	for i := range 4 {
		d.ann.AddEvent("primary", eventAt(fmt.Sprint("home ", i), fmt.Sprintf("2026-11-24T%02d:00+01:00", 8+i), time.Hour))
		work.AddEvent("primary", eventAt(fmt.Sprint("work ", i), fmt.Sprintf("2026-11-24T%02d:30+01:00", 8+i), time.Hour))
	}
	for _, fails := range [][]bool{{true}, {true, true}, {false, true}, {false, true, true}} {
		titles, search := []string{}, args{"account": "*", "limit": 2}
		for page := 0; ; page++ {
			withdraw := func() {}
			if page < len(fails) && fails[page] {
				withdraw = d.google.Fault(fakeapi.Fault{Method: "calendar.calendarList.list", User: "ann@example.org", Status: 403, Reason: "domainPolicy"})
			}
			got := bundletest.Must[eventList](t, d.bundle, "calendar_list_events", search)
			withdraw()
			d.now = d.now.Add(2 * time.Minute) // the cached calendars are too old
			titles = append(titles, got.titles()...)
			if got.Next == "" {
				break
			}
			search = args{"cursor": got.Next, "limit": 2}
		}
		slices.Sort(titles)
		if want := []string{"home 0", "home 1", "home 2", "home 3", "work 0", "work 1", "work 2", "work 3"}; !cmp.Equal(titles, want) {
			t.Errorf("failing %v: %s", fails, cmp.Diff(want, titles))
		}
	}
}
