package entrypoint

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kota/bundles"
	"kota/metadata"
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

// unreadable is the state of a session whose database cannot be reached for the given number of tries.
type unreadable struct {
	Replicas
	failures int
}

func (u *unreadable) Refresh(context.Context) error {
	if u.failures--; u.failures >= 0 {
		return &metadata.Error{Code: metadata.Unavailable, Message: "the database cannot be reached", Retryable: true}
	}
	return nil
}

func TestCallIsRefusedWhileSessionIsUnreadable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			effect   metadata.Effect
			tainted  bool
			failures int
			runs     bool
		}{
			"a read":            {metadata.Reads, false, 1e6, true},
			"in a tainted one":  {metadata.Sends, true, 1e6, true},
			"during a failover": {metadata.Writes, false, 20, true},
			"a write":           {metadata.Writes, false, 1e6, false},
			"a send":            {metadata.Sends, false, 1e6, false},
		} {
			s, ran := NewSession(), false
			s.Share("id", &unreadable{failures: c.failures})
			if c.tainted {
				s.Taint()
			}
			_, err := RefreshSession(func(context.Context, *Call) (any, error) { ran = true; return nil, nil })(t.Context(),
				&Call{Session: s, Prepared: bundles.Call{Effect: c.effect}})
			if failure := Classify(err); ran != c.runs || err != nil && (failure.Code != metadata.Unavailable || !failure.Retryable) || (err == nil) != ran {
				t.Errorf("%s: ran: %t, %v", name, ran, err)
			}
			if s.IsTainted() != c.tainted {
				t.Errorf("%s: the session is tainted: %t", name, s.IsTainted())
			}
		}
	})
}
