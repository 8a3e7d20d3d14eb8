package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

const quickAddTool = "calendar_quick_add"

// The lines are read on Saturday 21 November 2026 at noon in Amsterdam.
func TestQuickAddReadsLines(t *testing.T) {
	for text, want := range map[string]string{
		"Lunch with Ann tomorrow 12:00":              "Lunch with Ann: 2026-11-22T12:00:00+01:00 to 2026-11-22T13:00:00+01:00",
		"dentist friday 9am":                         "dentist: 2026-11-27T09:00:00+01:00 to 2026-11-27T10:00:00+01:00",
		"Call mum at 3pm":                            "Call mum: 2026-11-21T15:00:00+01:00 to 2026-11-21T16:00:00+01:00",
		"Call mum at 9:30 am":                        "Call mum: 2026-11-22T09:30:00+01:00 to 2026-11-22T10:30:00+01:00",
		"Review next monday 9am-10:30am":             "Review: 2026-11-23T09:00:00+01:00 to 2026-11-23T10:30:00+01:00",
		"Walk 3-4pm tomorrow":                        "Walk: 2026-11-22T15:00:00+01:00 to 2026-11-22T16:00:00+01:00",
		"Talk 11-1pm on tuesday":                     "Talk: 2026-11-24T11:00:00+01:00 to 2026-11-24T13:00:00+01:00",
		"Gym from 17:00 to 18:15 on Monday":          "Gym: 2026-11-23T17:00:00+01:00 to 2026-11-23T18:15:00+01:00",
		"dec 3 at 14:00 Party for 2 hours":           "Party: 2026-12-03T14:00:00+01:00 to 2026-12-03T16:00:00+01:00",
		"Taxes 31 March":                             "Taxes: 2027-03-31 to 2027-03-31",
		"Fair on 2026-12-03":                         "Fair: 2026-12-03 to 2026-12-03",
		"Trip on the 3rd december 2027":              "Trip: 2027-12-03 to 2027-12-03",
		"Zahnarzt morgen um 14 Uhr":                  "Zahnarzt: 2026-11-22T14:00:00+01:00 to 2026-11-22T15:00:00+01:00",
		"Mittagessen am Freitag 12:30":               "Mittagessen: 2026-11-27T12:30:00+01:00 to 2026-11-27T13:30:00+01:00",
		"tandarts overmorgen 9:00":                   "tandarts: 2026-11-23T09:00:00+01:00 to 2026-11-23T10:00:00+01:00",
		"déjeuner vendredi à 12h30":                  "déjeuner: 2026-11-27T12:30:00+01:00 to 2026-11-27T13:30:00+01:00",
		"Sun cream, batteries: buy them 10:00 today": "Sun cream, batteries: buy them: 2026-11-21T10:00:00+01:00 to 2026-11-21T11:00:00+01:00",
		"1-1 with Ann tomorrow noon":                 "1-1 with Ann: 2026-11-22T12:00:00+01:00 to 2026-11-22T13:00:00+01:00",
		"Room 5 tomorrow noon":                       "Room 5: 2026-11-22T12:00:00+01:00 to 2026-11-22T13:00:00+01:00",
		"Release v3.2 tomorrow noon":                 "Release v3.2: 2026-11-22T12:00:00+01:00 to 2026-11-22T13:00:00+01:00",
		"Lunch the day after tomorrow 12:00":         "Lunch: 2026-11-23T12:00:00+01:00 to 2026-11-23T13:00:00+01:00",
		"Lunch in 2 weeks 12:00":                     "Lunch: 2026-12-05T12:00:00+01:00 to 2026-12-05T13:00:00+01:00",
		"Lunch thurs 12:00":                          "Lunch: 2026-11-26T12:00:00+01:00 to 2026-11-26T13:00:00+01:00",
		"Lunch on sat 12:00":                         "Lunch: 2026-11-28T12:00:00+01:00 to 2026-11-28T13:00:00+01:00",
		"Tandarts 2026/12/03 10:00":                  "Tandarts: 2026-12-03T10:00:00+01:00 to 2026-12-03T11:00:00+01:00",
		"Tandarts 2026-12-03T10:00":                  "Tandarts: 2026-12-03T10:00:00+01:00 to 2026-12-03T11:00:00+01:00",
		"Call tomorrow 10:00 UTC":                    "Call: 2026-11-22T10:00:00Z to 2026-11-22T11:00:00Z",
		"Call tomorrow 10:00 America/New_York":       "Call: 2026-11-22T10:00:00-05:00 to 2026-11-22T11:00:00-05:00",
		"Call 5am America/New_York":                  "Call: 2026-11-22T05:00:00-05:00 to 2026-11-22T06:00:00-05:00",
		"Call 7am America/New_York":                  "Call: 2026-11-21T07:00:00-05:00 to 2026-11-21T08:00:00-05:00",
		"Meeting tomorrow 9-11":                      "Meeting: 2026-11-22T09:00:00+01:00 to 2026-11-22T11:00:00+01:00",
		"Meeting 10–17 tomorrow":                     "Meeting: 2026-11-22T10:00:00+01:00 to 2026-11-22T17:00:00+01:00",
		"Night train tomorrow 23:30-01:15":           "Night train: 2026-11-22T23:30:00+01:00 to 2026-11-23T01:15:00+01:00",
		"Party friday 10pm-2am":                      "Party: 2026-11-27T22:00:00+01:00 to 2026-11-28T02:00:00+01:00",
		"Gym tomorrow 18:00 for 1h":                  "Gym: 2026-11-22T18:00:00+01:00 to 2026-11-22T19:00:00+01:00",
		"Gym for 2h tomorrow 18:00":                  "Gym: 2026-11-22T18:00:00+01:00 to 2026-11-22T20:00:00+01:00",
		"Dinner tonight 19:00":                       "Dinner: 2026-11-21T19:00:00+01:00 to 2026-11-21T20:00:00+01:00",
		"Sunday roast 13:00":                         "roast: 2026-11-22T13:00:00+01:00 to 2026-11-22T14:00:00+01:00",
		"Roast on sunday":                            "Roast: 2026-11-22 to 2026-11-22",
		"Week planning monday 9:00":                  "Week planning: 2026-11-23T09:00:00+01:00 to 2026-11-23T10:00:00+01:00",
		"Morning run tomorrow 7:00":                  "Morning run: 2026-11-22T07:00:00+01:00 to 2026-11-22T08:00:00+01:00",
		"Happy hour friday 17:00":                    "Happy hour: 2026-11-27T17:00:00+01:00 to 2026-11-27T18:00:00+01:00",
	} {
		d := amsterdamFixture(t)
		got := bundletest.Must[createdEvent](t, d.bundle, quickAddTool, args{"text": text})
		if said := got.Event.Title + ": " + got.Start + " to " + got.End; said != want || got.Status != "created" {
			t.Errorf("%q: got %q, want %q", text, said, want)
		}
	}
}

