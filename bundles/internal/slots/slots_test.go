package slots_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/internal/slots"
)

func unix(t testing.TB, text string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.Unix()
}

func span(t testing.TB, from, to string) slots.Span {
	return slots.Span{From: unix(t, from), To: unix(t, to)}
}

// officeWorker returns a person who works from nine to five on weekdays.
func officeWorker(t testing.TB, zone string, busy ...slots.Span) slots.Person {
	return slots.Person{Zone: location(t, zone), Hours: slots.Hours{{Open: 9 * 60, Close: 17 * 60}}, Days: slots.Workdays, Busy: busy}
}

func search(t testing.TB, from, to string, people ...slots.Person) slots.Search {
	s := span(t, from, to)
	return slots.Search{People: people, From: s.From, To: s.To, Length: 3600, Step: 900, Zone: location(t, "Europe/Amsterdam")}
}

// starts returns the slots in short: "Tue 24 15:00-16:00 +01:00", with who is
// unconfirmed or missing.
func starts(found []slots.Slot) []string {
	list := []string{}
	for _, s := range found {
		text := s.Start.Format("Mon 02 15:04") + s.Latest.Format("-15:04 -07:00")
		for range s.Unconfirmed {
			text += " ?"
		}
		for range s.Without {
			text += " !"
		}
		list = append(list, text)
	}
	return list
}

func TestSlotsAreWithinAllWorkingHours(t *testing.T) {
	amsterdam, newYork := officeWorker(t, "Europe/Amsterdam"), officeWorker(t, "America/New_York")
	for name, c := range map[string]struct {
		from, to string
		people   []slots.Person
		want     []string
	}{
		"the two share the afternoon": {
			"2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z", []slots.Person{amsterdam, newYork}, []string{"Mon 23 15:00-16:00 +01:00"},
		},
		"an hour more while the clocks are out of step": {
			"2026-10-26T00:00:00Z", "2026-10-27T00:00:00Z", []slots.Person{amsterdam, newYork}, []string{"Mon 26 14:00-16:00 +01:00"},
		},
		"and before both have changed": {
			"2026-10-23T00:00:00Z", "2026-10-27T00:00:00Z", []slots.Person{amsterdam, newYork}, []string{"Fri 23 15:00-16:00 +02:00", "Mon 26 14:00-16:00 +01:00"},
		},
		"Saturday begins earlier in Apia": {
			"2026-11-19T10:00:00Z", "2026-11-21T10:00:00Z", []slots.Person{officeWorker(t, "Pacific/Apia")}, []string{"Thu 19 21:00-23:45 +01:00", "Fri 20 00:00-04:00 +01:00"},
		},
		"nobody works on the day that Apia left out": {
			"2011-12-29T20:00:00Z", "2012-01-01T00:00:00Z", []slots.Person{officeWorker(t, "Pacific/Apia")}, []string{"Thu 29 21:00-23:45 +01:00", "Fri 30 00:00-03:00 +01:00"},
		},
		"the last day of a far leap year": {
			"2096-12-31T00:00:00Z", "2097-01-01T00:00:00Z", []slots.Person{newYork}, []string{"Mon 31 15:00-22:00 +01:00"},
		},
		"and never both": {
			"2026-11-23T00:00:00Z", "2026-11-28T00:00:00Z", []slots.Person{amsterdam, officeWorker(t, "Pacific/Apia")}, []string{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := starts(search(t, c.from, c.to, c.people...).Find()); !slices.Equal(got, c.want) {
				t.Error(cmp.Diff(c.want, got))
			}
		})
	}
}

