package calendar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/recurrence"
	"kota/bundles/internal/timeparse"
)

// minutes is a span of the day, from one minute to another.
func minutes(from, to int) span {
	day := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	return span{start: day.Add(time.Duration(from) * time.Minute), end: day.Add(time.Duration(to) * time.Minute), zone: time.UTC}
}

func inOrder[T any](list []T, of func(T) span) []T {
	slices.SortStableFunc(list, func(a, b T) int { return of(a).start.Compare(of(b).start) })
	return list
}

func TestAllThatOverlapsIsFoundInOneGo(t *testing.T) {
	hits := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		some := func() span {
			from := r.IntN(300)
			return minutes(from, from+r.IntN([]int{5, 40, 200}[r.IntN(3)]))
		}
		b := booking{event: "own", series: "weekly"}
		for range 1 + r.IntN(12) {
			s := some()
			s.end = s.end.Add(time.Minute) // nothing is booked for no time
			b.spans = append(b.spans, s)
		}
		b.spans = inOrder(b.spans, func(s span) span { return s })
		events := []taken{}
		for i := range r.IntN(12) {
			e := &calendarapi.Event{Id: fmt.Sprint("e", i)}
			switch r.IntN(6) {
			case 0:
				e.Id = "own"
			case 1:
				e.RecurringEventId = "weekly"
			case 2:
				e.RecurringEventId = "other"
			}
			events = append(events, taken{e, some()})
		}
		events = inOrder(events, func(e taken) span { return e.at })
		want := []string{}
		for _, e := range events {
			hit := slices.ContainsFunc(b.spans, func(s span) bool {
				return e.at.start.Before(e.at.end) && s.start.Before(e.at.end) && e.at.start.Before(s.end)
			})
			if hit && e.Id != "own" && e.RecurringEventId != "weekly" {
				want = append(want, e.Id)
			}
		}
		got := []string{}
		for _, e := range b.overlapping(events) {
			got = append(got, e.Id)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("case %d: got %v, want %v", seed, got, want)
		}
		hits += len(got)
	}
	if hits < 2000 {
		t.Errorf("only %d events were in the way", hits)
	}
}

// tenYears is a daily event of half an hour for ten years, and as many events of
// another calendar, of which every tenth is in its way.
func tenYears(t testing.TB) (daily span, lines []string, events []taken) {
	zone, err := timeparse.Zone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, zone)
	for day := range 3652 {
		at := start.AddDate(0, 0, day).Add(time.Duration(day%10) * time.Hour)
		events = append(events, taken{&calendarapi.Event{Id: fmt.Sprint("e", day)}, span{start: at, end: at.Add(time.Hour), zone: zone}})
	}
	return span{start: start, end: start.Add(30 * time.Minute), zone: zone}, []string{"RRULE:FREQ=DAILY"}, events
}

// inTheWayFor expands the series and finds what is in its way.
func inTheWayFor(t testing.TB, daily span, lines []string, events []taken) []taken {
	set, err := recurrence.Parse(lines, recurrence.Start{Time: daily.start, Zone: daily.zone})
	if err != nil {
		t.Fatal(err)
	}
	starts, _ := set.Between(daily.start, daily.start.AddDate(10, 0, 0), len(events))
	return booking{spans: daily.repeated(starts)}.overlapping(events)
}

func TestTenYearsOfADailyEventAreComparedWithAll(t *testing.T) {
	daily, lines, events := tenYears(t)
	found := inTheWayFor(t, daily, lines, events)
	for _, e := range found {
		if e.at.start.Hour() != 9 {
			t.Fatalf("%s at %s is in no way", e.Id, e.at.start)
		}
	}
	if len(found) != 366 {
		t.Errorf("%d are in the way, want 366", len(found))
	}
}

func BenchmarkConflictsOfTenYearsDaily(b *testing.B) {
	daily, lines, events := tenYears(b)
	for b.Loop() {
		inTheWayFor(b, daily, lines, events)
	}
}
