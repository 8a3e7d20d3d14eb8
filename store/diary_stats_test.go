package store_test

import (
	"fmt"
	"testing"

	"kota/store"
)

func TestGroupByWeekAndMonthSumsDays(t *testing.T) {
	days := []store.PeriodSummary{}
	for _, date := range []string{"2024-12-29", "2024-12-30", "2025-01-01", "2025-01-05", "2025-01-06"} { // Sunday, Monday, ...
		days = append(days, store.PeriodSummary{Period: date, Summary: store.Summary{Count: 2, Sum: 10, Min: float64(len(days)), Max: 9}})
	}
	for want, got := range map[string][]store.PeriodSummary{
		"[{2024-W52 {2 10 0 9}} {2025-W01 {6 30 1 9}} {2025-W02 {2 10 4 9}}]": store.GroupByWeek(days),
		"[{2024-12 {4 20 0 9}} {2025-01 {6 30 2 9}}]":                         store.GroupByMonth(days),
	} {
		if fmt.Sprint(got) != want {
			t.Errorf("got  %v\nwant %s", got, want)
		}
	}
	if mean := store.GroupByMonth(days)[1].Mean(); mean != 5 {
		t.Errorf("mean %v", mean)
	}
}

// daysWithEntries returns days, each with one entry. A date that starts with ~ was back-filled.
func daysWithEntries(dates ...string) []store.DaySummary {
	days := []store.DaySummary{}
	for _, date := range dates {
		day := store.DaySummary{Date: date, Entries: 1}
		if date[0] == '~' {
			day.Date, day.Backfilled = date[1:], 1
		}
		days = append(days, day)
	}
	return days
}

func TestFindStreaksCountsDaysLoggedOnTheDay(t *testing.T) {
	for _, c := range []struct {
		days  []store.DaySummary
		today string
		want  string // current, longest, and both with back-filled days
	}{
		{nil, "2026-11-20", "0 0 0 0"},
		{daysWithEntries("2026-11-20"), "2026-11-20", "1 1 1 1"},
		{daysWithEntries("2026-11-18", "2026-11-19"), "2026-11-20", "2 2 2 2"}, // today is not over
		{daysWithEntries("2026-11-17", "2026-11-18"), "2026-11-20", "0 2 0 2"},
		{daysWithEntries("2026-11-17", "~2026-11-18", "2026-11-19", "2026-11-20"), "2026-11-20", "2 2 4 4"},
		{daysWithEntries("2024-02-28", "2024-02-29", "2024-03-01"), "2024-03-01", "3 3 3 3"},
		{daysWithEntries("2023-02-28", "2023-03-01", "2023-12-31", "2024-01-01"), "2024-01-02", "2 2 2 2"},
		{daysWithEntries("2026-03-28", "2026-03-29", "2026-03-30", "2026-10-24", "2026-10-25"), "2026-10-26", "2 3 2 3"}, // clocks change
		{daysWithEntries("2026-11-20", "2026-11-21"), "2026-11-20", "1 1 1 1"},                                           // an entry of tomorrow was logged far in the east
	} {
		s := store.FindStreaks(c.days, c.today)
		if got := fmt.Sprint(s.Current.Days, s.Longest.Days, s.CurrentWithBackfill.Days, s.LongestWithBackfill.Days); got != c.want {
			t.Errorf("%v on %s: %s, want %s", c.days, c.today, got, c.want)
		}
	}
	s := store.FindStreaks(daysWithEntries("2026-11-01", "2026-11-02", "2026-11-10", "2026-11-11"), "2026-11-30")
	if want := (store.DaySpan{From: "2026-11-10", To: "2026-11-11", Days: 2}); s.Longest != want || s.Current != (store.DaySpan{}) {
		t.Errorf("got %+v", s)
	}
}

func TestFindGapsReturnsMissingDays(t *testing.T) {
	for _, c := range []struct {
		days     []store.DaySummary
		from, to string
		want     string
	}{
		{nil, "2026-11-19", "2026-11-20", "[{2026-11-19 2026-11-20 2}]"},
		{daysWithEntries("2026-11-20"), "2026-11-20", "2026-11-20", "[]"},
		{daysWithEntries("2024-02-28", "2024-03-02"), "2024-02-27", "2024-03-03", "[{2024-02-27 2024-02-27 1} {2024-02-29 2024-03-01 2} {2024-03-03 2024-03-03 1}]"},
		{daysWithEntries("2026-10-01", "2026-11-20", "2026-12-01"), "2026-11-19", "2026-11-21", "[{2026-11-19 2026-11-19 1} {2026-11-21 2026-11-21 1}]"},
		{daysWithEntries("0001-01-01", "9999-12-31"), "0001-01-01", "9999-12-31", "[{0001-01-02 9999-12-30 3652057}]"},
		{nil, "2026-11-21", "2026-11-20", "[]"},
	} {
		if got := fmt.Sprint(store.FindGaps(c.days, c.from, c.to)); got != c.want {
			t.Errorf("%v: got %s, want %s", c.days, got, c.want)
		}
	}
}
