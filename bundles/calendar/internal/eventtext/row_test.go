package eventtext

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/tiktoken-go/tokenizer/codec"
	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/event"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
)

func loadZone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func timedEvent(start, end, zone string) *calendarapi.Event {
	return &calendarapi.Event{
		Start: &calendarapi.EventDateTime{DateTime: start, TimeZone: zone}, End: &calendarapi.EventDateTime{DateTime: end, TimeZone: zone},
	}
}

func TestRowWithoutTimeHasTitle(t *testing.T) {
	row := RowOf(t.Context(), &calendarapi.Event{Id: "x", Status: "cancelled"}, &calendarapi.CalendarListEntry{}, time.UTC, time.UTC)
	if row.When != "" || row.Title == "" {
		t.Errorf("got %+v", row)
	}
}

func TestRowFitsTokenLimitInEveryScript(t *testing.T) {
	count := codec.NewO200kBase()
	for name, text := range map[string]string{
		"English": "Quarterly planning of the northern region with the steering committee and its guests. ",
		"Chinese": "关于北部地区季度规划的会议，请所有同事准时参加。", "Arabic": "اجتماع التخطيط الفصلي للمنطقة الشمالية مع اللجنة ",
		"Hindi": "उत्तरी क्षेत्र की तिमाही योजना बैठक ", "emoji": "🧑🏽‍💻🇳🇱🏳️‍🌈🪿", "letters": "q9Zx7K-vJ3wQ_x8Z", "digits": "8315550172",
		"Dutch": "Kwartaaloverleg stuurgroep genodigden voorbereidingscommissie ", "German": "Vierteljahresplanungsbesprechung Arbeitsgruppenleitung ",
		"Finnish": "Neljännesvuosikatsauksen suunnittelukokous ",
		"quotes":  `"\"'\\`, "Thai": "การประชุมวางแผนรายไตรมาส", "Georgian": "კვარტალური დაგეგმვის შეხვედრა ",
	} {
		e := timedEvent("2026-11-24T21:00:00+09:00", "2026-11-25T16:30:00+09:00", "America/Argentina/Buenos_Aires")
		e.Id, e.RecurringEventId, e.Status, e.EventType = "6tq3ac1k64o38b9mcdgj4b9k6s_20261124T120000Z", "x", "tentative", "workingLocation"
		e.Summary, e.Location, e.Description = strings.Repeat(text, 40), strings.Repeat(text, 40), strings.Repeat(text, 200)
		e.Organizer = &calendarapi.EventOrganizer{DisplayName: strings.Repeat(text, 10), Email: "x@example.com"}
		e.HangoutLink = "https://meet.google.com/abc-defg-hij"
		e.Transparency = "transparent"
		for i := range 20 {
			e.Attendees = append(e.Attendees, &calendarapi.EventAttendee{Email: fmt.Sprintf("g%d@example.com", i), DisplayName: strings.Repeat(text, 10), ResponseStatus: event.Answers[i%4][0], Self: i == 3})
		}
		e.AttendeesOmitted = true
		for _, guests := range []int{20, 4, 3} {
			e.Attendees = e.Attendees[:guests]
			if guests == 3 { // 3 guests are listed by address
				for i, a := range e.Attendees {
					a.DisplayName, a.Email, a.Self = "", strings.Repeat(text, 10)+fmt.Sprint(i), false
				}
			}
			row := RowOf(t.Context(), e, &calendarapi.CalendarListEntry{Primary: true}, time.UTC, time.UTC)
			row.Calendar = budget.Brief(text+text, MaxName)
			row.Fit(0)
			raw, err := metadata.Plain(row)
			if err != nil {
				t.Fatal(err)
			}
			if tokens, err := count.Count(string(raw)); err != nil || tokens > 130 { // 120, and the provenance
				t.Errorf("%s, %d guests: %d tokens, %v: %s", name, guests, tokens, err, raw)
			}
			if !utf8.Valid(raw) {
				t.Errorf("%s: %q is cut within a character", name, raw)
			}
		}
	}
}

func TestRowKeepsFieldsOfTypicalMeeting(t *testing.T) {
	e := timedEvent("2026-11-24T15:00:00+01:00", "2026-11-24T16:00:00+01:00", "Europe/Amsterdam")
	e.Id, e.Summary, e.Location = "6tq3ac1k64o38b9mcdgj4b9k6s_20261124T140000Z", "Budget review with the northern team", "Herengracht 1, Amsterdam"
	e.RecurringEventId = "6tq3ac1k64o38b9mcdgj4b9k6s"
	e.Attendees = []*calendarapi.EventAttendee{{Self: true, ResponseStatus: "needsAction"}, {DisplayName: "Bob", ResponseStatus: "accepted"}, {DisplayName: "Carol", ResponseStatus: "needsAction"}}
	row := RowOf(t.Context(), e, &calendarapi.CalendarListEntry{Primary: true}, time.UTC, loadZone(t, "Europe/Amsterdam"))
	want := row
	if row.Fit(0); !cmp.Equal(row, want) {
		t.Error(cmp.Diff(want, row))
	}
}

