package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
)

// seriesOnGapDay returns a fixture in Amsterdam with a series. On its first date, clocks
// skip 02:00 to 03:00.
func seriesOnGapDay(t *testing.T, at string, lines ...string) *fixture {
	t.Helper()
	d := newFixture(t)
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Walk", "2027-03-28T"+at, "2027-03-28T10:00"), args{"recurrence": lines}))
	return d
}

func TestSeriesMovedToSkippedTimeKeepsItsTime(t *testing.T) {
	for name, c := range map[string]struct {
		lines  []string
		asked  args
		was    []string // the dates after the first one
		wanted []string
	}{
		"weekly, another instance named": {
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3"}, args{"instance": "2027-04-04", "start": "2027-04-04T02:30"},
			[]string{"2027-04-04 07:00 Walk", "2027-04-11 07:00 Walk"}, []string{"2027-04-04 00:30 Walk", "2027-04-11 00:30 Walk"},
		},
		"by the date of another instance": {
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3"}, args{"start": "2027-04-11T02:30"},
			[]string{"2027-04-04 07:00 Walk", "2027-04-11 07:00 Walk"}, []string{"2027-04-04 00:30 Walk", "2027-04-11 00:30 Walk"},
		},
		"by only a time of day": {
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3"}, args{"start": "02:30"},
			[]string{"2027-04-04 07:00 Walk", "2027-04-11 07:00 Walk"}, []string{"2027-04-04 00:30 Walk", "2027-04-11 00:30 Walk"},
		},
		"daily until a day": {
			[]string{"RRULE:FREQ=DAILY;UNTIL=20270330T215959Z"}, args{"instance": "2027-03-30", "start": "02:30"},
			[]string{"2027-03-29 07:00 Walk", "2027-03-30 07:00 Walk"}, []string{"2027-03-29 00:30 Walk", "2027-03-30 00:30 Walk"},
		},
		"several days of every other week": {
			[]string{"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,SU;COUNT=4"}, args{"instance": "2027-04-07", "start": "02:30"},
			[]string{"2027-04-07 07:00 Walk", "2027-04-11 07:00 Walk", "2027-04-21 07:00 Walk"}, []string{"2027-04-07 00:30 Walk", "2027-04-11 00:30 Walk", "2027-04-21 00:30 Walk"},
		},
		"monthly on the last Sunday": {
			[]string{"RRULE:FREQ=MONTHLY;BYDAY=-1SU;COUNT=2"}, args{"instance": "2027-04-25", "start": "02:30"},
			[]string{"2027-04-25 07:00 Walk"}, []string{"2027-04-25 00:30 Walk"},
		},
		"with EXDATE and RDATE": {
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;TZID=Europe/Amsterdam:20270404T090000", "RDATE;TZID=Europe/Amsterdam:20270407T090000"}, args{"instance": "2027-04-11", "start": "02:30"},
			[]string{"2027-04-07 07:00 Walk", "2027-04-11 07:00 Walk"}, []string{"2027-04-07 00:30 Walk", "2027-04-11 00:30 Walk"},
		},
		"only RDATE dates": {
			[]string{"RDATE;TZID=Europe/Amsterdam:20270404T090000"}, args{"instance": "2027-04-04", "start": "02:30"},
			[]string{"2027-04-04 07:00 Walk"}, []string{"2027-04-04 00:30 Walk"},
		},
		"with a new rule": {
			[]string{"RRULE:FREQ=WEEKLY;COUNT=3"}, args{"instance": "2027-04-04", "start": "02:30", "recurrence": []string{"FREQ=DAILY;COUNT=2"}},
			[]string{"2027-04-04 07:00 Walk", "2027-04-11 07:00 Walk"}, []string{"2027-03-29 00:30 Walk"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := seriesOnGapDay(t, "09:00", c.lines...)
			was := append([]string{"2027-03-28 07:00 Walk"}, c.was...)
			d.mustShow(t, was...)
			got := d.changeStandup(t, merge(args{"scope": "all"}, c.asked))
			d.mustShow(t, append([]string{"2027-03-28 01:30 Walk"}, c.wanted...)...)
			if got.Status != "updated" || !strings.Contains(got.notesText(), "on 2027-03-28 clocks skip 02:30: the event is at 03:30 that day") {
				t.Errorf("got %+v", got)
			}
			d.undo(t, got.Undo)
			d.mustShow(t, was...)
		})
	}
}

func TestMoveToSkippedTimeNotesShift(t *testing.T) {
	d := seriesOnGapDay(t, "09:00", "RRULE:FREQ=WEEKLY;COUNT=3")
	got := d.changeStandup(t, args{"scope": "all", "instance": "2027-04-04", "start": "02:30"})
	if !strings.Contains(got.notesText(), "3 dates move 6h 30m earlier: the first is then Sun 2027-03-28 03:30") {
		t.Errorf("got %v", got.Notes)
	}
}

