package daily_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/bundles/staged"
)

// newFixtureWithClockBack returns a fixture with entries of Friday and Saturday, whose clock then shows
// Thursday.
func newFixtureWithClockBack(t *testing.T) *fixture {
	d := newFixture(t)
	for range 2 {
		bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "before " + d.now.Format(time.DateOnly)})
		d.task(t, args{"op": "add", "text": "made " + d.now.Format(time.DateOnly), "due": "today"})
		d.advanceDays(-1)
	}
	d.advanceDays(2)
	d.task(t, args{"op": "done", "ids": d.task(t, args{"op": "add", "text": "done"}).Tasks[0].ID})
	d.now = time.Date(2026, 11, 19, 9, 0, 0, 0, d.zone)
	return d
}

func TestLogAfterClockSetBackUsesClockDay(t *testing.T) {
	d := newFixtureWithClockBack(t)
	if out := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "after"}); out.Date != "2026-11-19" || out.Backfilled {
		t.Errorf("got %+v", out)
	}
	texts := []string{}
	for _, day := range bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"date": "this week"}).Days {
		for _, e := range day.Entries {
			texts = append(texts, day.Date[8:]+" "+e.Text)
		}
	}
	if want := []string{"19 after", "20 before 2026-11-20", "21 before 2026-11-21"}; !slices.Equal(texts, want) {
		t.Errorf("got %q", texts)
	}
	if found := bundletest.Must[searchAnswer](t, d.bundle, "daily_search", args{}); len(found.Hits) != 3 || found.Hits[0].Text != "before 2026-11-21" {
		t.Errorf("a search finds %+v", found.Hits)
	}
}

func TestTasksStayListedAfterClockSetBack(t *testing.T) {
	d := newFixtureWithClockBack(t)
	added := d.task(t, args{"op": "add", "text": "made after", "due": "yesterday"})
	list := d.task(t, args{})
	if got := texts(list.Tasks); !cmp.Equal(got, []string{"made after", "made 2026-11-20", "made 2026-11-21"}) || list.Counts != added.Counts {
		t.Errorf("open are %q, %+v", got, list.Counts)
	}
	for _, row := range list.Tasks {
		if row.DaysCarried != 0 || row.OverdueDays < 0 || row.CarriedFrom != "" {
			t.Errorf("got %+v", row)
		}
	}
	if got := texts(list.Done); !cmp.Equal(got, []string{"done"}) || list.Counts.Overdue != 1 || list.Counts.Done != 1 {
		t.Errorf("done are %q, %+v", got, list.Counts)
	}
	if brief := bundletest.Must[briefingAnswer](t, d.bundle, "daily_briefing", args{}); brief.Tasks.Status != "ok" || len(brief.Tasks.Items) != 3 {
		t.Errorf("the briefing tells %+v", brief.Tasks)
	}
	if starter := bundletest.Must[staged.Answer](t, d.bundle, "daily_plan", args{"date": "today"}).Starter; !strings.Contains(starter, "made 2026-11-21") {
		t.Errorf("a plan begins with %s", starter)
	}
	ids := []string{list.Tasks[1].ID, list.Tasks[2].ID}
	if got := d.task(t, args{"op": "done", "ids": ids}).Counts; got.Open != 1 || got.Done != 3 {
		t.Errorf("after two were done: %+v", got)
	}
	if past := d.task(t, args{"date": "2026-11-18"}); len(past.Tasks)+len(past.Done) != 0 {
		t.Errorf("on the day before there were %+v", past)
	}
}

func TestCountsStayPositiveAfterClockSetBack(t *testing.T) {
	d := newFixtureWithClockBack(t)
	got := bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", args{})
	if got.Streaks.Current.Days != 0 || got.Streaks.Longest.Days != 0 || got.Gaps.Days != 0 || got.Entries != 0 || got.Days != 30 {
		t.Errorf("before anything was logged: got %+v", got)
	}
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "after"})
	got = bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", args{})
	if got.Streaks.Current != (runRow{1, "2026-11-19", "2026-11-19"}) || got.Gaps.Days != 0 || got.Entries != 1 {
		t.Errorf("got %+v", got)
	}
	d.now = time.Date(2026, 11, 21, 13, 0, 0, 0, d.zone) // the clock is correct again
	if got = bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", args{}); got.Streaks.Current.Days != 3 || got.Entries != 3 {
		t.Errorf("when the clock was right again: got %+v", got)
	}
}

// A user who flies west, or logs in a zone that is ahead, has a task dated tomorrow at
// home.
func TestTaskFromZoneAheadIsOnTodaysList(t *testing.T) {
	d := newFixture(t)
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"tasks": []string{"Call home"}, "timezone": "Pacific/Kiritimati"})
	d.zone = location(t, "Pacific/Niue")
	if got := d.task(t, args{}); got.Date != "2026-11-20" || !cmp.Equal(texts(got.Tasks), []string{"Call home"}) {
		t.Errorf("got %+v", got)
	}
}

func TestStagedFlowSurvivesClockSetBack(t *testing.T) {
	d := newFixture(t)
	handle := bundletest.Must[staged.Answer](t, d.bundle, "daily_review", args{"type": "day_review", "date": "today"}).Handle
	d.advanceDays(-3)
	bundletest.Must[staged.Answer](t, d.bundle, "daily_review", args{"handle": handle, "answers": args{"hard": []string{"the clock"}}})
	made := bundletest.Must[staged.Answer](t, d.bundle, "daily_review", args{"handle": handle, "answers": args{"highlights": []string{"it goes on"}}})
	if made.Stage != "created" || made.Period != "2026-11-21" {
		t.Errorf("got %+v", made)
	}
}
