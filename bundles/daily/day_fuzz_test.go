package daily_test

import (
	"context"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/metadata"
	"kota/store/enginetest"
	"kota/store/tables/diary"
	"kota/store/tables/stages"
)

// For any day, time and zone the call is refused, or the entry is on a day no later than
// tomorrow.
func FuzzDaysAndTimes(f *testing.F) {
	for _, seed := range [][3]string{
		{"", "", ""}, {"today", "23:30", "Europe/Amsterdam"}, {" ", " ", " "}, {"2026-02-30", "24:00", "Mars/Phobos"}, {"monday", "9am", "utc"}, {"3 days ago", "2 hours ago", ""},
		{"2011-12-30", "noon", "Pacific/Apia"}, {"last week", "now", "Local"}, {"9999-12-31", "00:00", "../etc/passwd"}, {"1900-01-01", "", "Africa/Monrovia"},
		{"2026-11-20T23:30:00Z", "2026-11-20T23:30", "Asia/Tokyo"}, {"\xff", "\x00", "\u202e"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	now := time.Date(2026, 11, 21, 2, 10, 0, 0, time.UTC)
	db := enginetest.Open(f, nil)
	bundle := daily.New(daily.Deps{
		Diary:     func(context.Context) (daily.Diary, error) { return diary.New(db, "local"), nil },
		Stages:    func(context.Context) (daily.StageStore, error) { return stages.New(db, "local"), nil },
		Now:       func() time.Time { return now },
		Zone:      func() *time.Location { return time.UTC },
		DayStarts: func() time.Duration { return 4 * time.Hour },
	})
	f.Fuzz(func(t *testing.T, date, at, zone string) {
		out, err := bundletest.Answer[logAnswer](t, bundle, "daily_log", args{"text": "x", "date": date, "time": at, "timezone": zone})
		if err != nil {
			if metadata.CodeOf(err) != metadata.ValidationError {
				t.Fatalf("%q, %q, %q: %v", date, at, zone, err)
			}
			return
		}
		day, err := time.Parse(time.DateOnly, out.Date)
		if err != nil || day.After(now.AddDate(0, 0, 2)) { // tomorrow in the zone that is furthest ahead
			t.Errorf("%q, %q, %q: it is on %q", date, at, zone, out.Date)
		}
	})
}
