package calendar_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

func TestInvalidEndSuggestsValidEnd(t *testing.T) {
	for name, c := range map[string]struct {
		args                      args
		path, expected, suggested string
	}{
		"a skipped time": {
			args{"title": "Watch", "start": "2027-03-28T01:30", "end": "02:30"}, "end", "2027-03-28 01:59:59 to 2027-03-28 03:00", "2027-03-28T03:00:00+02:00",
		},
		"a time of the next day": {
			args{"title": "Party", "start": "2026-11-24T22:30", "end": "01:00"}, "end", "after the start, which is Tue 2026-11-24 22:30 +01:00", "2026-11-25T01:00",
		},
		"a date too early": {
			args{"title": "Trip", "start": "2026-11-24", "end": "2026-11-22"}, "end", "after the start, which is Tue 2026-11-24", "",
		},
		"a century": {
			args{"title": "Life", "start": "2026-11-24", "end": "2126-11-24", "dry_run": true}, "end", "at most 366 days", "",
		},
		"a year and a week": {
			args{"title": "Sabbatical", "start": "2026-11-24T10:00", "end": "2027-12-01T10:00"}, "end", "at most 366 days", "",
		},
	} {
		d := amsterdamFixture(t)
		_, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, c.args)
		if path := bundletest.ProblemPath(t, err); path != c.path {
			t.Errorf("%s: it is about %s", name, path)
		}
		problem := bundletest.AsError(t, err).Problems[0]
		if said := problem.Expected + problem.Suggestion + bundletest.AsError(t, err).Message; !strings.Contains(said, c.expected) || problem.Suggestion != c.suggested || strings.Contains(problem.Expected, "–") {
			t.Errorf("%s: got %+v", name, problem)
		}
	}
}

func TestEventMayLastAYear(t *testing.T) {
	d := amsterdamFixture(t)
	got := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Sabbatical", "start": "2027-01-01", "end": "2027-12-31"})
	if got.Start != "2027-01-01" || got.End != "2027-12-31" {
		t.Errorf("got %+v", got)
	}
}

func TestEtagWithAndWithoutQuotes(t *testing.T) {
	d := amsterdamFixture(t)
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	made := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Lunch", "start": "2026-11-24T12:30"})
	for _, etag := range []string{made.Etag, strings.Trim(made.Etag, `"`)} {
		for tool, a := range map[string]args{
			"calendar_update_event": {"title": "Dinner"}, "calendar_delete_event": {}, "calendar_move_event": {"to": "Team"},
		} {
			a["event_id"], a["etag"], a["dry_run"] = made.Event.ID, etag, true
			if _, err := bundletest.Answer[args](t, d.bundle, tool, a); metadata.CodeOf(err) == metadata.Conflict {
				t.Errorf("%s with %s: %v", tool, etag, err)
			}
			a["etag"] = "123"
			if _, err := bundletest.Answer[args](t, d.bundle, tool, a); metadata.CodeOf(err) != metadata.Conflict {
				t.Errorf("%s with another: %v", tool, err)
			}
		}
	}
}

func TestSameKeyInTwoCalendarsMakesTwoEvents(t *testing.T) {
	d := amsterdamFixture(t)
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	for _, guests := range [][]string{nil, {bob}} {
		a := args{"title": "Lunch", "start": "2026-11-24T12:30", "idempotency_key": "k" + strings.Join(guests, ""), "attendees": guests}
		first := bundletest.Must[createdEvent](t, d.bundle, createTool, a)
		a["calendar"] = team
		if second := bundletest.Must[createdEvent](t, d.bundle, createTool, a); second.Status != "created" || second.Event.ID == first.Event.ID {
			t.Errorf("with guests %v: %+v", guests, second)
		}
		if again := bundletest.Must[createdEvent](t, d.bundle, createTool, a); again.Status != "repeated" {
			t.Errorf("with guests %v, again: %+v", guests, again)
		}
	}
}

// The list of an account that only programs use may lack the primary calendar, which
// still exists.
func TestPrimaryCalendarMissingFromList(t *testing.T) {
	d := amsterdamFixture(t)
	d.wrapTransport = func(next http.RoundTripper) http.RoundTripper { return emptyCalendarList{next} }
	made := bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "Lunch", "start": "2026-11-24T12:30"})
	if d.ann.Event("primary", made.Event.ID) == nil {
		t.Error("it is not in the primary calendar")
	}
	if got := bundletest.Must[args](t, d.bundle, "calendar_list_events", args{"from": "2026-11-24", "to": "2026-11-24"}); !strings.Contains(jsonOf(t, got), "Lunch") {
		t.Errorf("listed %v", got)
	}
	bundletest.Must[args](t, d.bundle, "calendar_list_changes", args{})
	bundletest.Must[args](t, d.bundle, "calendar_find_slots", args{"calendars": []string{"All"}})
}

// emptyCalendarList answers with an empty list of calendars.
type emptyCalendarList struct{ next http.RoundTripper }

func (l emptyCalendarList) RoundTrip(ask *http.Request) (*http.Response, error) {
	if strings.HasSuffix(ask.URL.Path, "/calendarList") {
		body := io.NopCloser(strings.NewReader(`{"kind": "calendar#calendarList", "items": []}`))
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body, Request: ask}, nil
	}
	return l.next.RoundTrip(ask)
}
