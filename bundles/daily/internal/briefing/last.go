package briefing

import (
	"sync"
	"time"
)

// lastAnswers keeps the last answer of each source. A briefing shows it if the source
// cannot be read for a while.
type lastAnswers struct {
	mu   sync.Mutex
	last map[string]remembered // key: source and date
}

type remembered struct {
	found any // a Found of the source's rows
	at    time.Time
}

// stillTells is how long a stored answer is still useful.
const stillTells = 12 * time.Hour

// mostRemembered is the number of stored answers at which all are discarded: some days
// of each source.
const mostRemembered = 64

func (l *lastAnswers) keep(source, date string, answer remembered) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || len(l.last) >= mostRemembered {
		l.last = map[string]remembered{}
	}
	l.last[source+" "+date] = answer
}

// of returns the last answer of the source for the date. It returns false if that answer
// is too old.
func (l *lastAnswers) of(source, date string, now time.Time) (remembered, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	answer, ok := l.last[source+" "+date]
	return answer, ok && now.Sub(answer.at) <= stillTells
}
