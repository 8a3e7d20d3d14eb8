package daily_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/metadata"
)

// zones have what goes wrong: half an hour at a time, a whole day, at midnight,
// and both ends of the world.
var zones = []string{
	amsterdam, "UTC", "America/New_York", "America/Havana", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Niue",
	"Africa/Cairo", "America/Sao_Paulo", "Asia/Beirut", "Europe/Dublin", "Antarctica/Troll", "Asia/Tehran",
}

// Whatever is asked for, the moment that is kept is one of the day that is kept
// with it, by the clocks of its zone; and none is made up.
func TestAMomentIsAlwaysOfItsDay(t *testing.T) {
	d := newDesk(t)
	random := rand.New(rand.NewPCG(5, 21))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	logs, refusals := 0, 0
	for range 700 {
		d.zone = location(t, pick(zones...))
		d.dayStarts = time.Duration(random.IntN(12*60+1)) * time.Minute
		d.now = time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.Int64N(int64(17 * 365 * 24 * time.Hour))))
		day := d.now.AddDate(0, 0, 1-random.IntN(400))
		in := args{"text": "x"}
		if date := pick("", "", day.Format(time.DateOnly), "today", "yesterday", "tomorrow", "monday", "3 days ago", "last friday"); date != "" {
			in["date"] = date
		}
		starts := time.Time{}.Add(d.dayStarts).Format("15:04")
		if at := pick("", "", "noon", "0:00", "23:59", starts, fmt.Sprintf("%02d:%02d", random.IntN(24), random.IntN(60))); at != "" {
			in["time"] = at
		}
		zone := pick("", zones[random.IntN(len(zones))])
		if zone != "" {
			in["timezone"] = zone
		}
		out, err := bundletest.Answer[logged](t, d.bundle, "daily_log", in)
		if err != nil { // clocks skip that time, or the day
			if refusals++; metadata.CodeOf(err) != metadata.ValidationError {
				t.Fatalf("%v at %v: %v", in, d.now.In(d.zone), err)
			}
			continue
		}
		logs++
		kept, err := db.Diary("local").Entry(t.Context(), out.IDs[0])
		if err != nil {
			t.Fatal(err)
		}
		if kept.Moment.IsZero() {
			if asked := cmp.Or(zone, d.zone.String()); in["time"] != nil || in["date"] == nil || kept.Zone != asked {
				t.Errorf("%v at %v: it has no time, in %s", in, d.now.In(d.zone), kept.Zone)
			}
			continue
		}
		wall := kept.Moment.In(location(t, kept.Zone))
		began := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, time.UTC).Add(-d.dayStarts)
		if began.Format(time.DateOnly) != out.Date || kept.Date != out.Date {
			t.Errorf("%v at %v, where days start at %v: it is on %s, and its moment is %v", in, d.now.In(d.zone), d.dayStarts, out.Date, wall)
		}
		if in["date"] == nil && kept.Moment.After(d.now.Add(5*time.Minute)) {
			t.Errorf("%v at %v: its moment is to come: %v", in, d.now.In(d.zone), wall)
		}
	}
	if logs < 600 || refusals > 50 {
		t.Errorf("%d were logged and %d refused", logs, refusals)
	}
}
