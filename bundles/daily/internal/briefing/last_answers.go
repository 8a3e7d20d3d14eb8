package briefing

import (
	"sync"
	"time"
)

// lastAnswers keeps the last answer of each source. If the source cannot be read, a
// briefing shows that answer for at most maxAnswerAge.
type lastAnswers struct {
	mu   sync.Mutex
	last map[string]storedAnswer // key: source and date
}

type storedAnswer struct {
	found any // a Found of the source's rows
	at    time.Time
}

// maxAnswerAge is how long a stored answer is still useful.
const maxAnswerAge = 12 * time.Hour

// maxStoredAnswers is the number of stored answers at which put discards all of them before
// it stores another one.
const maxStoredAnswers = 64

func (l *lastAnswers) put(source, date string, answer storedAnswer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || len(l.last) >= maxStoredAnswers {
		l.last = map[string]storedAnswer{}
	}
	l.last[source+" "+date] = answer
}

// get returns the last answer of the source for the date. It returns false if no
// answer is stored, or if the answer is older than maxAnswerAge.
func (l *lastAnswers) get(source, date string, now time.Time) (storedAnswer, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	answer, ok := l.last[source+" "+date]
	return answer, ok && now.Sub(answer.at) <= maxAnswerAge
}
