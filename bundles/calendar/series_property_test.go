package calendar_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google"
	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// An occurrence is one event that a calendar shows.
type occurrence struct {
	at    time.Time // for whole days midnight in UTC
	title string
}

func (h occurrence) String() string { return h.at.UTC().Format("2006-01-02 15:04 ") + h.title }

// eventsAPI returns the calendar of a user through Google's own client.
func (d *fixture) eventsAPI(t *testing.T, user string) *calendarapi.EventsService {
	t.Helper()
	client := d.google.HTTPClient(user)
	t.Cleanup(client.CloseIdleConnections)
	api, err := calendarapi.NewService(t.Context(), option.WithHTTPClient(client), option.WithEndpoint(google.CalendarBase(d.google.URL())))
	if err != nil {
		t.Fatal(err)
	}
	return api.Events
}

// readOccurrences returns the events that a calendar shows in the time range of the test.
func readOccurrences(t *testing.T, events *calendarapi.EventsService) []occurrence {
	t.Helper()
	list := []occurrence{}
	err := events.List("primary").SingleEvents(true).OrderBy("startTime").TimeMin("2026-01-01T00:00:00Z").TimeMax("2027-06-01T00:00:00Z").MaxResults(2500).
		Pages(t.Context(), func(page *calendarapi.Events) error {
			for _, e := range page.Items {
				at, err := time.Parse(time.DateOnly, e.Start.Date)
				if e.Start.Date == "" {
					at, err = time.Parse(time.RFC3339, e.Start.DateTime)
				}
				if err != nil {
					return err
				}
				list = append(list, occurrence{at, e.Summary})
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// sortedLines lists the events. It leaves out the last month of the time range, because
// changes move events into and out of it.
func sortedLines(list []occurrence) string {
	lines := []string{}
	for _, h := range list {
		if h.at.Before(time.Date(2027, 5, 1, 0, 0, 0, 0, time.UTC)) {
			lines = append(lines, h.String())
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// A randomSeries is a series and a change of it.
type randomSeries struct {
	zone   *time.Location
	start  time.Time // wall-clock time, in UTC
	allDay bool
	lines  []string
	shift  time.Duration
}

func drawSeries(random *rand.Rand) randomSeries {
	zones := []string{"Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"}
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	s := randomSeries{
		zone: location(pick(zones...)), allDay: random.IntN(4) == 0,
		start: time.Date(2026, time.Month(1+random.IntN(11)), 1+random.IntN(28), random.IntN(24), 15*random.IntN(4), 0, 0, time.UTC),
	}
	rule := pick("FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=MONTHLY", "FREQ=YEARLY",
		"FREQ=WEEKLY;BYDAY="+strings.ToUpper(s.start.Weekday().String()[:2]),
		"FREQ=WEEKLY;BYDAY=MO,WE,"+strings.ToUpper(s.start.Weekday().String()[:2]),
		fmt.Sprintf("FREQ=MONTHLY;BYMONTHDAY=%d", s.start.Day()))
	switch random.IntN(3) {
	case 0:
		rule += fmt.Sprintf(";COUNT=%d", 2+random.IntN(12))
	case 1:
		until := s.start.AddDate(0, random.IntN(8), random.IntN(28))
		if s.allDay {
			rule += ";UNTIL=" + until.Format("20060102")
		} else {
			rule += ";UNTIL=" + timeparse.Resolve(until, s.zone).Time.UTC().Format("20060102T150405Z")
		}
	}
	s.lines = []string{"RRULE:" + rule}
	if s.allDay {
		s.start = s.start.Truncate(24 * time.Hour)
		s.shift = []time.Duration{0, 0, 24 * time.Hour, 7 * 24 * time.Hour, -24 * time.Hour}[random.IntN(5)]
	} else {
		s.shift = []time.Duration{0, 0, 30 * time.Minute, -45 * time.Minute, 2 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, -24*time.Hour + time.Hour}[random.IntN(8)]
	}
	return s
}

// event returns the series in Google's JSON, with Bob as a guest.
func (s randomSeries) event() args {
	e := args{"summary": "Old", "recurrence": s.lines, "attendees": []args{{"email": bob}}}
	if s.allDay {
		e["start"], e["end"] = args{"date": timeparse.Date(s.start)}, args{"date": timeparse.Date(s.start.AddDate(0, 0, 1))}
		return e
	}
	at := timeparse.Resolve(s.start, s.zone).Time
	e["start"] = args{"dateTime": timeparse.RFC3339(at), "timeZone": s.zone.String()}
	e["end"] = args{"dateTime": timeparse.RFC3339(at.Add(45 * time.Minute)), "timeZone": s.zone.String()}
	return e
}

// wallTime returns the clock time of an event by the rule of its series. If clocks skip
// that time, the event itself is later.
func (s randomSeries) wallTime(h occurrence) time.Time {
	if s.allDay {
		return h.at
	}
	day := timeparse.LocalTimeOf(h.at.In(s.zone)).Floating().Truncate(24 * time.Hour)
	return day.Add(s.start.Sub(s.start.Truncate(24 * time.Hour)))
}

// movedOccurrence returns the event h of the series after the change.
func (s randomSeries) movedOccurrence(h occurrence) occurrence {
	wall := s.wallTime(h).Add(s.shift)
	if s.allDay {
		return occurrence{wall, "New"}
	}
	return occurrence{timeparse.Resolve(wall, s.zone).Time, "New"}
}

// arguments returns the arguments that make this change through the event h.
func (s randomSeries) arguments(h occurrence) args {
	a := args{"title": "New", "on_conflict": "ignore"}
	switch to := s.wallTime(h).Add(s.shift); {
	case s.shift == 0:
	case s.allDay:
		a["start"] = timeparse.Date(to)
	default:
		a["start"], a["timezone"] = to.Format("2006-01-02T15:04"), s.zone.String()
	}
	return a
}

// TestSeriesChangeEqualsChangeOfEachEvent changes a series and compares the calendar with
// one in which each event of the series was changed by itself.
func TestSeriesChangeEqualsChangeOfEachEvent(t *testing.T) {
	random := rand.New(rand.NewPCG(20261124, 4))
	done, refused := map[string]int{}, 0
	d := newFixture(t)
	mine, bobs := d.eventsAPI(t, ann), d.eventsAPI(t, bob)
	for round := range 24 {
		s := drawSeries(random)
		id := fmt.Sprintf("standup%d", round)
		d.ann.SetZone(s.zone.String())
		d.google.User(bob).SetZone(s.zone.String())
		d.now = d.now.Add(65 * time.Second) // so that the cached calendars expire
		d.ann.AddEvent("primary", merge(s.event(), args{"id": id}))
		was := readOccurrences(t, mine)
		at := random.IntN(min(len(was), 40))
		one, scope := was[at], []string{"this", "following", "all"}[random.IntN(3)]
		instance := timeparse.Date(one.at)
		if !s.allDay {
			instance = timeparse.RFC3339(one.at)
		}
		asked := merge(s.arguments(one), args{"event_id": id, "instance": instance, "scope": scope})
		label := fmt.Sprintf("%v in %s from %s (all day %v), %s at %s, moved by %s", s.lines, s.zone, s.start.Format("2006-01-02 15:04"), s.allDay, scope, one, s.shift)
		got, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", asked)
		if code := metadata.CodeOf(err); code == metadata.ValidationError || code == metadata.Unavailable {
			refused++
			t.Log(label, err)
			if now := sortedLines(readOccurrences(t, mine)); now != sortedLines(was) {
				t.Fatalf("%s: %v, and yet it shows\n%s", label, err, now)
			}
			d.ann.DeleteEvent("primary", id)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		done[scope]++
		want := slices.Clone(was)
		for i := range want {
			if scope == "all" || i == at || scope == "following" && i > at {
				want[i] = s.movedOccurrence(was[i])
			}
		}
		if now := sortedLines(readOccurrences(t, mine)); now != sortedLines(want) {
			t.Fatalf("%s: shows\n%s\nwant\n%s\nafter %+v", label, now, sortedLines(want), got)
		}
		if his := sortedLines(readOccurrences(t, bobs)); his != sortedLines(want) {
			t.Fatalf("%s: Bob sees\n%s\nwant\n%s", label, his, sortedLines(want))
		}
		bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": got.Undo})
		if now := sortedLines(readOccurrences(t, mine)); now != sortedLines(was) {
			t.Fatalf("%s: undone to\n%s\nwhich was\n%s", label, now, sortedLines(was))
		}
		deleted := bundletest.Must[changeAnswer](t, d.bundle, "calendar_delete_event", args{"event_id": id, "instance": instance, "scope": scope})
		var left []occurrence
		for i := range was {
			if scope != "all" && i != at && (scope == "this" || i < at) {
				left = append(left, was[i])
			}
		}
		if now := sortedLines(readOccurrences(t, mine)); now != sortedLines(left) {
			t.Fatalf("%s: deleted, it shows\n%s\nwant\n%s", label, now, sortedLines(left))
		}
		bundletest.Must[args](t, d.bundle, "calendar_undo", args{"undo_id": deleted.Undo})
		if now := sortedLines(readOccurrences(t, mine)); now != sortedLines(was) {
			t.Fatalf("%s: its deletion undone to\n%s\nwhich was\n%s", label, now, sortedLines(was))
		}
		d.ann.DeleteEvent("primary", id)
	}
	for _, scope := range []string{"this", "following", "all"} {
		if done[scope] < 3 {
			t.Errorf("changed %v and refused %d: the test covers too little", done, refused)
		}
	}
}
