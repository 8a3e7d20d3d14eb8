package timeparse_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"kota/bundles/internal/timeparse"
)

// TestResolveMatchesClock compares with checking the clock every
// minute for two days before and after. It checks every second if an offset has
// odd seconds.
func TestResolveMatchesClock(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := timeparse.Names()
	var never, twice, odd int
	for range 1500 {
		where := zone(t, names[random.IntN(len(names))])
		w := nearChange(random, where)
		step := time.Minute
		if hasOddSeconds(w, where) {
			step = time.Second
			if odd++; odd > 15 {
				continue // each takes as long as sixty others
			}
		}
		var shown []time.Time
		for at := w.Floating().Add(-48 * time.Hour); at.Before(w.Floating().Add(48 * time.Hour)); at = at.Add(step) {
			if timeparse.LocalTimeOf(at.In(where)) == w {
				shown = append(shown, at)
			}
		}
		r := w.In(where)
		switch {
		case len(shown) == 0:
			never++
			checkGap(t, w, where, r)
		case r.IsSkipped() || !r.Time.Equal(shown[0]):
			t.Errorf("%s in %s: got %+v, clocks show it at %v", w, where, r, shown)
		case r.IsAmbiguous() != (len(shown) > 1) || len(shown) > 1 && !r.Second.Equal(shown[1]):
			t.Errorf("%s in %s: got second %v, clocks show it at %v", w, where, r.Second, shown)
		}
		if len(shown) > 1 {
			twice++
		}
	}
	if never < 50 || twice < 50 || odd == 0 {
		t.Errorf("met %d readings that never happen, %d that happen twice and %d odd offsets: too few to tell", never, twice, odd)
	}
}

// nearChange returns a local time within hours of a change of the zone's
// clocks, or any local time if that year has no change.
func nearChange(random *rand.Rand, where *time.Location) timeparse.LocalTime {
	years := timeparse.LastYear - timeparse.FirstYear
	if random.IntN(4) > 0 {
		years = 140 // most changes are in these
	}
	at := time.Date(timeparse.FirstYear+random.IntN(years), time.Month(1+random.IntN(12)), 1+random.IntN(28), random.IntN(24), random.IntN(60), random.IntN(60), 0, where)
	if _, end := at.ZoneBounds(); !end.IsZero() && end.Year() < timeparse.LastYear {
		at = end
	}
	off := time.Duration(random.IntN(3*3600)-2*3600) * time.Second
	if random.IntN(4) == 0 {
		off -= 12 * time.Hour // for the zones that skipped a day
	}
	return timeparse.LocalTimeOf(timeparse.LocalTimeOf(at).Floating().Add(off))
}

func hasOddSeconds(w timeparse.LocalTime, where *time.Location) bool {
	for hours := -48; hours <= 48; hours += 6 {
		if _, offset := w.Floating().Add(time.Duration(hours) * time.Hour).In(where).Zone(); offset%60 != 0 {
			return true
		}
	}
	return false
}

func checkGap(t *testing.T, w timeparse.LocalTime, where *time.Location, r timeparse.Resolution) {
	t.Helper()
	_, offset := r.Before.Zone()
	switch meant := w.Floating().Add(-time.Duration(offset) * time.Second); {
	case !r.IsSkipped() || r.IsAmbiguous():
		t.Errorf("%s in %s: clocks never show it, got %+v", w, where, r)
	case !r.Before.Add(time.Second).Equal(r.After):
		t.Errorf("%s in %s: %v and %v are not neighbours", w, where, r.Before, r.After)
	case !timeparse.LocalTimeOf(r.Before).Floating().Before(w.Floating()) || !timeparse.LocalTimeOf(r.After).Floating().After(w.Floating()):
		t.Errorf("%s in %s: is not between %v and %v", w, where, r.Before, r.After)
	case !r.Time.Equal(meant):
		t.Errorf("%s in %s: got %v, by the offset before the gap it is %v", w, where, r.Time, meant)
	}
}

func TestDayStart(t *testing.T) {
	for _, c := range []struct {
		zone string
		day  timeparse.LocalTime
		want string
	}{
		{"Europe/Amsterdam", timeparse.LocalTime{Year: 2026, Month: 11, Day: 24, Hour: 15}, "2026-11-24T00:00:00+01:00"},
		{"America/Sao_Paulo", timeparse.LocalTime{Year: 2018, Month: 11, Day: 4}, "2018-11-04T01:00:00-02:00"},
		{"Asia/Beirut", timeparse.LocalTime{Year: 2026, Month: 3, Day: 29}, "2026-03-29T01:00:00+03:00"},
		{"Pacific/Apia", timeparse.LocalTime{Year: 2011, Month: 12, Day: 30}, "2011-12-31T00:00:00+14:00"},
		{"Pacific/Kwajalein", timeparse.LocalTime{Year: 1993, Month: 8, Day: 21}, "1993-08-22T00:00:00+12:00"},
	} {
		if got := timeparse.RFC3339(timeparse.DayStart(c.day, zone(t, c.zone))); got != c.want {
			t.Errorf("%s in %s: got %s, want %s", c.day, c.zone, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"2026-11-24T15:00+01:00", "2026-11-24T15:00[Europe/Amsterdam]", "2026-11-24", "tomorrow at 9am", "next friday 15:00", "in 1h 30m", "-7d", "2 weeks", "P1D",
	} {
		f.Add(text, int64(1795500000))
	}
	f.Fuzz(func(t *testing.T, text string, now int64) {
		now = min(max(now, -1e9), 7e9) // 1938 to 2191
		where := zone(t, "America/New_York")
		m, err := timeparse.Parse(text, timeparse.Context{Now: time.Unix(now, 0), Zone: where})
		if err != nil {
			if len(err.Error()) > 600 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		// An offset may cross the end of a year.
		if year := m.Time.UTC().Year(); year < timeparse.FirstYear-1 || year > timeparse.LastYear+1 || m.End.Before(m.Time) || m.Date != m.End.After(m.Time) {
			t.Errorf("%q: got %+v", text, m)
		}
		again, err := timeparse.Parse(timeparse.RFC3339(m.Time), timeparse.Context{Zone: m.Zone})
		if year := m.Time.Year(); year >= timeparse.FirstYear && year <= timeparse.LastYear && (err != nil || !again.Time.Equal(m.Time)) {
			t.Errorf("%q: got %v, which is read as %v, %v", text, m.Time, again.Time, err)
		}
		if d, err := timeparse.ParseLength(text); err == nil && (d < 0 || d > timeparse.MaxLength) {
			t.Errorf("%q: got %v", text, d)
		}
	})
}
