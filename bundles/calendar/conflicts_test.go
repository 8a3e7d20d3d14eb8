package calendar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"
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
		events = inOrder(events, func(e taken) span { return e.span })
		want := []string{}
		for _, e := range events {
			hit := slices.ContainsFunc(b.spans, func(s span) bool {
				return e.start.Before(e.end) && s.start.Before(e.end) && e.start.Before(s.end)
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
