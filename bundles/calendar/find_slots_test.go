package calendar_test

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

type slotsAnswer struct {
	Warning string
	Slots   []struct {
		Start       string
		When        string
		Latest      string `json:"latest_start"`
		Local       []string
		Unconfirmed []string
		Without     []string
	}
	More     int
	WhyNone  string `json:"why_none"`
	Next     string
	Timezone string
	Searched string
	Checked  string
	Unknown  []struct{ Who, Why string }
	Assumed  []string `json:"assumed_zone"`
}

// slotTimes lists the times of the slots: "Mon 2026-11-23 09:00–10:00 +01:00 to 11:30".
func (a slotsAnswer) slotTimes() []string {
	list := []string{}
	for _, s := range a.Slots {
		text := s.When
		if s.Latest != "" {
			text += " to " + s.Latest
		}
		list = append(list, text)
	}
	return list
}

// addMeeting adds an event to a calendar of a user, visible to others.
func addMeeting(u *googletest.User, calendar, title, start, end string, more ...string) string {
	at := `"timeZone": "Europe/Amsterdam", "dateTime"`
	if len(start) == len("2026-11-23") {
		at = `"date"`
	}
	return u.AddEvent(calendar, fmt.Sprintf(`{"summary": %q, "start": {%s: %q}, "end": {%[2]s: %[4]q} %[5]s}`, title, at, start, end, strings.Join(more, "")))
}

// sharingUser returns a user who shares the busy times of the primary calendar with Ann.
func (d *fixture) sharingUser(address, zone string) *googletest.User {
	u := d.google.User(address)
	u.SetZone(zone)
	u.ShareCalendar("primary", ann, "freeBusyReader")
	return u
}

func TestFindSlotsInEverybodysWorkingHours(t *testing.T) {
	d := newFixture(t)
	addMeeting(d.ann, "primary", "Review", "2026-11-23T15:00:00+01:00", "2026-11-23T16:00:00+01:00")
	addMeeting(d.ann, "primary", "Holiday", "2026-11-24", "2026-11-25")
	addMeeting(d.sharingUser(bob, "America/New_York"), "primary", "Secret", "2026-11-25T09:00:00-05:00", "2026-11-25T09:30:00-05:00")
	got := bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"attendees": []string{bob}, "duration": "45m", "to": "2026-11-26"})
	want := []string{"Mon 2026-11-23 16:00–16:45 +01:00 to 16:15", "Wed 2026-11-25 15:30–16:15 +01:00 to 16:15", "Thu 2026-11-26 15:00–15:45 +01:00 to 16:15"}
	if !slices.Equal(got.slotTimes(), want) {
		t.Error(cmp.Diff(want, got.slotTimes()))
	}
	first := got.Slots[0]
	if first.Start != "2026-11-23T16:00:00+01:00" || !slices.Equal(first.Local, []string{"America/New_York Mon 10:00–10:45"}) || len(first.Unconfirmed) > 0 {
		t.Errorf("got %+v", first)
	}
	if got.Timezone != "Europe/Amsterdam" || got.Checked != "2 people, 2 calendars" || got.More != 0 || len(got.Unknown) > 0 || got.Warning != "" || got.WhyNone != "" || len(got.Assumed) > 0 {
		t.Errorf("got %+v", got)
	}
	if want := `calendar_create_event {title, start, duration: "45m", attendees: ["bob@example.org"]}`; got.Next != want {
		t.Errorf("got %s, want %s", got.Next, want)
	}
}

func TestFindSlotsZoneOfAttendee(t *testing.T) {
	for name, c := range map[string]struct {
		attendee, want string
		assumed        bool
	}{
		"given":                           {"stranger@example.net America/New_York", "Mon 2026-11-23 15:00–16:00 +01:00 to 16:00", false},
		"given with hours":                {"Stranger <stranger@example.net> America/New_York 08:00-10:00, 10:30-11:00", "Mon 2026-11-23 14:00–15:00 +01:00 to 15:00", false},
		"only hours given":                {"stranger@example.net 10:00-11:00", "Mon 2026-11-23 10:00–11:00 +01:00", true},
		"zone of the calendar":            {bob, "Mon 2026-11-23 15:00–16:00 +01:00 to 16:00", false},
		"given instead of the calendar's": {bob + " (Asia/Kolkata)", "Mon 2026-11-23 09:00–10:00 +01:00 to 11:30", false},
		"with punctuation":                {"stranger@example.net, (Europe/London), 09:00-09:30, 9:30-10:00", "Mon 2026-11-23 10:00–11:00 +01:00", false},
		"unknown person":                  {"stranger@example.net", "Mon 2026-11-23 09:00–10:00 +01:00 to 16:00", true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.sharingUser(bob, "America/New_York")
			got := bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"attendees": c.attendee, "from": "2026-11-23", "to": "2026-11-23"})
			if !slices.Equal(got.slotTimes(), []string{c.want}) || (len(got.Assumed) > 0) != c.assumed {
				t.Errorf("got %q, assumed %q", got.slotTimes(), got.Assumed)
			}
		})
	}
}

