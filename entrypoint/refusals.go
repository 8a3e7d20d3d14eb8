package entrypoint

import (
	"context"
	"errors"
	"time"
)

// MaxRefusals is the number of refusals after which KOTA stops asking the user of a
// session. A user who refuses again and again stops reading the questions.
const MaxRefusals = 3

// refusalTTL is how long a refusal counts, since a session may last for weeks.
const refusalTTL = 24 * time.Hour

// ErrTooMany says that KOTA does not ask the user: too many questions are open, or the
// user has refused too often.
var ErrTooMany = errors.New("the user has too many open questions")

// A Refusal is a question that the user declined or closed.
type Refusal struct {
	Tool string
	At   time.Time
}

// An openQuestion is a question that the client has not answered yet.
type openQuestion struct{ cancel context.CancelFunc }

// Refusals returns the refusals that still count at that time, the oldest first.
func (s *Session) Refusals(now time.Time) []Refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.currentRefusals(now)
}

// currentRefusals drops old refusals and returns the rest. The caller holds s.mu.
func (s *Session) currentRefusals(now time.Time) []Refusal {
	for len(s.refusals) > 0 && now.Sub(s.refusals[0].At) >= refusalTTL {
		s.refusals = s.refusals[1:]
	}
	return s.refusals
}

// NoteRefusal records a refusal. After MaxRefusals refusals it withdraws the open
// questions.
func (s *Session) NoteRefusal(refusal Refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = append(s.refusals[:len(s.refusals):len(s.refusals)], refusal)
	if len(s.currentRefusals(refusal.At)) < MaxRefusals {
		return
	}
	for question := range s.open {
		question.cancel()
	}
}

// ForgetRefusals clears the refusals, so that KOTA asks the user again.
func (s *Session) ForgetRefusals() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = nil
}

// TrackQuestion registers a question of the session. It returns a context for the
// question and a function to call after the answer. The context ends early if the session
// reaches MaxRefusals. If it already has so many refusals, TrackQuestion returns ErrTooMany.
func (s *Session) TrackQuestion(ctx context.Context, now time.Time) (_ context.Context, answered func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	question := &openQuestion{cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.currentRefusals(now)) >= MaxRefusals {
		cancel()
		return ctx, cancel, ErrTooMany
	}
	if s.open == nil {
		s.open = map[*openQuestion]bool{}
	}
	s.open[question] = true
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, question)
	}, nil
}