func TestUnknownTimeIsUnconfirmed(t *testing.T) {
	ann := officeWorker(t, "Europe/Amsterdam", span(t, "2026-11-23T09:00:00Z", "2026-11-23T15:00:00Z"))
	bob := officeWorker(t, "Europe/Amsterdam")
	bob.Unknown = []slots.Span{span(t, "2026-11-24T00:00:00Z", "2026-11-25T00:00:00Z")}
	guest := officeWorker(t, "Europe/Amsterdam", span(t, "2026-11-25T08:00:00Z", "2026-11-25T12:00:00Z"))
	guest.Optional = true
	got := starts(search(t, "2026-11-23T00:00:00Z", "2026-11-26T00:00:00Z", ann, bob, guest).Find())
	want := []string{
		"Mon 23 09:00-09:00 +01:00", "Mon 23 16:00-16:00 +01:00", "Wed 25 13:00-16:00 +01:00", // all can
		"Wed 25 09:00-12:45 +01:00 !", // all except the guest, who is optional
		"Tue 24 09:00-16:00 +01:00 ?", // if Bob can
	}
	if !slices.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestShortGapIsASlot(t *testing.T) {
	ann := officeWorker(t, "Europe/Amsterdam", span(t, "2026-11-23T00:00:00Z", "2026-11-23T10:10:30Z"), span(t, "2026-11-23T11:13:00Z", "2026-11-24T00:00:00Z"))
	got := starts(search(t, "2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z", ann).Find())
	if want := []string{"Mon 23 11:11-11:11 +01:00"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExplainNoSlot(t *testing.T) {
	day := func(people ...slots.Person) slots.Search {
		return search(t, "2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z", people...)
	}
	free := officeWorker(t, "Europe/Amsterdam")
	gone := officeWorker(t, "Europe/Amsterdam", span(t, "2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z"))
	short := officeWorker(t, "Europe/Amsterdam", span(t, "2026-11-23T08:25:00Z", "2026-11-23T16:00:00Z"))
	late := officeWorker(t, "Europe/Amsterdam", span(t, "2026-11-23T08:00:00Z", "2026-11-23T15:00:00Z"))
	for name, c := range map[string]struct {
		of   slots.Search
		want slots.NoSlot
	}{
		"one is busy all day":     {day(free, gone), slots.NoSlot{FullyBusy: []int{1}, Blocking: []int{1}}},
		"one has too little time": {day(free, short), slots.NoSlot{FullyBusy: []int{1}, Blocking: []int{1}, Gap: span(t, "2026-11-23T08:00:00Z", "2026-11-23T08:25:00Z")}},
		"each has, but together not": {
			day(late, officeWorker(t, "Europe/Amsterdam", span(t, "2026-11-23T15:20:00Z", "2026-11-23T16:00:00Z"))),
			slots.NoSlot{Blocking: []int{0, 1}, Gap: span(t, "2026-11-23T15:00:00Z", "2026-11-23T15:20:00Z")},
		},
		"their hours are apart": {day(free, officeWorker(t, "Asia/Tokyo")), slots.NoSlot{HoursApart: true, Blocking: []int{0, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			if found := c.of.Find(); len(found) > 0 {
				t.Fatalf("found %q", starts(found))
			}
			if got := c.of.ExplainNoSlot(); !cmp.Equal(got, c.want) {
				t.Error(cmp.Diff(c.want, got))
			}
		})
	}
}

func TestParseHours(t *testing.T) {
	for text, want := range map[string]slots.Hours{
		"09:00-17:00":              {{Open: 540, Close: 1020}},
		"9-17":                     {{Open: 540, Close: 1020}},
		"9:30 – 12":                {{Open: 570, Close: 720}},
		"09:00-12:00, 13:00-17:30": {{Open: 540, Close: 720}, {Open: 780, Close: 1050}},
		"00:00-24:00":              {{Open: 0, Close: 1440}},
		"22:00-06:00":              {{Open: 1320, Close: 1800}},
		"9am-5pm":                  {{Open: 540, Close: 1020}},
		"9:30 AM - 12pm":           {{Open: 570, Close: 720}},
		"12am-1am":                 {{Open: 0, Close: 60}},
		"10pm-6am":                 {{Open: 1320, Close: 1800}},
	} {
		if got, err := slots.ParseHours(text); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "-", "9", "9-9", "09:00", "09:0-17:00", "24:00-08:00", "25:00-26:00", "09:60-17:00", "9-5", "9:00-5", "9-12,1-5", "22-6", "9am-5", "13pm-14pm", "0am-9am", "9ampm-12", "+9-17", "09:00-17:00,", "09:00--17:00",
		"1-2,3-4,5-6,7-8,9-10,11-12,13-14,15-16,17-18", "009-017", "24:30-25",
	} {
		if got, err := slots.ParseHours(text); !errors.Is(err, slots.ErrHours) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

func TestParseDay(t *testing.T) {
	for text, want := range map[string]slots.Days{"mon": 1 << time.Monday, "Thurs": 1 << time.Thursday, " SUNDAY ": 1 << time.Sunday} {
		if got, ok := slots.ParseDay(text); !ok || got != want {
			t.Errorf("%q: got %b, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "m", "mo", "mondays", "1", "every"} {
		if got, ok := slots.ParseDay(text); ok {
			t.Errorf("%q: got %b", text, got)
		}
	}
}

func BenchmarkFindForEightPeopleOverFourWeeks(b *testing.B) {
	s := search(b, "2026-11-23T00:00:00Z", "2026-12-21T00:00:00Z")
	for i, zone := range []string{"Europe/Amsterdam", "Europe/London", "Europe/Berlin", "America/New_York", "Europe/Paris", "Europe/Rome", "Africa/Lagos", "Europe/Kyiv"} {
		p := officeWorker(b, zone)
		for day := range int64(28) {
			for hour := range int64(6) {
				start := s.From + day*24*3600 + (8+hour)*3600 + int64(i)*600
				p.Busy = append(p.Busy, slots.Span{From: start, To: start + 1800})
			}
		}
		s.People = append(s.People, p)
	}
	for b.Loop() {
		s.Find()
		s.ExplainNoSlot()
	}
}

func TestDaysString(t *testing.T) {
	for days, want := range map[slots.Days]string{
		0: "", slots.Workdays: "mon–fri", slots.AllDays: "mon–sun", 1 << time.Sunday: "sun", 1<<time.Saturday | 1<<time.Sunday: "sat, sun",
		slots.Workdays&^(1<<time.Wednesday) | 1<<time.Sunday: "mon, tue, thu, fri, sun", 1<<time.Monday | 1<<time.Wednesday: "mon, wed",
	} {
		if got := days.String(); got != want {
			t.Errorf("%07b: got %q, want %q", days, got, want)
		}
	}
}
