package googletest_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

// ask requests the free and busy times from 2 to 9 March 2026, in UTC.
func ask(t *testing.T, s *googletest.Server, q *calendar.FreeBusyRequest, ids ...string) *calendar.FreeBusyResponse {
	t.Helper()
	answer, err := calendarOf(t, s, ada).Freebusy.Query(asking(q, ids...)).Do()
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func asking(q *calendar.FreeBusyRequest, ids ...string) *calendar.FreeBusyRequest {
	if q.TimeMin == "" {
		q.TimeMin, q.TimeMax = "2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z"
	}
	for _, id := range ids {
		q.Items = append(q.Items, &calendar.FreeBusyRequestItem{Id: id})
	}
	return q
}

func busy(of calendar.FreeBusyCalendar) string {
	var all []string
	for _, p := range of.Busy {
		all = append(all, p.Start+"/"+p.End)
	}
	for _, e := range of.Errors {
		all = append(all, e.Domain+" "+e.Reason)
	}
	return strings.Join(all, "\n")
}

func TestBusyPeriodsAreMerged(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	u.SetZone("America/New_York")
	add := func(start, end string, change func(*calendar.Event)) string {
		e := &calendar.Event{Summary: "x", Start: local(start), End: local(end)}
		change(e)
		return u.AddEvent("primary", e)
	}
	same := func(*calendar.Event) {}
	id := add("2026-03-02T09:00:00", "2026-03-02T10:00:00", func(e *calendar.Event) { e.Recurrence = []string{"RRULE:FREQ=DAILY"} })
	u.DeleteEvent("primary", id+"_20260303T140000Z")
	u.ChangeEvent("primary", id+"_20260304T140000Z", map[string]any{"start": local("2026-03-20T09:00:00"), "end": local("2026-03-20T10:00:00")})
	u.ChangeEvent("primary", id+"_20260305T140000Z", `{"transparency": "transparent"}`)
	u.ChangeEvent("primary", id+"_20260320T130000Z", map[string]any{"start": local("2026-03-04T22:00:00"), "end": local("2026-03-04T23:00:00")})
	add("2026-03-06T09:30:00", "2026-03-06T11:00:00", same) // overlaps
	add("2026-03-06T11:00:00", "2026-03-06T12:00:00", same) // touches
	add("2026-03-03", "2026-03-04", same)                   // from midnight in New York
	add("2026-03-07", "2026-03-08", func(e *calendar.Event) { e.Transparency = "transparent" })
	add("2026-03-08T23:00:00", "2026-03-10T01:00:00", same) // longer than the requested time: 03:00Z is after it
	add("2026-03-08T19:00:00", "2026-03-09T01:00:00", same) // cut off
	for answer, at := range map[string]string{"declined": "12", "needsAction": "14"} {
		s.User("bob@example.com").AddEvent("primary", &calendar.Event{
			Summary: answer, Start: local("2026-03-05T" + at + ":00:00"), End: local("2026-03-05T" + at + ":30:00"),
			Attendees: []*calendar.EventAttendee{{Email: ada, ResponseStatus: answer}},
		})
	}
	want := strings.Join([]string{
		"2026-03-02T14:00:00Z/2026-03-02T15:00:00Z",
		"2026-03-03T05:00:00Z/2026-03-04T05:00:00Z",
		"2026-03-05T03:00:00Z/2026-03-05T04:00:00Z", // moved there from the 20th
		"2026-03-05T19:00:00Z/2026-03-05T19:30:00Z", // not answered
		"2026-03-06T14:00:00Z/2026-03-06T17:00:00Z",
		"2026-03-07T14:00:00Z/2026-03-07T15:00:00Z",
		"2026-03-08T13:00:00Z/2026-03-08T14:00:00Z", // the clock was set forward
		"2026-03-08T23:00:00Z/2026-03-09T00:00:00Z",
	}, "\n")
	if got := busy(ask(t, s, &calendar.FreeBusyRequest{}, "primary").Calendars["primary"]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	answer := ask(t, s, &calendar.FreeBusyRequest{TimeMin: "2026-03-08T12:30:00Z", TimeMax: "2026-03-08T13:30:00Z", TimeZone: "Europe/Paris"}, ada)
	if got := busy(answer.Calendars[ada]); got != "2026-03-08T14:00:00+01:00/2026-03-08T14:30:00+01:00" {
		t.Errorf("got %s", got)
	}
}

func TestFreeBusyReportsUnreadableCalendar(t *testing.T) {
	s := googletest.New(t)
	bob, eve, zoe := s.User("bob@example.com"), s.User("eve@example.com"), s.User("zoe@example.com")
	bob.AddEvent("primary", newEvent("Secret", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z"))
	bob.ShareCalendar("primary", ada, "freeBusyReader")
	zoe.ShareCalendar("primary", ada, "reader")
	s.FailFreeBusy(zoe.Address, "internalError")
	s.Group("team@example.com", bob.Address, eve.Address)

	answer := ask(t, s, &calendar.FreeBusyRequest{}, "team@example.com", zoe.Address, "nobody@example.com")
	for id, want := range map[string]string{
		bob.Address:          "2026-03-02T10:00:00Z/2026-03-02T11:00:00Z",
		eve.Address:          "global notFound", // not shared
		zoe.Address:          "global internalError",
		"nobody@example.com": "global notFound",
	} {
		if got := busy(answer.Calendars[id]); got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
	if got := answer.Groups["team@example.com"].Calendars; len(got) != 2 || len(answer.Calendars) != 4 {
		t.Errorf("got group %v, calendars %v", got, answer.Calendars)
	}
	s.FailFreeBusy(zoe.Address, "")
	if got := busy(ask(t, s, &calendar.FreeBusyRequest{}, zoe.Address).Calendars[zoe.Address]); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestFreeBusyLimits(t *testing.T) {
	s := googletest.New(t)
	s.User(ada)
	query := calendarOf(t, s, ada).Freebusy.Query
	for reason, q := range map[string]*calendar.FreeBusyRequest{
		"timeRangeTooLong": {TimeMin: "2026-01-01T00:00:00Z", TimeMax: "2026-04-01T00:00:01Z"},
		"timeRangeEmpty":   {TimeMin: "2026-01-01T00:00:00Z", TimeMax: "2026-01-01T00:00:00Z"},
		"required":         {TimeMin: "2026-01-01T00:00:00Z"},
		"invalid":          {CalendarExpansionMax: 51},
	} {
		_, err := query(asking(q, "primary")).Do()
		requireProblem(t, err, 400, reason)
	}
	var ids []string
	for i := range 51 {
		ids = append(ids, s.User(ada).AddCalendar(fakecalendar.Calendar{Summary: fmt.Sprint(i)}))
	}
	answer := ask(t, s, &calendar.FreeBusyRequest{}, ids...)
	if got := busy(answer.Calendars[ids[50]]); got != "global tooManyCalendarsRequested" || busy(answer.Calendars[ids[49]]) != "" {
		t.Errorf("got %q", got)
	}
	s.Group("all@example.com", ids...)
	answer = ask(t, s, &calendar.FreeBusyRequest{GroupExpansionMax: 50}, "all@example.com")
	if got := answer.Groups["all@example.com"].Errors; len(got) != 1 || got[0].Reason != "groupTooBig" || len(answer.Calendars) != 0 {
		t.Errorf("got %+v", answer)
	}
}
