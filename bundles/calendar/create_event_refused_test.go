package calendar_test

import (
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakecalendar"
	"kota/metadata"
)

func TestCreateRefusesInvalidArguments(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for name, c := range map[string]struct {
		args  args
		paths string
	}{
		"a zone on Mars":                  {args{"title": "a", "start": "2026-11-24T15:00", "timezone": "Mars/Phobos"}, "timezone"},
		"Local":                           {args{"title": "a", "start": "2026-11-24T15:00", "timezone": "Local"}, "timezone"},
		"a path":                          {args{"title": "a", "start": "2026-11-24T15:00", "timezone": "../../etc/passwd"}, "timezone"},
		"UTC+25":                          {args{"title": "a", "start": "2026-11-24T15:00", "timezone": "UTC+25"}, "timezone"},
		"a skipped time":                  {args{"title": "a", "start": "2026-03-08T02:30", "timezone": "America/New_York"}, "start"},
		"a skipped half hour":             {args{"title": "a", "start": "2026-10-04T02:15", "timezone": "Australia/Lord_Howe"}, "start"},
		"a skipped day":                   {args{"title": "a", "start": "2011-12-30", "timezone": "Pacific/Apia"}, "start"},
		"a time on a skipped day":         {args{"title": "a", "start": "2011-12-30T12:00", "timezone": "Pacific/Apia"}, "start"},
		"end before start":                {args{"title": "a", "start": "2026-11-24T15:00", "end": "2026-11-24T14:00"}, "end"},
		"zero length":                     {args{"title": "a", "start": "2026-11-24T15:00", "end": "2026-11-24T15:00"}, "end"},
		"no duration":                     {args{"title": "a", "start": "2026-11-24T15:00", "duration": "0m"}, "duration"},
		"days backwards":                  {args{"title": "a", "start": "2026-11-24", "end": "2026-11-23"}, "end"},
		"year 0":                          {args{"title": "a", "start": "0000-01-01T10:00"}, "start"},
		"year 9999":                       {args{"title": "a", "start": "9999-01-01T10:00"}, "start"},
		"year 292277":                     {args{"title": "a", "start": "292277-01-01T10:00"}, "start"},
		"30 February":                     {args{"title": "a", "start": "2026-02-30"}, "start"},
		"a leap second":                   {args{"title": "a", "start": "2026-11-24T23:59:60"}, "start"},
		"date and time mixed":             {args{"title": "a", "start": "2026-11-24", "end": "2026-11-24T15:00"}, "end"},
		"time and date mixed":             {args{"title": "a", "start": "2026-11-24T15:00", "end": "2026-11-25"}, "end"},
		"end and duration":                {args{"title": "a", "start": "2026-11-24T15:00", "end": "16:00", "duration": "1h"}, "duration"},
		"no title":                        {args{"title": " ", "start": "2026-11-24"}, "title"},
		"lines in the title":              {args{"title": "a\r\nATTENDEE:eve@bad.example", "start": "2026-11-24"}, "title"},
		"a long title":                    {args{"title": long, "start": "2026-11-24"}, "title"},
		"lines in the place":              {args{"title": "a", "start": "2026-11-24", "location": "x\ny"}, "location"},
		"a control character":             {args{"title": "a", "start": "2026-11-24", "description": "x\x1b[2J"}, "description"},
		"a long description":              {args{"title": "a", "start": "2026-11-24", "description": long}, "description"},
		"no address":                      {args{"title": "a", "start": "2026-11-24", "attendees": []string{"Ann"}}, "attendees[0]"},
		"two addresses in one":            {args{"title": "a", "start": "2026-11-24", "attendees": []string{"a@b.example, c@d.example"}}, "attendees[0]"},
		"reminders":                       {args{"title": "a", "start": "2026-11-24", "reminders": []string{"soon", "9 weeks"}}, "reminders[0] reminders[1]"},
		"a colour":                        {args{"title": "a", "start": "2026-11-24", "color": "pink"}, "color"},
		"a long key":                      {args{"title": "a", "start": "2026-11-24", "idempotency_key": long}, "idempotency_key"},
		"every second":                    {args{"title": "a", "start": "2026-11-24T15:00", "recurrence": "FREQ=SECONDLY"}, "recurrence"},
		"a billion times":                 {args{"title": "a", "start": "2026-11-24T15:00", "recurrence": "FREQ=DAILY;COUNT=1000000000"}, "recurrence"},
		"lines in a rule":                 {args{"title": "a", "start": "2026-11-24T15:00", "recurrence": "FREQ=DAILY\r\nATTENDEE:mailto:eve@bad.example"}, "recurrence"},
		"a long rule":                     {args{"title": "a", "start": "2026-11-24T15:00", "recurrence": "FREQ=DAILY;BYMONTHDAY=" + strings.Repeat("1,", 5000) + "1"}, "recurrence"},
		"a start in a rule":               {args{"title": "a", "start": "2026-11-24T15:00", "recurrence": []string{"DTSTART:20261124T150000Z", "RRULE:FREQ=DAILY"}}, "recurrence"},
		"30 February each year":           {args{"title": "a", "start": "2026-02-28", "recurrence": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "recurrence"},
		"UNTIL before the start":          {args{"title": "a", "start": "2026-11-24T15:00", "recurrence": "FREQ=DAILY;UNTIL=20251231"}, "recurrence"},
		"a start not in the rule":         {args{"title": "a", "start": "2026-11-24T15:00", "recurrence": "FREQ=WEEKLY;BYDAY=TH"}, "start"},
		"an excluded start":               {args{"title": "a", "start": "2026-11-24T15:00", "recurrence": []string{"FREQ=DAILY", "EXDATE:20261124T140000Z"}}, "recurrence"},
		"everything":                      {args{"title": "", "start": "never", "timezone": "Mars/Phobos", "color": "pink"}, "title timezone start color"},
		"a day of focus":                  {args{"title": "a", "start": "2026-11-24", "type": "focus"}, "start"},
		"focus that is free":              {args{"title": "a", "start": "2026-11-24T09:00", "type": "focus", "show_as": "free"}, "show_as"},
		"focus with guests":               {args{"title": "a", "start": "2026-11-24T09:00", "type": "focus", "attendees": []string{bob}}, "attendees"},
		"out of office with a video call": {args{"title": "a", "start": "2026-11-24T09:00", "type": "ooo", "meet": true}, "meet"},
		"no working location":             {args{"title": "a", "start": "2026-11-24", "type": "working_location"}, "location"},
		"a working location of two days":  {args{"title": "a", "start": "2026-11-24", "end": "2026-11-25", "type": "working_location", "location": "home"}, "end"},
		"a meeting declines":              {args{"title": "a", "start": "2026-11-24T09:00", "decline": "all"}, "decline"},
	} {
		d := amsterdamFixture(t)
		_, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, c.args)
		e := bundletest.AsError(t, err)
		paths := []string{}
		for _, one := range e.Problems {
			paths = append(paths, one.Path)
		}
		if e.Code != metadata.ValidationError || strings.Join(paths, " ") != c.paths || e.Hint == "" {
			t.Errorf("%s: %+v about %q, want %q", name, e, paths, c.paths)
		}
		if made := d.ann.Events("primary"); len(made) > 0 {
			t.Errorf("%s: made %v", name, made)
		}
	}
}

