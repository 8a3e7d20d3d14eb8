package daily_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
)

// logAnswer is an answer of daily_log.
type logAnswer struct {
	Date, Day, Why string
	Backfilled     bool
	IDs            []string
	TaskIDs        []string      `json:"task_ids"`
	Others         []otherDayRow `json:"other_days"`
	Repeated       bool
	Gone           []string
}

type otherDayRow struct{ ID, Date, Why string }

// A day is a day in an answer of daily_get.
type day struct {
	Date    string
	Entries []entry
}

type entry struct {
	ID, Time, Zone, Type, Section, Text string
	Cut                                 bool
	Mood, Energy                        int
	Metrics                             map[string]any
	Tags, Links                         []string
	Backfilled                          bool
}

type getAnswer struct {
	From, To, Why string
	Days          []day
	Metrics       []struct {
		Name                string
		Count               int
		Mean, Sum, Min, Max *float64
		True                *int
	}
	MoreMetrics int `json:"more_metrics"`
	Tasks       struct {
		Open, Done []struct{ ID, Text, Due string }
		Count      int `json:"open_count"`
		MoreDone   int `json:"more_done"`
	}
	Versions []struct {
		Version         int64
		Text, Operation string
		UndoID          string `json:"undo_id"`
	}
	NextCursor string `json:"next_cursor"`
}

// setClock sets the clock of the fixture, such as "2026-11-21T02:10", in a zone.
func (d *fixture) setClock(t *testing.T, zone, wall string) {
	t.Helper()
	d.zone = location(t, zone)
	at, err := time.ParseInLocation("2006-01-02T15:04", wall, d.zone)
	if err != nil {
		t.Fatal(err)
	}
	d.now = at
}

const amsterdam = "Europe/Amsterdam"

