package briefing

import (
	"sync"
	"time"
)

// lastAnswers keep what sources answered last, so that one which cannot be read
// for a moment is not lost from the day.
type lastAnswers struct {
	mu   sync.Mutex
	last map[string]remembered // by source and date
}

type remembered struct {
	found any // a Found of the source's rows
	at    time.Time
}

// stillTells is how long an answer says something of the day.
const stillTells = 12 * time.Hour

// mostRemembered bounds what is kept: some days of each source.
const mostRemembered = 64

func (l *lastAnswers) keep(source, date string, answer remembered) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || len(l.last) >= mostRemembered {
		l.last = map[string]remembered{}
	}
	l.last[source+" "+date] = answer
}

// of returns what the source answered last of the date, unless that is too long
// ago.
func (l *lastAnswers) of(source, date string, now time.Time) (remembered, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	answer, ok := l.last[source+" "+date]
	return answer, ok && now.Sub(answer.at) <= stillTells
}