func TestRowShowsGuestAnswers(t *testing.T) {
	guest := func(name, status string) *calendarapi.EventAttendee {
		return &calendarapi.EventAttendee{DisplayName: name, Email: strings.ToLower(name) + "@example.com", ResponseStatus: status}
	}
	me := &calendarapi.EventAttendee{Email: "ann@example.com", ResponseStatus: "needsAction", Self: true}
	room := &calendarapi.EventAttendee{Email: "room@resource.calendar.google.com", Resource: true, ResponseStatus: "accepted"}
	hidden := false
	for _, c := range []struct {
		event        *calendarapi.Event
		guests, mine string
	}{
		{&calendarapi.Event{}, "", ""},
		{&calendarapi.Event{Attendees: []*calendarapi.EventAttendee{me, room}}, "", "not yet"},
		{&calendarapi.Event{Attendees: []*calendarapi.EventAttendee{me, guest("Bob", "declined"), guest("Carol", "needsAction")}}, "Bob no, Carol waiting", "not yet"},
		{&calendarapi.Event{Attendees: []*calendarapi.EventAttendee{guest("Bob yes, Carol", "tentative")}}, "Bob yes Carol maybe", ""},
		{&calendarapi.Event{Attendees: []*calendarapi.EventAttendee{
			guest("A", "accepted"), guest("B", "accepted"), guest("C", "declined"), guest("D", "whatever"), {Self: true, Organizer: true, ResponseStatus: "accepted"},
		}}, "4: 2 yes, 1 no, 1 waiting", ""},
		{&calendarapi.Event{Attendees: []*calendarapi.EventAttendee{{Self: true, ResponseStatus: "accepted"}}, AttendeesOmitted: true}, "others not shown", "yes"},
		{&calendarapi.Event{Attendees: []*calendarapi.EventAttendee{guest("Bob", "accepted")}, GuestsCanSeeOtherGuests: &hidden}, "Bob yes, others not shown", ""},
		{&calendarapi.Event{Attendees: []*calendarapi.EventAttendee{guest("Bob", "accepted")}, GuestsCanSeeOtherGuests: &hidden, Organizer: &calendarapi.EventOrganizer{Self: true}}, "Bob yes", ""},
	} {
		row := RowOf(t.Context(), c.event, &calendarapi.CalendarListEntry{Primary: true}, time.UTC, time.UTC)
		if row.Guests != c.guests || row.MyAnswer != c.mine {
			t.Errorf("got %q and %q, want %q and %q", row.Guests, row.MyAnswer, c.guests, c.mine)
		}
	}
}

func TestRowShowsDistinctAddresses(t *testing.T) {
	guest := func(address string) *calendarapi.EventAttendee { return &calendarapi.EventAttendee{Email: address} }
	e := timedEvent("2026-11-24T15:00:00+01:00", "2026-11-24T16:00:00+01:00", "Europe/Amsterdam")
	e.Id, e.Summary = "6tq3ac1k64o38b9mcdgj4b9k6s", "Budget review"
	e.Attendees = []*calendarapi.EventAttendee{guest("sasha.jones@example.com"), guest("sasha.jonas@example.org"), guest("a.very.long.name.indeed@subdomain.example.com")}
	row := RowOf(t.Context(), e, &calendarapi.CalendarListEntry{Primary: true}, time.UTC, loadZone(t, "Europe/Amsterdam"))
	row.Fit(0)
	first, rest, _ := strings.Cut(row.Guests, ", ")
	second, third, _ := strings.Cut(rest, ", ")
	if first != "sasha.jones@example.com waiting" || second != "sasha.jonas@example.org waiting" {
		t.Errorf("got %q", row.Guests)
	}
	if shown, cut := strings.CutSuffix(third, "… waiting"); !cut || len(shown) < 20 || len(shown) > 32 {
		t.Errorf("of a long one: %q", third)
	}
}

func TestRowIgnoresColleaguesAnswer(t *testing.T) {
	e := &calendarapi.Event{Attendees: []*calendarapi.EventAttendee{{Email: "bob@example.org", Self: true, ResponseStatus: "declined"}}}
	if row := RowOf(t.Context(), e, &calendarapi.CalendarListEntry{Id: "bob@example.org"}, time.UTC, time.UTC); row.MyAnswer != "" || row.Guests != "bob@example.org no" {
		t.Errorf("got %+v", row)
	}
}

func TestUntrustedTextIsCleanedInRow(t *testing.T) {
	e := timedEvent("2026-11-24T15:00:00Z", "2026-11-24T16:00:00Z", "UTC")
	e.Summary, e.Location = "Lunch\u202egnihton\u200b\r\nstart: never", "a\x1b[2Jb"
	e.Organizer = &calendarapi.EventOrganizer{DisplayName: "Bob\u2066", Email: "bob@example.com"}
	e.HangoutLink, e.EventType = "javascript:alert(1)", "new\nType"
	got := RowOf(t.Context(), e, &calendarapi.CalendarListEntry{Primary: true}, time.UTC, time.UTC)
	want := Row{
		Title: "Lunchgnihton start: never", When: "Tue 2026-11-24 15:00–16:00 +00:00", Length: "1h", Location: "a[2Jb", Organizer: "Bob", Type: "new Type",
		Provenance: &untrusted.Provenance{Source: "event", Trust: "stranger"},
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestRowDistinguishesBusyFromUntitled(t *testing.T) {
	self := &calendarapi.EventOrganizer{Self: true}
	for _, c := range []struct {
		event  *calendarapi.Event
		access string
		want   string
	}{
		{&calendarapi.Event{}, "freeBusyReader", "(busy)"},
		{&calendarapi.Event{Visibility: "private"}, "reader", "(busy)"},
		{&calendarapi.Event{Visibility: "private", Organizer: self}, "owner", "(no title)"},
		{&calendarapi.Event{Summary: " \u200b"}, "owner", "(no title)"},
		{&calendarapi.Event{Summary: "Dentist", Visibility: "private"}, "owner", "Dentist"},
	} {
		if got := RowOf(t.Context(), c.event, &calendarapi.CalendarListEntry{AccessRole: c.access}, time.UTC, time.UTC).Title; got != c.want {
			t.Errorf("%s: got %q, want %q", c.access, got, c.want)
		}
	}
}