func TestQuickAddRefusesAmbiguousLines(t *testing.T) {
	for _, text := range []string{
		"", "Lunch", "tomorrow", "12:00", "Lunch at 3 tomorrow", "Lunch at 3", "Lunch monday or tuesday", "Lunch 12:00 and 14:00", "Lunch tomorrow 25:00",
		"Lunch feb 30", "Lunch feb 30 12:00", "Lunch tomorrow 13pm", "Lunch tomorrow 12:00\r\nATTENDEE:eve@bad.example", "Party tomorrow 22:00-21:00",
		"Party 31.12. 20 Uhr", "Party 12/31 20:00", "Party 31.12.2026", "Party 31/12/26 tomorrow", "Meeting monday 3-4", "Meeting monday 9-5", "Meeting 9-11",
		"Standup every monday 10:00", "Gym mondays 18:00", "Yoga each week monday 9:00", "Turnen jeden Dienstag 18:00", "vergadering elke vrijdag 9:00", strings.Repeat("x ", 400) + "tomorrow",
		"Lunch next week 12:00", "Lunch on the 3rd 12:00", "Lunch yesterday 12:00", "Tandarts 03-12-2026 10:00", "Tandarts 3-12 10:00", "Flight 12/01 10:00",
		"Lunch monday week 12:00", "Lunch a week from monday 12:00", "Lunch in two weeks 12:00", "Lunch 12:00 with Ann in two weeks", "Call tomorrow 10:00 EST",
		"Call tomorrow 10:00 New York time", "Call tomorrow 10:00 UTC+2", "Call tomorrow 10:00 +02:00", "Call tomorrow 10:00 Z", "Call CET tomorrow 10:00",
		"Standup every monday 9am", "Standup daily 9am", "Standup mon-fri 9am", "Standup tomorrow 9am every", "Sunday roast", "Sun 12:00 lunch", "Zahnarzt Do 10:00",
		"Pay by friday 12:00", "Monday's call 12:00", "Lunch last monday 12:00", "Lunch half past 9 tomorrow", "Lunch tomorrow 9:00 to 5", "Lunch tomorrow 12:00 45m",
		"Walk tomorrow morning 9:00", "Walk tomorrow evening 7pm", "Release 3.2 tomorrow noon", "1-1 tomorrow", "Nap tonight 3am", "Party tomorrow midnight", "Room 5 tomorrow",
		"Lunch tomorrow 12:00 for half an hour", "Lunch at nine tomorrow", "Call 2026-12-03T10:00Z", "Trip in december 12:00", "Lunch tomorrow 2030 12:00 15", "Lunch 2026/13/03 10:00",
	} {
		d := amsterdamFixture(t)
		if _, err := bundletest.Answer[createdEvent](t, d.bundle, quickAddTool, args{"text": text}); metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%q: %v", text, err)
		}
		if made := d.ann.Events("primary"); len(made) > 0 {
			t.Errorf("%q: made %v", text, made)
		}
	}
}

func TestQuickAddInvitesNobodyAndRepeatsOnce(t *testing.T) {
	d := amsterdamFixture(t)
	a := args{"text": "Lunch with bob@example.org tomorrow 12:00", "idempotency_key": "k"}
	got := bundletest.Must[createdEvent](t, d.bundle, quickAddTool, a)
	if again := bundletest.Must[createdEvent](t, d.anotherProcess(), quickAddTool, a); again.Status != "repeated" || again.Event.ID != got.Event.ID {
		t.Errorf("again: %+v", again)
	}
	made := d.ann.Event("primary", got.Event.ID)
	if made["attendees"] != nil || len(d.google.Invitations()) > 0 || got.Event.Title != "Lunch with bob@example.org" || len(got.Notes) != 1 || eventsAndMails(d)[0] != 1 {
		t.Errorf("got %+v, %v", got, made)
	}
}
