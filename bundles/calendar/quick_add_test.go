package calendar_test

import (
	"strings"
	"testing"

	"kota/metadata"
)

const quickAdd = "calendar_quick_add"

// On Saturday 21 November 2026 at noon in Amsterdam.
func TestALineIsReadAsPeopleMeanIt(t *testing.T) {
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
		"Release 3.2 tomorrow noon":                  "Release 3.2: 2026-11-22T12:00:00+01:00 to 2026-11-22T13:00:00+01:00",
		"1-1 with every lead tomorrow noon":          "1-1 with every lead: 2026-11-22T12:00:00+01:00 to 2026-11-22T13:00:00+01:00",
		"Room 5 tomorrow noon":                       "Room 5: 2026-11-22T12:00:00+01:00 to 2026-11-22T13:00:00+01:00",
	} {
		d := amsterdam(t)
		got := must[createdEvent](t, d.bundle, quickAdd, args{"text": text})
		if said := got.Event.Title + ": " + got.Start + " to " + got.End; said != want || got.Status != "created" {
			t.Errorf("%q: got %q, want %q", text, said, want)
		}
	}
}

func TestALineThatIsNotClearIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "Lunch", "tomorrow", "12:00", "Lunch at 3 tomorrow", "Lunch at 3", "Lunch monday or tuesday", "Lunch 12:00 and 14:00", "Lunch tomorrow 25:00",
		"Lunch feb 30", "Lunch feb 30 12:00", "Lunch tomorrow 13pm", "Lunch tomorrow 12:00\r\nATTENDEE:eve@bad.example", "Party tomorrow 22:00-21:00",
		"Party 31.12. 20 Uhr", "Party 12/31 20:00", "Party 31.12.2026", "Party 31/12/26 tomorrow", "Meeting monday 10-11", "Meeting 10–11 tomorrow",
		"Standup every monday 10:00", "Gym mondays 18:00", "Yoga each week monday 9:00", "Turnen jeden Dienstag 18:00", "vergadering elke vrijdag 9:00", strings.Repeat("x ", 400) + "tomorrow",
	} {
		d := amsterdam(t)
		if _, err := call[createdEvent](t, d.bundle, quickAdd, args{"text": text}); metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%q: %v", text, err)
		}
		if made := d.ann.Events("primary"); len(made) > 0 {
			t.Errorf("%q: made %v", text, made)
		}
	}
}

func TestALineInvitesNobodyAndIsMadeOnce(t *testing.T) {
	d := amsterdam(t)
	a := args{"text": "Lunch with bob@example.org tomorrow 12:00", "idempotency_key": "k"}
	got := must[createdEvent](t, d.bundle, quickAdd, a)
	if again := must[createdEvent](t, d.again(), quickAdd, a); again.Status != "repeated" || again.Event.ID != got.Event.ID {
		t.Errorf("again: %+v", again)
	}
	made := d.ann.Event("primary", got.Event.ID)
	if made["attendees"] != nil || len(d.google.Invitations()) > 0 || got.Event.Title != "Lunch with bob@example.org" || len(got.Notes) != 1 || counts(d)[0] != 1 {
		t.Errorf("got %+v, %v", got, made)
	}
}
