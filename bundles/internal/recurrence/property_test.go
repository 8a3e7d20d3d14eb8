package recurrence_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"

	"kota/bundles/internal/recurrence"
	"kota/store/faulttest"
)

// clockChanges are zones and years with unusual changes of clocks.
var clockChanges = []struct {
	zone string
	year int
}{
	{"UTC", 2026}, {"UTC", 2027}, {"America/New_York", 2026}, {"Europe/Amsterdam", 2026}, {"Australia/Lord_Howe", 2026}, {"Pacific/Apia", 2011}, {"Africa/Casablanca", 2026},
	{"Antarctica/Troll", 2026}, {"Europe/Dublin", 2026}, {"America/Sao_Paulo", 2018}, {"America/Havana", 2026}, {"Asia/Kathmandu", 2026}, {"Pacific/Chatham", 2026}, {"Asia/Beirut", 2023},
}

// randomSeries is a random series.
type randomSeries struct {
	rule   oracleRule
	start  recurrence.Start
	wall   time.Time
	length int // days that the oracle checks
	lines  []string
	want   []time.Time
	rdates []time.Time
}

// series generates a series in one of the first of those zones.
func (d generator) series(zones int) randomSeries {
	edge := clockChanges[d.IntN(zones)]
	where, err := time.LoadLocation(edge.zone)
	if err != nil {
		panic(err)
	}
	t := randomSeries{start: recurrence.Start{Zone: where, Date: d.one(5)}}
	t.start.Time = time.Date(edge.year, time.Month(1+d.IntN(12)), 1+d.IntN(31), d.IntN(24), d.IntN(60), 0, 0, where)
	if _, end := t.start.Time.ZoneBounds(); !end.IsZero() && d.one(2) {
		t.start.Time = end.Add(-time.Duration(d.IntN(5*24*60)) * time.Minute) // the days before clocks change
		if !t.start.Date && d.one(2) {
			h := d.IntN(4)
			t.start.Time = time.Date(t.start.Time.Year(), t.start.Time.Month(), t.start.Time.Day(), h, 15*d.IntN(4), 0, 0, where)
		}
	}
	t.wall = inUTC(t.start.Time)
	if t.start.Date {
		t.wall = t.wall.Truncate(24 * time.Hour)
	}
	t.rule = d.rule(t.start.Date)
	t.length = map[string]int{"DAILY": 120, "WEEKLY": 300, "MONTHLY": 900, "YEARLY": 1500}[t.rule.freq]
	t.count(d)
	return t
}

func (t *randomSeries) at(wall time.Time) time.Time {
	switch {
	case wall.Equal(t.wall) && !t.start.Date:
		return t.start.Time
	case t.start.Date:
		at := firstShown(wall, t.start.Zone)
		if !inUTC(at).Equal(wall) { // the day begins after its midnight, or has none
			for inUTC(at.Add(-time.Minute)).After(wall) {
				at = at.Add(-time.Minute)
			}
		}
		return at
	}
	return firstShown(wall, t.start.Zone)
}

// count lists the instances in the checked days, and generates an end and
// matching dates.
func (t *randomSeries) count(d generator) {
	var moments []time.Time
	walls := t.rule.walls(t.wall, t.length)
	if t.rule.count == 0 && len(walls) > 1 && d.one(3) {
		last := walls[d.IntN(len(walls))]
		t.rule.until = last
		if !t.start.Date {
			t.rule.until = t.at(last).Add(time.Duration(d.IntN(3)) * time.Hour)
		}
	}
	for _, w := range walls {
		at := t.at(w)
		end := at
		if t.start.Date {
			end = w
		}
		if t.rule.until.IsZero() || !end.After(t.rule.until) {
			moments = append(moments, at)
		}
	}
	moments = append(moments, t.at(t.wall))
	t.lines = []string{"RRULE:" + t.rule.text(t.start.Date)}
	if d.one(3) {
		for range 1 + d.IntN(3) {
			wall := t.wall.AddDate(0, 0, 1+d.IntN(60))
			t.rdates = append(t.rdates, t.at(wall))
			t.lines = append(t.lines, t.dateLine("RDATE", t.at(wall), wall, d))
		}
		moments = append(moments, t.rdates...)
	}
	slices.SortFunc(moments, time.Time.Compare)
	moments = slices.CompactFunc(moments, time.Time.Equal)
	if d.one(2) {
		for range 1 + d.IntN(4) {
			i := d.IntN(min(len(moments), 40))
			at := moments[i]
			if t.start.Date && inUTC(at).Hour() > 12 {
				continue
			}
			t.lines = append(t.lines, t.dateLine("EXDATE", at, inUTC(at), d))
			if moments = slices.Delete(moments, i, i+1); len(moments) == 0 {
				break
			}
		}
	}
	t.want = moments
}

