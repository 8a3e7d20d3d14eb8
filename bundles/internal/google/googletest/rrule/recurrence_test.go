package rrule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// The examples of RFC 5545 3.8.5.3, which all start at nine in New York. If the
// RFC ends with "...", the first instances are compared.
var examples = []struct{ start, lines, want string }{
	{"1997-09-02", "FREQ=DAILY;COUNT=10", "1997 9/2 9/3 9/4 9/5 9/6 9/7 9/8 9/9 9/10 9/11 end"},
	{"1997-12-20", "FREQ=DAILY;UNTIL=19971224T000000Z", "1997 12/20 12/21 12/22 12/23 end"},
	{"1997-09-02", "FREQ=DAILY;INTERVAL=2", "1997 9/2 9/4 9/6"},
	{"1997-10-21", "FREQ=DAILY;INTERVAL=2", "1997 10/21 10/23 10/25 10/27 10/29"},
	{"1997-09-02", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997 9/2 9/12 9/22 10/2 10/12 end"},
	{"1998-01-30", "FREQ=YEARLY;UNTIL=19990131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "1998 1/30 1/31 1999 1/1 1/2 1/3"},
	{"1998-01-30", "FREQ=DAILY;UNTIL=19990131T140000Z;BYMONTH=1", "1998 1/30 1/31 1999 1/1 1/2 1/3"},
	{"1999-01-30", "FREQ=DAILY;UNTIL=19990131T140000Z;BYMONTH=1", "1999 1/30 1/31 end"},
	{"1997-09-02", "FREQ=WEEKLY;COUNT=10", "1997 9/2 9/9 9/16 9/23 9/30 10/7 10/14 10/21 10/28 11/4 end"},
	{"1997-12-02", "FREQ=WEEKLY;UNTIL=19971224T000000Z", "1997 12/2 12/9 12/16 12/23 end"},
	{"1997-09-02", "FREQ=WEEKLY;INTERVAL=2;WKST=SU", "1997 9/2 9/16 9/30 10/14 10/28 11/11 11/25 12/9 12/23 1998 1/6 1/20 2/3 2/17"},
	{"1997-09-02", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "1997 9/2 9/4 9/9 9/11 9/16 9/18 9/23 9/25 9/30 10/2 end"},
	{"1997-09-02", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997 9/2 9/4 9/9 9/11 9/16 9/18 9/23 9/25 9/30 10/2 end"},
	{"1997-09-01", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", "1997 9/1 9/3 9/5 9/15 9/17 9/19 9/29 10/1 10/3 10/13 10/15 10/17 10/27 10/29 10/31 11/10 11/12 11/14 11/24 11/26 11/28 12/8 12/10 12/12 12/22 end"},
	{"1997-09-02", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997 9/2 9/4 9/16 9/18 9/30 10/2 10/14 10/16 end"},
	{"1997-09-05", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "1997 9/5 10/3 11/7 12/5 1998 1/2 2/6 3/6 4/3 5/1 6/5 end"},
	{"1997-09-05", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "1997 9/5 10/3 11/7 12/5 end"},
	{"1997-09-07", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "1997 9/7 9/28 11/2 11/30 1998 1/4 1/25 3/1 3/29 5/3 5/31 end"},
	{"1997-09-22", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997 9/22 10/20 11/17 12/22 1998 1/19 2/16 end"},
	{"1997-09-28", "FREQ=MONTHLY;BYMONTHDAY=-3", "1997 9/28 10/29 11/28 12/29 1998 1/29 2/26"},
	{"1997-09-02", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "1997 9/2 9/15 10/2 10/15 11/2 11/15 12/2 12/15 1998 1/2 1/15 end"},
	{"1997-09-30", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "1997 9/30 10/1 10/31 11/1 11/30 12/1 12/31 1998 1/1 1/31 2/1 end"},
	{"1997-09-10", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "1997 9/10 9/11 9/12 9/13 9/14 9/15 1999 3/10 3/11 3/12 3/13 end"},
	{"1997-09-02", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "1997 9/2 9/9 9/16 9/23 9/30 11/4 11/11 11/18 11/25 1998 1/6 1/13 1/20 1/27 3/3 3/10 3/17 3/24 3/31"},
	{"1997-06-10", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "1997 6/10 7/10 1998 6/10 7/10 1999 6/10 7/10 2000 6/10 7/10 2001 6/10 7/10 end"},
	{"1997-03-10", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", "1997 3/10 1999 1/10 2/10 3/10 2001 1/10 2/10 3/10 2003 1/10 2/10 3/10 end"},
	{"1997-01-01", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", "1997 1/1 4/10 7/19 2000 1/1 4/9 7/18 2003 1/1 4/10 7/19 2006 1/1 end"},
	{"1997-05-19", "FREQ=YEARLY;BYDAY=20MO", "1997 5/19 1998 5/18 1999 5/17"},
	{"1997-05-12", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997 5/12 1998 5/11 1999 5/17"},
	{"1997-03-13", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "1997 3/13 3/20 3/27 1998 3/5 3/12 3/19 3/26 1999 3/4 3/11 3/18 3/25"},
	{"1997-06-05", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", "1997 6/5 6/12 6/19 6/26 7/3 7/10 7/17 7/24 7/31 8/7 8/14 8/21 8/28 1998 6/4 6/11"},
	{"1997-09-02", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13|EXDATE;TZID=America/New_York:19970902T090000", "1998 2/13 3/13 11/13 1999 8/13 2000 10/13"},
	{"1997-09-13", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "1997 9/13 10/11 11/8 12/13 1998 1/10 2/7 3/7 4/11 5/9 6/13"},
	{"1996-11-05", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996 11/5 2000 11/7 2004 11/2"},
	{"1997-09-04", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997 9/4 10/7 11/6 end"},
	{"1997-09-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "1997 9/29 10/30 11/27 12/30 1998 1/29 2/26 3/30"},
	{"1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997 8/5 8/10 8/19 8/24 end"},
	{"1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997 8/5 8/17 8/19 8/31 end"},
	{"2007-01-15", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007 1/15 1/30 2/15 3/15 3/30 end"},
}

func TestRFC5545Examples(t *testing.T) {
	for _, e := range examples {
		t.Run(e.start+" "+e.lines, func(t *testing.T) {
			wall, err := time.Parse(time.DateOnly, e.start)
			if err != nil {
				t.Fatal(err)
			}
			start := StartAt(instantOf(wall.Add(9*time.Hour), zone(t, "America/New_York")), zone(t, "America/New_York"))
			r := recurs(t, start, strings.Split("RRULE:"+e.lines, "|")...)
			want, ends := wanted(t, e.want)
			got := days(r.Starts(time.Date(2008, 1, 1, 0, 0, 0, 0, time.UTC)), start.Zone)
			if !ends && len(got) > len(want) {
				got = got[:len(want)]
			}
			if !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

// wanted reads "1997 9/2 1998 1/3 end" as the times at nine.
func wanted(t *testing.T, text string) (all []string, ends bool) {
	t.Helper()
	year := ""
	for word := range strings.FieldsSeq(text) {
		if word == "end" {
			return all, true
		}
		month, day, found := strings.Cut(word, "/")
		if !found {
			year = word
			continue
		}
		all = append(all, fmt.Sprintf("%s-%02s-%02s 09:00", year, month, day))
	}
	return all, false
}

func days(all []time.Time, zone *time.Location) []string {
	var texts []string
	for _, at := range all {
		texts = append(texts, at.In(zone).Format("2006-01-02 15:04"))
	}
	return texts
}

func TestRuleTakesDefaultsFromStart(t *testing.T) {
	for _, c := range []struct{ start, rule, want string }{
		{"2026-01-31", "FREQ=MONTHLY;COUNT=4", "2026-01-31 2026-03-31 2026-05-31 2026-07-31"}, // a month without a 31st has no instance
		{"2024-02-29", "FREQ=YEARLY;COUNT=3", "2024-02-29 2028-02-29 2032-02-29"},             // nor does a year without a 29th
		{"2026-03-04", "FREQ=WEEKLY;BYMONTH=3,5;COUNT=6", "2026-03-04 2026-03-11 2026-03-18 2026-03-25 2026-05-06 2026-05-13"},
		{"2026-05-13", "FREQ=YEARLY;BYWEEKNO=20,21;COUNT=4", "2026-05-13 2026-05-20 2027-05-19 2027-05-26"}, // the weekday
		{"2026-12-28", "FREQ=YEARLY;BYWEEKNO=-1;COUNT=3", "2026-12-28 2027-12-27 2028-12-25"},
		{"2024-12-30", "FREQ=YEARLY;BYWEEKNO=1;INTERVAL=2;BYDAY=MO;COUNT=3", "2024-12-30 2027-01-04 2029-01-01"}, // a week is of its own year, the first of 2025
		{"2026-02-05", "FREQ=YEARLY;BYMONTHDAY=5;COUNT=3", "2026-02-05 2026-03-05 2026-04-05"},
		{"2026-12-31", "FREQ=YEARLY;BYYEARDAY=-1;COUNT=3", "2026-12-31 2027-12-31 2028-12-31"},
		{"2026-12-27", "FREQ=YEARLY;BYDAY=-1SU;COUNT=2", "2026-12-27 2027-12-26"},
		{"2026-06-29", "FREQ=YEARLY;BYDAY=-1MO;BYMONTH=6;COUNT=2", "2026-06-29 2027-06-28"}, // counted in the month
		{"2026-01-30", "FREQ=MONTHLY;BYDAY=5FR;COUNT=3", "2026-01-30 2026-05-29 2026-07-31"},
		{"2026-01-05", "FREQ=DAILY;BYDAY=MO,FR;COUNT=3", "2026-01-05 2026-01-09 2026-01-12"},
		{"2026-01-05", "FREQ=DAILY;BYSETPOS=1;BYDAY=MO;INTERVAL=2;COUNT=2", "2026-01-05 2026-01-19"},
		{"2026-01-06", "FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-01-06 2026-01-12 2026-01-19"}, // DTSTART is the first, although the rule does not contain it
		{"2026-01-06", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1;COUNT=3", "2026-01-06 2026-01-30 2026-02-02"},
	} {
		start, err := time.Parse(time.DateOnly, c.start)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range recurs(t, StartOn(start), "RRULE:"+c.rule).Starts(start.AddDate(12, 0, 0)) {
			got = append(got, at.Format(time.DateOnly))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s from %s\ngot  %s\nwant %s", c.rule, c.start, text, c.want)
		}
	}
}

func TestInvalidRulesAreRefused(t *testing.T) {
	timed := StartAt(time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC), zone(t, "America/New_York"))
	whole := StartOn(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	for line, start := range map[string]Start{
		"":                            timed,
		"FREQ=DAILY":                  timed,
		"RRULE:":                      timed,
		"RRULE:FREQ=HOURLY":           timed,
		"RRULE:FREQ=SECONDLY;COUNT=3": timed,
		"RRULE:COUNT=3":               timed,
		"RRULE:FREQ=DAILY;FREQ=DAILY": timed,
		"RRULE:FREQ=DAILY;":           timed,
		"RRULE:FREQ=DAILY;COUNT=0":    timed,
		"RRULE:FREQ=DAILY;COUNT=-1":   timed,
		"RRULE:FREQ=DAILY;INTERVAL=0": timed,
		"RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z": timed,
		"RRULE:FREQ=DAILY;UNTIL=20270101T000000":          timed, // a local time
		"RRULE:FREQ=DAILY;UNTIL=20260230":                 timed,
		"RRULE:FREQ=DAILY\r\nEXDATE:20260302T140000Z":     timed,
		"RRULE:FREQ=WEEKLY;BYDAY=1MO":                     timed,
		"RRULE:FREQ=WEEKLY;BYDAY=XX":                      timed,
		"RRULE:FREQ=MONTHLY;BYDAY=0MO":                    timed,
		"RRULE:FREQ=MONTHLY;BYDAY=54MO":                   timed,
		"RRULE:FREQ=WEEKLY;BYMONTHDAY=1":                  timed,
		"RRULE:FREQ=MONTHLY;BYMONTHDAY=32":                timed,
		"RRULE:FREQ=MONTHLY;BYYEARDAY=1":                  timed,
		"RRULE:FREQ=MONTHLY;BYWEEKNO=1":                   timed,
		"RRULE:FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO":          timed,
		"RRULE:FREQ=MONTHLY;BYSETPOS=1":                   timed,
		"RRULE:FREQ=DAILY;BYMONTH=13":                     timed,
		"RRULE:FREQ=DAILY;WKST=1":                         timed,
		"RRULE:FREQ=DAILY;X-KOTA=1":                       timed,
		"RRULE;X=1:FREQ=DAILY":                            timed,
		"RRULE:FREQ=DAILY;BYHOUR=9":                       whole,
		"EXDATE:20260302T140000Z":                         timed, // by itself it is not a series
		"DTSTART:20260301T140000Z":                        timed,
		"RDATE:20260302":                                  timed,
		"RDATE:20260302T140000Z":                          whole,
		"RDATE;VALUE=DATE:20260302T140000Z":               whole,
		"RDATE;VALUE=PERIOD:20260302T140000Z/PT1H":        timed,
		"RDATE;TZID=Mars/Phobos:20260302T140000":          timed,
		"RDATE;TZID=Local:20260302T140000":                timed,
		"RDATE;TZID=America/New_York:20260302T140000Z":    timed,
		"RDATE:20260302T140000Z,":                         timed,
	} {
		if _, err := Parse([]string{line}, start); !errors.Is(err, ErrRule) {
			t.Errorf("%q: got %v", line, err)
		}
	}
}

func recurs(t *testing.T, start Start, lines ...string) *Recurrence {
	t.Helper()
	r, err := Parse(lines, start)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := zoneNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}