func TestLogChoosesDayAndNamesIt(t *testing.T) {
	for name, c := range map[string]struct {
		zone, now  string
		in         args
		date, time string // time as daily_get shows it
		why        string
		backfilled bool
	}{
		"a date is the day itself":                        {amsterdam, "2026-11-21T12:00", args{"date": "2026-11-19"}, "2026-11-19", "", "", true},
		"also in the night, before the day starts":        {amsterdam, "2026-11-21T02:10", args{"date": "2026-11-21"}, "2026-11-21", "", "", false},
		"today is the day that has not ended":             {amsterdam, "2026-11-21T02:10", args{"date": "today"}, "2026-11-20", "02:10", "today is counted from Friday 20 November 2026: 02:10, the day starts at 04:00", false},
		"yesterday is the day before that":                {amsterdam, "2026-11-21T02:10", args{"date": "yesterday"}, "2026-11-19", "", "yesterday is counted from Friday 20 November 2026: 02:10, the day starts at 04:00", true},
		"a weekday is the last one":                       {amsterdam, "2026-11-21T12:00", args{"date": "Sunday"}, "2026-11-15", "", "the last Sunday", true},
		"which may be today":                              {amsterdam, "2026-11-21T12:00", args{"date": "sat"}, "2026-11-21", "12:00", "the last Saturday", false},
		"days ago say a day":                              {amsterdam, "2026-11-21T12:00", args{"date": "3 days ago"}, "2026-11-18", "", "", true},
		"hours ago are from now":                          {amsterdam, "2026-11-21T15:00", args{"date": "2 hours ago"}, "2026-11-21", "13:00", "", false},
		"and so is what comes in minutes":                 {amsterdam, "2026-11-21T15:00", args{"date": "in 10 minutes"}, "2026-11-21", "15:10", "", false},
		"tomorrow is taken":                               {amsterdam, "2026-11-21T12:00", args{"date": "tomorrow"}, "2026-11-22", "", "", false},
		"a time of the date's day":                        {amsterdam, "2026-11-21T12:00", args{"date": "2026-11-19", "time": "23:30"}, "2026-11-19", "23:30", "", true},
		"the very time at which it starts":                {amsterdam, "2026-11-21T12:00", args{"date": "2026-11-19", "time": "04:00"}, "2026-11-19", "04:00", "", true},
		"a time of the night after it":                    {amsterdam, "2026-11-21T12:00", args{"date": "2026-11-19", "time": "02:10"}, "2026-11-19", "02:10", "02:10 is in the night after that day: the next day starts at 04:00", true},
		"a time alone that has been today":                {amsterdam, "2026-11-21T12:00", args{"time": "9am"}, "2026-11-21", "09:00", "", false},
		"one that has not":                                {amsterdam, "2026-11-21T12:00", args{"time": "23:30"}, "2026-11-20", "23:30", "the last 23:30 was on Friday 20 November 2026", true},
		"one that is about now":                           {amsterdam, "2026-11-21T12:00", args{"time": "12:04"}, "2026-11-21", "12:04", "", false},
		"one of last night":                               {amsterdam, "2026-11-21T12:00", args{"time": "02:10"}, "2026-11-20", "02:10", "02:10, the day starts at 04:00", true},
		"some time ago":                                   {amsterdam, "2026-11-21T02:00", args{"time": "2 hours ago"}, "2026-11-20", "00:00", "00:00, the day starts at 04:00", false},
		"a moment":                                        {amsterdam, "2026-11-21T12:00", args{"time": "2026-11-20T23:30:00Z"}, "2026-11-20", "00:30", "00:30, the day starts at 04:00", true},
		"29 February":                                     {amsterdam, "2028-03-01T12:00", args{"date": "2028-02-29"}, "2028-02-29", "", "", true},
		"the night of the day of 23 hours":                {amsterdam, "2026-03-29T12:00", args{"time": "03:30"}, "2026-03-28", "03:30", "03:30, the day starts at 04:00", true},
		"that day in its night":                           {amsterdam, "2026-03-30T01:00", args{}, "2026-03-29", "01:00", "01:00, the day starts at 04:00", false},
		"an hour that clocks show twice":                  {amsterdam, "2026-10-25T12:00", args{"date": "2026-10-24", "time": "02:30"}, "2026-10-24", "02:30", "02:30 is in the night after that day: the next day starts at 04:00; clocks show 02:30 twice: the one at +01:00 was chosen", true},
		"that hour with its date":                         {amsterdam, "2026-10-25T12:00", args{"date": "2026-10-25T02:30"}, "2026-10-24", "02:30", "02:30, the day starts at 04:00; clocks show 02:30 twice: the one at +01:00 was chosen", true},
		"last night":                                      {amsterdam, "2026-11-21T12:00", args{"date": "last night"}, "2026-11-20", "", "", true},
		"this morning":                                    {amsterdam, "2026-11-21T12:00", args{"date": "this morning", "time": "08:00"}, "2026-11-21", "08:00", "", false},
		"the day before yesterday":                        {amsterdam, "2026-11-21T12:00", args{"date": "Day before yesterday"}, "2026-11-19", "", "", true},
		"a date without a year is the last one":           {amsterdam, "2026-11-21T12:00", args{"date": "24 December"}, "2025-12-24", "", "the last 24 december", true},
		"29 February is one of a leap year":               {amsterdam, "2027-11-21T12:00", args{"date": "29 February"}, "2024-02-29", "", "the last 29 february", true},
		"but it may be tomorrow":                          {amsterdam, "2026-11-21T12:00", args{"date": "nov 22nd"}, "2026-11-22", "", "the last nov 22nd", false},
		"vorgestern":                                      {amsterdam, "2026-11-21T12:00", args{"date": "vorgestern"}, "2026-11-19", "", "", true},
		"freitag":                                         {amsterdam, "2026-11-21T12:00", args{"date": "freitag"}, "2026-11-20", "", "the last Friday", true},
		"midnight is the end of the day":                  {amsterdam, "2026-11-21T12:00", args{"date": "2026-11-19", "time": "midnight"}, "2026-11-19", "00:00", "midnight is in the night after that day: the next day starts at 04:00", true},
		"so is 24:00":                                     {amsterdam, "2026-11-21T12:00", args{"date": "2026-11-19", "time": "24:00"}, "2026-11-19", "00:00", "24:00 is in the night after that day: the next day starts at 04:00", true},
		"the day of 25 hours":                             {amsterdam, "2026-10-26T03:59", args{}, "2026-10-25", "03:59", "03:59, the day starts at 04:00", false},
		"a zone that is a day ahead":                      {"Pacific/Kiritimati", "2026-11-22T10:00", args{}, "2026-11-22", "10:00", "", false},
		"and one that is behind, at the same time":        {"Pacific/Niue", "2026-11-20T09:00", args{}, "2026-11-20", "09:00", "", false},
		"a zone of half an hour, at the edge of the year": {"Asia/Kolkata", "2027-01-01T03:59", args{}, "2026-12-31", "03:59", "03:59, the day starts at 04:00", false},
		"clocks that are set back at midnight":            {"America/Havana", "2026-11-01T00:30", args{}, "2026-10-31", "00:30", "00:30, the day starts at 04:00", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.setClock(t, c.zone, c.now)
			in := args{"text": "x"}
			for name, value := range c.in {
				in[name] = value
			}
			out := bundletest.Must[logAnswer](t, d.bundle, "daily_log", in)
			if out.Date != c.date || out.Why != c.why || out.Backfilled != c.backfilled {
				t.Errorf("got %s, %q, backfilled %v; want %s, %q, %v", out.Date, out.Why, out.Backfilled, c.date, c.why, c.backfilled)
			}
			back := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"date": c.date})
			if len(back.Days) != 1 || back.Days[0].Entries[0].Time != c.time {
				t.Errorf("daily_get: got %+v, want it at %q", back.Days, c.time)
			}
		})
	}
}

