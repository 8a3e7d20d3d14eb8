package storetest

import (
	"context"
	"strings"
	"time"

	"kota/store"
)

// A Logger logs entries.
type Logger interface {
	Log(ctx context.Context, l store.LogRequest) (store.LogResult, error)
}

// FillDays logs perDay entries, at most 50, on each of a number of days. The last day is the date
// last. The entries have texts of 8 to 27 words, and one of five types. The first three of every
// six entries of a day have a mood and an energy, or metrics. FillDays does not index them. The
// same arguments always give the same entries.
func FillDays(ctx context.Context, d Logger, last string, days, perDay int) error {
	end, err := time.Parse(time.DateOnly, last)
	if err != nil {
		return err
	}
	s := NewTextGenerator(uint64(days))
	for n := range days {
		day := end.AddDate(0, 0, n-days+1)
		entries := make([]store.DayEntry, perDay)
		for i := range entries {
			entries[i] = s.dayEntry(day, i, perDay)
		}
		if _, err := d.Log(ctx, store.LogRequest{Entries: entries}); err != nil {
			return err
		}
	}
	return nil
}

func (s *TextGenerator) dayEntry(day time.Time, i, perDay int) store.DayEntry {
	e := store.DayEntry{
		Date: day.Format(time.DateOnly), Moment: day.Add(7*time.Hour + time.Duration(i)*15*time.Hour/time.Duration(perDay)), Zone: "Europe/Zurich",
		Type: []string{"note", "food", "activity", "health", "journal"}[s.IntN(5)], Text: s.Text(8 + s.IntN(20)), Tags: strings.Fields(s.Text(2)),
	}
	switch i % 6 {
	case 0:
		e.Mood, e.Energy = 1+s.IntN(5), 1+s.IntN(5)
	case 1:
		e.Metrics = map[string]any{"sleep_hours": 5 + float64(s.IntN(40))/10, "rested": s.IntN(2) == 0}
	case 2:
		e.Metrics = map[string]any{"steps": float64(s.IntN(9000)), "water_l": float64(s.IntN(30)) / 10, "kcal": float64(s.IntN(900))}
	}
	return e
}
