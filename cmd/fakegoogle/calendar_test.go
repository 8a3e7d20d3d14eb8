package main

import (
	"testing"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"kota/bundles/bundletest"
)

func TestSampleCalendarsAreReadable(t *testing.T) {
	google := bundletest.NewGoogle(t, bundletest.GoogleExplicitUpdates())
	now := time.Now()
	fillCalendars(google, now)
	client := google.HTTPClient(owner)
	defer client.CloseIdleConnections()
	svc, err := calendar.NewService(t.Context(), option.WithEndpoint(google.URL()+"/calendar/v3/"), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	lists, err := svc.CalendarList.List().Do()
	if err != nil {
		t.Fatal(err)
	}
	if len(lists.Items) != 4 {
		t.Errorf("there are %d calendars, want 4", len(lists.Items))
	}
	total := 0
	for _, entry := range lists.Items {
		events, err := svc.Events.List(entry.Id).SingleEvents(true).OrderBy("startTime").
			TimeMin(now.AddDate(0, 0, -7).Format(time.RFC3339)).TimeMax(now.AddDate(0, 0, 30).Format(time.RFC3339)).Do()
		if err != nil {
			t.Fatal(err)
		}
		total += len(events.Items)
	}
	if total < 20 {
		t.Errorf("there are %d events about now, want a busy month", total)
	}
	if mails := google.Invitations(); len(mails) > 0 {
		t.Errorf("the sample mails %v", mails)
	}
}
