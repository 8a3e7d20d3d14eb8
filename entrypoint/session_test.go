package entrypoint

import (
	"testing"
	"time"
)

func TestRefusalExpiresAfterADay(t *testing.T) {
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]int{0: 1, 24*time.Hour - time.Nanosecond: 1, 24 * time.Hour: 0} {
		s := NewSession()
		s.NoteRefusal(Refusal{"letters_send", now})
		if got := s.Refusals(now.Add(after)); len(got) != want {
			t.Errorf("%v later %d count, want %d", after, len(got), want)
		}
	}
}

// A refusal may come between the check of the refusals and the question.
func TestTrackQuestionRefusesAfterLastRefusal(t *testing.T) {
	s, now := NewSession(), time.Now()
	for i := range MaxRefusals {
		_, answered, err := s.TrackQuestion(t.Context(), now)
		if err != nil {
			t.Fatalf("after %d refusals: %v", i, err)
		}
		answered()
		s.NoteRefusal(Refusal{"letters_send", now})
	}
	if asked, answered, err := s.TrackQuestion(t.Context(), now); err == nil || asked.Err() == nil {
		answered()
		t.Errorf("after %d refusals a question is opened", MaxRefusals)
	}
}