func TestCreateSuggestsStartThatRuleMakes(t *testing.T) {
	d := amsterdamFixture(t)
	for start, want := range map[string]string{"2026-11-24T15:00": "2026-11-26T15:00:00+01:00", "2026-11-24": "2026-11-26"} {
		_, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, args{"title": "a", "start": start, "recurrence": "FREQ=WEEKLY;BYDAY=TH"})
		if e := bundletest.AsError(t, err); len(e.Problems) != 1 || e.Problems[0].Suggestion != want {
			t.Errorf("%s: %+v", start, e)
		}
		bundletest.Must[createdEvent](t, d.bundle, createTool, args{"title": "a", "start": want, "recurrence": "FREQ=WEEKLY;BYDAY=TH", "dry_run": true})
	}
}

func TestCreateRefusesSkippedTimeWithNeighbours(t *testing.T) {
	d := amsterdamFixture(t)
	_, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, args{"title": "a", "start": "2026-03-08T02:30", "timezone": "America/New_York"})
	e := bundletest.AsError(t, err)
	if len(e.Problems) != 1 || !strings.Contains(e.Message, "01:59:59") || !strings.Contains(e.Message, "03:00:00 -04:00") ||
		e.Problems[0].Suggestion != "2026-03-08T03:00:00-04:00" {
		t.Errorf("got %+v", e)
	}
}

func TestCreateRefusesReadOnlyCalendar(t *testing.T) {
	d := amsterdamFixture(t)
	d.ann.AddCalendar(fakecalendar.Calendar{Summary: "Holidays", Role: "reader"})
	_, err := bundletest.Answer[createdEvent](t, d.bundle, createTool, args{"title": "a", "start": "2026-11-24", "calendar": "holidays"})
	if metadata.CodeOf(err) != metadata.Refused {
		t.Errorf("got %v", err)
	}
}
