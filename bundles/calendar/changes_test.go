package calendar_test

import (
	"fmt"
	"maps"
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

type changeList struct {
	Timezone string
	Changed  []struct {
		row
		New     bool
		Repeats string
		From    string `json:"moved_from"`
	}
	Deleted []struct {
		ID       string `json:"event_id"`
		Account  string
		Calendar string
		Title    string
		When     string
		Series   string `json:"series_id"`
	}
	Cursor    string
	More      bool
	Reset     bool
	Note      string
	Calendars []struct{ Calendar, Error string } `json:"calendar_errors"`
}

// summary returns the sorted titles of changed and deleted events.
func (l changeList) summary() []string {
	all := []string{}
	for _, c := range l.Changed {
		kind := "changed "
		if c.New {
			kind = "new "
		}
		all = append(all, kind+c.Title)
	}
	for _, d := range l.Deleted {
		all = append(all, "deleted "+d.Title)
	}
	slices.Sort(all)
	return all
}

func changes(t *testing.T, d *fixture, with args) changeList {
	t.Helper()
	return bundletest.Must[changeList](t, d.bundle, "calendar_list_changes", with)
}

func TestListChangesReportsEachChangeOnce(t *testing.T) {
	d := newFixture(t)
	lunch := d.ann.AddEvent("primary", eventAt("Lunch", "2026-11-24T12:00+01:00", time.Hour))
	gone := d.ann.AddEvent("primary", eventAt("Review", "2026-11-24T15:00+01:00", time.Hour))
	d.ann.AddEvent("primary", eventAt("Untouched", "2026-11-24T16:00+01:00", time.Hour))
	d.now = d.now.Add(time.Minute)
	first := changes(t, d, args{})
	if len(first.summary()) != 0 || first.Cursor == "" || first.More || first.Reset || first.Note != "Changes are listed from now on." {
		t.Fatalf("the first call answers %+v", first)
	}
	d.now = d.now.Add(time.Minute)
	d.ann.ChangeEvent("primary", lunch, `{"summary": "Late lunch", "start": {"dateTime": "2026-11-24T13:00:00+01:00"}, "end": {"dateTime": "2026-11-24T14:00:00+01:00"}}`)
	d.ann.DeleteEvent("primary", gone)
	d.ann.AddEvent("primary", eventAt("Tea", "2026-11-24T17:00+01:00", time.Hour))
	second := changes(t, d, args{"cursor": first.Cursor})
	if want := []string{"changed Late lunch", "deleted Review", "new Tea"}; !cmp.Equal(second.summary(), want) || second.Note != "" {
		t.Error(cmp.Diff(want, second.summary()))
	}
	if second.Deleted[0].ID != gone || second.Deleted[0].When != "Tue 2026-11-24 15:00–16:00 +01:00" || second.Changed[0].When != "Tue 2026-11-24 13:00–14:00 +01:00" {
		t.Errorf("got %+v", second)
	}
	if third := changes(t, d, args{"cursor": second.Cursor}); len(third.summary()) != 0 {
		t.Errorf("listed again: %v", third.summary())
	}
}

func TestListChangesReportsSeriesAndInstances(t *testing.T) {
	d := newFixture(t)
	first := changes(t, d, args{})
	d.now = d.now.Add(time.Minute)
	id := d.ann.AddEvent("primary", `{"summary": "Stand-up", "start": {"dateTime": "2026-11-24T09:15:00", "timeZone": "Europe/Amsterdam"}, "end": {"dateTime": "2026-11-24T09:30:00", "timeZone": "Europe/Amsterdam"}, "recurrence": ["RRULE:FREQ=WEEKLY"]}`)
	second := changes(t, d, args{"cursor": first.Cursor})
	if len(second.Changed) != 1 || second.Changed[0].ID != id || second.Changed[0].Repeats != "every week" || !second.Changed[0].New {
		t.Fatalf("got %+v", second)
	}
	instances := getEvent(t, d, args{"event_id": id}).Recurs.Next
	d.ann.ChangeEvent("primary", instances[0].ID, `{"start": {"dateTime": "2026-11-24T10:00:00+01:00"}, "end": {"dateTime": "2026-11-24T10:15:00+01:00"}}`)
	d.ann.DeleteEvent("primary", instances[1].ID)
	third := changes(t, d, args{"cursor": second.Cursor})
	if len(third.Changed) != 1 || third.Changed[0].From != "Tue 2026-11-24 09:15 +01:00" || third.Changed[0].New {
		t.Errorf("changed: %+v", third.Changed)
	}
	if len(third.Deleted) != 1 || third.Deleted[0].Series != id || third.Deleted[0].When != "Tue 2026-12-01 09:15 +01:00" {
		t.Errorf("deleted: %+v", third.Deleted)
	}
}

func TestListChangesPagesLoseNothing(t *testing.T) {
	d := newFixture(t)
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	cursor := changes(t, d, args{"calendars": "all"}).Cursor
	var want []string
	for i := range 23 {
		for _, id := range []string{"primary", team} {
			title := fmt.Sprintf("%.7s %d", id, i)
			d.ann.AddEvent(id, eventAt(title, "2026-11-24T12:00+01:00", time.Hour))
			want = append(want, "new "+title)
		}
	}
	var got []string
	for calls := 0; ; calls++ {
		l := changes(t, d, args{"cursor": cursor, "limit": 8})
		got, cursor = append(got, l.summary()...), l.Cursor
		if len(l.Changed) > 8 || calls > 20 {
			t.Fatalf("call %d lists %d", calls, len(l.Changed))
		}
		if !l.More {
			break
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestListChangesFitsOutputLimit(t *testing.T) {
	d := newFixture(t)
	cursor := changes(t, d, args{}).Cursor
	for i := range 60 {
		e := eventAt(strings.Repeat("会議 ", 40), "2026-11-24T12:00+01:00", time.Duration(i+1)*time.Hour)
		e["location"], e["recurrence"] = strings.Repeat("Raum ", 50), []string{"RRULE:FREQ=MONTHLY;BYDAY=1MO,2TU,3WE,-1FR;COUNT=20"}
		e["start"].(args)["timeZone"], e["end"].(args)["timeZone"] = "Europe/Amsterdam", "Europe/Amsterdam"
		d.ann.AddEvent("primary", e)
	}
	if got := changes(t, d, args{"cursor": cursor, "limit": 50}); len(got.Changed) != 50 || len([]rune(jsonOf(t, got))) > 25_000 {
		t.Errorf("%d events in %d characters", len(got.Changed), len([]rune(jsonOf(t, got))))
	}
}

func TestExpiredCursorResetsAndSaysSo(t *testing.T) {
	d := newFixture(t)
	old := changes(t, d, args{}).Cursor
	d.ann.AddEvent("primary", eventAt("Missed", "2026-11-24T12:00+01:00", time.Hour))
	d.ann.ForgetCalendarChanges()
	got := changes(t, d, args{"cursor": old})
	if !got.Reset || !strings.Contains(got.Note, "calendar_list_events") || len(got.summary()) != 0 || got.Cursor == old {
		t.Fatalf("got %+v", got)
	}
	d.now = d.now.Add(time.Minute)
	d.ann.AddEvent("primary", eventAt("Tea", "2026-11-24T12:00+01:00", time.Hour))
	if after := changes(t, d, args{"cursor": got.Cursor}); after.Reset || !cmp.Equal(after.summary(), []string{"new Tea"}) {
		t.Errorf("got %+v", after)
	}
}

func TestListChangesRetriesFailedCalendar(t *testing.T) {
	d := newFixture(t)
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	broken := false
	d.wrapTransport = func(next http.RoundTripper) http.RoundTripper {
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
			if broken && strings.Contains(r.URL.Path, "group.calendar") {
				return nil, fmt.Errorf("no network")
			}
			return next.RoundTrip(r)
		})
	}
	cursor := changes(t, d, args{"calendars": "all"}).Cursor
	d.now = d.now.Add(time.Minute)
	d.ann.AddEvent("primary", eventAt("Mine", "2026-11-24T12:00+01:00", time.Hour))
	d.ann.AddEvent(team, eventAt("Ours", "2026-11-24T12:00+01:00", time.Hour))
	broken = true
	got := changes(t, d, args{"cursor": cursor})
	if !cmp.Equal(got.summary(), []string{"new Mine"}) || len(got.Calendars) != 1 || got.Calendars[0].Calendar != "Team" {
		t.Errorf("got %+v", got)
	}
	broken = false
	if got = changes(t, d, args{"cursor": got.Cursor}); !cmp.Equal(got.summary(), []string{"new Ours"}) {
		t.Errorf("got %+v", got)
	}
}

func TestChangesCursorRefusesOtherAccountOrCalendars(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: "ann@example.org"})
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	own := changes(t, d, args{}).Cursor
	every := changes(t, d, args{"account": "*", "calendars": "all"}).Cursor
	for name, c := range map[string]struct {
		args args
		path string
	}{
		"another account":       {args{"cursor": own, "account": "work"}, "cursor"},
		"every account":         {args{"cursor": own, "account": "*"}, "cursor"},
		"one account of many":   {args{"cursor": every, "account": "work"}, "cursor"},
		"another calendar":      {args{"cursor": own, "calendars": "Team"}, "calendars"},
		"more calendars":        {args{"cursor": own, "calendars": "all"}, "calendars"},
		"no cursor":             {args{"cursor": "bm8"}, "cursor"},
		"one of another action": {args{"cursor": "eyJhIjoiaG9tZSIsInoiOiJVVEMifQ"}, "cursor"},
		"a forged token":        {args{"cursor": "eyJhIjoiaG9tZSIsImMiOlt7ImkiOiJhbm5AZXhhbXBsZS5jb20iLCJzIjoiZm9yZ2VkIn1dfQ"}, "cursor"},
	} {
		if _, err := bundletest.Answer[changeList](t, d.bundle, "calendar_list_changes", c.args); bundletest.ProblemPath(t, err) != c.path {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, fine := range []args{{"cursor": own, "account": "home"}, {"cursor": own, "calendars": "primary"}, {"cursor": every, "account": "*"}, {"cursor": every}} {
		if _, err := bundletest.Answer[changeList](t, d.bundle, "calendar_list_changes", fine); err != nil {
			t.Errorf("%v: %v", fine, err)
		}
	}
}

func TestListChangesOfAllAccountsTogether(t *testing.T) {
	d := newFixture(t)
	d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: "ann@example.org"})
	cursor := changes(t, d, args{"account": "*"}).Cursor
	d.now = d.now.Add(time.Minute)
	d.ann.AddEvent("primary", eventAt("Swim", "2026-11-24T08:00+01:00", time.Hour))
	d.google.User("ann@example.org").AddEvent("primary", eventAt("Review", "2026-11-24T07:00+01:00", time.Hour))
	got := changes(t, d, args{"cursor": cursor})
	if len(got.Changed) != 2 || got.Changed[0].Account != "work" || got.Changed[1].Account != "home" {
		t.Errorf("got %+v", got.Changed)
	}
}

