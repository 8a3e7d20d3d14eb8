package icalendar_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/internal/icalendar"
	"kota/bundles/internal/timeparse"
)

// file returns a calendar file of one event with these lines, after given first
// lines.
func file(method string, lines ...string) string {
	all := append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:" + method, "BEGIN:VEVENT", "UID:u1@example.com"}, lines...)
	return strings.Join(append(all, "END:VEVENT", "END:VCALENDAR", ""), "\r\n")
}

func amsterdam(t testing.TB) *time.Location {
	zone, err := timeparse.Zone("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// event reads the only event of a file.
func event(t *testing.T, text string) icalendar.Event {
	t.Helper()
	in, err := icalendar.Read([]byte(text), amsterdam(t))
	if err != nil {
		t.Fatal(err)
	}
	e, ok := in.MainEvent()
	if !ok {
		t.Fatalf("it is of several events: %+v", in)
	}
	return e
}

func TestReadInvitation(t *testing.T) {
	text := file("request",
		"SEQUENCE:2", "SUMMARY:Lunch\\, with cake\\; and", "  tea", "LOCATION:Room \\\\4", "DESCRIPTION:First\\nsecond",
		`ORGANIZER;CN="Bob; the boss":mailto:bob@example.org`,
		"ATTENDEE;CN=Ann;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;X-VERY=", " LONG:MAILTO:Ann@Example.com", "ATTENDEE:invalid:nomail",
		"DTSTART:20261124T120000Z", "DTEND:20261124T130000Z", "TRANSP:TRANSPARENT",
		"ATTACH;ENCODING=BASE64;VALUE=BINARY:"+strings.Repeat("QUJD", 10_000),
		"BEGIN:VALARM", "DESCRIPTION:Wake up", "END:VALARM",
	)
	got := event(t, "\uFEFFjunk before\r\n"+text)
	want := icalendar.Event{
		UID: "u1@example.com", Sequence: 2, Free: true, Summary: "Lunch, with cake; and tea", Location: `Room \4`, Description: "First\nsecond",
		Organizer: icalendar.Person{Address: "bob@example.org", Name: "Bob; the boss"}, Recurrence: []string{},
		Attendees: []icalendar.Person{{Address: "Ann@example.com", Name: "Ann", Answer: "NEEDS-ACTION", Optional: true}},
		Start:     icalendar.Time{Moment: time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)}, End: icalendar.Time{Moment: time.Date(2026, 11, 24, 13, 0, 0, 0, time.UTC)},
	}
	if !strings.EqualFold(got.Attendees[0].Address, want.Attendees[0].Address) {
		t.Errorf("the guest is %+v", got.Attendees)
	}
	want.Attendees[0].Address = got.Attendees[0].Address
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestReadTimesInTheirZone(t *testing.T) {
	for name, c := range map[string]struct {
		lines      []string
		start, end string
		zone       string
	}{
		"UTC":               {[]string{"DTSTART:20261124T120000Z", "DURATION:PT90M"}, "2026-11-24T12:00:00Z", "2026-11-24T13:30:00Z", "UTC"},
		"IANA":              {[]string{"DTSTART;TZID=America/New_York:20261124T120000", "DTEND;TZID=America/New_York:20261124T123000"}, "2026-11-24T12:00:00-05:00", "2026-11-24T12:30:00-05:00", "America/New_York"},
		"quoted":            {[]string{`DTSTART;TZID="Asia/Kolkata":20261124T120000`}, "2026-11-24T12:00:00+05:30", "2026-11-24T12:00:00+05:30", "Asia/Kolkata"},
		"Windows":           {[]string{"DTSTART;TZID=Eastern Standard Time:20260701T120000"}, "2026-07-01T12:00:00-04:00", "2026-07-01T12:00:00-04:00", "America/New_York"},
		"behind a path":     {[]string{"DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20261124T120000"}, "2026-11-24T12:00:00+01:00", "2026-11-24T12:00:00+01:00", "Europe/Berlin"},
		"none: the user's":  {[]string{"DTSTART:20261124T120000"}, "2026-11-24T12:00:00+01:00", "2026-11-24T12:00:00+01:00", "Europe/Amsterdam"},
		"in a gap":          {[]string{"DTSTART;TZID=America/New_York:20260308T023000"}, "2026-03-08T03:30:00-04:00", "2026-03-08T03:30:00-04:00", "America/New_York"},
		"in a fold":         {[]string{"DTSTART;TZID=America/New_York:20261101T013000"}, "2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-04:00", "America/New_York"},
		"end before start":  {[]string{"DTSTART:20261124T120000Z", "DTEND:20261124T110000Z"}, "2026-11-24T12:00:00Z", "2026-11-24T12:00:00Z", "UTC"},
		"a day":             {[]string{"DTSTART;VALUE=DATE:20261124"}, "2026-11-24", "2026-11-25", ""},
		"days":              {[]string{"DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261127"}, "2026-11-24", "2026-11-27", ""},
		"days by duration":  {[]string{"DTSTART;VALUE=DATE:20261124", "DURATION:P2D"}, "2026-11-24", "2026-11-26", ""},
		"a day to a moment": {[]string{"DTSTART;VALUE=DATE:20261124", "DTEND:20261127T120000Z"}, "2026-11-24", "2026-11-25", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := event(t, file("REQUEST", c.lines...))
			if got := formatTime(e.Start); e.TimeProblem != "" || got != c.start || formatTime(e.End) != c.end || c.zone != "" && e.Start.Moment.Location().String() != c.zone {
				t.Errorf("got %s to %s in %s, %q", got, formatTime(e.End), e.Start.Moment.Location(), e.TimeProblem)
			}
		})
	}
}

func formatTime(t icalendar.Time) string {
	if t.Date {
		return t.Moment.Format(time.DateOnly)
	}
	return t.Moment.Format(time.RFC3339)
}

func TestReadZonesDefinedInFile(t *testing.T) {
	text := strings.Replace(file("REQUEST", "DTSTART;TZID=Ours:20261124T120000"), "BEGIN:VEVENT",
		"BEGIN:VTIMEZONE\r\nTZID:Ours\r\nX-LIC-LOCATION:Asia/Tokyo\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT", 1)
	if e := event(t, text); formatTime(e.Start) != "2026-11-24T12:00:00+09:00" {
		t.Errorf("got %+v", e)
	}
	text = strings.Replace(file("REQUEST", "DTSTART:20261124T120000"), "METHOD", "X-WR-TIMEZONE:Asia/Tokyo\r\nMETHOD", 1)
	if e := event(t, text); formatTime(e.Start) != "2026-11-24T12:00:00+09:00" {
		t.Errorf("got %+v", e)
	}
}

func TestUnreliableTimesAreReported(t *testing.T) {
	for _, lines := range [][]string{
		{}, {"DTSTART:soon"}, {"DTSTART:20260230T120000Z"}, {"DTSTART:00000101T000000Z"}, {"DTSTART:99990101T000000Z"}, {"DTSTART;TZID=Mars/Phobos:20261124T120000"},
		{"DTSTART;TZID=../../etc/passwd:20261124T120000"}, {"DTSTART;TZID=Local:20261124T120000"}, {"DTSTART:20261124T120000Z", "EXDATE:20261124T120000Z,never"},
		{"DTSTART:20261124T120000Z", "RECURRENCE-ID;TZID=Nowhere:20261124T120000"}, {"DTSTART:20261124T120000Z", "EXDATE:" + strings.Repeat("20261124T120000Z,", 600)},
	} {
		if e := event(t, file("REQUEST", lines...)); e.TimeProblem == "" {
			t.Errorf("%.80q: got %+v", lines, e)
		}
	}
}

func TestReadSeriesWithDatesInUTC(t *testing.T) {
	e := event(t, file("REQUEST", "DTSTART;TZID=W. Europe Standard Time:20261124T120000", "RRULE:FREQ=WEEKLY;BYDAY=TU",
		"EXDATE;TZID=W. Europe Standard Time:20261201T120000,20270706T120000", "RDATE;VALUE=DATE:20261230"))
	want := []string{"RRULE:FREQ=WEEKLY;BYDAY=TU", "EXDATE:20261201T110000Z", "EXDATE:20270706T100000Z", "RDATE;VALUE=DATE:20261230"}
	if !slices.Equal(e.Recurrence, want) || e.TimeProblem != "" || !e.OriginalStart.IsZero() {
		t.Errorf("got %q, %q", e.Recurrence, e.TimeProblem)
	}
}

func TestMainEvent(t *testing.T) {
	instance := "BEGIN:VEVENT\r\nUID:u1@example.com\r\nRECURRENCE-ID:20261201T120000Z\r\nDTSTART:20261201T140000Z\r\nEND:VEVENT\r\n"
	series := "BEGIN:VEVENT\r\nUID:u1@example.com\r\nDTSTART:20261124T120000Z\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\n"
	for events, want := range map[string]string{
		series: "2026-11-24T12:00:00Z", instance + series: "2026-11-24T12:00:00Z", instance: "2026-12-01T14:00:00Z", instance + instance: "",
		series + strings.Replace(series, "u1", "u2", 1): "",
	} {
		in, err := icalendar.Read([]byte("BEGIN:VCALENDAR\r\n"+events+"END:VCALENDAR\r\n"), amsterdam(t))
		if err != nil {
			t.Fatal(err)
		}
		e, ok := in.MainEvent()
		if ok != (want != "") || ok && formatTime(e.Start) != want {
			t.Errorf("%.40q: got %+v, %v", events, e, ok)
		}
	}
}

func TestReadRefusesOtherFiles(t *testing.T) {
	deep := strings.Repeat("BEGIN:VEVENT\r\n", 100_000)
	for name, text := range map[string]string{
		"nothing": "", "a letter": "Dear Ann,\nlet us meet.", "no event": "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "no UID": strings.Replace(file("REQUEST"), "UID", "X-UID", 1),
		"cut off": file("REQUEST")[:80], "wrong order": "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\nEND:VEVENT\r\n", "deep": "BEGIN:VCALENDAR\r\n" + deep,
		"an event alone": "BEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n", "endless": "BEGIN:VCALENDAR\r\n" + strings.Repeat("UID:1\r\n", 100_000), "large": file("REQUEST", strings.Repeat("X", icalendar.MaxBytes)),
		"a broken parameter": file("REQUEST", `SUMMARY;A="x"y:z`), "an empty one": file("REQUEST", "SUMMARY;=:z"),
	} {
		t.Run(name, func(t *testing.T) {
			if in, err := icalendar.Read([]byte(text), time.UTC); !errors.Is(err, icalendar.ErrNone) {
				t.Errorf("got %+v, %v", in, err)
			}
		})
	}
}

func TestReadLimitsHostileFile(t *testing.T) {
	long := file("REQUEST", "SUMMARY:"+strings.Repeat("ä", 400_000), "LOCATION;X="+strings.Repeat("y", 200_000)+":here", "DTSTART:20261124T120000Z")
	if e := event(t, long); len(e.Summary) > 17_000 || e.Location != "" {
		t.Errorf("got %d bytes of title, location %q", len(e.Summary), e.Location)
	}
	lines := []string{"DTSTART:20261124T120000Z"}
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("ATTENDEE:mailto:p%d@example.com", i))
	}
	if e := event(t, file("REQUEST", lines...)); len(e.Attendees) != 500 {
		t.Errorf("got %d guests", len(e.Attendees))
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		file("REQUEST", "DTSTART;TZID=America/New_York:20261124T120000", "RRULE:FREQ=DAILY", "EXDATE:20261125T170000Z", "ATTENDEE;CN=\"A\":mailto:a@b.example"),
		file("CANCEL", "RECURRENCE-ID:20261124T120000Z", "STATUS:CANCELLED"), "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR",
		`BEGIN:VCALENDAR` + "\n" + `SUMMARY;A="x"y:z`, "BEGIN:VCALENDAR\n END:VCALENDAR", "\uFEFFBEGIN:VCALENDAR\r\n\tX", "DTSTART;TZID=a/b/c/d:20260230T256199",
	} {
		f.Add([]byte(text))
	}
	zone := amsterdam(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := icalendar.Read(data, zone)
		if err != nil {
			if !errors.Is(err, icalendar.ErrNone) {
				t.Errorf("got %v", err)
			}
			return
		}
		for _, e := range in.Events {
			if e.UID == "" || e.TimeProblem == "" && (e.Start.IsZero() || e.End.Moment.Before(e.Start.Moment)) {
				t.Errorf("got %+v", e)
			}
			for _, line := range e.Recurrence {
				if strings.ContainsAny(line, "\r\n") {
					t.Errorf("a rule has several lines: %q", line)
				}
			}
		}
	})
}
