package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/metadata"
)

func TestUpdateRefusesInvalidArguments(t *testing.T) {
	long := strings.Repeat("x", 9000)
	d := sixTuesdays(t)
	d.ann.AddEvent("primary", timedEvent("lunch", "Lunch", "2026-11-24T12:00", "2026-11-24T13:00"))
	before := jsonOf(t, d.ann.Events("primary"))
	for name, c := range map[string]struct {
		asked args
		path  string
	}{
		"no id":                           {args{"event_id": "", "title": "a"}, "event_id"},
		"an id that leaves its path":      {args{"event_id": "../calendars", "title": "a"}, "event_id"},
		"an id with a question":           {args{"event_id": "a?b=c", "title": "a"}, "event_id"},
		"another calendar":                {args{"calendar": "Familly", "title": "a"}, "calendar"},
		"an unknown zone":                 {args{"start": "2026-11-24 15:00", "timezone": "Mars/Phobos"}, "timezone"},
		"the zone Local":                  {args{"start": "2026-11-24 15:00", "timezone": "Local"}, "timezone"},
		"an invalid offset as zone":       {args{"start": "2026-11-24 15:00", "timezone": "UTC+25"}, "timezone"},
		"a zone without a start":          {args{"timezone": "Europe/Paris"}, "timezone"},
		"a time that clocks skip":         {args{"start": "2026-03-08T02:30", "timezone": "America/New_York"}, "start"},
		"half an hour that is skipped":    {args{"start": "2026-10-04T02:15", "timezone": "Australia/Lord_Howe"}, "start"},
		"a day that was skipped":          {args{"start": "2011-12-30", "timezone": "Pacific/Apia"}, "start"},
		"no day of the calendar":          {args{"start": "2026-02-30"}, "start"},
		"the year 0":                      {args{"start": "0000-01-01"}, "start"},
		"the year 9999":                   {args{"start": "9999-01-01"}, "start"},
		"a leap second":                   {args{"start": "2026-12-31T23:59:60Z"}, "start"},
		"an end before the start":         {args{"end": "2026-11-24 11:00"}, "end"},
		"no length":                       {args{"end": "2026-11-24 12:00"}, "end"},
		"no duration":                     {args{"duration": "0m"}, "duration"},
		"both an end and a length":        {args{"end": "2026-11-24 14:00", "duration": "1h"}, "duration"},
		"a date as the end of a time":     {args{"end": "2026-11-25"}, "end"},
		"a time as the end of whole days": {args{"start": "2026-11-25", "end": "2026-11-26 10:00"}, "end"},
		"a title of two lines":            {args{"title": "a\r\nATTENDEE:eve@example.com"}, "title"},
		"a long title":                    {args{"title": long}, "title"},
		"a long description":              {args{"description": long}, "description"},
		"control characters":              {args{"description": "a\x1b[2J"}, "description"},
		"no address":                      {args{"add_attendees": []string{"nobody"}}, "add_attendees[0]"},
		"two addresses in one":            {args{"add_attendees": []string{"a@example.com, eve@example.com"}}, "add_attendees[0]"},
		"the user":                        {args{"remove_attendees": []string{ann}}, "remove_attendees[0]"},
		"an unknown colour":               {args{"color": "transparent"}, "color"},
		"an invalid reminder":             {args{"reminders": []string{"soon"}}, "reminders[0]"},
		"every second":                    {args{"recurrence": "FREQ=SECONDLY"}, "recurrence"},
		"too many repetitions":            {args{"recurrence": "FREQ=DAILY;COUNT=1000000000"}, "recurrence"},
		"a rule of two lines":             {args{"recurrence": "FREQ=DAILY\r\nATTENDEE:mailto:eve@example.com"}, "recurrence"},
		"a rule of 10 kB":                 {args{"recurrence": "FREQ=DAILY;BYHOUR=" + strings.Repeat("1,", 5000) + "1"}, "recurrence"},
		"a rule without its start":        {args{"recurrence": "FREQ=WEEKLY;BYDAY=MO"}, "start"},
		"an instance of a single one":     {args{"instance": "2026-11-24", "title": "a"}, "instance"},
		"a rule for one instance":         {args{"event_id": "standup", "scope": "this", "instance": "2026-11-03", "recurrence": "FREQ=DAILY"}, "recurrence"},
		"no instance":                     {args{"event_id": "standup", "scope": "following", "title": "a"}, "instance"},
		"no time of an instance":          {args{"event_id": "standup", "scope": "this", "instance": "soon", "title": "a"}, "instance"},
		"no scope":                        {args{"event_id": "standup", "title": "a"}, "scope"},
		"no scope of an instance":         {args{"event_id": "standup_20261103T080000Z", "title": "a"}, "scope"},
		"another scope":                   {args{"event_id": "standup", "scope": "some", "title": "a"}, "scope"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", merge(args{"event_id": "lunch", "on_conflict": "ignore"}, c.asked))
			if got := bundletest.ProblemPath(t, err); got != c.path {
				t.Errorf("got %q: %v", got, err)
			}
			if now := jsonOf(t, d.ann.Events("primary")); now != before {
				t.Errorf("changed to %s", now)
			}
		})
	}
}

