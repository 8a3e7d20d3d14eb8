package recurrence_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/recurrence"
	"kota/bundles/internal/timeparse"
)

func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	found, err := timeparse.Zone(name)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// start reads "20260108T090000", or a day, in a zone.
func start(tb testing.TB, text, in string) recurrence.Start {
	tb.Helper()
	where := zone(tb, in)
	form, isDate := "20060102T150405", false
	if !strings.Contains(text, "T") {
		form, isDate = "20060102", true
	}
	t, err := time.ParseInLocation(form, text, where)
	if err != nil {
		tb.Fatal(err)
	}
	return recurrence.Start{Time: t, Zone: where, Date: isDate}
}

func parse(tb testing.TB, from recurrence.Start, lines ...string) *recurrence.Set {
	tb.Helper()
	s, err := recurrence.Parse(lines, from)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// all returns at most that many instances.
func all(s *recurrence.Set, most int) []time.Time {
	list, _ := s.Between(time.Time{}, time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC), most)
	return list
}

// shown returns instances in local time.
func shown(list []time.Time, form string) string {
	var texts []string
	for _, t := range list {
		texts = append(texts, t.Format(form))
	}
	return strings.Join(texts, " ")
}

// TestRFC5545Examples runs the examples of RFC 5545 section 3.8.5.3
// that do not repeat within the hour.
func TestRFC5545Examples(t *testing.T) {
	for _, c := range []struct{ start, rule, want string }{
		{"19970902T090000", "FREQ=DAILY;COUNT=10", "0902 0903 0904 0905 0906 0907 0908 0909 0910 0911"},
		{"19970902T090000", "FREQ=DAILY;INTERVAL=10;COUNT=5", "0902 0912 0922 1002 1012"},
		{"19970902T090000", "FREQ=WEEKLY;COUNT=10", "0902 0909 0916 0923 0930 1007 1014 1021 1028 1104"},
		{"19970902T090000", "FREQ=WEEKLY;INTERVAL=2;WKST=SU", "0902 0916 0930 1014 1028 1111 1125"},
		{"19970902T090000", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "0902 0904 0909 0911 0916 0918 0923 0925 0930 1002"},
		{"19970901T090000", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", "0901 0903 0905 0915 0917 0919 0929"},
		{"19970902T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "0902 0904 0916 0918 0930 1002 1014 1016"},
		{"19970905T090000", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "0905 1003 1107 1205 0102 0206 0306 0403 0501 0605"},
		{"19970907T090000", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "0907 0928 1102 1130 0104 0125 0301 0329 0503 0531"},
		{"19970922T090000", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "0922 1020 1117 1222 0119 0216"},
		{"19970928T090000", "FREQ=MONTHLY;BYMONTHDAY=-3", "0928 1029 1128 1229 0129 0226"},
		{"19970902T090000", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "0902 0915 1002 1015 1102 1115 1202 1215 0102 0115"},
		{"19970930T090000", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "0930 1001 1031 1101 1130 1201 1231 0101 0131 0201"},
		{"19970910T090000", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "0910 0911 0912 0913 0914 0915 0310 0311 0312 0313"},
		{"19970902T090000", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "0902 0909 0916 0923 0930 1104 1111 1118 1125 0106"},
		{"19970610T090000", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "0610 0710 0610 0710 0610 0710 0610 0710 0610 0710"},
		{"19970310T090000", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", "0310 0110 0210 0310 0110 0210 0310 0110 0210 0310"},
		{"19970101T090000", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", "0101 0410 0719 0101 0409 0718 0101 0410 0719 0101"},
		{"19970519T090000", "FREQ=YEARLY;BYDAY=20MO", "0519 0518 0517"},
		{"19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "0512 0511 0517"},
		{"19970313T090000", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "0313 0320 0327 0305 0312 0319 0326"},
		{"19980213T090000", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "0213 0313 1113 0813 1013"},
		{"19970913T090000", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "0913 1011 1108 1213 0110 0207"},
		{"19961105T090000", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1105 1107 1102"},
		{"19970904T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "0904 1007 1106"},
		{"19970929T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "0929 1030 1127 1230 0129"},
		{"19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "0805 0810 0819 0824"},
		{"19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "0805 0817 0819 0831"},
		{"20070115T090000", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "0115 0130 0215 0315 0330"},
	} {
		s := parse(t, start(t, c.start, "America/New_York"), "RRULE:"+c.rule)
		want := strings.Fields(c.want)
		if got := shown(all(s, len(want)), "0102"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.rule, got, c.want)
		}
		if !strings.Contains(c.rule, "COUNT") && !strings.Contains(c.rule, "UNTIL") {
			continue
		}
		if more := all(s, 1000); strings.Contains(c.rule, "COUNT") && len(more) != len(want) {
			t.Errorf("%s: got %d instances, want %d", c.rule, len(more), len(want))
		}
	}
}

func TestInvalidRecurrenceIsRefused(t *testing.T) {
	for name, lines := range map[string][]string{
		"nothing":                      nil,
		"an empty line":                {""},
		"secondly":                     {"RRULE:FREQ=SECONDLY"},
		"minutely":                     {"RRULE:FREQ=MINUTELY;INTERVAL=1440"},
		"hourly":                       {"RRULE:FREQ=HOURLY"},
		"no frequency":                 {"RRULE:INTERVAL=2"},
		"an empty rule":                {"RRULE:"},
		"a count without end":          {"RRULE:FREQ=DAILY;COUNT=1000000000"},
		"no count":                     {"RRULE:FREQ=DAILY;COUNT=0"},
		"count and until":              {"RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z"},
		"no interval":                  {"RRULE:FREQ=DAILY;INTERVAL=0"},
		"a negative interval":          {"RRULE:FREQ=DAILY;INTERVAL=-1"},
		"a part twice":                 {"RRULE:FREQ=DAILY;FREQ=WEEKLY"},
		"an unknown part":              {"RRULE:FREQ=DAILY;BYEASTER=0"},
		"an X-part":                    {"RRULE:FREQ=DAILY;X-KOTA=1"},
		"a scale":                      {"RRULE:FREQ=DAILY;RSCALE=HEBREW"},
		"a trailing semicolon":         {"RRULE:FREQ=DAILY;"},
		"a second property":            {"RRULE:FREQ=DAILY\r\nATTENDEE:mailto:eve@example.com"},
		"a line feed":                  {"RRULE:FREQ=DAILY\n"},
		"a NUL":                        {"RRULE:FREQ=DAILY\x00"},
		"foreign digits":               {"RRULE:FREQ=DAILY;COUNT=٣"},
		"10 kB":                        {"RRULE:FREQ=DAILY;BYMONTH=" + strings.Repeat("1,", 5000) + "1"},
		"100 kB of dates":              {"RRULE:FREQ=DAILY", "EXDATE:" + strings.Repeat("20270101T000000Z,", 6000) + "20270101T000000Z"},
		"2000 lines":                   append(make([]string, 2000), "RRULE:FREQ=DAILY"),
		"six rules":                    {"FREQ=DAILY", "FREQ=DAILY", "FREQ=DAILY", "FREQ=DAILY", "FREQ=DAILY", "FREQ=DAILY"},
		"an attendee":                  {"RRULE:FREQ=DAILY", "ATTENDEE:mailto:eve@example.com"},
		"a start":                      {"DTSTART:20260101T000000Z", "RRULE:FREQ=DAILY"},
		"no rule":                      {"EXDATE:20260108T090000Z"},
		"a parameter of a rule":        {"RRULE;X=1:FREQ=DAILY"},
		"February 30":                  {"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"},
		"a sixth Monday":               {"RRULE:FREQ=MONTHLY;BYDAY=6MO"},
		"a 53rd Monday of a month":     {"RRULE:FREQ=YEARLY;BYMONTH=12;BYDAY=53MO"},
		"a fifth week's day":           {"RRULE:FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2"},
		"leap days of other years":     {"RRULE:FREQ=YEARLY;INTERVAL=100;BYYEARDAY=366"},
		"every 7 days on Tuesdays":     {"RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU"},
		"a 31st every 12 months":       {"RRULE:FREQ=MONTHLY;INTERVAL=12;BYMONTH=2"},
		"until before the start":       {"RRULE:FREQ=DAILY;UNTIL=20260107T000000Z"},
		"until the 30th of Feb":        {"RRULE:FREQ=DAILY;UNTIL=20270230"},
		"until somewhen":               {"RRULE:FREQ=DAILY;UNTIL=2027"},
		"month 13":                     {"RRULE:FREQ=YEARLY;BYMONTH=13"},
		"day 32":                       {"RRULE:FREQ=MONTHLY;BYMONTHDAY=32"},
		"day 0":                        {"RRULE:FREQ=MONTHLY;BYMONTHDAY=0"},
		"week 54":                      {"RRULE:FREQ=YEARLY;BYWEEKNO=54"},
		"no day":                       {"RRULE:FREQ=WEEKLY;BYDAY=XX"},
		"an empty list":                {"RRULE:FREQ=WEEKLY;BYDAY="},
		"the 0th Monday":               {"RRULE:FREQ=MONTHLY;BYDAY=0MO"},
		"a 2nd Monday of the week":     {"RRULE:FREQ=WEEKLY;BYDAY=2MO"},
		"a day of a week's month":      {"RRULE:FREQ=WEEKLY;BYMONTHDAY=2"},
		"a day of the month's year":    {"RRULE:FREQ=MONTHLY;BYYEARDAY=2"},
		"a week of the month":          {"RRULE:FREQ=MONTHLY;BYWEEKNO=2"},
		"positions alone":              {"RRULE:FREQ=MONTHLY;BYSETPOS=1"},
		"every minute, in other words": {"RRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12;BYMINUTE=0,1,2,3,4,5"},
		"13 times a day, twice":        {"RRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12", "EXRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12"},
		"hour 24":                      {"RRULE:FREQ=DAILY;BYHOUR=24"},
		"second 60":                    {"RRULE:FREQ=DAILY;BYSECOND=60"},
		"an exclusion of nothing":      {"RRULE:FREQ=DAILY", "EXDATE:"},
		"an exclusion without a day":   {"RRULE:FREQ=DAILY", "EXDATE:20260230T090000Z"},
		"a period":                     {"RRULE:FREQ=DAILY", "RDATE;VALUE=PERIOD:20260109T090000Z/PT1H"},
		"a whole day more":             {"RRULE:FREQ=DAILY", "RDATE;VALUE=DATE:20260109"},
	} {
		begun := start(t, "20260108T090000", "Europe/Amsterdam") // a Thursday
		s, err := recurrence.Parse(lines, begun)
		var refused *recurrence.RuleError
		if !errors.As(err, &refused) || s != nil {
			t.Errorf("%s: got %v, %v", name, s, err)
			continue
		}
		if text := err.Error(); len(text) > 400 || strings.ContainsAny(text, "\r\n\x00") {
			t.Errorf("%s: the error reads %q", name, text)
		}
	}
	if _, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY;BYHOUR=9"}, start(t, "20260108", "UTC")); err == nil {
		t.Error("an hour of all-day events was accepted")
	}
	var none *timeparse.ZoneError
	if _, err := recurrence.Parse([]string{"RRULE:FREQ=DAILY", "EXDATE;TZID=Mars/Phobos:20260109T090000"}, start(t, "20260108", "UTC")); !errors.As(err, &none) {
		t.Errorf("a zone on Mars: got %v", err)
	}
}
