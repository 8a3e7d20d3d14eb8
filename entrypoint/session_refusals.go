package entrypoint

import (
	"context"
	"fmt"
	"time"
)

// mostRefusals is after how many refusals the user of a session is not asked any
// more. A user who refuses again and again stops reading the questions.
const mostRefusals = 3

// refusalKept is how long a refusal counts: a session may last for weeks.
const refusalKept = 24 * time.Hour

// A refusal is a no of the user's, or a question that they closed.
type refusal struct {
	tool string
	at   time.Time
}

// An openQuestion is one that a client was asked and has not answered.
type openQuestion struct{ withdraw context.CancelFunc }

// refusals are the refusals in the session in ctx that count at that time, the
// oldest first.
func refusals(ctx context.Context, now time.Time) []refusal {
	s := sessionIn(ctx)
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counting(now)
}

// counting returns the refusals that count. s.mu is held.
func (s *Session) counting(now time.Time) []refusal {
	for len(s.refusals) > 0 && now.Sub(s.refusals[0].at) >= refusalKept {
		s.refusals = s.refusals[1:]
	}
	return s.refusals
}

// noteRefusal notes that the user has refused a call of the tool in the session in
// ctx. With the last one that is asked about, the open questions are withdrawn.
func noteRefusal(ctx context.Context, tool string, now time.Time) {
	s := sessionIn(ctx)
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = append(s.refusals[:len(s.refusals):len(s.refusals)], refusal{tool, now})
	if len(s.counting(now)) < mostRefusals {
		return
	}
	for question := range s.open {
		question.withdraw()
	}
}

// forgetRefusals lets KOTA ask the user of the session in ctx again.
func forgetRefusals(ctx context.Context) {
	if s := sessionIn(ctx); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refusals = nil
	}
}

// withdrawable returns ctx for a question of the session in it, and what to do
// when that is answered. Refusals elsewhere may end it before. It returns
// errTooMany where the user has refused too often by now.
func withdrawable(ctx context.Context, now time.Time) (_ context.Context, answered func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	s := sessionIn(ctx)
	if s == nil {
		return ctx, cancel, nil
	}
	question := &openQuestion{cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.counting(now)) >= mostRefusals {
		cancel()
		return ctx, cancel, errTooMany
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

// saidNo says how often the user has refused: "said no 2 times in this
// conversation, last to gmail_send_message".
func saidNo(refused []refusal) string {
	times := "once"
	if len(refused) > 1 {
		times = fmt.Sprintf("%d times", len(refused))
	}
	return fmt.Sprintf("said no %s in this conversation, last to %s", times, refused[len(refused)-1].tool)
}
