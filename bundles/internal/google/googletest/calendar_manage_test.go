package googletest_test

import (
	"testing"

	"google.golang.org/api/calendar/v3"

	"kota/bundles/internal/google/googletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
)

func TestCalendarLifeCycle(t *testing.T) {
	s := googletest.New(t)
	s.User(ada).SetZone("Europe/Amsterdam")
	svc := calendarOf(t, s, ada)
	made, err := svc.Calendars.Insert(&calendar.Calendar{Summary: "Team"}).Do()
	if err != nil {
		t.Fatal(err)
	}
	if made.TimeZone != "Europe/Amsterdam" || made.DataOwner != ada {
		t.Errorf("got %+v", made)
	}
	changed, err := svc.Calendars.Patch(made.Id, &calendar.Calendar{Description: "of the bakery"}).Do()
	if err != nil || changed.Summary != "Team" || changed.Etag == made.Etag {
		t.Errorf("got %+v, %v", changed, err)
	}
	entry, err := svc.CalendarList.Patch(made.Id, &calendar.CalendarListEntry{SummaryOverride: "Us", BackgroundColor: "#123456", ForegroundColor: "#ffffff"}).ColorRgbFormat(true).Do()
	if err != nil || entry.SummaryOverride != "Us" || entry.BackgroundColor != "#123456" || entry.Description != "of the bakery" {
		t.Errorf("got %+v, %v", entry, err)
	}
	if err := svc.Calendars.Delete(made.Id).Do(); err != nil {
		t.Fatal(err)
	}
	_, err = svc.CalendarList.Get(made.Id).Do()
	requireProblem(t, err, 404, "notFound")
	requireProblem(t, svc.Calendars.Delete("primary").Do(), 400, "cannotDeletePrimaryCalendar")
}

// "Removes a calendar from the user's calendar list" (calendarList.delete).
func TestCalendarRemovedFromListStillExists(t *testing.T) {
	s := googletest.New(t)
	team := s.User(ada).AddCalendar(fakecalendar.Calendar{Summary: "Team", Role: "reader"})
	svc := calendarOf(t, s, ada)
	if err := svc.CalendarList.Delete(team).Do(); err != nil {
		t.Fatal(err)
	}
	_, err := svc.CalendarList.Get(team).Do()
	requireProblem(t, err, 404, "notFound")
	if _, err := svc.Calendars.Get(team).Do(); err != nil {
		t.Error(err)
	}
	if _, err := svc.CalendarList.Insert(&calendar.CalendarListEntry{Id: team, ColorId: "7"}).Do(); err != nil {
		t.Error(err)
	}
	_, err = svc.Calendars.Patch(team, &calendar.Calendar{Summary: "Mine"}).Do()
	requireProblem(t, err, 403, "requiredAccessLevel")
}

func TestHiddenCalendarsAreListedOnRequest(t *testing.T) {
	s := googletest.New(t)
	hidden := s.User(ada).AddCalendar(fakecalendar.Calendar{Summary: "Old", Hidden: true})
	lists := calendarOf(t, s, ada).CalendarList
	usual, err := lists.List().Do()
	if err != nil {
		t.Fatal(err)
	}
	all, err := lists.List().ShowHidden(true).MaxResults(1).Do()
	if err != nil {
		t.Fatal(err)
	}
	if len(usual.Items) != 1 || len(all.Items) != 1 || all.Items[0].Id != hidden || all.NextPageToken == "" {
		t.Errorf("got %d and %+v", len(usual.Items), all)
	}
}

// "Provides read access to free/busy information" (CalendarList, accessRole).
func TestFreeBusyReaderSeesOnlyTimes(t *testing.T) {
	s := googletest.New(t)
	u := s.User(ada)
	u.AddEvent("primary", `{"summary": "Doctor", "visibility": "private", "start": {"date": "2026-03-02"}, "end": {"date": "2026-03-03"}}`)
	u.AddEvent("primary", `{"summary": "Fair", "start": {"date": "2026-03-02"}, "end": {"date": "2026-03-03"}}`)
	for role, want := range map[string]int{"freeBusyReader": 0, "reader": 1, "writerWithoutPrivateAccess": 1, "writer": 2} {
		t.Run(role, func(t *testing.T) {
			u.ShareCalendar("primary", guest, role)
			list, err := calendarOf(t, s, guest).Events.List(ada).Do()
			if err != nil {
				t.Fatal(err)
			}
			named := 0
			for _, e := range list.Items {
				if e.Summary != "" {
					named++
				}
			}
			if len(list.Items) != 2 || named != want || list.AccessRole != role {
				t.Errorf("%d of %d have a summary, want %d", named, len(list.Items), want)
			}
		})
	}
}