func TestUnreadableCalendarIsNeverFree(t *testing.T) {
	d := newFixture(t)
	d.sharingUser(bob, "Europe/Berlin")
	d.google.FailFreeBusy("cleo@example.com", "internalError")
	team := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Team"})
	got := bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{
		"attendees": []string{bob, "stranger@example.net"}, "optional_attendees": "cleo@example.com", "calendars": []string{"team"}, "from": "2026-11-23", "to": "2026-11-23",
	})
	if len(got.Slots) != 1 || !slices.Equal(got.Slots[0].Unconfirmed, []string{"stranger@example.net", "cleo@example.com"}) {
		t.Errorf("got %+v", got.Slots)
	}
	if !strings.Contains(got.Warning, "stranger@example.net") || strings.Contains(got.Warning, "cleo") || strings.Contains(got.Warning, bob) {
		t.Errorf("the warning is %q", got.Warning)
	}
	if len(got.Unknown) != 2 || got.Unknown[0].Who != "stranger@example.net" || got.Unknown[0].Why == "" {
		t.Errorf("unknown are %+v", got.Unknown)
	}
	d.google.FailFreeBusy(team, "backendError")
	got = bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"calendars": []string{"team"}})
	if len(got.Slots) < 2 || len(got.Slots[0].Unconfirmed) > 0 || got.Unknown[0].Who != "you: Team" || !strings.HasPrefix(got.Warning, "No slot is confirmed") {
		t.Errorf("the user: %+v", got)
	}
}

func TestFindSlotsNamesUnknownPersonOnce(t *testing.T) {
	d := newFixture(t)
	raw, err := bundletest.Call(t, d.bundle, "calendar_find_slots", args{"attendees": "stranger@example.net UTC", "from": "2026-11-23", "to": "2026-11-27"})
	if err != nil {
		t.Fatal(err)
	}
	said, next, _ := strings.Cut(string(raw), `"next"`)
	_, next, _ = strings.Cut(next, `"timezone"`) // the next call names the participants
	if n := strings.Count(said+next, "stranger@"); n != 1 || !strings.Contains(said, "No slot is confirmed") {
		t.Errorf("named %d times: %s", n, raw)
	}
}

func TestFindSlotsExplainsDaysOff(t *testing.T) {
	d := newFixture(t)
	for days, c := range map[string]struct{ to, want string }{
		"":        {"2026-11-22", "Sunday is not among mon–fri"},
		"mon,wed": {"2026-11-22", "Sunday is not among mon, wed"},
		"fri":     {"2026-11-23", "Sunday and Monday are not among fri"},
	} {
		asked := args{"from": "2026-11-22", "to": c.to}
		if days != "" {
			asked["days"] = strings.Split(days, ",")
		}
		got := bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", asked)
		if len(got.Slots) > 0 || !strings.Contains(got.WhyNone, c.want) || strings.Contains(got.WhyNone, "in common") {
			t.Errorf("%q: got %q", days, got.WhyNone)
		}
	}
}

func TestFindSlotsExplainsMissingSlots(t *testing.T) {
	for name, c := range map[string]struct {
		args args
		want []string
	}{
		"one is busy": {
			args{"attendees": []string{bob}}, []string{"No slot of 1h suits all", "bob@example.org has no free slot of 1h in working hours", "longest time when all are free is 25m, Mon 2026-11-23 16:35–17:00 +01:00", "without bob@example.org"},
		},
		"the hours are apart": {args{"attendees": []string{"far@example.net Asia/Tokyo"}}, []string{"working hours have no 1h in common", "without far@example.net"}},
		"you are busy":        {args{"duration": "9h"}, []string{"no 9h in common"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			addMeeting(d.sharingUser(bob, zone.String()), "primary", "Secret", "2026-11-23T08:00:00+01:00", "2026-11-23T16:35:00+01:00")
			c.args["from"], c.args["to"] = "2026-11-23", "2026-11-23"
			got := bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", c.args)
			if len(got.Slots) > 0 || got.Next != "" {
				t.Fatalf("got %+v", got)
			}
			for _, want := range c.want {
				if !strings.Contains(got.WhyNone, want) {
					t.Errorf("%q does not say %q", got.WhyNone, want)
				}
			}
			if strings.Contains(got.WhyNone, "Secret") {
				t.Errorf("%q contains a title", got.WhyNone)
			}
		})
	}
}

