package availability

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/eventtime"
	"kota/bundles/internal/recurrence"
	"kota/bundles/internal/timeparse"
)

// spanOfMinutes returns a span of the day from one minute to another.
func spanOfMinutes(from, to int) eventtime.Span {
	day := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	return eventtime.Span{Start: day.Add(time.Duration(from) * time.Minute), End: day.Add(time.Duration(to) * time.Minute), Zone: time.UTC}
}

func sortByStart[T any](list []T, of func(T) eventtime.Span) []T {
	slices.SortStableFunc(list, func(a, b T) int { return of(a).Start.Compare(of(b).Start) })
	return list
}

func TestOverlappingFindsAllEvents(t *testing.T) {
	hits := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		some := func() eventtime.Span {
			from := r.IntN(300)
			return spanOfMinutes(from, from+r.IntN([]int{5, 40, 200}[r.IntN(3)]))
		}
		b := Booking{Event: "own", Series: "weekly"}
		for range 1 + r.IntN(12) {
			s := some()
			s.End = s.End.Add(time.Minute) // a booking never has length zero
			b.Spans = append(b.Spans, s)
		}
		b.Spans = sortByStart(b.Spans, func(s eventtime.Span) eventtime.Span { return s })
		events := []timedEvent{}
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
			events = append(events, timedEvent{e, some()})
		}
		events = sortByStart(events, func(e timedEvent) eventtime.Span { return e.at })
		want := []string{}
		for _, e := range events {
			hit := slices.ContainsFunc(b.Spans, func(s eventtime.Span) bool {
				return e.at.Start.Before(e.at.End) && s.Start.Before(e.at.End) && e.at.Start.Before(s.End)
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
		t.Errorf("only %d events overlap", hits)
	}
}

// dailyForTenYears returns a daily event of half an hour for ten years, and as many
// events of another calendar. Every tenth of those overlaps.
func dailyForTenYears(t testing.TB) (daily eventtime.Span, lines []string, events []timedEvent) {
	zone, err := timeparse.Zone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, zone)
	for day := range 3652 {
		at := start.AddDate(0, 0, day).Add(time.Duration(day%10) * time.Hour)
		events = append(events, timedEvent{&calendarapi.Event{Id: fmt.Sprint("e", day)}, eventtime.Span{Start: at, End: at.Add(time.Hour), Zone: zone}})
	}
	return eventtime.Span{Start: start, End: start.Add(30 * time.Minute), Zone: zone}, []string{"RRULE:FREQ=DAILY"}, events
}

// expandAndOverlap returns the events that overlap an instance of the series.
func expandAndOverlap(t testing.TB, daily eventtime.Span, lines []string, events []timedEvent) []timedEvent {
	set, err := recurrence.Parse(lines, recurrence.Start{Time: daily.Start, Zone: daily.Zone})
	if err != nil {
		t.Fatal(err)
	}
	starts, _ := set.Between(daily.Start, daily.Start.AddDate(10, 0, 0), len(events))
	return Booking{Spans: daily.RepeatedAt(starts)}.overlapping(events)
}

func TestOverlappingForTenYearsDaily(t *testing.T) {
	daily, lines, events := dailyForTenYears(t)
	found := expandAndOverlap(t, daily, lines, events)
	for _, e := range found {
		if e.at.Start.Hour() != 9 {
			t.Fatalf("%s at %s does not overlap", e.Id, e.at.Start)
		}
	}
	if len(found) != 366 {
		t.Errorf("%d overlap, want 366", len(found))
	}
}

func BenchmarkConflictsOfTenYearsDaily(b *testing.B) {
	daily, lines, events := dailyForTenYears(b)
	for b.Loop() {
		expandAndOverlap(b, daily, lines, events)
	}
}