// The clocks went back from 03:00 to 02:00 that night.
func TestAmbiguousTimeMeansLastPastOne(t *testing.T) {
	d := newFixture(t)
	for now, c := range map[string]struct{ at, want string }{
		"2026-10-25T00:10:00Z": {"02:05", "2026-10-25T00:05:00Z"},
		"2026-10-25T01:10:00Z": {"02:05", "2026-10-25T01:05:00Z"},
		"2026-10-25T12:00:00Z": {"02:30", "2026-10-25T01:30:00Z"},
	} {
		var err error
		if d.now, err = time.Parse(time.RFC3339, now); err != nil {
			t.Fatal(err)
		}
		id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "time": c.at}).IDs[0]
		kept, err := d.diary(t).Entry(t.Context(), id)
		if err != nil || kept.Date != "2026-10-24" || kept.Moment.Format(time.RFC3339) != c.want {
			t.Errorf("%s at %s: got %+v, %v", c.at, now, kept, err)
		}
	}
}

func TestLogUsesDayOfGivenZone(t *testing.T) {
	d := newFixture(t)
	d.setClock(t, amsterdam, "2026-11-21T12:00")
	out := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "landed", "timezone": "pacific/kiritimati"}) // 01:00 on the 22nd there
	if out.Date != "2026-11-21" || out.Why != "01:00, the day starts at 04:00" {
		t.Errorf("got %+v", out)
	}
	out = bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "breakfast", "timezone": "Pacific/Niue", "date": "today", "time": "00:30"}) // 00:00 there
	if out.Date != "2026-11-20" {
		t.Errorf("got %+v", out)
	}
	entries := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"date": "2026-11-21"}).Days[0].Entries
	if entries[0].Zone != "Pacific/Kiritimati" || entries[0].Time != "01:00" {
		t.Errorf("got %+v", entries)
	}
}