func TestFindSlotsFollowsArguments(t *testing.T) {
	d := newFixture(t)
	addMeeting(d.ann, "primary", "Lunch", "2026-11-23T12:00:00+01:00", "2026-11-23T13:00:00+01:00")
	addMeeting(d.ann, "primary", "Declined", "2026-11-24T09:00:00+01:00", "2026-11-24T17:00:00+01:00", `, "transparency": "transparent"`)
	family := d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Family"})
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Colleague", Role: "reader"})
	addMeeting(d.ann, family, "School", "2026-11-25T09:00:00+01:00", "2026-11-25T16:00:00+01:00")
	for name, c := range map[string]struct {
		args args
		want []string
	}{
		"buffers":           {args{"buffer": "30m", "to": "2026-11-23"}, []string{"Mon 2026-11-23 09:00–10:00 +01:00 to 10:30", "Mon 2026-11-23 13:30–14:30 +01:00 to 16:00"}},
		"notice":            {args{"min_notice": "2 days", "to": "2026-11-23"}, []string{"Mon 2026-11-23 13:00–14:00 +01:00 to 16:00"}},
		"days":              {args{"days": []string{"sun"}, "to": "2026-11-24"}, []string{"Sun 2026-11-22 09:00–10:00 +01:00 to 16:00"}},
		"two ranges":        {args{"working_hours": "9-12,13-14", "to": "2026-11-23"}, []string{"Mon 2026-11-23 09:00–10:00 +01:00 to 11:00", "Mon 2026-11-23 13:00–14:00 +01:00"}},
		"another zone":      {args{"timezone": "America/New_York", "from": "2026-11-24", "to": "2026-11-24"}, []string{"Tue 2026-11-24 09:00–10:00 -05:00 to 16:00"}},
		"another calendar":  {args{"calendars": []string{"family"}, "from": "2026-11-25", "to": "2026-11-25"}, []string{"Wed 2026-11-25 16:00–17:00 +01:00"}},
		"all calendars":     {args{"calendars": []string{"all"}, "from": "2026-11-25", "to": "2026-11-25"}, []string{"Wed 2026-11-25 16:00–17:00 +01:00"}},
		"the main one only": {args{"from": "2026-11-25", "to": "2026-11-25"}, []string{"Wed 2026-11-25 09:00–10:00 +01:00 to 16:00"}},
		"a week":            {args{"from": "next week", "days": []string{"mon"}, "working_hours": "9-10"}, []string{"Mon 2026-11-23 09:00–10:00 +01:00"}},
		"two weeks":         {args{"days": []string{"mon"}, "working_hours": "9-10"}, []string{"Mon 2026-11-23 09:00–10:00 +01:00", "Mon 2026-11-30 09:00–10:00 +01:00"}},
		"yourself in a far zone": {args{"attendees": []string{ann + " Asia/Tokyo"}, "from": "2026-11-24", "to": "2026-11-24"}, []string{
			"Tue 2026-11-24 01:00–02:00 +01:00 to 08:00",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", c.args)
			if !slices.Equal(got.slotTimes(), c.want) {
				t.Error(cmp.Diff(c.want, got.slotTimes()))
			}
		})
	}
}

func TestFindSlotsRefusesInvalidArguments(t *testing.T) {
	d := newFixture(t)
	for path, wrong := range map[string][]args{
		"duration":              {{"duration": "0"}, {"duration": "-1h"}, {"duration": "2 days"}, {"duration": "soon"}},
		"working_hours":         {{"working_hours": "nine to five"}, {"working_hours": "17:00-17:00"}, {"working_hours": "9-5"}},
		"days[0]":               {{"days": []string{"someday"}}},
		"buffer":                {{"buffer": "-5m"}, {"buffer": "30 days"}},
		"min_notice":            {{"min_notice": "whenever"}, {"min_notice": "300 days"}},
		"timezone":              {{"timezone": "Mars/Phobos"}, {"timezone": "Local"}, {"timezone": "UTC+25"}},
		"from":                  {{"from": "2026-02-30"}, {"from": "2026-03-29T02:30", "to": "2026-03-30"}},
		"to":                    {{"to": "2026-11-20"}, {"to": "2028-01-01"}, {"to": "2026-11-22", "min_notice": "3 days"}},
		"attendees[0]":          {{"attendees": "Bob"}, {"attendees": bob + " Mars/Phobos"}, {"attendees": bob + " 9-9"}, {"attendees": bob + ", " + ann}},
		"optional_attendees[1]": {{"optional_attendees": []string{bob, "x@"}}},
		"calendars[0]":          {{"calendars": []string{"Tema"}}},
		"account":               {{"account": "nobody"}, {"account": "*"}},
	} {
		for _, a := range wrong {
			t.Run(fmt.Sprint(a), func(t *testing.T) {
				_, err := bundletest.Answer[slotsAnswer](t, d.bundle, "calendar_find_slots", a)
				if got := bundletest.ProblemPath(t, err); got != path {
					t.Errorf("the problem is %s, want %s", got, path)
				}
			})
		}
	}
	many := []string{}
	for i := range 60 {
		many = append(many, fmt.Sprintf("p%d@example.com", i))
	}
	_, err := bundletest.Answer[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"attendees": many})
	if metadata.CodeOf(err) != metadata.ValidationError {
		t.Errorf("61 people: %v", err)
	}
}

