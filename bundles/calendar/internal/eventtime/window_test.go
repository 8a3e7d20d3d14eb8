package eventtime

import (
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/timeparse"
	"kota/metadata"
)

// saturdayNoon returns noon of 2026-11-21 in Amsterdam.
func saturdayNoon(t *testing.T) timeparse.Context {
	zone := location(t, "Europe/Amsterdam")
	return timeparse.Context{Now: time.Date(2026, 11, 21, 12, 0, 0, 0, zone), Zone: zone}
}

func TestWindowReadsRange(t *testing.T) {
	for _, c := range []struct{ from, to, first, last string }{
		{"", "", "2026-11-21T12:00+01:00", "2026-11-28T12:00+01:00"},
		{"today", "", "2026-11-21T00:00+01:00", "2026-11-28T00:00+01:00"},
		{"2026-11-24", "2026-11-24", "2026-11-24T00:00+01:00", "2026-11-25T00:00+01:00"},
		{"2026-11-24", "2026-11-24T18:00", "2026-11-24T00:00+01:00", "2026-11-24T18:00+01:00"},
		{"", "friday", "2026-11-21T12:00+01:00", "2026-11-28T00:00+01:00"},
		{"next week", "", "2026-11-23T00:00+01:00", "2026-11-30T00:00+01:00"},
		{"this month", "", "2026-11-01T00:00+01:00", "2026-12-01T00:00+01:00"},
		{"2026-11-24T09:00-05:00", "2026-11-24T18:00:00Z", "2026-11-24T15:00+01:00", "2026-11-24T19:00+01:00"},
		{"2026-10-24", "", "2026-10-24T00:00+02:00", "2026-10-31T00:00+01:00"}, // a week, not 168 hours
		{"", "2 weeks", "2026-11-21T12:00+01:00", "2026-12-05T12:00+01:00"},
	} {
		var p Problems
		w, _ := p.Window(WindowArgs{From: c.from, To: c.to, Days: 7}, saturdayNoon(t))
		zone := saturdayNoon(t).Zone
		if first, last := timeparse.Stamp(w.From.In(zone)), timeparse.Stamp(w.To.In(zone)); p.Err() != nil || first != c.first || last != c.last {
			t.Errorf("%q to %q: got %s to %s, %v", c.from, c.to, first, last, p.Err())
		}
	}
}

func TestWindowRefusesInvalidRange(t *testing.T) {
	for _, c := range []struct{ from, to, path string }{
		{"2026-11-24", "2026-11-23", "to"}, {"2026-11-24T10:00", "2026-11-24T10:00", "to"}, {"2026-11-24T10:00", "2026-11-24T09:00", "to"},
		{"", "2035-01-01", "to"}, {"2026-01-01", "2031-01-02", "to"}, {"", "yesterday", "to"},
		{"2026-02-30", "", "from"}, {"0000-01-01", "", "from"}, {"9999-12-31", "", "from"}, {"soon", "", "from"}, {"", "24:00", "to"},
		{"2026-03-29T02:30", "", "from"}, {"2026-11-24T10:00[Mars/Phobos]", "", "from"}, {"2026-11-24T23:59:60", "", "from"},
		{strings.Repeat("9", 10_000), "", "from"}, {"\xff", "", "from"},
	} {
		var p Problems
		p.Window(WindowArgs{From: c.from, To: c.to, Days: 7}, saturdayNoon(t))
		if metadata.CodeOf(p.Err()) != metadata.ValidationError || len(p.Problems) != 1 || p.Problems[0].Path != c.path {
			t.Errorf("%.40q to %q: got %+v", c.from, c.to, p.Problems)
		}
	}
}

func TestSkippedTimeNamesNeighbours(t *testing.T) {
	for _, c := range []struct{ zone, text, before, after, instead string }{
		{"America/New_York", "2026-03-08T02:30", "01:59:59", "03:00:00", "2026-03-08T03:00:00-04:00"},
		{"Australia/Lord_Howe", "2026-10-04T02:15", "01:59:59", "02:30:00", "2026-10-04T02:30:00+11:00"},
		{"Pacific/Apia", "2011-12-30", "2011-12-29 23:59:59", "2011-12-31 00:00:00", "2011-12-31T00:00:00+14:00"},
	} {
		var p Problems
		p.readTime("start", c.text, timeparse.Context{Now: time.Now(), Zone: location(t, c.zone)})
		said := p.Err().Error()
		if len(p.Problems) != 1 || !strings.Contains(said, c.before) || !strings.Contains(said, c.after) || p.Problems[0].Suggestion != c.instead {
			t.Errorf("%s in %s: got %s, %+v", c.text, c.zone, said, p.Problems)
		}
	}
}

func TestZoneIsReadByName(t *testing.T) {
	usual := location(t, "Europe/Amsterdam")
	for name, want := range map[string]string{"": "Europe/Amsterdam", "asia/tokyo": "Asia/Tokyo", "UTC": "UTC"} {
		var p Problems
		if zone := p.Zone("timezone", name, usual); zone.String() != want || p.Err() != nil {
			t.Errorf("%q: got %s, %v", name, zone, p.Err())
		}
	}
	for name, suggestion := range map[string]string{
		"Mars/Phobos": "", "Local": "", "UTC+25": "", "../../etc/passwd": "", "Amsterdam": "Europe/Amsterdam", "\x00": "", " ": "",
	} {
		var p Problems
		if zone := p.Zone("timezone", name, usual); zone != usual || len(p.Problems) != 1 || suggestion != "" && p.Problems[0].Suggestion != suggestion {
			t.Errorf("%q: got %s, %+v", name, zone, p.Problems)
		}
	}
}
