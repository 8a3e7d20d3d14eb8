package calendar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

func (d *fixture) events(t *testing.T, asked args) eventList {
	t.Helper()
	return bundletest.Must[eventList](t, d.bundle, "calendar_list_events", asked)
}

// boardMeetings returns a fixture with meetings of a board and other events around noon
// of 2026-11-21.
func boardMeetings(t *testing.T) *fixture {
	t.Helper()
	d := newFixture(t)
	for _, day := range []string{"2025-11-01", "2025-12-01", "2026-09-14", "2026-11-20", "2026-12-19", "2027-06-01", "2027-12-01"} {
		d.ann.AddEvent("primary", eventAt("Board "+day, day+"T10:00+01:00", time.Hour))
	}
	d.ann.AddEvent("primary", eventAt("Lunch", "2026-11-23T12:00+01:00", time.Hour))
	d.ann.AddEvent("primary", eventAt("Dinner", "2026-11-19T19:00+01:00", time.Hour))
	return d
}

func TestListEventsSearchRange(t *testing.T) {
	for name, c := range map[string]struct {
		asked          args
		from, to, note string
		want           []string
	}{
		"ahead": {args{"query": "board"}, "2026-11-21T12:00+01:00", "2027-11-21T12:00+01:00",
			`searched a year ahead; use "to" to look further, or direction "past" to look back`, []string{"Board 2026-12-19", "Board 2027-06-01"}},
		"back, the latest first": {args{"query": "board", "direction": "past"}, "2025-11-21T12:00+01:00", "2026-11-21T12:00+01:00",
			`searched a year back; use "from" to look further`, []string{"Board 2026-11-20", "Board 2026-09-14", "Board 2025-12-01"}},
		"ahead from a day": {args{"query": "board", "from": "2026-09-01"}, "2026-09-01T00:00+02:00", "2027-09-01T00:00+02:00",
			`searched a year ahead; use "to" to look further, or direction "past" to look back`, []string{"Board 2026-09-14", "Board 2026-11-20", "Board 2026-12-19", "Board 2027-06-01"}},
		"back to a day": {args{"query": "board", "direction": "past", "from": "2025-10-01"}, "2025-10-01T00:00+02:00", "2026-11-21T12:00+01:00",
			"", []string{"Board 2026-11-20", "Board 2026-09-14", "Board 2025-12-01", "Board 2025-11-01"}},
		"back from a day": {args{"query": "board", "direction": "past", "to": "2026-10-01"}, "2025-10-02T00:00+02:00", "2026-10-02T00:00+02:00",
			`searched a year back; use "from" to look further`, []string{"Board 2026-09-14", "Board 2025-12-01", "Board 2025-11-01"}},
		"in the month that is named":         {args{"query": "board", "from": "december"}, "2026-12-01T00:00+01:00", "2027-01-01T00:00+01:00", "", []string{"Board 2026-12-19"}},
		"in the time that is named":          {args{"query": "board", "from": "today", "to": "2026-11-30"}, "2026-11-21T00:00+01:00", "2026-12-01T00:00+01:00", "", []string{}},
		"what is in no title":                {args{"query": "regatta"}, "2026-11-21T12:00+01:00", "2027-11-21T12:00+01:00", `searched a year ahead; use "to" to look further, or direction "past" to look back`, []string{}},
		"without a query, a week ahead":      {args{}, "2026-11-21T12:00+01:00", "2026-11-28T12:00+01:00", `looked a week ahead; use "to" to look further, or direction "past" to look back`, []string{"Lunch"}},
		"without a query, a week back":       {args{"direction": "past"}, "2026-11-14T12:00+01:00", "2026-11-21T12:00+01:00", `looked a week back; use "from" to look further`, []string{"Board 2026-11-20", "Dinner"}},
		"one that is running counts as past": {args{"direction": "past", "from": "2026-11-20T10:30", "to": "2026-11-20T10:45"}, "2026-11-20T10:30+01:00", "2026-11-20T10:45+01:00", "", []string{"Board 2026-11-20"}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.asked["query"] != nil {
				c.note = strings.TrimPrefix(c.note+`; only the primary calendar: calendars ["all"] searches the others`, "; ")
			}
			got := boardMeetings(t).events(t, c.asked)
			if got.From != c.from || got.To != c.to || got.Note != c.note || !slices.Equal(got.titles(), c.want) {
				t.Errorf("from %s to %s: %q, note %q\nwant %s to %s: %q, note %q", got.From, got.To, got.titles(), got.Note, c.from, c.to, c.want, c.note)
			}
		})
	}
}

// The pages of a list with direction past are the list with direction ahead in reverse
// order.
func TestListEventsPastPagesEqualWholeList(t *testing.T) {
	d := newFixture(t)
	tokyo := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Tokyo", Zone: "Asia/Tokyo"})
	for n := range 12 {
		start := time.Date(2026, 11, 14+n/2, 8*(n%3), 0, 0, 0, time.UTC)
		d.ann.AddEvent("primary", eventAt(fmt.Sprint("A", n), start.Format("2006-01-02T15:04Z07:00"), time.Hour))
		d.ann.AddEvent(tokyo, eventAt(fmt.Sprint("T", n), start.Format(time.DateOnly), day))
	}
	asked := args{"from": "2026-11-13", "to": "2026-11-20", "calendars": []string{"primary", "Tokyo"}, "limit": 100}
	ahead := d.events(t, asked)
	slices.Reverse(ahead.Events)
	back := d.events(t, merge(asked, args{"direction": "past"}))
	if !cmp.Equal(back.Events, ahead.Events) || len(back.Events) != 24 {
		t.Fatalf("%d events\n%s", len(back.Events), cmp.Diff(ahead.Events, back.Events))
	}
	asked = merge(asked, args{"direction": "past", "limit": 5})
	var pages []row
	for range 10 {
		page := d.events(t, asked)
		pages = append(pages, page.Events...)
		if asked = (args{"cursor": page.Next, "limit": 4}); page.Next == "" {
			break
		}
	}
	if !cmp.Equal(pages, ahead.Events) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(ahead.Events, pages))
	}
}

func TestListEventsPastFindsLatestMatches(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Standup", "2026-01-01T09:00", "2026-01-01T09:15"), args{"recurrence": []string{"RRULE:FREQ=DAILY"}}))
	got := d.events(t, args{"query": "standup", "direction": "past", "limit": 2})
	if len(got.Events) != 2 || !strings.HasPrefix(got.Events[0].When, "Sat 2026-11-21 09:00") || !strings.HasPrefix(got.Events[1].When, "Fri 2026-11-20") || got.Next == "" {
		t.Errorf("got %+v", got)
	}
}

func TestFindSlotsShowsSearchedRange(t *testing.T) {
	d := newFixture(t)
	for _, c := range []struct{ from, to, want string }{
		{"", "", `Sat 2026-11-21 12:00 – Sat 2026-12-05 12:00 +01:00, the default two weeks; use "to" to search longer`},
		{"2026-11-23", "2026-11-24", "Mon 2026-11-23 00:00 – Wed 2026-11-25 00:00 +01:00"},
		{"next month", "", "Tue 2026-12-01 00:00 – Fri 2027-01-01 00:00 +01:00"},
	} {
		got := bundletest.Must[struct{ Searched string }](t, d.bundle, "calendar_find_slots", args{"from": c.from, "to": c.to})
		if got.Searched != c.want {
			t.Errorf("%q to %q: %q, want %q", c.from, c.to, got.Searched, c.want)
		}
	}
}