func TestEntryKeepsItsDayWhenClockOrZoneChanges(t *testing.T) {
	d := newFixture(t)
	d.setClock(t, amsterdam, "2026-11-21T12:00")
	first := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "first"})
	d.setClock(t, amsterdam, "2026-11-20T12:00") // the clock is set back
	second := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "second"})
	d.setClock(t, "Pacific/Kiritimati", "2026-11-23T12:00")
	d.dayStarts = 12 * time.Hour
	out := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"from": "2026-11-01", "to": "2026-11-30"})
	want := []day{
		{"2026-11-20", []entry{{ID: second.IDs[0], Time: "12:00", Zone: amsterdam, Type: "note", Text: "second"}}},
		{"2026-11-21", []entry{{ID: first.IDs[0], Time: "12:00", Zone: amsterdam, Type: "note", Text: "first"}}},
	}
	if !cmp.Equal(out.Days, want) {
		t.Error(cmp.Diff(want, out.Days))
	}
}

func TestEntriesShareDefaultFields(t *testing.T) {
	d := newFixture(t)
	out := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{
		"type": "food", "date": "yesterday", "tags": []string{"home"}, "tasks": []string{"Buy bread"},
		"entries": []args{{"text": "soup", "time": "12:30"}, {"text": "pasta", "type": "dinner", "tags": []string{"late"}}, {"text": "crisps", "date": "today", "time": "08:00"}},
	})
	if out.Date != "2026-11-20" || len(out.IDs) != 3 || len(out.TaskIDs) != 1 || !cmp.Equal(out.Others, []otherDayRow{{ID: out.IDs[2], Date: "2026-11-21"}}) {
		t.Errorf("got %+v", out)
	}
	days := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"from": "yesterday", "to": "today"}).Days
	want := []day{
		{"2026-11-20", []entry{
			{ID: out.IDs[0], Time: "12:30", Type: "food", Text: "soup", Tags: []string{"home"}, Backfilled: true},
			{ID: out.IDs[1], Type: "dinner", Text: "pasta", Tags: []string{"late"}, Backfilled: true},
		}},
		{"2026-11-21", []entry{{ID: out.IDs[2], Time: "08:00", Type: "food", Text: "crisps", Tags: []string{"home"}}}},
	}
	if !cmp.Equal(days, want) {
		t.Error(cmp.Diff(want, days))
	}
}

func TestFieldsWithListBecomeAnEntry(t *testing.T) {
	d := newFixture(t)
	out := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "a day off", "mood": 4, "entries": []args{{"text": "slept in"}}})
	if len(out.IDs) != 2 {
		t.Fatalf("got %+v", out)
	}
	entries := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{}).Days[0].Entries
	if entries[0].Text != "a day off" || entries[0].Mood != 4 || entries[1].Text != "slept in" || entries[1].Mood != 0 {
		t.Errorf("got %+v", entries)
	}
}

func TestLinksToMissingTargetsAreKept(t *testing.T) {
	d := newFixture(t)
	links := []string{"memory:no such key", "event:gone", "mail:18f0"}
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "x", "links": links})
	if got := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{}).Days[0].Entries[0].Links; !cmp.Equal(got, links) {
		t.Errorf("got %q", got)
	}
}

func TestTagSpellingsAreOneTag(t *testing.T) {
	d := newFixture(t)
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "a", "tags": []string{"#Work, Home", "work"}})
	if kept := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{}).Days[0].Entries[0].Tags; !slices.Equal(kept, []string{"Work", "Home"}) {
		t.Errorf("kept as %q", kept)
	}
	for _, tag := range []string{"work", "#HOME", "Work,home"} {
		if found := bundletest.Must[struct{ Hits []struct{ ID string } }](t, d.bundle, "daily_search", args{"tags": []string{tag}}); len(found.Hits) != 1 {
			t.Errorf("%s: got %+v", tag, found)
		}
	}
}

func TestEditRemovesTime(t *testing.T) {
	d := newFixture(t)
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "a", "time": "09:00"}).IDs[0]
	bundletest.Must[editAnswer](t, d.bundle, "daily_edit", args{"id": id, "time": "none"})
	if kept, err := d.diary(t).Entry(t.Context(), id); err != nil || !kept.Moment.IsZero() || kept.Date != "2026-11-21" {
		t.Errorf("got %+v, %v", kept, err)
	}
}