// requestName returns the name of a request in a round: the last word of its path.
func requestName(r *http.Request) string { return path.Base(r.URL.Path) }

func TestFindSlotsForEightPeopleTakesTwoRoundTrips(t *testing.T) {
	d := newFixture(t)
	d.lockstep = &fakeapi.Lockstep{TB: t, Name: requestName}
	people := []string{}
	for i := range 7 {
		people = append(people, d.sharingUser(fmt.Sprintf("p%d@example.com", i), "Europe/Berlin").Address)
	}
	d.lockstep.Expect([]string{"calendarList"}, []string{"freeBusy"})
	bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"attendees": people, "to": "2026-12-19"})
	d.lockstep.Done()
	// Three months need two requests, which are sent at the same time. The calendars are
	// cached.
	d.lockstep.Expect([]string{"freeBusy", "freeBusy"})
	bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"attendees": people, "to": "2027-02-20"})
	d.lockstep.Done()
}

func TestGroupIsBusyWhenMemberIsBusy(t *testing.T) {
	d := newFixture(t)
	addMeeting(d.sharingUser(bob, zone.String()), "primary", "Secret", "2026-11-23T09:00:00+01:00", "2026-11-23T16:00:00+01:00")
	d.sharingUser("cleo@example.com", zone.String())
	d.google.Group("team@example.com", bob, "cleo@example.com")
	got := bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"attendees": "team@example.com", "from": "2026-11-23", "to": "2026-11-23"})
	if !slices.Equal(got.slotTimes(), []string{"Mon 2026-11-23 16:00–17:00 +01:00"}) || len(got.Unknown) > 0 {
		t.Errorf("got %+v", got)
	}
	d.google.Group("team@example.com", bob, "stranger@example.net")
	got = bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"attendees": "team@example.com", "from": "2026-11-23", "to": "2026-11-23"})
	if len(got.Unknown) != 1 || len(got.Slots) == 0 || len(got.Slots[0].Unconfirmed) != 1 {
		t.Errorf("with one who is not known: %+v", got)
	}
}

func TestFindSlotsWithoutOptionalGuest(t *testing.T) {
	for _, a := range []args{{"optional_attendees": bob}, {"attendees": bob + " (optional)"}} {
		d := newFixture(t)
		addMeeting(d.sharingUser(bob, zone.String()), "primary", "Secret", "2026-11-23T10:00:00+01:00", "2026-11-23T17:00:00+01:00")
		a["from"], a["to"] = "2026-11-23", "2026-11-23"
		got := bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", a)
		if want := []string{"Mon 2026-11-23 09:00–10:00 +01:00", "Mon 2026-11-23 09:15–10:15 +01:00 to 16:00"}; !slices.Equal(got.slotTimes(), want) || !slices.Equal(got.Slots[1].Without, []string{bob}) {
			t.Errorf("%v: got %+v", a, got.Slots)
		}
	}
}

func TestFindSlotsAnswerIsShortForManyPeople(t *testing.T) {
	d := newFixture(t)
	people := []string{}
	for i := range 48 {
		people = append(people, fmt.Sprintf("somebody.with.a.long.name.%d@department%d.example.com America/New_York", i, i))
	}
	raw, err := bundletest.Call(t, d.bundle, "calendar_find_slots", args{"attendees": people[:24], "optional_attendees": people[24:], "working_hours": "0-24", "limit": 50, "to": "2027-02-15"})
	if err != nil || len(raw) > 26_000 || !strings.Contains(string(raw), "more\"") {
		t.Errorf("got %d characters, %v", len(raw), err)
	}
}

func TestFindSlotsOnlyReads(t *testing.T) {
	d := newFixture(t)
	bundletest.Must[slotsAnswer](t, d.bundle, "calendar_find_slots", args{"attendees": bob})
	for _, r := range d.google.Requests() {
		if r.Verb != http.MethodGet && r.Method != "calendar.freebusy.query" {
			t.Errorf("%s %s", r.Verb, r.Method)
		}
	}
}
