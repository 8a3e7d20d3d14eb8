package entrypoint

import (
	"context"
	"errors"
	"time"
)

// MaxRefusals is after how many refusals the user of a session is not asked any
// more. A user who refuses again and again stops reading the questions.
const MaxRefusals = 3

// refusalKept is how long a refusal counts: a session may last for weeks.
const refusalKept = 24 * time.Hour

// ErrTooMany says that a client is asked no further question: it faces enough, or
// its user has refused too often.
var ErrTooMany = errors.New("too many questions are open")

// A Refusal is a no of the user's, or a question that they closed.
type Refusal struct {
	Tool string
	At   time.Time
}

// An openQuestion is one that a client was asked and has not answered.
type openQuestion struct{ withdraw context.CancelFunc }

// Refusals are those that count at that time, the oldest first.
func (s *Session) Refusals(now time.Time) []Refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counting(now)
}

// counting returns the refusals that count. s.mu is held.
func (s *Session) counting(now time.Time) []Refusal {
	for len(s.refusals) > 0 && now.Sub(s.refusals[0].At) >= refusalKept {
		s.refusals = s.refusals[1:]
	}
	return s.refusals
}

// NoteRefusal notes a refusal. With the last one that is asked about, the open
// questions are withdrawn.
func (s *Session) NoteRefusal(refused Refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = append(s.refusals[:len(s.refusals):len(s.refusals)], refused)
	if len(s.counting(refused.At)) < MaxRefusals {
		return
	}
	for question := range s.open {
		question.withdraw()
	}
}

// ForgetRefusals lets KOTA ask the user again.
func (s *Session) ForgetRefusals() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = nil
}

// TrackQuestion returns ctx for a question of the session, and what to do when that
// is answered. Refusals elsewhere may end it before. It returns ErrTooMany where the
// user has refused too often by now.
func (s *Session) TrackQuestion(ctx context.Context, now time.Time) (_ context.Context, answered func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	question := &openQuestion{cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.counting(now)) >= MaxRefusals {
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