// dateLine writes a moment in one of the possible forms.
func (t *randomSeries) dateLine(name string, at, wall time.Time, d generator) string {
	switch {
	case t.start.Date:
		return name + ";VALUE=DATE:" + wall.Format("20060102")
	case d.one(2) || !firstShown(wall, t.start.Zone).Equal(at):
		return name + ":" + at.UTC().Format("20060102T150405Z")
	}
	return name + ";TZID=" + t.start.Zone.String() + ":" + wall.Format("20060102T150405")
}

// end returns the end of the checked days, less what clocks may move.
func (t *randomSeries) end() time.Time { return t.start.Time.AddDate(0, 0, t.length-3) }

func before(list []time.Time, end time.Time) []time.Time {
	i := slices.IndexFunc(list, func(at time.Time) bool { return !at.Before(end) })
	if i < 0 {
		return list
	}
	return list[:i]
}

func same(a, b []time.Time) bool { return slices.EqualFunc(a, b, time.Time.Equal) }

// TestTenThousandRulesAgainstOracle compares with the oracle, for whole
// series and for parts.
func TestTenThousandRulesAgainstOracle(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			compare(t, generator{rand.New(rand.NewPCG(7, seed))}, faulttest.Sample(t, 500, 2500))
		})
	}
}

func compare(t *testing.T, d generator, rules int) {
	t.Helper()
	read, never, library, failures := 0, 0, 0, 0
	for range rules {
		c := d.series(len(clockChanges))
		s, err := recurrence.Parse(c.lines, c.start)
		if err != nil {
			var refused *recurrence.RuleError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), "never happens") || len(c.rule.walls(c.wall, 5000)) > 0 {
				t.Errorf("%q from %v: %v", c.lines, c.start.Time, err)
			}
			never++
			continue
		}
		read++
		got, more := s.Between(time.Time{}, c.end(), 1_000_000)
		if want := before(c.want, c.end()); more || !same(got, want) {
			t.Errorf("%q from %v (date %t):\ngot  %s\nwant %s", c.lines, c.start.Time, c.start.Date, shown(got, time.RFC3339), shown(want, time.RFC3339))
			if failures++; failures > 5 {
				t.FailNow()
			}
			continue
		}
		from := c.start.Time.Add(time.Duration(d.IntN(c.length*24)) * time.Hour)
		to := from.Add(time.Duration(d.IntN(60*24)) * time.Hour)
		want := slices.DeleteFunc(slices.Clone(before(got, to)), func(at time.Time) bool { return at.Before(from) })
		if to.Before(c.end()) {
			if got, _ := s.Between(from, to, 1_000_000); !same(got, want) {
				t.Errorf("%q from %v, %v to %v:\ngot  %s\nwant %s", c.lines, c.start.Time, from, to, shown(got, time.RFC3339), shown(want, time.RFC3339))
			}
		}
		again, err := recurrence.Parse(s.Lines(), c.start)
		if err != nil || !slices.Equal(again.Lines(), s.Lines()) || !same(all(again, 50), all(s, 50)) {
			t.Errorf("%q: as sent %q, read as %v, %v", c.lines, s.Lines(), again, err)
		}
		if c.byLibrary() {
			library++
			checkByLibrary(t, c)
		}
	}
	if read < rules*4/5 || never < rules/125 || library < rules/50 {
		t.Errorf("%d rules were read, %d never happen, %d were also counted by rrule-go: too few to tell", read, never, library)
	}
}

// byLibrary reports whether rrule-go counts the rule as RFC 5545 does. It fails
// for BYSETPOS in the week or month of the start, for weeks of a year, and for
// days with and without numbers together.
func (t *randomSeries) byLibrary() bool {
	mixed := slices.ContainsFunc(t.rule.days, func(d nth) bool { return d.n == 0 }) && slices.ContainsFunc(t.rule.days, func(d nth) bool { return d.n != 0 })
	return t.start.Zone.String() == "UTC" && len(t.lines) == 1 && len(t.rule.positions)+len(t.rule.weeks) == 0 && !mixed
}

func checkByLibrary(t *testing.T, c randomSeries) {
	t.Helper()
	c.start.Time = c.wall
	rule, err := rrule.StrToRRule("DTSTART:" + c.wall.Format("20060102T150405Z") + "\n" + c.lines[0])
	if err != nil {
		t.Errorf("%q: %v", c.lines, err)
		return
	}
	want := rule.Between(c.wall, c.end().Add(-time.Second), true)
	if len(want) == 0 || !want[0].Equal(c.wall) {
		want = append([]time.Time{c.wall}, want...)
	}
	if got := before(c.want, c.end()); !same(got, want) {
		t.Errorf("%q from %v: rrule-go has %s, the oracle %s", c.lines, c.wall, shown(want, time.RFC3339), shown(got, time.RFC3339))
	}
}