// T30: a call that may mean one instance or the whole series is not carried out.
func TestSeriesIsNotChangedWithoutScope(t *testing.T) {
	d := sixTuesdays(t)
	for _, tool := range []string{"calendar_update_event", "calendar_delete_event"} {
		for _, id := range []string{"standup", "standup_20261103T080000Z"} {
			a := args{"event_id": id}
			if tool == "calendar_update_event" {
				a["title"] = "New"
			}
			_, err := bundletest.Answer[changeAnswer](t, d.bundle, tool, a)
			e := bundletest.AsError(t, err)
			for _, said := range []string{`"this"`, `"following"`, `"all"`, "Old", "2026-10-13"} {
				if e.Code != metadata.ValidationError || !strings.Contains(e.Hint, said) {
					t.Errorf("%s of %s: %+v does not say %s", tool, id, e, said)
				}
			}
		}
	}
	d.mustShow(t, oldDates...)
}

func TestUpdateNotesAmbiguousTime(t *testing.T) {
	d := oneLunch(t, nil)
	got := d.updateLunch(t, args{"start": "2026-11-01 01:30", "timezone": "America/New_York"})
	if start := d.ann.Event("primary", "lunch")["start"].(map[string]any); start["dateTime"] != "2026-11-01T06:30:00+01:00" || start["timeZone"] != "America/New_York" {
		t.Errorf("sent %v", start)
	}
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "-04:00") {
		t.Errorf("got %+v", got.Notes)
	}
}

func TestUpdateListsOrBlocksConflicts(t *testing.T) {
	d := oneLunch(t, nil)
	d.ann.AddEvent("primary", timedEvent("dentist", "Dentist", "2026-11-25T09:00", "2026-11-25T10:00"))
	_, err := bundletest.Answer[changeAnswer](t, d.bundle, "calendar_update_event", args{"event_id": "lunch", "start": "2026-11-25 09:30", "on_conflict": "block"})
	if e := bundletest.AsError(t, err); e.Code != metadata.Conflict || len(e.Problems) != 1 || !strings.Contains(e.Message, "changed") {
		t.Errorf("got %+v", e)
	}
	if got := d.updateLunch(t, args{"start": "2026-11-25 09:30"}); len(got.Conflicts) != 1 || got.Conflicts[0]["title"] != "Dentist" {
		t.Errorf("got %+v", got)
	}
	if got := d.updateLunch(t, args{"start": "2026-11-25 09:40", "on_conflict": "ignore"}); len(got.Conflicts) != 0 {
		t.Errorf("got %+v", got)
	}
	if got := d.updateLunch(t, args{"title": "Dinner"}); len(got.Conflicts) != 0 {
		t.Errorf("looked for though the time stays: %+v", got)
	}
}