func TestListChangesIncludesAccountThatFailedAtFirst(t *testing.T) {
	for _, calendars := range []args{{}, {"calendars": "all"}} {
		d := newFixture(t)
		d.accounts = append(d.accounts, calendar.Account{Name: "work", Address: "ann@example.org"})
		work := d.google.User("ann@example.org")
		team := work.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
		withdraw := d.google.Fault(fakeapi.Fault{Method: "calendar.calendarList.list", User: "ann@example.org", Status: 403, Reason: "domainPolicy"})
		ask := args{"account": "*"}
		maps.Copy(ask, calendars)
		begun := changes(t, d, ask)
		withdraw()
		d.now = d.now.Add(time.Minute)
		begun = changes(t, d, args{"cursor": begun.Cursor})
		d.now = d.now.Add(time.Minute)
		work.AddEvent("primary", eventAt("Review", "2026-11-24T07:00+01:00", time.Hour))
		work.AddEvent(team, eventAt("Standup", "2026-11-24T08:00+01:00", time.Hour))
		want := []string{"new Review"}
		if len(calendars) > 0 {
			want = append(want, "new Standup")
		}
		if got := changes(t, d, args{"cursor": begun.Cursor}); !cmp.Equal(got.summary(), want) {
			t.Errorf("%v: got %v, want %v", calendars, got.summary(), want)
		}
	}
}