// A series that was moved to a skipped time can be moved again, split and shown like any
// other.
func TestSeriesAtSkippedTimeCanMoveAgain(t *testing.T) {
	d := seriesOnGapDay(t, "09:00", "RRULE:FREQ=WEEKLY;COUNT=4")
	d.changeStandup(t, args{"scope": "all", "instance": "2027-04-04", "start": "02:30"})
	got := d.changeStandup(t, args{"scope": "all", "instance": "2027-04-11", "start": "04:30"})
	d.mustShow(t, "2027-03-28 02:30 Walk", "2027-04-04 02:30 Walk", "2027-04-11 02:30 Walk", "2027-04-18 02:30 Walk")
	d.undo(t, got.Undo)
	d.changeStandup(t, args{"scope": "following", "instance": "2027-04-11", "title": "Run"})
	d.mustShow(t, "2027-03-28 01:30 Walk", "2027-04-04 00:30 Walk", "2027-04-11 00:30 Run", "2027-04-18 00:30 Run")
}

// If clocks skip the time of an instance, it still counts as being at the time of the
// series. The others move by as much as they would if clocks did not skip it.
func TestSeriesMovesByInstanceAtSkippedTime(t *testing.T) {
	for start, want := range map[string][]string{
		"10:00": {"2027-03-21 09:00 Walk", "2027-03-28 08:00 Walk", "2027-04-04 08:00 Walk"},
		"03:30": {"2027-03-21 01:30 Walk", "2027-03-28 01:30 Walk", "2027-04-04 00:30 Walk"},
	} {
		d := newFixture(t)
		d.ann.AddEvent("primary", merge(timedEvent("standup", "Walk", "2027-03-21T02:30", "2027-03-21T03:00"), args{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=3"}}))
		got := d.changeStandup(t, args{"scope": "all", "instance": "2027-03-28", "start": "2027-03-28T" + start})
		d.mustShow(t, want...)
		if start == "10:00" && !strings.Contains(got.notesText(), "7h 30m later") {
			t.Errorf("%s: got %v", start, got.Notes)
		}
	}
}

func TestFollowingMovedToSkippedTimeKeepsItsTime(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Walk", "2027-03-21T09:00", "2027-03-21T10:00"), args{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=4"}}))
	got := d.changeStandup(t, args{"scope": "following", "instance": "2027-03-28", "start": "02:30"})
	d.mustShow(t, "2027-03-21 08:00 Walk", "2027-03-28 01:30 Walk", "2027-04-04 00:30 Walk", "2027-04-11 00:30 Walk")
	if !strings.Contains(got.notesText(), "on 2027-03-28 clocks skip 02:30") {
		t.Errorf("got %v", got.Notes)
	}
	d.undo(t, got.Undo)
	d.mustShow(t, "2027-03-21 08:00 Walk", "2027-03-28 07:00 Walk", "2027-04-04 07:00 Walk", "2027-04-11 07:00 Walk")
}

// The second half of a series keeps the time of the series, even if clocks skip the time
// of its first instance.
func TestSplitAtInstanceWithSkippedTime(t *testing.T) {
	d := newFixture(t)
	d.ann.AddEvent("primary", merge(timedEvent("standup", "Walk", "2027-03-21T02:30", "2027-03-21T03:00"), args{"recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=4"}}))
	was := []string{"2027-03-21 01:30 Walk", "2027-03-28 01:30 Walk", "2027-04-04 00:30 Walk", "2027-04-11 00:30 Walk"}
	d.mustShow(t, was...)
	got := d.changeStandup(t, args{"scope": "following", "instance": "2027-03-28", "title": "Run"})
	d.mustShow(t, was[0], "2027-03-28 01:30 Run", "2027-04-04 00:30 Run", "2027-04-11 00:30 Run")
	d.undo(t, got.Undo)
	d.mustShow(t, was...)
}

func TestUpdateRefusesSkippedTimeOfDate(t *testing.T) {
	d := seriesOnGapDay(t, "09:00", "RRULE:FREQ=WEEKLY;COUNT=3")
	for _, asked := range []args{{"start": "2027-03-28T02:30"}, {"instance": "2027-03-28", "start": "2027-03-28T02:30"}} {
		_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", merge(args{"event_id": "standup", "scope": "all"}, asked))
		if bundletest.ProblemPath(t, err) != "start" {
			t.Errorf("%v: got %v", asked, err)
		}
	}
	if n := d.google.Calls("calendar.events.patch"); n > 0 {
		t.Errorf("changed %d times", n)
	}
}

func TestCreateRefusesSkippedTime(t *testing.T) {
	d := newFixture(t)
	for action, asked := range map[string]args{
		"calendar_create_event": {"title": "Walk", "start": "2027-03-28T02:30", "recurrence": "FREQ=WEEKLY"},
		"calendar_quick_add":    {"text": "Walk 2027-03-28 2:30 am"},
	} {
		_, err := bundletest.Answer[args](t, d.bundle, action, asked)
		if e := bundletest.AsError(t, err); !strings.Contains(e.Message, "2027-03-28 02:30 does not exist in Europe/Amsterdam") {
			t.Errorf("%s: got %+v", action, e)
		}
	}
	if n := d.google.Calls("calendar.events.insert"); n > 0 {
		t.Errorf("made %d events", n)
	}
}
